#include "daedal/system/constrained_system.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedal::system {

namespace {

template <class Nodes>
std::string entry_name(const Nodes& nodes, int index) {
  const auto after = std::upper_bound(nodes.begin(), nodes.end(), index,
                                      [](int i, const Node& node) { return i < node.offset; });
  if (after == nodes.begin()) return fmt::format("equation {}", index);
  const Node& node = *std::prev(after);
  return fmt::format("{}[{}]", node.name, index - node.offset);
}

}  // namespace

std::vector<Level> Structure::row_levels() const {
  std::vector<Level> levels(constraint_rows, Level::position);
  for (const ConstraintNode& node : constraints) {
    std::fill_n(levels.begin() + node.offset, node.size, node.level);
  }
  return levels;
}

bool Structure::has_massless() const {
  for (int i = 0; i < static_cast<int>(coordinates.size()); ++i) {
    if (massless(i)) return true;
  }
  return false;
}

std::string Structure::row_name(int row) const { return entry_name(constraints, row); }

std::string Structure::coordinate_name(int index) const { return entry_name(coordinates, index); }

std::shared_ptr<const linear::BlockPattern> Structure::velocity_rows() const {
  const linear::BlockPattern& p = *constraint;
  std::vector<int> rows, columns;
  std::vector<std::pair<int, int>> blocks;
  for (int i = 0; i < p.row_nodes(); ++i) rows.push_back(p.row_size(i));
  for (int j = 0; j < p.column_nodes(); ++j) columns.push_back(p.column_size(j));
  for (int k = 0; k < p.blocks(); ++k) {
    if (constraints[p.row_node(k)].level == Level::velocity) {
      blocks.push_back({p.row_node(k), p.column_node(k)});
    }
  }
  return std::make_shared<const linear::BlockPattern>(rows, columns, blocks);
}

std::shared_ptr<const linear::BlockPattern> Structure::own_blocks() const {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> diagonal;
  for (const Node& node : coordinates) {
    diagonal.push_back({static_cast<int>(sizes.size()), static_cast<int>(sizes.size())});
    sizes.push_back(node.size);
  }
  return std::make_shared<const linear::BlockPattern>(sizes, sizes, std::move(diagonal));
}

Linearisation::Linearisation(const Structure& s, Blocks blocks)
    : M(blocks == Blocks::own ? s.own_blocks() : s.mass.get()),
      D(blocks == Blocks::own ? M.shared_pattern() : s.damping.get()),
      K(blocks == Blocks::own ? M.shared_pattern() : s.stiffness.get()),
      G(s.constraint),
      H(s.directed ? linear::BlockMatrix(s.constraint) : linear::BlockMatrix()),
      W(s.velocity_rows()),
      f_x(s.force_state),
      c_q(s.state_coordinate),
      c_v(s.state_coordinate),
      c_x(s.state_state) {}

std::vector<double> mass_diagonal(const ConstrainedSystem& system, Evaluator& evaluator) {
  const Structure& s = system.structure();
  const auto implicit = system.implicit_dynamics();
  linear::BlockMatrix M(implicit ? s.own_blocks() : s.mass.get());
  if (implicit) {
    implicit->mass(evaluator, M);
  } else {
    evaluator.mass(M);
  }
  const linear::BlockPattern& p = M.pattern();
  std::vector<double> out(s.dof(), 0.0);
  for (int i = 0; i < p.row_nodes(); ++i) {
    const int k = p.find(i, i);
    for (int c = 0; k >= 0 && c < p.row_size(i); ++c) out[p.row_offset(i) + c] = M.block(k)(c, c);
  }
  return out;
}

}  // namespace daedal::system
