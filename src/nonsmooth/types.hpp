#pragma once

#include <Eigen/Core>
#include <string_view>

namespace daedal::nonsmooth {

/// How a complementarity problem ended. A solution is called one after its residual was checked.
enum class Status {
  solved,
  no_solution,    // Lemke's path ended on a ray; lcp.hpp says what this proves
  not_converged,  // out of pivots or sweeps, lost to round-off, or data that are not finite
};

/// What has happened and what to try.
std::string_view sentence(Status status);

using MatrixIn = Eigen::Ref<const Eigen::MatrixXd>;
using VectorIn = Eigen::Ref<const Eigen::VectorXd>;
using VectorOut = Eigen::Ref<Eigen::VectorXd>;

}  // namespace daedal::nonsmooth
