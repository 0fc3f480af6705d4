#pragma once

#include <span>

#include "daedal/linear/solver.hpp"

namespace daedal::linear {

/// D^-1 = F^T diag(d)^-1 F for a small symmetric block of any signature, by complete diagonal
/// pivoting with blocks of one and two [Bunch and Parlett 1971]; the blocks of two are diagonalised
/// by a rotation.
///
/// `D`: n x n, overwritten. `magnitude`: what each diagonal entry was computed from; the block is
/// scaled by it, and a pivot vanishes against it (pivot_test.hpp).
/// `F`: n x n by rows. `reciprocal`: 1/d. `work`: n scalars.
/// The status counts equations within the block.
FactorStatus invert_indefinite(int n, double* D, const double* magnitude, double* F,
                               double* reciprocal, double* work);

}  // namespace daedal::linear
