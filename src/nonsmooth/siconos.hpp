#pragma once

#include <span>

#include "daedal/nonsmooth/contact_matrix.hpp"
#include "daedal/nonsmooth/types.hpp"

/// Siconos' numerics [Acary2019]: its only users are the solvers of this module. They check what
/// comes back. It allocates on every call.
namespace daedal::nonsmooth::siconos {

/// Whether this build has it; without, the functions below return `not_converged`.
bool available();

/// Lemke with lexicographic ratio test on a problem whose entries are about one. It does not tell a
/// ray from another failure.
Status lemke(MatrixIn M, VectorIn q, VectorOut z, int max_pivots, int& pivots);

/// Coulomb's friction by Gauss-Seidel over the contacts, in the plane or in space; r is where it
/// begins.
Status friction(const ContactMatrix& W, VectorIn q, std::span<const double> mu, double tolerance,
                int max_sweeps, VectorOut r, int& sweeps);

}  // namespace daedal::nonsmooth::siconos
