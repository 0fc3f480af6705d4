#include "daedal/doctor/dependence.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "daedal/doctor/circuits.hpp"
#include "daedal/doctor/closure.hpp"
#include "daedal/doctor/sentences.hpp"

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
        parts_(structure_),
        node_of_(structure_.constraint_rows),
        g_(structure_.constraint_rows),
        rate_(structure_.constraint_rows),
        gamma_(structure_.constraint_rows) {
    for (std::size_t i = 0; i < structure_.constraints.size(); ++i) {
      const system::ConstraintNode& node = structure_.constraints[i];
      std::fill_n(node_of_.begin() + node.offset, node.size, static_cast<int>(i));
    }
  }

  /// With contradictions of accelerations, where asked for.
  Dependence run(bool accelerations = false) {
    look(accelerations);
    Findings strict = find(kDependent, kVanishes), loose = find(kUnresolved, kClearly);
    const std::vector<int> rows = dependent_rows(strict), loose_rows = dependent_rows(loose);
    const std::vector<int> bent = bending(strict), loose_bent = bending(loose);
    std::vector<bool> takes_loose(parts_.count());
    for (int part = 0; part < parts_.count(); ++part) {
      // All that is dependent to within kUnresolved alone bends: a singular position, not quite met.
      const int more = loose_rows[part] - rows[part];
      takes_loose[part] = level_[part] == Gap::positions ||
                          (more > 0 && loose_bent[part] - bent[part] >= more);
    }
    std::vector<Finding> findings;
    for (const Circuit& circuit : strict.analysis.circuits()) {
      if (!takes_loose[part_of(circuit)]) findings.push_back({&circuit, &strict});
    }
    for (const Circuit& circuit : loose.analysis.circuits()) {
      if (takes_loose[part_of(circuit)]) findings.push_back({&circuit, &loose});
    }
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
      return a.circuit->row < b.circuit->row;
    });
    conclude(findings);
    find_near(findings);
    return std::move(out_);
  }

  /// At a position that is not met exactly.
  Dependence run(double tolerance) {
    look(false);
    const Findings found = find(tolerance, kClearly);
    std::vector<Finding> findings;
    for (const Circuit& circuit : found.analysis.circuits()) findings.push_back({&circuit, &found});
    conclude(findings);
    return std::move(out_);
  }

  std::vector<std::string> blocking_axes() {
    look(false);
    std::vector<std::string> out;
    if (structure_.constraints.size() > kFewConstraints) return out;
    std::ptrdiff_t most = 1;  // a body that merely spins is freed by others than the wrong axis, too
    for (std::size_t i = 0; i < structure_.constraints.size(); ++i) {
      if (!has_axis(static_cast<int>(i))) continue;
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
  /// A circuit, and what it was found with.
  struct Finding {
    const Circuit* circuit;
    const Findings* with;
  };

  int part_of(const Circuit& circuit) const { return parts_.of_row(circuit.row); }

  std::vector<int> dependent_rows(const Findings& findings) const {
    std::vector<int> out(parts_.count(), 0);
    for (const Circuit& circuit : findings.analysis.circuits()) ++out[part_of(circuit)];
    return out;
  }

  void look(bool accelerations) {
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
    const std::vector<double> gaps = parts_.largest_row(g_), rates = parts_.largest_row(rate_);
    const std::vector<double> closed = closing_tolerances(mechanism_, parts_);
    const std::vector<double> met = rate_tolerances(parts_, point_.v);
    for (int part = 0; part < parts_.count(); ++part) {
      level_.push_back(gaps[part] > closed[part]  ? Gap::positions
                       : rates[part] > met[part] ? Gap::rates
                       : accelerations           ? Gap::accelerations
                                                 : Gap::none);
    }
    if (accelerations) evaluator_->gamma(gamma_);
    if (std::find(level_.begin(), level_.end(), Gap::rates) != level_.end()) {
      // What drives ask for, without the velocities that try to follow: z.G v vanishes.
      evaluator_->move_to({point_.q, zero_a, point_.x, point_.u});
      evaluator_->constraint_rates(rate_);
    }
    const std::array by_level{std::vector<double>(parts_.count()), gaps, parts_.largest_row(rate_),
                              parts_.largest_row(gamma_)};
    largest_gap_.resize(parts_.count());
    for (int part = 0; part < parts_.count(); ++part) {
      largest_gap_[part] = by_level[static_cast<int>(level_[part])][part];
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

  std::vector<int> bending(const Findings& findings) const {
    std::vector<int> out(parts_.count(), 0);
    for (const Circuit& circuit : findings.analysis.circuits()) {
      if (bends(circuit, findings)) ++out[part_of(circuit)];
    }
    return out;
  }

  void conclude(const std::vector<Finding>& findings) {
    out_.coordinates = structure_.dof();
    out_.rows = structure_.constraint_rows;
    out_.rank = out_.rows - static_cast<int>(findings.size());
    if (!findings.empty()) {
      describe(findings);
      collect_reactions(findings);
    }
    split_joints();
  }

  /// Rows of a constraint that forbid motions of a kind.
  std::vector<int> rows_of(int node, coordinates::Restriction::Kind kind) const {
    const int begin = structure_.constraints[node].offset, size = structure_.constraints[node].size;
    std::vector<int> rows;
    for (int row = begin; row < begin + size; ++row) {
      if (restrictions_[row].kind == kind) rows.push_back(row - begin);
    }
    return rows;
  }

  /// Of turns or displacements it forbids some, and not all.
  bool has_axis(int node) const {
    const bool planar = structure_.manifold.is_linear();
    const auto translations =
        rows_of(node, coordinates::Restriction::Kind::translation).size();
    const auto rotations = rows_of(node, coordinates::Restriction::Kind::rotation).size();
    return translations % (planar ? 2 : 3) != 0 || rotations % (planar ? 1 : 3) != 0;
  }

  /// G without the rows that the axis of a constraint decides: turns or displacements that it forbids
  /// about or along some directions, and not all.
  linear::BlockMatrix without_axis(int node) const {
    const bool planar = structure_.manifold.is_linear();
    linear::BlockMatrix G = G_;
    const auto drop = [&](coordinates::Restriction::Kind kind, int directions) {
      const std::vector<int> rows = rows_of(node, kind);
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

  void describe(const std::vector<Finding>& findings) {
    std::map<std::pair<std::vector<int>, Kind>, std::vector<const Circuit*>> groups;
    std::map<const Circuit*, const Findings*> with;
    for (const auto& [circuit, source] : findings) {
      groups[{nodes_of(*circuit), kind_of(*circuit, *source)}].push_back(circuit);
      with[circuit] = source;
    }
    std::set<int> singular;  // parts
    for (const auto& [key, circuits] : groups) {
      if (key.second == Kind::singular) singular.insert(part_of(*circuits.front()));
    }
    std::map<const Findings*, Forms> forms;
    for (const auto& [circuit, source] : findings) {
      if (!singular.contains(part_of(*circuit)) || forms.contains(source)) continue;
      forms.emplace(source, second_order(*source, singular));
    }
    for (const auto& [key, circuits] : groups) {
      Group group;
      group.kind = key.second;
      group.constraints = names(key.first);
      group.rows = static_cast<int>(circuits.size());
      if (group.kind >= Kind::open) {
        for (const Circuit* circuit : circuits) measure_gap(*circuit, group);
      }
      group.sentences = group.kind == Kind::open ? std::vector{open_sentence(group.constraints)}
                                                 : sentences(circuits, group.kind);
      if (group.kind == Kind::singular) {
        for (const Circuit* circuit : circuits) {
          group.locked = std::max(group.locked, locked_motions(*circuit, forms.at(with.at(circuit))));
        }
      }
      if (group.locked > 0) group.sentences.push_back(locked_sentence(group.constraints));
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

  /// (G w)_q w of a basis of the motions and of the sums of its pairs. No row hears of other parts
  /// than its own, so that one motion serves all of them.
  struct Forms {
    std::vector<int> motions;  // by part; none: too many, or drives move
    std::vector<std::vector<double>> rows;  // by pair (i, j <= i)
  };

  /// By part: drives ask for velocities or accelerations that are not zero.
  std::vector<bool> drives_move() {
    const std::vector<double> at_rest(structure_.dof());
    std::vector<double> rates(structure_.constraint_rows), gamma(structure_.constraint_rows);
    evaluator_->move_to({point_.q, at_rest, point_.x, point_.u});
    evaluator_->constraint_rates(rates);
    evaluator_->gamma(gamma);
    std::vector<bool> out(parts_.count(), false);
    for (int row = 0; row < structure_.constraint_rows; ++row) {
      if (rates[row] != 0.0 || gamma[row] != 0.0) out[parts_.of_row(row)] = true;
    }
    return out;
  }

  Forms second_order(const Findings& findings, const std::set<int>& singular) {
    Forms forms{std::vector<int>(parts_.count(), 0), {}};
    for (int i = 0; i < structure_.dof(); ++i) ++forms.motions[parts_.of_coordinate(i)];
    for (int row = 0; row < structure_.constraint_rows; ++row) --forms.motions[parts_.of_row(row)];
    const std::vector<int> dependent = dependent_rows(findings);
    const std::vector<bool> driven = drives_move();
    int most = 0;
    for (int part = 0; part < parts_.count(); ++part) {
      int& motions = forms.motions[part];
      motions += dependent[part];
      if (motions > kFewMotions || driven[part] || !singular.contains(part)) motions = 0;
      most = std::max(most, motions);
    }
    std::vector<std::vector<double>> basis;
    for (int i = 0; i < most; ++i) basis.push_back(findings.analysis.random_motion(kFirstSeed + i));
    for (int i = 0; i < most; ++i) {
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
    const int n = forms.motions[part_of(circuit)];
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

  std::span<const double> gaps_of(Gap level) const {
    return level == Gap::positions ? g_ : level == Gap::rates ? rate_ : gamma_;
  }

  /// No motion, velocity or acceleration removes what is open in these rows.
  bool contradicted(const Circuit& circuit) const {
    const int part = part_of(circuit);
    if (level_[part] == Gap::none) return false;
    const std::span<const double> gaps = gaps_of(level_[part]);
    double near = 0.0;
    for (int node : nodes_of(circuit)) {
      const system::ConstraintNode& rows = structure_.constraints[node];
      near = std::max(near, largest(gaps.subspan(rows.offset, rows.size)));
    }
    return std::abs(dot(circuit, gaps)) >
           std::max(kSmallGap * largest_gap_[part], kSecondOrder * near);
  }

  /// By how much the row that follows from the others would have to give way. The equation of a
  /// distance d is s = (d^2 / L - L) / 2, of which d - L is open.
  void measure_gap(const Circuit& circuit, Group& group) const {
    const Gap level = level_[part_of(circuit)];
    const std::span<const double> gaps = gaps_of(level);
    double sum = 0.0, own = 1.0;
    for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
      const int row = circuit.rows[k];
      const double d = restrictions_[row].distance;
      double gap = gaps[row], weight = circuit.weights[k];
      if (d > 0.0 && level == Gap::positions) {
        const double length = std::hypot(gap, d) - gap;
        gap = d - length;
        weight *= d / length;
      }
      sum += weight * gap;
      if (row == circuit.row) own = weight;
    }
    if (std::abs(sum / own) <= group.residual) return;
    group.residual = std::abs(sum / own);
    group.unit = gap_unit(restrictions_[circuit.row], level);
  }

  Kind kind_of(const Circuit& circuit, const Findings& findings) const {
    const bool bent = bends(circuit, findings);
    // A loop that cannot close is one of positions.
    if (contradicted(circuit)) {
      return bent && level_[part_of(circuit)] == Gap::positions ? Kind::open : Kind::conflicting;
    }
    return bent ? Kind::singular : Kind::redundant;
  }

  /// One sentence per joint and set of joints that it repeats.
  std::vector<std::string> sentences(const std::vector<const Circuit*>& circuits, Kind kind) const {
    std::vector<Statement> statements;
    std::vector<std::vector<int>> others_of;  // nodes
    for (const Circuit* circuit : circuits) {
      std::vector<int> others = nodes_of(*circuit);
      std::erase(others, node_of_[circuit->row]);
      const std::string& joint = name(circuit->row);
      std::size_t i = 0;
      while (i < statements.size() && !(statements[i].joint == joint && others_of[i] == others)) ++i;
      if (i == statements.size()) {
        statements.push_back({joint, names(others), {}});
        others_of.push_back(others);
      }
      statements[i].restrictions.push_back(restrictions_[circuit->row]);
    }
    const Gap level = level_[part_of(*circuits.front())];
    std::vector<std::string> out;
    for (const Statement& s : statements) out.push_back(sentence(s, kind, level));
    return out;
  }

  /// Joints whose load -G_k^T z_k a circuit changes.
  void collect_reactions(const std::vector<Finding>& findings) {
    const linear::BlockPattern& p = G_.pattern();
    for (const Finding& finding : findings) {
      const Circuit& circuit = *finding.circuit;
      std::map<int, std::map<int, double>> loads;  // by joint and column
      for (std::size_t k = 0; k < circuit.rows.size(); ++k) {
        const int row = circuit.rows[k], node = node_of_[row];
        std::map<int, double>& load = loads[restrictions_[row].joint];
        for (int b = p.row_begin(node); b < p.row_begin(node + 1); ++b) {
          const auto block = G_.block(b);
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

  void find_near(const std::vector<Finding>& findings) {
    const RankAnalysis loose(G_, mechanism_.reach, kNear);
    std::vector<int> more(parts_.count(), 0);
    for (const Circuit& circuit : loose.circuits()) ++more[part_of(circuit)];
    for (const Finding& finding : findings) --more[part_of(*finding.circuit)];
    std::map<std::vector<int>, double> found;
    for (const Circuit& circuit : loose.circuits()) {
      if (more[part_of(circuit)] <= 0 || level_[part_of(circuit)] == Gap::positions) continue;
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
  Parts parts_;
  std::vector<int> node_of_;  // by row
  linear::BlockMatrix G_;
  std::vector<double> g_, rate_, gamma_;
  std::vector<Gap> level_;           // by part
  std::vector<double> largest_gap_;  // by part, on its level
  std::vector<coordinates::Restriction> restrictions_;
  std::set<int> not_unique_;  // joints
  Dependence out_;
};

}  // namespace

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

std::vector<double> rate_tolerances(const Parts& parts, std::span<const double> v) {
  std::vector<double> out = parts.largest_coordinate(v);
  for (double& speed : out) speed = kRatesMet * (1.0 + speed);
  return out;
}

Dependence examine(const coordinates::Mechanism& mechanism, const system::Point& point) {
  return Examination(mechanism, point).run();
}

Dependence examine_accelerations(const coordinates::Mechanism& mechanism,
                                 const system::Point& point) {
  return Examination(mechanism, point).run(true);
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
