#pragma once

#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

/// Scales M in place to diag(row) M diag(column), so that the largest entry of every row and column
/// is about one [Ruiz2001]. Factors are powers of two, which rounds nothing; symmetric matrices
/// stay so. Rows and columns of zeros keep factors of one.
void equilibrate(Eigen::Ref<Eigen::MatrixXd> M, VectorOut row, VectorOut column);

}  // namespace daedal::nonsmooth
