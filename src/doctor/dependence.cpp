#include "daedal/doctor/dependence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "daedal/doctor/circuits.hpp"
#include "daedal/doctor/words.hpp"

namespace daedal::doctor {

namespace {

/// Rows are dependent to within this, in units of their size.
constexpr double kDependent = 1e-9;
/// Rows that are dependent only to within this are worth a warning; at a position that was not
/// closed they count as dependent.
constexpr double kNear = 1e-4;
/// A sum of circuit terms that is a smaller share of their sizes is zero.
constexpr double kVanishes = 1e-6;
/// What circuits leave open below this is round-off of a closed position [m], [m/s].
constexpr double kOpen = 1e-7;
/// Of random motions of size one, what is slower is round-off [m/s].
constexpr double kAtRest = 1e-6;
/// Random motions that test for a singular position.
constexpr std::array<std::uint32_t, 2> kSeeds{1, 2};

/// z.r
double dot(const Circuit& circuit, std::span<const double> r) {
  double sum = 0.0;
  for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
    sum += circuit.weights[k] * r[circuit.rows[k]];
  }
  return sum;
}

class Examination {
 public:
  Examination(const coordinates::Mechanism& mechanism, const system::Point& point)
      : mechanism_(mechanism),
        structure_(mechanism.system->structure()),
        point_(point),
        evaluator_(mechanism.system->evaluator()),
        node_of_(structure_.constraint_rows),
        g_(structure_.constraint_rows),
        rate_(structure_.constraint_rows) {
    for (std::size_t i = 0; i < structure_.constraints.size(); ++i) {
      const system::ConstraintNode& node = structure_.constraints[i];
      std::fill_n(node_of_.begin() + node.offset, node.size, static_cast<int>(i));
    }
  }

  Dependence run(double tolerance) {
    evaluator_->move_to(point_);
    evaluator_->constraints(g_);
    evaluator_->constraint_rates(rate_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level == system::Level::position) continue;
      std::fill_n(g_.begin() + node.offset, node.size, 0.0);
    }
    const std::vector<double> zero_a(structure_.dof()), zero(structure_.constraint_rows);
    mechanism_.observer->move_to(point_, zero_a, zero);
    restrictions_ = mechanism_.observer->restrictions();
    const linear::BlockMatrix G = evaluator_->G();
    const RankAnalysis analysis(G, mechanism_.reach, tolerance);
    out_.coordinates = structure_.dof();
    out_.rows = structure_.constraint_rows;
    out_.rank = analysis.rank();
    if (!analysis.circuits().empty()) {
      describe(analysis);
      collect_reactions(analysis.circuits(), G);
    }
    split_joints();
    if (tolerance < kNear) find_near(G);
    return std::move(out_);
  }

 private:
  const std::string& name(int row) const { return structure_.constraints[node_of_[row]].name; }

  std::vector<int> nodes_of(const Circuit& circuit) const {
    std::set<int> nodes;
    for (int row : circuit.rows) nodes.insert(node_of_[row]);
    return {nodes.begin(), nodes.end()};
  }

  std::vector<std::string> names(const std::vector<int>& nodes) const {
    std::vector<std::string> out;
    for (int node : nodes) out.push_back(structure_.constraints[node].name);
    return out;
  }

  void describe(const RankAnalysis& analysis) {
    bend(analysis);
    std::map<std::pair<std::vector<int>, Kind>, std::vector<const Circuit*>> groups;
    for (const Circuit& circuit : analysis.circuits()) {
      groups[{nodes_of(circuit), kind_of(circuit)}].push_back(&circuit);
    }
    for (const auto& [key, circuits] : groups) {
      Group group;
      group.kind = key.second;
      group.constraints = names(key.first);
      group.rows = static_cast<int>(circuits.size());
      if (group.kind >= Kind::open) {
        for (const Circuit* circuit : circuits) measure_gap(*circuit, group);
      }
      group.sentences = group.kind == Kind::open
                            ? std::vector{fmt::format("the loop of {} cannot close",
                                                      listed(group.constraints))}
                            : sentences(circuits, group.kind);
      out_.groups.push_back(std::move(group));
    }
    std::stable_sort(out_.groups.begin(), out_.groups.end(), [](const Group& a, const Group& b) {
      return static_cast<int>(a.kind) > static_cast<int>(b.kind);
    });
  }

  /// How the constraints bend along a motion w.
  struct Bend {
    std::vector<double> rows;   // (G w)_q w
    std::vector<double> sizes;  // by constraint node: |w|^2 over the size of its bodies [m/s^2]
  };

  void bend(const RankAnalysis& analysis) {
    std::vector<math::Jet> held(point_.u.begin(), point_.u.end());
    for (math::Jet& u : held) u = math::Jet::constant(u.value);
    for (std::uint32_t seed : kSeeds) {
      const std::vector<double> w = analysis.random_motion(seed);
      Bend bend{std::vector<double>(structure_.constraint_rows), sizes(w)};
      evaluator_->move_to({point_.q, w, point_.x, held});
      evaluator_->gamma(bend.rows);
      bends_.push_back(std::move(bend));
    }
  }

  std::vector<double> sizes(std::span<const double> w) const {
    std::vector<double> of_body;
    for (const system::Node& node : structure_.coordinates) {
      double speed2 = 0.0, reach = 0.0;
      for (int i = node.offset; i < node.offset + node.size; ++i) {
        speed2 += std::pow(w[i] * mechanism_.reach[i], 2);
        reach = std::max(reach, mechanism_.reach[i]);
      }
      of_body.push_back(std::max(speed2, kAtRest * kAtRest) / reach);
    }
    const linear::BlockPattern& p = *structure_.constraint;
    std::vector<double> out(p.row_nodes(), 0.0);
    for (int k = 0; k < p.blocks(); ++k) out[p.row_node(k)] += of_body[p.column_node(k)];
    return out;
  }

  bool bends(const Circuit& circuit) const {
    return std::any_of(bends_.begin(), bends_.end(), [&](const Bend& bend) {
      double size = 0.0;
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
        size += circuit.shares[k] * bend.sizes[node_of_[circuit.rows[k]]];
      }
      return std::abs(dot(circuit, bend.rows)) > kVanishes * size;
    });
  }

  double open(const Circuit& circuit) const {
    return std::max(std::abs(dot(circuit, g_)), std::abs(dot(circuit, rate_)));
  }

  /// By how much the row that follows from the others would have to give way. The equation of a
  /// distance d is s = (d^2 / L - L) / 2, of which d - L is open.
  void measure_gap(const Circuit& circuit, Group& group) const {
    const bool of_rates = std::abs(dot(circuit, g_)) <= kOpen;
    double sum = 0.0, own = 1.0;
    for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
      const int row = circuit.rows[k];
      const double d = restrictions_[row].distance;
      double gap = of_rates ? rate_[row] : g_[row], weight = circuit.weights[k];
      if (d > 0.0 && !of_rates) {
        const double length = std::hypot(gap, d) - gap;
        gap = d - length;
        weight *= d / length;
      }
      sum += weight * gap;
      if (row == circuit.row) own = weight;
    }
    if (std::abs(sum / own) <= group.residual) return;
    group.residual = std::abs(sum / own);
    const bool turns = restrictions_[circuit.row].kind == coordinates::Restriction::Kind::rotation;
    group.unit = fmt::format("{}{}", turns ? "rad" : "m", of_rates ? "/s" : "");
  }

  Kind kind_of(const Circuit& circuit) const {
    if (open(circuit) > kOpen) return bends(circuit) ? Kind::open : Kind::conflicting;
    return bends(circuit) ? Kind::singular : Kind::redundant;
  }

  /// One sentence per joint and set of joints that it repeats.
  std::vector<std::string> sentences(const std::vector<const Circuit*>& circuits, Kind kind) const {
    struct Statement {
      std::string joint;
      std::vector<int> others;  // nodes
      std::vector<coordinates::Restriction> restrictions;
    };
    std::vector<Statement> statements;
    for (const Circuit* circuit : circuits) {
      std::vector<int> others = nodes_of(*circuit);
      std::erase(others, node_of_[circuit->row]);
      const std::string& joint = name(circuit->row);
      auto found = std::find_if(statements.begin(), statements.end(), [&](const Statement& s) {
        return s.joint == joint && s.others == others;
      });
      if (found == statements.end()) found = statements.insert(found, {joint, others, {}});
      found->restrictions.push_back(restrictions_[circuit->row]);
    }
    std::vector<std::string> out;
    for (const Statement& s : statements) {
      const std::string motion = motion_words(s.restrictions);
      const bool plural = motion.find(" and ") != std::string::npos;
      out.push_back(fmt::format(
          "{}: {} {} {} by {}", s.joint, motion, plural ? "are" : "is",
          kind == Kind::conflicting ? "contradicted"
          : kind == Kind::singular  ? "at this position already prevented"
          : s.restrictions.front().driven ? "already prescribed"
                                          : "already prevented",
          s.others.empty() ? "the joint itself" : listed(names(s.others))));
    }
    return out;
  }

  /// Joints whose load -G_k^T z_k a circuit changes.
  void collect_reactions(const std::vector<Circuit>& circuits, const linear::BlockMatrix& G) {
    const linear::BlockPattern& p = G.pattern();
    for (const Circuit& circuit : circuits) {
      std::map<int, std::map<int, double>> loads;  // by joint and column
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
        const int row = circuit.rows[k], node = node_of_[row];
        std::map<int, double>& load = loads[restrictions_[row].joint];
        for (int b = p.row_begin(node); b < p.row_begin(node + 1); ++b) {
          const auto block = G.block(b);
          for (int c = 0; c < block.cols(); ++c) {
            const int column = p.column_offset(p.column_node(b)) + c;
            load[column] += circuit.weights[k] * block(row - p.row_offset(node), c) /
                            mechanism_.reach[column];
          }
        }
      }
      for (const auto& [joint, load] : loads) {
        for (const auto& [column, value] : load) {
          if (std::abs(value) > kVanishes) not_unique_.insert(joint);
        }
      }
    }
  }

  void split_joints() {
    int last = -1;
    for (int row = 0; row < structure_.constraint_rows; ++row) {
      const int joint = restrictions_[row].joint;
      if (joint == last) continue;
      last = joint;
      (not_unique_.contains(joint) ? out_.not_unique : out_.unique).push_back(name(row));
    }
  }

  void find_near(const linear::BlockMatrix& G) {
    const RankAnalysis loose(G, mechanism_.reach, kNear);
    if (loose.rank() == out_.rank) return;
    std::map<std::vector<int>, double> found;
    for (const Circuit& circuit : loose.circuits()) {
      std::vector<double> z(structure_.constraint_rows, 0.0), left(structure_.dof(), 0.0);
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
        z[circuit.rows[k]] = circuit.weights[k];
      }
      G.transpose_multiply_add(z, left);
      double distance = 0.0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        distance = std::max(distance, std::abs(left[i]) / mechanism_.reach[i]);
      }
      if (distance > 10.0 * kDependent) {
        double& entry = found.try_emplace(nodes_of(circuit), distance).first->second;
        entry = std::min(entry, distance);
      }
    }
    for (const auto& [nodes, distance] : found) out_.near.push_back({names(nodes), distance});
  }

  const coordinates::Mechanism& mechanism_;
  const system::Structure& structure_;
  const system::Point& point_;
  std::unique_ptr<system::Evaluator> evaluator_;
  std::vector<int> node_of_;  // by row
  std::vector<double> g_, rate_;
  std::vector<Bend> bends_;
  std::vector<coordinates::Restriction> restrictions_;
  std::set<int> not_unique_;  // joints
  Dependence out_;
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::redundant: return "redundant";
    case Kind::singular: return "singular";
    case Kind::open: return "open";
    case Kind::conflicting: return "conflicting";
  }
  return "";
}

bool Dependence::has(Kind kind) const {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const Group& group) { return group.kind == kind; });
}

int Dependence::degrees_of_freedom_nearby() const {
  int singular = 0;
  for (const Group& group : groups) {
    if (group.kind == Kind::singular) singular += group.rows;
  }
  return degrees_of_freedom() - singular;
}

std::string Dependence::verdict() const {
  if (independent()) return "independent: motion and reactions are unique";
  const std::string joints = listed(not_unique);
  if (contradicts()) return fmt::format("conflicting: those of {}", joints);
  if (has(Kind::singular)) {
    return fmt::format("dependent at this position: the motion may branch, the reactions of {} are "
                       "not unique",
                       joints);
  }
  return fmt::format("dependent: the motion is unique, the reactions of {} are not", joints);
}

Dependence examine(const coordinates::Mechanism& mechanism, const system::Point& point) {
  return Examination(mechanism, point).run(kDependent);
}

Dependence examine_open(const coordinates::Mechanism& mechanism, const system::Point& point) {
  return Examination(mechanism, point).run(kNear);
}

std::vector<std::string> nearly_dependent(const coordinates::Mechanism& mechanism,
                                          const system::Point& point, double tolerance) {
  return Examination(mechanism, point).run(std::max(tolerance, kNear)).not_unique;
}

}  // namespace daedal::doctor
