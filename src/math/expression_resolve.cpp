#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "daedal/math/expression.hpp"
#include "daedal/math/text.hpp"

namespace daedal::math {
namespace {

using Parameters = std::map<std::string, Expression>;

void check_names(const Parameters& parameters) {
  for (const auto& [name, expression] : parameters) {
    if (!is_identifier(name))
      throw ExpressionError(
          fmt::format("'{}' cannot name a parameter; use letters, digits and underscores, "
                      "starting with a letter",
                      name),
          0, name);
    if (is_reserved(name))
      throw ExpressionError(
          fmt::format("'{}' cannot name a parameter: it has a meaning of its own; choose another "
                      "name",
                      name),
          0, name);
  }
}

[[noreturn]] void fail_unknown(const std::string& name, const std::string& unknown,
                               std::size_t position, const Parameters& parameters) {
  std::vector<std::string> known;
  for (const auto& [other, expression] : parameters)
    if (other != name) known.push_back(other);
  const std::string hint = did_you_mean(unknown, known);
  throw ExpressionError(fmt::format("parameter '{}': '{}' is not defined{}", name, unknown,
                                    hint.empty() ? "; add it to the parameters" : hint),
                        position, name);
}

}  // namespace

// Depth first, with a stack of our own: a chain of parameters may be as long as it likes.
std::map<std::string, double> resolve(const Parameters& parameters) {
  check_names(parameters);
  std::map<std::string, double> values;

  struct Visit {
    const std::string* name;
    const Expression* expression;
    std::vector<std::string> needs;
    std::size_t next = 0;
  };
  std::vector<Visit> path;
  std::set<std::string_view> open;  // the names on the path
  const auto enter = [&](const Parameters::value_type& parameter) {
    path.push_back({&parameter.first, &parameter.second, parameter.second.variables()});
    open.insert(parameter.first);
  };

  for (const auto& parameter : parameters) {
    if (values.contains(parameter.first)) continue;
    enter(parameter);
    while (!path.empty()) {
      Visit& visit = path.back();
      const std::string& name = *visit.name;
      if (visit.next == visit.needs.size()) {
        try {
          values.emplace(name, visit.expression->bind(values).value());
        } catch (const ExpressionError& error) {
          throw ExpressionError(fmt::format("parameter '{}': {}", name, error.what()),
                                error.position, name);
        }
        open.erase(name);
        path.pop_back();
        continue;
      }
      const std::string& needed = visit.needs[visit.next++];
      const auto found = parameters.find(needed);
      if (needed == "t")
        throw ExpressionError(
            fmt::format("parameter '{}' depends on t; parameters are constant, so write its "
                        "expression where it is used",
                        name),
            visit.expression->position_of(needed), name);
      if (found == parameters.end())
        fail_unknown(name, needed, visit.expression->position_of(needed), parameters);
      if (open.contains(needed)) {
        const auto begin =
            std::ranges::find_if(path, [&](const Visit& v) { return *v.name == needed; });
        std::string cycle;
        for (auto v = begin; v != path.end(); ++v) cycle += *v->name + " -> ";
        throw ExpressionError(
            fmt::format("parameters refer to each other in a circle: {}{}; give one of them a "
                        "number",
                        cycle, needed),
            visit.expression->position_of(needed), name);
      }
      if (!values.contains(needed)) enter(*found);
    }
  }
  return values;
}

}  // namespace daedal::math
