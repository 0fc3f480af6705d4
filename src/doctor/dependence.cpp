#include "daedal/doctor/dependence.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "daedal/doctor/circuits.hpp"
#include "daedal/doctor/closure.hpp"
#include "daedal/doctor/words.hpp"

namespace daedal::doctor {

namespace {

/// Rows are dependent to within this, in units of their size.
constexpr double kDependent = 1e-9;
/// How exactly a singular position, or one that cannot be closed, is met: rows count as dependent to
/// within this there. It is three times the square root of what closing leaves.
constexpr double kUnresolved = 1e-4;
/// Rows that are dependent only to within this are worth a warning.
constexpr double kNear = 2e-3;
/// A sum of circuit terms that is a smaller share of their sizes is zero.
constexpr double kVanishes = 1e-6;
/// The same for terms of circuits that are dependent to within kUnresolved.
constexpr double kClearly = 1e-2;
/// Rates below this, relative to the velocities, are met.
constexpr double kRatesMet = 1e-8;
/// Gaps that are a smaller share of the largest are round-off of the search for the nearest position.
constexpr double kSmallGap = 1e-6;
/// Those that are a smaller share of the largest of the same joints are its effects of second order.
constexpr double kSecondOrder = 1e-3;
/// Of random motions of size one, what is slower is round-off [m/s].
constexpr double kAtRest = 1e-6;
/// Random motions that test for a singular position.
constexpr int kMotions = 2;
constexpr std::uint32_t kFirstSeed = 1;
/// Degrees of freedom up to which locked positions are told from others.
constexpr int kFewMotions = 8;
/// Constraints up to which a wrong axis is looked for, one by one.
constexpr std::size_t kFewConstraints = 100;

double largest(std::span<const double> values) {
  double m = 0.0;
  for (double value : values) m = std::max(m, std::abs(value));
  return m;
}

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

  /// At a position where the joints are closed.
  Dependence run() {
    look();
    Findings findings = find(kDependent, kVanishes);
    Findings loose = find(kUnresolved, kClearly);
    // All that is dependent to within kUnresolved alone bends: a singular position, not quite met.
    const int more = findings.analysis.rank() - loose.analysis.rank();
    if (more > 0 && bending(loose) - bending(findings) >= more) findings = std::move(loose);
    conclude(findings);
    find_near();
    return std::move(out_);
  }

  /// At a position that is not met exactly.
  Dependence run(double tolerance) {
    look();
    conclude(find(tolerance, kClearly));
    return std::move(out_);
  }

  std::vector<std::string> blocking_axes() {
    look();
    std::vector<std::string> out;
    if (structure_.constraints.size() > kFewConstraints) return out;
    std::ptrdiff_t most = 1;  // a body that merely spins is freed by others than the wrong axis, too
    for (std::size_t i = 0; i < structure_.constraints.size(); ++i) {
      const RankAnalysis freed(without_axis(static_cast<int>(i)), mechanism_.reach, kDependent);
      const std::ptrdiff_t count = moving(freed.random_motion(kFirstSeed));
      if (count < most) continue;
      if (count > most) out.clear();
      most = count;
      out.push_back(structure_.constraints[i].name);
    }
    return out;
  }

 private:
  /// How the constraints bend along a motion w.
  struct Bend {
    std::vector<double> rows;   // (G w)_q w
    std::vector<double> sizes;  // by constraint node: |w|^2 over the size of its bodies [m/s^2]
  };
  struct Findings {
    RankAnalysis analysis;
    std::vector<Bend> bends;
    double vanishes;  // a smaller share of a circuit's terms is no bending
  };

  void look() {
    evaluator_->move_to(point_);
    G_ = evaluator_->G();
    evaluator_->constraints(g_);
    evaluator_->constraint_rates(rate_);
    for (const system::ConstraintNode& node : structure_.constraints) {
      if (node.level == system::Level::position) continue;
      std::fill_n(g_.begin() + node.offset, node.size, 0.0);
    }
    const std::vector<double> zero_a(structure_.dof()), zero(structure_.constraint_rows);
    mechanism_.observer->move_to(point_, zero_a, zero);
    restrictions_ = mechanism_.observer->restrictions();
    level_ = largest(g_) > closing_tolerance(mechanism_)  ? Gap::positions
             : largest(rate_) > rate_tolerance(point_.v) ? Gap::rates
                                                         : Gap::none;
    if (level_ == Gap::rates) {
      // What drives ask for, without the velocities that try to follow: z.G v vanishes.
      evaluator_->move_to({point_.q, zero_a, point_.x, point_.u});
      evaluator_->constraint_rates(rate_);
    }
  }

  Findings find(double tolerance, double vanishes) {
    Findings found{RankAnalysis(G_, mechanism_.reach, tolerance), {}, vanishes};
    if (!found.analysis.circuits().empty()) {
      for (int i = 0; i < kMotions; ++i) {
        found.bends.push_back(bend_along(found.analysis.random_motion(kFirstSeed + i)));
      }
    }
    return found;
  }

  int bending(const Findings& findings) const {
    const auto& circuits = findings.analysis.circuits();
    return static_cast<int>(std::count_if(circuits.begin(), circuits.end(), [&](const Circuit& c) {
      return bends(c, findings);
    }));
  }

  void conclude(const Findings& findings) {
    out_.coordinates = structure_.dof();
    out_.rows = structure_.constraint_rows;
    out_.rank = findings.analysis.rank();
    if (!findings.analysis.circuits().empty()) {
      describe(findings);
      collect_reactions(findings.analysis.circuits(), G_);
    }
    split_joints();
  }

  /// G without the rows that the axis of a constraint decides: turns or displacements that it forbids
  /// about or along some directions, and not all.
  linear::BlockMatrix without_axis(int node) const {
    const int begin = structure_.constraints[node].offset, size = structure_.constraints[node].size;
    const bool planar = structure_.manifold.is_linear();
    linear::BlockMatrix G = G_;
    const auto drop = [&](coordinates::Restriction::Kind kind, int directions) {
      std::vector<int> rows;
      for (int row = begin; row < begin + size; ++row) {
        if (restrictions_[row].kind == kind) rows.push_back(row - begin);
      }
      if (static_cast<int>(rows.size()) == directions) return;
      for (int k = G.pattern().row_begin(node); k < G.pattern().row_begin(node + 1); ++k) {
        for (int row : rows) G.block(k).row(row).setZero();
      }
    };
    drop(coordinates::Restriction::Kind::translation, planar ? 2 : 3);
    drop(coordinates::Restriction::Kind::rotation, planar ? 1 : 3);
    return G;
  }

  /// How many bodies a motion moves.
  std::ptrdiff_t moving(std::span<const double> w) const {
    return std::count_if(
        structure_.coordinates.begin(), structure_.coordinates.end(), [&](const system::Node& node) {
          return largest(w.subspan(node.offset, node.size)) > kAtRest;
        });
  }

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

  void describe(const Findings& findings) {
    std::map<std::pair<std::vector<int>, Kind>, std::vector<const Circuit*>> groups;
    for (const Circuit& circuit : findings.analysis.circuits()) {
      groups[{nodes_of(circuit), kind_of(circuit, findings)}].push_back(&circuit);
    }
    const Forms forms = second_order(findings.analysis);
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
      if (group.kind == Kind::singular) {
        for (const Circuit* circuit : circuits) {
          group.locked = std::max(group.locked, locked_motions(*circuit, forms));
        }
      }
      if (group.locked > 0) {
        group.sentences.push_back(fmt::format(
            "it is locked: {} hold together in this position and in none next to it",
            listed(group.constraints)));
      }
      out_.groups.push_back(std::move(group));
    }
    std::stable_sort(out_.groups.begin(), out_.groups.end(), [](const Group& a, const Group& b) {
      return static_cast<int>(a.kind) > static_cast<int>(b.kind);
    });
  }

  /// (G w)_q w, with the drives at rest.
  std::vector<double> bent_rows(std::span<const double> w) {
    std::vector<math::Jet> held(point_.u.begin(), point_.u.end());
    for (math::Jet& u : held) u = math::Jet::constant(u.value);
    std::vector<double> rows(structure_.constraint_rows);
    evaluator_->move_to({point_.q, w, point_.x, held});
    evaluator_->gamma(rows);
    return rows;
  }

  Bend bend_along(std::span<const double> w) { return {bent_rows(w), sizes(w)}; }

  /// (G w)_q w of a basis of the motions and of the sums of its pairs.
  struct Forms {
    int motions = 0;  // none: too many, or drives move
    std::vector<std::vector<double>> rows;  // by pair (i, j <= i)
  };

  /// Drives ask for velocities or accelerations that are not zero.
  bool drives_move() {
    const std::vector<double> at_rest(structure_.dof());
    std::vector<double> rows(structure_.constraint_rows);
    evaluator_->move_to({point_.q, at_rest, point_.x, point_.u});
    evaluator_->constraint_rates(rows);
    if (largest(rows) > 0.0) return true;
    evaluator_->gamma(rows);
    return largest(rows) > 0.0;
  }

  Forms second_order(const RankAnalysis& analysis) {
    const int motions = structure_.dof() - analysis.rank();
    if (motions > kFewMotions || drives_move()) return {};
    std::vector<std::vector<double>> basis;
    for (int i = 0; i < motions; ++i) basis.push_back(analysis.random_motion(kFirstSeed + i));
    Forms forms{motions, {}};
    for (int i = 0; i < motions; ++i) {
      for (int j = 0; j <= i; ++j) {
        std::vector<double> w = basis[i];
        for (std::size_t k = 0; j < i && k < w.size(); ++k) w[k] += basis[j][k];
        forms.rows.push_back(bent_rows(w));
      }
    }
    return forms;
  }

  /// Motions that a circuit allows to first order only: the rank of z.(G w)_q w if it has one sign.
  int locked_motions(const Circuit& circuit, const Forms& forms) const {
    const int n = forms.motions;
    if (n == 0) return 0;
    Eigen::MatrixXd B(n, n);
    for (int i = 0, pair = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) B(i, j) = dot(circuit, forms.rows[pair++]);
    }
    for (int i = 0; i < n; ++i) {  // of (w_i + w_j)^2 the mixed term
      for (int j = 0; j < i; ++j) B(i, j) = B(j, i) = 0.5 * (B(i, j) - B(i, i) - B(j, j));
    }
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(B).eigenvalues();
    const double zero = kVanishes * values.cwiseAbs().maxCoeff();
    const auto positive = (values.array() > zero).count(), negative = (values.array() < -zero).count();
    return positive > 0 && negative > 0 ? 0 : static_cast<int>(positive + negative);
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

  bool bends(const Circuit& circuit, const Findings& findings) const {
    return std::any_of(findings.bends.begin(), findings.bends.end(), [&](const Bend& bend) {
      double size = 0.0;
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
        size += circuit.shares[k] * bend.sizes[node_of_[circuit.rows[k]]];
      }
      return std::abs(dot(circuit, bend.rows)) > findings.vanishes * size;
    });
  }

  /// The level on which the rows do not hold. Rates are looked at where positions are closed.
  enum class Gap { none, positions, rates };

  /// No motion, or no velocity, removes what is open in these rows.
  bool contradicted(const Circuit& circuit) const {
    if (level_ == Gap::none) return false;
    const std::span<const double> gaps = level_ == Gap::positions ? g_ : rate_;
    double near = 0.0;
    for (int node : nodes_of(circuit)) {
      const system::ConstraintNode& rows = structure_.constraints[node];
      near = std::max(near, largest(gaps.subspan(rows.offset, rows.size)));
    }
    return std::abs(dot(circuit, gaps)) > std::max(kSmallGap * largest(gaps), kSecondOrder * near);
  }

  /// By how much the row that follows from the others would have to give way. The equation of a
  /// distance d is s = (d^2 / L - L) / 2, of which d - L is open.
  void measure_gap(const Circuit& circuit, Group& group) const {
    const bool of_rates = level_ == Gap::rates;
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

  Kind kind_of(const Circuit& circuit, const Findings& findings) const {
    const bool bent = bends(circuit, findings);
    // A loop that cannot close is one of positions.
    if (contradicted(circuit)) {
      return bent && level_ == Gap::positions ? Kind::open : Kind::conflicting;
    }
    return bent ? Kind::singular : Kind::redundant;
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
          kind == Kind::conflicting ? (level_ == Gap::rates ? "in velocity contradicted"
                                                            : "contradicted")
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

  void find_near() {
    const RankAnalysis loose(G_, mechanism_.reach, kNear);
    if (loose.rank() >= out_.rank) return;
    std::map<std::vector<int>, double> found;
    for (const Circuit& circuit : loose.circuits()) {
      std::vector<double> z(structure_.constraint_rows, 0.0), left(structure_.dof(), 0.0);
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
        z[circuit.rows[k]] = circuit.weights[k];
      }
      G_.transpose_multiply_add(z, left);
      double distance = 0.0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        distance = std::max(distance, std::abs(left[i]) / mechanism_.reach[i]);
      }
      if (distance > 10.0 * kDependent && distance <= kNear) {
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
  linear::BlockMatrix G_;
  std::vector<double> g_, rate_;
  Gap level_ = Gap::none;
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

bool Dependence::locked() const {
  return std::any_of(groups.begin(), groups.end(),
                     [](const Group& group) { return group.locked > 0; });
}

int Dependence::degrees_of_freedom_nearby() const {
  int lost = 0;
  for (const Group& group : groups) {
    if (group.kind == Kind::singular) lost += std::max(group.rows, group.locked);
  }
  return std::max(0, degrees_of_freedom() - lost);
}

std::string Dependence::verdict() const {
  if (independent()) return "independent: motion and reactions are unique";
  const std::string joints = listed(not_unique);
  if (contradicts()) return fmt::format("conflicting: those of {}", joints);
  if (locked()) {
    return fmt::format("dependent at this position, which is locked: no motion leaves it, and the "
                       "reactions of {} are not determined",
                       joints);
  }
  if (has(Kind::singular)) {
    return fmt::format("dependent at this position: the motion may branch, the reactions of {} are "
                       "not unique",
                       joints);
  }
  return fmt::format("dependent: the motion is unique, the reactions of {} are not", joints);
}

double rate_tolerance(std::span<const double> v) { return kRatesMet * (1.0 + largest(v)); }

Dependence examine(const coordinates::Mechanism& mechanism, const system::Point& point) {
  return Examination(mechanism, point).run();
}

Dependence examine_open(const coordinates::Mechanism& mechanism, const system::Point& point) {
  return Examination(mechanism, point).run(kUnresolved);
}

std::vector<std::string> blocking_axes(const coordinates::Mechanism& mechanism,
                                       const system::Point& point) {
  return Examination(mechanism, point).blocking_axes();
}

std::vector<std::string> nearly_dependent(const coordinates::Mechanism& mechanism,
                                          const system::Point& point, double tolerance) {
  return Examination(mechanism, point).run(tolerance).not_unique;
}

}  // namespace daedal::doctor
