#include "daedal/study/task.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "daedal/io/model_file.hpp"
#include "daedal/io/summary_json.hpp"
#include "daedal/simulate/simulation.hpp"
#include "daedal/study/comparison.hpp"

namespace daedal::study {

namespace {

constexpr const char* kNoResult = "none";  // runs of a study write no file

/// The numbers of a summary, by `name` or `section.name`; null where a run may have none.
void collect(const io::Json& json, const std::string& prefix,
             const std::function<void(const std::string&, const io::Json&)>& take) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object()) {
      collect(value, prefix + name + ".", take);
    } else if (value.is_number() || value.is_boolean() || value.is_null()) {
      take(prefix + name, value);
    }
  }
}

/// Fowler, Noll and Vo's hash, 64 bits.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    byte(0xff);  // in no UTF-8 text: keeps "ab", "c" from "a", "bc"
  }
  void add(double number) {
    for (const auto b : std::bit_cast<std::array<unsigned char, sizeof number>>(number)) byte(b);
  }
  std::string digits() const { return fmt::format("{:016x}", state_); }

 private:
  void byte(unsigned char b) { state_ = (state_ ^ b) * 0x100000001b3ull; }
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

Row failed(std::string status, std::string message) {
  Row row;
  row.status = std::move(status);
  row.message = std::move(message);
  return row;
}

}  // namespace

std::vector<std::string> row_statuses() {
  std::vector<std::string> words;
  for (const simulate::Status status : simulate::kStatuses) {
    // A run that is cut short leaves no row, and one of a study writes no file.
    if (status == simulate::Status::interrupted || status == simulate::Status::output_failed) {
      continue;
    }
    words.emplace_back(simulate::name_of(status));
  }
  words.insert(words.end(), {kRefused, kOutOfMemory});
  return words;
}

std::vector<std::string> summary_fields() {
  std::vector<std::string> names;
  collect(io::summary_json({}, kNoResult), {},
          [&](const std::string& name, const io::Json&) { names.push_back(name); });
  return names;
}

Row execute(const Task& task, const std::function<bool(double)>& progress) {
  const Subject& subject = *task.subject;
  try {
    const io::ModelFile file =
        io::parse_model(subject.model_text, subject.model_name, task.overrides);
    Comparer comparer(subject.comparisons);
    simulate::RunOptions options;
    if (!subject.comparisons.empty()) options.recorder = &comparer;
    Tracer tracer(task.traces, options.recorder);
    if (!task.traces.empty()) options.recorder = &tracer;
    std::optional<PatternCollector> collector;
    if (task.pattern) options.recorder = &collector.emplace(file, options.recorder);
    if (progress) {
      options.progress = [&](const simulate::Progress& p) { return progress(p.t / p.until); };
    }
    const simulate::Summary summary = simulate::run(file.model, file.settings, options);
    Row row;
    row.status = simulate::name_of(summary.status);
    if (summary.status != simulate::Status::done) row.message = summary.message;
    collect(io::summary_json(summary, kNoResult), {},
            [&](const std::string& name, const io::Json& value) {
              if (value.is_number()) row.values[name] = value.get<double>();
              if (value.is_boolean()) row.values[name] = value.get<bool>() ? 1.0 : 0.0;
            });
    if (collector) row.pattern = collector->pattern();
    for (std::size_t k = 0; k < task.traces.size(); ++k) {
      row.traces[task.traces[k]] = tracer.traces()[k];
    }
    for (std::size_t k = 0; row.done() && k < subject.comparisons.size(); ++k) {
      row.values["error." + subject.comparisons[k].column] = comparer.error(k, summary.time);
    }
    return row;
  } catch (const model::ModelError& error) {
    return failed(kRefused, error.what());
  } catch (const std::bad_alloc&) {
    return failed(kOutOfMemory, "the model needs more memory than there is");
  } catch (const std::runtime_error& error) {  // io::InputError too
    return failed(kRefused, error.what());
  }
}

std::string key_of(const Task& task, std::string_view version) {
  Hash hash;
  hash.add(version);
  hash.add(task.subject->model_text);
  for (const std::string& assignment : task.overrides) hash.add(assignment);
  for (const std::string& name : task.traces) hash.add("trace " + name);
  if (task.pattern) hash.add("pattern");
  for (const Comparison& c : task.subject->comparisons) {
    hash.add(c.column);
    hash.add(fmt::format("{} {}", c.at_end, c.relative));
    for (const double t : c.reference.times) hash.add(t);
    for (std::size_t i = 0; i < c.reference.names.size(); ++i) {
      hash.add(c.reference.names[i]);
      for (const double value : c.reference.values[i]) hash.add(value);
    }
  }
  return hash.digits();
}

}  // namespace daedal::study
