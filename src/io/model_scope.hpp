// Values of a model file: numbers, vectors, functions of time and names with indices.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daedal/io/document.hpp"
#include "daedal/math/expression.hpp"
#include "daedal/math/rotation.hpp"

namespace daedal::io::reading {

/// Gathers problems so that one error can report them all.
class Problems {
 public:
  void add(const Position& position, const std::string& message);
  bool empty() const { return count_ == 0; }
  /// So many that looking for more is idle: a repeated mistake.
  bool enough() const { return count_ >= kMaxCounted; }
  /// Throws an InputError with the first kMaxShown of them if there are any.
  void report() const;

  static constexpr std::size_t kMaxShown = 20;
  static constexpr std::size_t kMaxCounted = 1000;

 private:
  Position first_;
  std::string text_;
  std::size_t count_ = 0;
};

/// An object of the file while it is read; its node may be a template shared by many.
struct Item {
  std::string kind;  // "body"; empty: the file itself
  std::string name;  // "link[3]"
  const Node* node = nullptr;

  const Node* find(std::string_view key) const { return node->find(key); }
  /// "body 'link[3]': mass", for messages.
  std::string label(std::string_view key) const;
  std::string who() const;
};

/// Evaluates what an item's nodes contain. Whoever asks for a value gets NaN after a problem has
/// been reported, so that nothing is reported twice.
class Scope {
 public:
  using Values = std::map<std::string, double>;

  Scope(Values parameters, Problems& problems, bool planar);

  bool planar() const { return planar_; }
  Problems& problems() { return problems_; }
  const Values& parameters() const { return parameters_; }
  /// Values of the indices of the object that is read now.
  void set_indices(Values indices) { indices_ = std::move(indices); }
  const Values& indices() const { return indices_; }

  double number(const Node& node, const Item& item, std::string_view key);
  /// An expression in which at most t is left.
  math::Expression function(const Node& node, const Item& item, std::string_view key);
  /// A smooth expression in which at most the given variables are left, of x and y. Default: x and,
  /// in space, y.
  math::Expression height(const Node& node, const Item& item, std::string_view key,
                          std::string_view variables = {});
  /// An expression in which at most the given variables are left, of x and y: `meaning`, as "a
  /// freedom of the joint".
  math::Expression function_of(std::string_view variables, std::string_view meaning,
                               const Node& node, const Item& item, std::string_view key);
  /// A whole number of magnitude up to 1e9; false after a problem has been reported.
  bool integer(const Node& node, const Item& item, std::string_view key, long long& value);
  std::vector<double> list(const Node& node, const Item& item, std::string_view key);
  /// 3 components, or 2 in a planar model.
  math::Vec3 vector(const Node& node, const Item& item, std::string_view key);

  /// A name in which every bracketed expression is replaced by its value: `link[i-1]`. Empty after
  /// a problem has been reported.
  std::string name(std::string_view text, const Position& position, const Item& item,
                   std::string_view key);
  std::string name(const Node& node, const Item& item, std::string_view key);

  void report(const Node& node, const Item& item, std::string_view key, std::string_view message);
  /// True if it is such a list; else reports.
  bool is_list(const Node& node, std::size_t size, const Item& item, std::string_view key,
               std::string_view of);

 private:
  /// Parsed, with parameters and indices put in.
  math::Expression bound(const std::string& text);
  [[noreturn]] void refuse_names(const math::Expression& expression) const;
  void report(const Node& node, const Item& item, std::string_view key,
              const math::ExpressionError& error);

  Values parameters_;
  Values indices_;
  Problems& problems_;
  bool planar_;
  std::unordered_map<std::string, math::Expression> parsed_;  // with parameters put in
};

/// The ways to write what is no finite number: nan, .NaN, -.inf, infinity.
bool is_not_finite(std::string_view text);

/// Where something at an offset into the text of a scalar stands.
Position position_in(const Node& node, std::size_t offset);

}  // namespace daedal::io::reading
