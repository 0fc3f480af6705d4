#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "daedal/coordinates/absolute/elements.hpp"
#include "daedal/coordinates/joint/geometry.hpp"
#include "daedal/coordinates/joint/spanning_tree.hpp"

namespace daedal::coordinates::joint {

/// One motion in the tree. A joint is a sequence of links: a hinge, a slide, or both (cylindrical),
/// two hinges (universal), two slides and a hinge (planar) or a ball (surface), a screw, a ball; a
/// free body a translation and a ball. Links between the two bodies of a joint have no mass.
enum class LinkKind { fixed, hinge, slide, ball, translation, screw };

/// The frame of a link follows from that of its parent:
///
///     R = R_parent R0 (rotation)      p = p_parent + R_parent (p0 + e (displacement))
///
/// A hinge turns about its third axis, a slide moves along e, a screw turns about its third axis and
/// moves along it by pitch times the angle, a translation moves along its three axes. The motion is
/// sign times a coordinate, or prescribed by an excitation.
template <int D>
struct Link {
  int parent = 0;  // link; 0 is the ground
  LinkKind kind = LinkKind::fixed;
  double sign = 1.0;
  typename Geometry<D>::Matrix R0 = Geometry<D>::Matrix::Identity();
  typename Geometry<D>::Vector p0 = Geometry<D>::Vector::Zero();
  typename Geometry<D>::Vector e = Geometry<D>::Vector::Zero();
  double angle0 = 0.0;                    // planar: of R0, with full turns
  double pitch = 0.0;                     // of a screw [m/rad]
  int storage = -1, dof = -1, width = 0;  // of its coordinates
  int node = -1;
  int excitation = -1;
  bool turned = false;  // R0 is not the identity
};

/// A body on its link; axes and inertia of the link.
template <int D>
struct BodyOnLink {
  int link = 0;
  bool rotates = true;
  double mass = 0.0;
  typename Geometry<D>::Vector c = Geometry<D>::Vector::Zero();  // centre of mass
  typename Geometry<D>::SpinMatrix inertia = Geometry<D>::SpinMatrix::Zero();
  typename Geometry<D>::Matrix axes = Geometry<D>::Matrix::Identity();  // of the body, columns
  bool aligned = true;  // they are those of the link
};

/// Load on a coordinate s: tau = u(t) - stiffness (s - rest) - damping s'.
struct CoordinateLoad {
  int link = -1;
  double stiffness = 0.0, damping = 0.0, rest = 0.0;
  int excitation = -1;
};

/// s' = u(t)
struct SpeedDrive {
  int link = -1;
  int row = 0;
  int excitation = -1;
  int G = -1;
};

/// Where the freedoms of a joint are: links, or -1.
struct JointPlace {
  std::array<int, model::kFreedoms> link;
  int last = -1;  // link that carries the child, -1: the joint is cut
  bool reversed = false;
  JointPlace() { link.fill(-1); }
};

/// The tree of links with the bodies on them: all that recursions along it need.
template <int D>
struct Tree {
  std::vector<Link<D>> links;  // parents first; the first is the ground
  std::vector<BodyOnLink<D>> bodies;
  std::vector<int> body_of_link;  // or -1
  std::vector<int> carrier;  // nearest link on the way to the ground that has coordinates, or 0
  typename Geometry<D>::Vector gravity = Geometry<D>::Vector::Zero();
  int dof = 0;
};

template <int D>
struct Compiled;
template <int D>
typename Compiled<D>::BlockPlaces find_places(const Compiled<D>& compiled);

/// A model as a tree of links; the rest of it, loops and forces between bodies, in absolute
/// coordinates.
template <int D>
struct Compiled {
  system::Structure structure;
  Tree<D> tree;
  std::vector<JointPlace> joints;  // of the model
  std::vector<CoordinateLoad> loads;
  std::vector<SpeedDrive> speeds;
  std::vector<math::Expression> excitations;  // those of `rest` first

  /// Loops and forces between bodies; these bodies have no mass.
  absolute::Compiled<D> rest;
  std::vector<int> cut;  // joint of the model for each joint of `rest`
  bool bare = true;      // there is no rest
  /// Nodes of `rest`: bodies, then scalars which are coordinates here as well.
  struct RestNode {
    int body = -1;
    int node = -1, dof = -1, storage = -1;  // of a scalar, here
  };
  std::vector<RestNode> rest_nodes;

  /// Value offsets, found once.
  struct BodyBlock {  // K and D of `rest` for a body alone, or -1
    int K = -1, D_ = -1;
  };
  std::vector<BodyBlock> body_blocks;
  struct Coupling {  // of two nodes of `rest`
    int row = 0, column = 0;
    int K = -1, D_ = -1;
  };
  std::vector<Coupling> couplings;
  struct RowPlace {
    int link, to, to_rate;
  };
  /// Rows of `rest` on one of its nodes: r = from dz + from_rate dw.
  struct Rows {
    int node = 0, rows = 0;
    int from = -1, from_rate = -1;
    std::vector<RowPlace> to;  // to: of position increments, to_rate: of velocity increments
  };
  std::vector<Rows> G_rows, W_rows, state_rows;

  /// Where the blocks of M, D and K are, a chain's being full: found when they are first asked for.
  struct BlockPlaces {
    struct Pair {  // a link with coordinates, and itself or one that carries it
      int i = 0, j = 0;
      int M_ij = -1, M_ji = -1, D_ij = -1, D_ji = -1, K_ij = -1, K_ji = -1;
    };
    std::vector<Pair> pairs;
    struct Place {
      int i, j, K, D_;
    };
    std::vector<std::vector<Place>> couplings;     // of each of them
    std::vector<std::array<int, 2>> loads;  // of each: K and D, or -1
  };
  const BlockPlaces& places() const {
    std::call_once(lazy_places->once, [this] { lazy_places->value = find_places(*this); });
    return lazy_places->value;
  }
  struct LazyPlaces {
    std::once_flag once;
    BlockPlaces value;
  };
  std::shared_ptr<LazyPlaces> lazy_places = std::make_shared<LazyPlaces>();

  /// Calls `use` with each link with coordinates that moves a link, deepest first.
  template <class Use>
  void for_carriers(int link, Use&& use) const {
    if (tree.links[link].width == 0) link = tree.carrier[link];
    for (; link > 0; link = tree.carrier[link]) use(link);
  }
  /// Nodes of coordinates that move a node of `rest`, as (link or -1, node).
  std::vector<std::pair<int, int>> movers(int rest_node) const {
    const RestNode& node = rest_nodes[rest_node];
    if (node.body < 0) return {{-1, node.node}};
    std::vector<std::pair<int, int>> found;
    for_carriers(tree.bodies[node.body].link,
                 [&](int link) { found.push_back({link, tree.links[link].node}); });
    return found;
  }

  int ground() const { return static_cast<int>(tree.bodies.size()); }
  std::size_t bodies_and_ground() const { return tree.bodies.size() + 1; }
};

/// The model as absolute coordinates see it here: massless coordinates of joints are left only where
/// nothing else says what they are.
model::Model without_coordinates(model::Model model);

template <int D>
Compiled<D> compile(const model::Model& model, std::span<const ContactState> contacts = {});

/// The tree alone, of a model without drives: what recursions need, for however many links.
template <int D>
Tree<D> tree_of(const model::Model& model);

}  // namespace daedal::coordinates::joint
