#pragma once

#include <string>
#include <vector>

#include "daedal/simulate/settings.hpp"

namespace daedal::simulate {

/// Keys in docs/references.bib of the works behind a run: its method, formulation, formalism, scaling,
/// augmentation, Jacobian, linear solver and, if asked for, its condition number. `settings` hold what
/// was used: no `auto` among method and linear solver. `unknowns` is the size of the Newton matrix.
std::vector<std::string> references(const Settings& settings, int unknowns);

}  // namespace daedal::simulate
