#include "daedal/coordinates/absolute/joint_coordinates.hpp"

namespace daedal::coordinates::absolute {

using system::Level;
using system::Point;

namespace {

using Row = Eigen::Matrix<double, 1, 3>;

const Frame<2>& first(const DirectionRow& d, std::span<const Frame<2>> frames) {
  return frames[d.links.frame[0]];
}
const Frame<2>& second(const DirectionRow& d, std::span<const Frame<2>> frames) {
  return frames[d.links.frame[1]];
}

double rate(const PartJacobian<2, 1>& J, const Frame<2>& A, const Frame<2>& B) {
  const auto one = [](const Row& row, const Frame<2>& frame) {
    return row.head<2>().dot(frame.v) + row[2] * frame.omega[0];
  };
  return one(J[0], A) + one(J[1], B);
}

double load_of(const CoordinateLoad& load, const Point& point) {
  const double applied = load.excitation >= 0 ? point.u[load.excitation].value : 0.0;
  return applied - load.stiffness * (point.q[load.phi.storage] - load.rest) -
         load.damping * point.v[load.phi.dof];
}

}  // namespace

void JointCoordinates::constant_rows(double* G) const {
  for (const CoordinateDrive& drive : drives) G[drive.G] = 1.0;
}

void JointCoordinates::rows(const Point& point, std::span<const Frame<2>> frames,
                            double* G) const {
  for (const DirectionRow& d : directions) {
    const Frame<2>&A = first(d, frames), &B = second(d, frames);
    const double phi = point.q[d.phi.storage];
    PartJacobian<2, 1> J;
    d.normal(phi).jacobian(A, B, J);
    for (int k = 0; k < 2; ++k) {
      for (int c = 0; d.G[k] >= 0 && c < d.links.width[k]; ++c) G[d.G[k] + c] = J[k][c];
    }
    G[d.G_phi] = -d.along(phi).value(A, B)[0];
  }
}

void JointCoordinates::constraints(const Point& point, std::span<const Frame<2>> frames,
                                   std::span<double> g) const {
  for (const DirectionRow& d : directions) {
    g[d.row] = d.normal(point.q[d.phi.storage]).value(first(d, frames), second(d, frames))[0];
  }
  for (const CoordinateDrive& drive : drives) {
    const double value = drive.level == Level::position ? point.q[drive.phi.storage]
                                                        : point.v[drive.phi.dof];
    g[drive.row] = value - point.u[drive.excitation].value;
  }
}

void JointCoordinates::gamma(const Point& point, std::span<const Frame<2>> frames,
                             std::span<double> gamma) const {
  for (const DirectionRow& d : directions) {
    const Frame<2>&A = first(d, frames), &B = second(d, frames);
    const double phi = point.q[d.phi.storage], phi_rate = point.v[d.phi.dof];
    PartJacobian<2, 1> along;
    d.along(phi).jacobian(A, B, along);
    const SlidePart<2> normal = d.normal(phi);
    gamma[d.row] = -(normal.quadratic(A, B)[0] - 2.0 * phi_rate * rate(along, A, B) -
                     phi_rate * phi_rate * normal.value(A, B)[0]);
  }
  for (const CoordinateDrive& drive : drives) {
    const math::Jet& u = point.u[drive.excitation];
    gamma[drive.row] = drive.level == Level::position ? u.second : u.first;
  }
}

void JointCoordinates::linearise(const Point& point, std::span<const Frame<2>> frames,
                                 std::span<const double> mu, double* K, double* D) const {
  for (const DirectionRow& d : directions) {
    const Frame<2>&A = first(d, frames), &B = second(d, frames);
    const double phi = point.q[d.phi.storage], m = mu[d.row];
    const SlidePart<2> normal = d.normal(phi);
    normal.hessian(A, B, Scalar1(m), BlockSink<2>{K, d.links, d.links.K});
    PartJacobian<2, 1> along;
    d.along(phi).jacobian(A, B, along);
    for (int k = 0; k < 2; ++k) {
      for (int c = 0; d.K_body_phi[k] >= 0 && c < d.links.width[k]; ++c) {
        K[d.K_body_phi[k] + c] -= m * along[k][c];
        K[d.K_phi_body[k] + c] -= m * along[k][c];
      }
    }
    K[d.K_phi] -= m * normal.value(A, B)[0];
  }
  for (const CoordinateLoad& load : loads) {
    K[load.K] += load.stiffness;
    if (load.damping != 0.0) D[load.D_] += load.damping;
  }
}

void JointCoordinates::subtract_drive_rates(const Point& point, std::span<double> rate) const {
  for (const CoordinateDrive& drive : drives) {
    const math::Jet& u = point.u[drive.excitation];
    rate[drive.row] -= drive.level == Level::position ? u.first : u.value;
  }
}

double JointCoordinates::drive_power(const Point& point, std::span<const double> lambda) const {
  double power = 0.0;
  for (const CoordinateDrive& drive : drives) {
    const math::Jet& u = point.u[drive.excitation];
    power -= lambda[drive.row] * (drive.level == Level::position ? u.first : u.value);
  }
  return power;
}

void JointCoordinates::add_force(const Point& point, std::span<double> f) const {
  for (const ScalarCoordinate& phi : all) f[phi.dof] = 0.0;
  for (const CoordinateLoad& load : loads) f[load.phi.dof] += load_of(load, point);
}

void JointCoordinates::add_energy(const Point& point, system::Energy& energy) const {
  for (const CoordinateLoad& load : loads) {
    const double stretch = point.q[load.phi.storage] - load.rest, rate = point.v[load.phi.dof];
    energy.potential += 0.5 * load.stiffness * stretch * stretch;
    energy.dissipation_power -= load.damping * rate * rate;
    if (load.excitation >= 0) energy.applied_power += point.u[load.excitation].value * rate;
  }
}

}  // namespace daedal::coordinates::absolute
