#include "daedal/simulate/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "daedal/coordinates/joint/spanning_tree.hpp"
#include "daedal/integrate/methods.hpp"
#include "daedal/simulate/combinations.hpp"
#include "daedal/simulate/preparation.hpp"
#include "daedal/simulate/stiffness.hpp"

namespace daedal::simulate {

namespace {

/// How many times faster than the motion vibrations or decays are that make a mechanism stiff.
constexpr double kStiff = 50.0;
/// Bodies in a row up to which joint coordinates are the cheaper ones (docs/coordinates.md).
constexpr int kRow = 40;

bool open(const std::string& word) { return word == "auto"; }

bool fits(const std::string& wanted, std::string_view offered) {
  return open(wanted) || wanted == offered;
}

/// A combination with one kind of steps.
struct Candidate {
  Combination combination;
  bool adaptive = false;
};

/// Adaptive methods in the order in which they are taken, with and without stiffness.
constexpr std::array<std::string_view, 4> kHard{"generalized-alpha", "bdf", "hem5", "rkf45"};
constexpr std::array<std::string_view, 4> kSoft{"hem5", "bdf", "rkf45", "generalized-alpha"};

std::vector<std::string_view> adaptive_methods(const std::vector<Candidate>& candidates) {
  std::vector<std::string_view> names;
  for (const Candidate& c : candidates) {
    const std::string_view name = c.combination.method;
    if (c.adaptive && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Settings that belong to one family alone choose it.
struct Families {
  explicit Families(const Settings& s)
      : newmark(open(s.method) && (s.unknowns != "u" || s.augmentation.value_or(0.0) != 0.0)),
        first_order(s.formalism != "residual"),
        explicit_(s.min_step || s.drift_tolerance || !s.projection),
        fehlberg(!s.local_extrapolation) {}

  bool admit(const Combination& c) const {
    const bool is_explicit = integrate::find_method(c.method)->is_explicit;
    if (explicit_ && !is_explicit) return false;
    if (fehlberg && c.method != "rkf45") return false;
    if (newmark && (c.method == "bdf" || is_explicit)) return false;
    return !first_order || (c.method == "bdf" && c.coordinates == "joint");
  }
  /// What they ask for, behind a list of what is possible.
  std::string words() const {
    std::string words;
    if (explicit_) words += "; min_step, drift_tolerance and projection: false ask for hem5 or rkf45";
    if (fehlberg) words += "; local_extrapolation: false asks for rkf45";
    if (newmark) words += "; unknowns and augmentation ask for an implicit one-step method";
    if (first_order) words += "; formalism: explicit asks for bdf in joint coordinates";
    return words;
  }

  bool newmark, first_order, explicit_, fehlberg;
};

std::vector<Candidate> candidates(const Settings& s) {
  const Families families(s);
  std::vector<Candidate> out;
  for (const Combination& c : combinations()) {
    if (!fits(s.coordinates, c.coordinates) || !fits(s.formulation, c.formulation) ||
        !fits(s.method, c.method)) {
      continue;
    }
    if (!families.admit(c)) continue;
    if (c.adaptive && fits(s.steps, "adaptive")) out.push_back({c, true});
    if (c.fixed && fits(s.steps, "fixed")) out.push_back({c, false});
  }
  return out;
}

/// Contacts are never ignored: of a model that has some, only methods that treat them remain.
void keep_those_with_contacts(const model::Model& model, std::vector<Candidate>& possible) {
  if (model.contacts.empty()) return;
  const auto treats = [](const integrate::Method& m) { return m.contacts; };
  std::vector<std::string_view> names;
  for (const Candidate& c : possible) {
    if (std::ranges::find(names, c.combination.method) == names.end()) {
      names.push_back(c.combination.method);
    }
  }
  std::erase_if(possible, [&](const Candidate& c) {
    return !c.adaptive || !treats(*integrate::find_method(c.combination.method));
  });
  if (!possible.empty()) return;
  std::vector<std::string_view> able;
  for (const integrate::Method& m : integrate::methods()) {
    if (treats(m)) able.push_back(m.name);
  }
  throw model::ModelError(std::vector<model::Problem>{
      {"contacts",
       fmt::format("model '{}' has contacts, which {} {} not treat; {}", model.title,
                   fmt::join(names, ", "), names.size() == 1 ? "does" : "do",
                   fmt::format("methods that do, with steps of their own: {}",
                               fmt::join(able, ", ")))}});
}

[[noreturn]] void refuse(const Settings& s) {
  // Those that are one change away, or else all.
  const Families families(s);
  std::vector<std::string> near, all;
  for (const Combination& c : combinations()) {
    if (!families.admit(c)) continue;
    const int same = (fits(s.coordinates, c.coordinates) ? 1 : 0) +
                     (fits(s.formulation, c.formulation) ? 1 : 0) +
                     (fits(s.method, c.method) ? 1 : 0);
    all.push_back(fmt::format("{} + {} + {} ({} steps)", c.coordinates, c.formulation, c.method,
                              c.steps()));
    if (same == 2) near.push_back(all.back());
  }
  const std::vector<std::string>& possible = near.empty() ? all : near;
  throw model::ModelError(std::vector<model::Problem>{
      {"simulate.method",
       fmt::format("simulate: {} coordinates, {}, {} and {} steps do not go together; possible are: {}{}",
                   s.coordinates, s.formulation, s.method, s.steps,
                   possible.empty() ? "none" : fmt::format("{}", fmt::join(possible, ", ")),
                   families.words())}});
}

/// The number of joints between the ground and the farthest body, where no joint closes a loop. Drives
/// are constraints' business: where their speed jumps, these say what becomes of the other velocities.
std::optional<int> depth_of_tree(const model::Model& model) {
  for (const model::Joint& joint : model.joints) {
    if (joint.drive) return std::nullopt;
  }
  const coordinates::joint::SpanningTree tree = coordinates::joint::spanning_tree(model);
  if (!tree.cut.empty()) return std::nullopt;
  std::vector<int> depth(tree.branch.size(), 0);
  int deepest = 0;
  for (int body : tree.order) {
    const int parent = tree.branch[body].parent;
    depth[body] = parent < 0 ? 1 : depth[parent] + 1;
    deepest = std::max(deepest, depth[body]);
  }
  return deepest;
}

bool dissipates(const model::Model& model) {
  for (const model::Force& force : model.forces) {
    if (const auto* s = std::get_if<model::Spring>(&force); s && s->damping > 0.0) return true;
    if (const auto* s = std::get_if<model::JointSpring>(&force); s && s->damping > 0.0) return true;
    if (const auto* s = std::get_if<model::Bushing>(&force);
        s && !(s->damping.isZero() && s->rotational_damping.isZero())) {
      return true;
    }
    if (std::holds_alternative<model::Tyre>(force) || std::holds_alternative<model::Creep>(force)) {
      return true;
    }
  }
  return false;
}

/// Why vibrations or decays would hold up a method that resolves them; empty if they do not.
std::string stiffness(const model::Model& model, const Settings& settings,
                      const coordinates::Mechanism& mechanism) {
  const system::Structure& s = mechanism.system->structure();
  formulate::AccelerationLevel equations(*mechanism.system,
                                         default_solver(settings, s.dof() + s.constraint_rows));
  integrate::State state(s);
  const AssemblyReport report = assemble(mechanism, equations, state);
  if (report.status != Status::done || !report.contradictions.empty()) return {};
  // What moves by itself: under gravity, with the velocities and accelerations of the start, and by
  // what the run is long enough to show.
  const double length = mechanism_length(model, settings);
  double slow = std::max(2.0 * M_PI / settings.until, std::sqrt(model.gravity.norm() / length));
  for (int i = 0; i < s.dof(); ++i) {
    const double unit = mechanism.turns[i] ? 1.0 : length;
    slow = std::max({slow, std::abs(state.v[i]) / unit, std::sqrt(std::abs(state.a[i]) / unit)});
  }
  const FastestRates fast = fastest_rates(mechanism, equations, state);
  if (std::max(fast.vibration, fast.decay) <= kStiff * slow) return {};
  return fast.vibration >= fast.decay
             ? fmt::format("stiff: vibrations of {:.2g} rad/s beside motions of {:.2g} rad/s",
                           fast.vibration, slow)
             : fmt::format("stiff: decays of {:.2g} 1/s beside motions of {:.2g} rad/s", fast.decay,
                           slow);
}

/// Why an adaptive method had better be implicit; empty if it need not.
std::string why_implicit(const model::Model& model, const Settings& settings) {
  const coordinates::Mechanism mechanism = coordinates::make_absolute(model);
  if (mechanism.system->structure().has_massless()) {
    return "relative motions without mass are algebraic";
  }
  return stiffness(model, settings, mechanism);
}

}  // namespace

MethodChoice choose_method(const model::Model& model, const Settings& settings) {
  std::vector<Candidate> possible = candidates(settings);
  if (possible.empty()) refuse(settings);
  keep_those_with_contacts(model, possible);
  const auto any = [&](auto&& holds) { return std::ranges::any_of(possible, holds); };
  MethodChoice choice;
  // A step that is given and no word that a method with fixed steps does not fit: it is meant.
  const bool can_be_fixed =
      any([](const Candidate& c) { return !c.adaptive && c.combination.formulation == "index-3"; });
  choice.adaptive = any([](const Candidate& c) { return c.adaptive; }) &&
                    !(settings.step && open(settings.steps) && can_be_fixed);
  if (!open(settings.method)) {
    choice.method = settings.method;
    choice.reason = "as asked";
  } else if (!choice.adaptive && !any([](const Candidate& c) {
               return c.combination.method == "generalized-alpha" && !c.adaptive;
             })) {
    choice.method = possible.front().combination.method;
    choice.reason = "the method for these settings";
  } else if (!choice.adaptive) {
    choice.method = "generalized-alpha";
    choice.reason = dissipates(model)
                        ? "implicit and robust: damping and stiffness of the springs are no limit"
                        : "second order with adjustable damping of unresolved frequencies";
  } else {
    const std::vector<std::string_view> adaptive = adaptive_methods(possible);
    const std::string why = adaptive.size() > 1 ? why_implicit(model, settings) : std::string();
    choice.method = *std::ranges::find_if(why.empty() ? kSoft : kHard, [&](std::string_view name) {
      return std::ranges::find(adaptive, name) != adaptive.end();
    });
    if (adaptive.size() == 1) {
      choice.reason = fmt::format("the method for {}", open(settings.formulation)
                                                           ? "these settings"
                                                           : settings.formulation);
    } else if (!why.empty()) {
      choice.reason = why;
    } else {
      choice.reason = "not stiff";
    }
    choice.reason += fmt::format(": {}", choice.method == "bdf" ? "order and step by the local error"
                                         : "step by the local error");
  }

  const auto chosen = [&](const Candidate& c) {
    return c.combination.method == choice.method && c.adaptive == choice.adaptive;
  };
  const auto has_formulation = [&](std::string_view name) {
    return any([&](const Candidate& c) { return chosen(c) && c.combination.formulation == name; });
  };
  choice.formulation = settings.formulation;
  if (open(settings.formulation)) {
    // The first that the method has: fixed steps are at home on index 3, the others are not.
    choice.formulation = *std::ranges::find_if(formulation_names(), has_formulation);
  }
  const auto has_coordinates = [&](std::string_view name) {
    return any([&](const Candidate& c) { return chosen(c) && c.combination.coordinates == name; });
  };
  choice.coordinates = has_coordinates("absolute") ? "absolute" : "joint";
  if (choice.adaptive && open(settings.coordinates) && has_coordinates("joint")) {
    const std::optional<int> depth = depth_of_tree(model);
    if (depth && *depth > 1 && *depth <= kRow) {
      choice.coordinates = "joint";
      choice.reason += "; a tree: joint coordinates have no constraints";
    }
  }
  return choice;
}

Settings with_choice(const Settings& settings, const MethodChoice& choice) {
  Settings out = settings;
  out.coordinates = choice.coordinates;
  out.formulation = choice.formulation;
  out.method = choice.method;
  out.steps = choice.adaptive ? "adaptive" : "fixed";
  return out;
}

}  // namespace daedal::simulate
