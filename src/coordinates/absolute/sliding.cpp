#include "daedal/coordinates/absolute/evaluator.hpp"

#include <algorithm>
#include <limits>

namespace daedal::coordinates::absolute {

/// Friction of contacts that slide, with slip rows s_k = -t_k and the tangential velocity w:
///
///     w_k = -s_k v      d = w / |w|      H = G - mu sum_k d_k s_k
///
/// At rest there is no direction in space, nor friction: who lets a contact slide sees to that.

template <int D>
auto AbsoluteEvaluator<D>::slip(const SlidingContact<D>& contact) const -> Slip {
  const Frame<D>&A = frames_[contact.links.frame[0]], &B = frames_[contact.links.frame[1]];
  const std::array<Row, 2> v = velocities(contact.links);
  Slip s;
  for (int k = 0; k < D - 1; ++k) {
    SlipPart<D>{contact.touch, k}.jacobian(A, B, s.rows[k]);
    s.direction[k] = -(s.rows[k][0].dot(v[0]) + s.rows[k][1].dot(v[1]));
  }
  s.speed = std::max(s.direction.norm(), std::numeric_limits<double>::min());
  if constexpr (D == 2) {
    s.direction[0] = contact.direction;
  } else {
    s.direction /= s.speed;
  }
  return s;
}

template <int D>
void AbsoluteEvaluator<D>::place_sliding() {
  std::copy(G_.values().begin(), G_.values().end(), H_.values().begin());
  for (const SlidingContact<D>& contact : compiled_.sliding) {
    const Slip s = slip(contact);
    for (int body = 0; body < 2; ++body) {
      if (!contact.links.present(body)) continue;
      double* at = H_.values().data() + contact.G[body];
      for (int i = 0; i < contact.links.width[body]; ++i) {
        for (int k = 0; k < D - 1; ++k) {
          at[i] -= contact.friction * s.direction[k] * s.rows[k][body][i];
        }
      }
    }
  }
}

template <int D>
void AbsoluteEvaluator<D>::linearise_sliding(std::span<const double> mu,
                                             system::Linearisation& out) const {
  std::copy(H_.values().begin(), H_.values().end(), out.H.values().begin());
  for (const SlidingContact<D>& contact : compiled_.sliding) {
    const Frame<D>&A = frames_[contact.links.frame[0]], &B = frames_[contact.links.frame[1]];
    const Slip s = slip(contact);
    const double friction = contact.friction * mu[contact.row];
    const BlockSink<D> K{out.K.values().data(), contact.links, contact.links.K};
    for (int k = 0; k < D - 1; ++k) {
      SlipPart<D>{contact.touch, k}.hessian(A, B, Scalar1(-friction * s.direction[k]), K);
    }
    if constexpr (D == 3) {
      // The direction turns: dd = (I - d d^T) dw / |w|, dw_k = -s_k dv - (s_k v)_q dq.
      if (s.direction.isZero(0.0)) continue;
      const BlockSink<D> C{out.D.values().data(), contact.links, contact.links.D_};
      const std::array<Row, 2> v = velocities(contact.links);
      const Eigen::Matrix2d turn = friction / s.speed *
          (Eigen::Matrix2d::Identity() - s.direction * s.direction.transpose());
      std::array<std::array<Row, 2>, 2> change;
      for (int k = 0; k < 2; ++k) {
        change[k] = {Row::Zero(), Row::Zero()};
        SlipPart<D>{contact.touch, k}.hessian(A, B, Scalar1(1.0), RowSink<D>{v, change[k]});
      }
      using Block = Eigen::Matrix<double, Geometry<D>::kDof, Geometry<D>::kDof>;
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          Block by_place = Block::Zero(), by_speed = Block::Zero();
          for (int k = 0; k < 2; ++k) {
            for (int l = 0; l < 2; ++l) {
              by_place += turn(k, l) * s.rows[k][i].transpose() * change[l][j];
              by_speed += turn(k, l) * s.rows[k][i].transpose() * s.rows[l][j];
            }
          }
          TouchPart<D>::hand_out(i, j, by_place, K);
          TouchPart<D>::hand_out(i, j, by_speed, C);
        }
      }
    }
  }
}

template <int D>
double AbsoluteEvaluator<D>::sliding_power(std::span<const double> lambda) const {
  double power = 0.0;
  for (const SlidingContact<D>& contact : compiled_.sliding) {
    const Slip s = slip(contact);
    const double along = D == 2 ? -(s.rows[0][0].dot(velocities(contact.links)[0]) +
                                    s.rows[0][1].dot(velocities(contact.links)[1])) *
                                      s.direction[0]
                                : s.speed;
    power -= contact.friction * lambda[contact.row] * along;
  }
  return power;
}

#define DAEDAL_SLIDING(D)                                                                     \
  template auto AbsoluteEvaluator<D>::slip(const SlidingContact<D>&) const -> Slip;           \
  template void AbsoluteEvaluator<D>::place_sliding();                                        \
  template void AbsoluteEvaluator<D>::linearise_sliding(std::span<const double>,              \
                                                        system::Linearisation&) const;        \
  template double AbsoluteEvaluator<D>::sliding_power(std::span<const double>) const
DAEDAL_SLIDING(2);
DAEDAL_SLIDING(3);
#undef DAEDAL_SLIDING

}  // namespace daedal::coordinates::absolute
