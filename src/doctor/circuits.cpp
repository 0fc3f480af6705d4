#include "daedal/doctor/circuits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace daedal::doctor {

namespace {

/// A row is preferred to later ones if it has this share of the largest distance.
constexpr double kPivotShare = 0.5;
/// A row whose share in a dependence is smaller takes no part: round-off.
constexpr double kSmallestShare = 1e-7;

int width(const std::vector<int>& nodes, const std::vector<int>& offset) {
  int columns = 0;
  for (int node : nodes) columns += offset[node + 1] - offset[node];
  return columns;
}

}  // namespace

RankAnalysis::RankAnalysis(const linear::BlockMatrix& G, std::span<const double> reach,
                           double tolerance)
    : tolerance_(tolerance),
      blocks_of_(G.pattern().column_nodes()),
      updates_(G.pattern().rows()),
      front_of_(G.pattern().rows(), -1) {
  scale(G, reach);
  eliminate_all();
  std::sort(dependent_.begin(), dependent_.end());
  for (int row : dependent_) circuits_.push_back(circuit_of(row));
}

void RankAnalysis::scale(const linear::BlockMatrix& G, std::span<const double> reach) {
  const linear::BlockPattern& p = G.pattern();
  for (int j = 0; j < p.column_nodes(); ++j) offset_.push_back(p.column_offset(j));
  offset_.push_back(p.columns());
  for (double length : reach) column_scale_.push_back(1.0 / length);
  row_scale_.resize(p.rows());
  for (int i = 0; i < p.row_nodes(); ++i) {
    Block block;
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
      block.nodes.push_back(p.column_node(k));
    }
    block.rows.resize(p.row_size(i));
    std::iota(block.rows.begin(), block.rows.end(), p.row_offset(i));
    block.values.resize(p.row_size(i), width(block.nodes, offset_));
    Eigen::Index column = 0;
    for (int k = p.row_begin(i); k < p.row_begin(i + 1); ++k) {
      const auto source = G.block(k);
      const Eigen::Map<const Eigen::VectorXd> scales(
          column_scale_.data() + offset_[p.column_node(k)], source.cols());
      block.values.middleCols(column, source.cols()) = source * scales.asDiagonal();
      column += source.cols();
    }
    for (int r = 0; r < p.row_size(i); ++r) {
      const double norm = block.values.row(r).norm();
      row_scale_[p.row_offset(i) + r] = norm > 0.0 ? 1.0 / norm : 1.0;
      block.values.row(r) *= row_scale_[p.row_offset(i) + r];
    }
    for (int node : block.nodes) blocks_of_[node].push_back(static_cast<int>(blocks_.size()));
    blocks_.push_back(std::move(block));
  }
}

std::size_t RankAnalysis::degree(int node) const {
  std::size_t neighbours = 0;
  for (int k : blocks_of_[node]) {
    if (blocks_[k].alive) neighbours += blocks_[k].nodes.size() - 1;
  }
  return neighbours;
}

void RankAnalysis::eliminate_all() {
  const int nodes = static_cast<int>(blocks_of_.size());
  std::vector<std::size_t> degrees(nodes);
  std::set<std::pair<std::size_t, int>> order;
  for (int node = 0; node < nodes; ++node) order.insert({degrees[node] = degree(node), node});
  while (!order.empty()) {
    const int node = order.begin()->second;
    order.erase(order.begin());
    eliminate(node);
    for (int other : fronts_.back().neighbours) {
      order.erase({degrees[other], other});
      order.insert({degrees[other] = degree(other), other});
    }
  }
}

/// All rows that touch a node as one block, in ascending order, the node's columns first.
RankAnalysis::Block RankAnalysis::gather(int node) {
  Block front;
  std::set<int> nodes;
  std::vector<std::pair<int, std::pair<int, int>>> rows;  // row, its block and place there
  for (int k : blocks_of_[node]) {
    Block& block = blocks_[k];
    if (!block.alive) continue;
    nodes.insert(block.nodes.begin(), block.nodes.end());
    for (int r = 0; r < static_cast<int>(block.rows.size()); ++r) {
      rows.push_back({block.rows[r], {k, r}});
    }
  }
  std::sort(rows.begin(), rows.end());
  nodes.erase(node);
  front.nodes = {node};
  front.nodes.insert(front.nodes.end(), nodes.begin(), nodes.end());
  std::map<int, int> column;
  int columns = 0;
  for (int j : front.nodes) {
    column[j] = columns;
    columns += offset_[j + 1] - offset_[j];
  }
  front.values.setZero(static_cast<Eigen::Index>(rows.size()), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [row, place] = rows[i];
    const Block& block = blocks_[place.first];
    front.rows.push_back(row);
    int from = 0;
    for (int j : block.nodes) {
      const int size = offset_[j + 1] - offset_[j];
      front.values.row(static_cast<Eigen::Index>(i)).segment(column[j], size) =
          block.values.row(place.second).segment(from, size);
      from += size;
    }
  }
  for (int k : blocks_of_[node]) {
    blocks_[k].alive = false;
    blocks_[k].values.resize(0, 0);
  }
  return front;
}

/// Rows of F that span all others to tolerance, with their factors T and Q.
void RankAnalysis::select_pivots(const Matrix& F, Front& front, std::vector<int>& chosen) const {
  Matrix left = F;  // what the rows have outside the span of those chosen
  front.Q.resize(F.cols(), 0);
  while (static_cast<Eigen::Index>(chosen.size()) < std::min(F.rows(), F.cols())) {
    const Eigen::VectorXd distance = left.rowwise().norm();
    const double largest = distance.maxCoeff();
    if (!(largest > tolerance_)) break;
    Eigen::Index pick = 0;
    while (distance[pick] < kPivotShare * largest) ++pick;
    Eigen::VectorXd q = left.row(pick).transpose();
    q -= front.Q * (front.Q.transpose() * q);  // once more, against round-off
    q.normalize();
    left -= (left * q) * q.transpose();
    left.row(pick).setZero();
    front.Q.conservativeResize(Eigen::NoChange, front.Q.cols() + 1);
    front.Q.rightCols(1) = q;
    chosen.push_back(static_cast<int>(pick));
  }
}

void RankAnalysis::eliminate(int node) {
  const Block block = gather(node);
  const int own = offset_[node + 1] - offset_[node];
  const auto F = block.values.leftCols(own);
  const auto N = block.values.rightCols(block.values.cols() - own);

  Front front;
  front.node = node;
  front.neighbours.assign(block.nodes.begin() + 1, block.nodes.end());
  std::vector<int> chosen;
  select_pivots(F, front, chosen);
  std::vector<int> rest;
  std::vector<bool> is_pivot(block.rows.size(), false);
  for (int i : chosen) is_pivot[i] = true;
  for (int i = 0; i < static_cast<int>(block.rows.size()); ++i) {
    if (!is_pivot[i]) rest.push_back(i);
  }
  front.T = (F(chosen, Eigen::all) * front.Q).triangularView<Eigen::Lower>();
  front.N = N(chosen, Eigen::all);
  const int index = static_cast<int>(fronts_.size());
  for (int i : chosen) {
    front.pivots.push_back(block.rows[i]);
    front_of_[block.rows[i]] = index;
  }
  rank_ += static_cast<int>(chosen.size());

  Matrix C = F(rest, Eigen::all) * front.Q;  // C T = F_R Q
  if (C.size() > 0) front.T.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(C);
  const Matrix left = N(rest, Eigen::all) - C * front.N;
  Block remaining;
  remaining.nodes = front.neighbours;
  std::vector<int> kept;
  for (int i = 0; i < static_cast<int>(rest.size()); ++i) {
    const int row = block.rows[rest[i]];
    if (!chosen.empty()) updates_[row].push_back({index, C.row(i).transpose()});
    const bool vanishes = left.cols() == 0 || !(left.row(i).norm() > tolerance_);
    if (vanishes) {
      dependent_.push_back(row);
    } else {
      kept.push_back(i);
      remaining.rows.push_back(row);
    }
  }
  if (!kept.empty()) {
    remaining.values = left(kept, Eigen::all);
    for (int other : remaining.nodes) blocks_of_[other].push_back(static_cast<int>(blocks_.size()));
    blocks_.push_back(std::move(remaining));
  }
  fronts_.push_back(std::move(front));
}

/// Back through the updates: a dependent row in terms of pivot rows, these as they were given.
Circuit RankAnalysis::circuit_of(int row) const {
  std::map<std::pair<int, int>, double> open;  // (front, row) with the row's coefficient
  std::map<int, double> z;
  const auto expand = [&](int i, double factor) {
    z[i] += factor;
    for (const Update& update : updates_[i]) {
      const std::vector<int>& pivots = fronts_[update.front].pivots;
      for (std::size_t k = 0; k < pivots.size(); ++k) {
        const double share = -factor * update.coefficients[static_cast<Eigen::Index>(k)];
        if (share != 0.0) open[{update.front, pivots[k]}] += share;
      }
    }
  };
  expand(row, 1.0);
  while (!open.empty()) {
    const auto last = std::prev(open.end());
    const auto [place, factor] = *last;
    open.erase(last);
    if (std::abs(factor) > tolerance_) expand(place.second, factor);
  }
  double largest = 0.0;
  for (const auto& [i, weight] : z) largest = std::max(largest, std::abs(weight));
  Circuit circuit;
  circuit.row = row;
  for (const auto& [i, weight] : z) {
    const double share = std::abs(weight) / largest;
    if (share < kSmallestShare) continue;
    circuit.rows.push_back(i);
    circuit.weights.push_back(weight / largest * row_scale_[i]);
    circuit.shares.push_back(share);
  }
  return circuit;
}

std::vector<double> RankAnalysis::random_motion(std::uint32_t seed) const {
  std::mt19937 generator(seed);
  // Not a standard distribution: those differ between libraries.
  const auto random = [&] { return 2.0 * static_cast<double>(generator()) / 4294967295.0 - 1.0; };
  std::vector<double> v(offset_.back(), 0.0);
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const int begin = offset_[front->node], size = offset_[front->node + 1] - begin;
    Eigen::Map<Eigen::VectorXd> own(v.data() + begin, size);
    for (int i = 0; i < size; ++i) own[i] = random();
    own -= front->Q * (front->Q.transpose() * own);
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(front->T.rows());
    Eigen::Index column = 0;
    for (int j : front->neighbours) {
      const int width = offset_[j + 1] - offset_[j];
      rhs -= front->N.middleCols(column, width) *
             Eigen::Map<const Eigen::VectorXd>(v.data() + offset_[j], width);
      column += width;
    }
    front->T.triangularView<Eigen::Lower>().solveInPlace(rhs);
    own += front->Q * rhs;
  }
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= column_scale_[i];
  return v;
}

}  // namespace daedal::doctor
