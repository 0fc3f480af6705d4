#include "daedal/io/result_recorder.hpp"

#include <array>

#include "daedal/io/summary_json.hpp"

namespace daedal::io {

namespace {

enum Slot {
  kTime,
  kCoordinates,
  kVelocities,
  kAccelerations,
  kMultipliers,
  kStates,
  kPoses,
  kReactions,
  kOutputs,
  kDiagnostics,
  kMethodAccelerations,
  kMethodMultipliers,
  kMethodStateRates,
  kMethodMemory,
  kSlots
};

constexpr std::array<const char*, kSlots> kNames{"time",
                                                 "coordinates",
                                                 "velocities",
                                                 "accelerations",
                                                 "multipliers",
                                                 "states",
                                                 "poses",
                                                 "reactions",
                                                 "outputs",
                                                 "diagnostics",
                                                 "method/accelerations",
                                                 "method/multipliers",
                                                 "method/state_rates",
                                                 "method/memory"};

/// Later events are counted, but not kept: a file does not grow without bound.
constexpr long kMostEvents = 100000;

long events_in(const ResultReader& result) {
  const std::size_t width = result.events().components.size();
  return width > 0 ? static_cast<long>(result.read_events().size() / width) : 0;
}

}  // namespace

ResultRecorder::ResultRecorder(std::filesystem::path path, Texts texts)
    : path_(std::move(path)), texts_(std::move(texts)) {}

std::unique_ptr<ResultRecorder> ResultRecorder::append_to(const std::filesystem::path& path,
                                                          Texts texts) {
  auto recorder = std::make_unique<ResultRecorder>(path, std::move(texts));
  recorder->continued_ = true;
  return recorder;
}

void ResultRecorder::begin(const simulate::RowNames& names) {
  Layout layout;
  present_.assign(kSlots, -1);
  row_.clear();
  const auto add = [&](Slot slot, const std::vector<std::string>& components, std::string unit,
                       std::string description) {
    if (components.empty() && slot != kTime) return;
    present_[slot] = static_cast<int>(layout.size());
    layout.push_back({kNames[slot], components, std::move(unit), std::move(description)});
  };
  add(kTime, {}, "s", "time");
  add(kCoordinates, names.coordinates, "SI", "configuration q");
  add(kVelocities, names.velocities, "SI", "velocity v, in the tangent space");
  add(kAccelerations, names.velocities, "SI", "v' from the acceleration level");
  add(kMultipliers, names.multipliers, "SI", "lambda from the acceleration level");
  add(kStates, names.states, "SI", "first-order states x");
  add(kPoses, names.poses, "m, rad", "position and rotation of the bodies' frames");
  add(kReactions, names.reactions, "N, N m",
      "force and torque of each joint on its second body, world axes, about the joint's point");
  add(kOutputs, names.outputs, "SI", "outputs of the model");
  add(kDiagnostics, names.diagnostics, "SI", "how each step went");
  add(kMethodAccelerations, names.velocities, "SI", "the scheme's own accelerations");
  add(kMethodMultipliers, names.multipliers, "SI", "the scheme's own multipliers");
  add(kMethodStateRates, names.states, "SI", "the scheme's own x'");
  add(kMethodMemory, names.memory, "SI", "the scheme's memory, for continuing");
  row_.resize(layout.size());
  if (continued_) {
    if (ResultReader(path_).layout() != layout) {  // before anything is written
      throw OutputError("cannot continue '" + path_.string() +
                        "': its model or method has other unknowns than this run, or another "
                        "version of the program wrote it; start a new result instead");
    }
    events_ = events_in(ResultReader(path_));
    writer_ = ResultWriter::append_to(path_, std::nullopt, texts_);
    first_ = writer_->rows();
    for (const simulate::ContactEvent& early : early_) event(early);
    return;
  }
  std::string units;
  for (std::size_t k = 0; k < names.outputs.size(); ++k) {
    units += names.outputs[k] + '\t' + names.output_units[k] + '\n';
  }
  texts_.push_back({"output_units", units});
  ResultOptions options;
  if (!names.contacts.empty()) {
    options.events = {"events",
                      {"time", "kind", "contact", "normal_impulse", "tangential_impulse_1",
                       "tangential_impulse_2"},
                      "s, index in the text event_kinds, index in the text contacts, N s",
                      "what happened at contacts"};
    const auto lines = [](const auto& all) {
      std::string text;
      for (const auto& name : all) (text += name) += '\n';
      return text;
    };
    texts_.push_back({"event_kinds", lines(simulate::ContactEvent::kNames)});
    texts_.push_back({"contacts", lines(names.contacts)});
  }
  writer_.emplace(path_, layout, texts_, options);
  for (const simulate::ContactEvent& early : early_) event(early);
}

void ResultRecorder::event(const simulate::ContactEvent& event) {
  if (!writer_) return early_.push_back(event);
  if (++events_ > kMostEvents) return;
  writer_->append_event(std::array{event.t, static_cast<double>(event.kind),
                                   static_cast<double>(event.contact), event.impulse[0],
                                   event.impulse[1], event.impulse[2]});
}

void ResultRecorder::record(const simulate::Row& row) {
  const auto put = [&](Slot slot, std::span<const double> values) {
    if (present_[slot] >= 0) row_[present_[slot]] = values;
  };
  put(kTime, {&row.state.t, 1});
  put(kCoordinates, row.state.q);
  put(kVelocities, row.state.v);
  put(kAccelerations, row.accelerations);
  put(kMultipliers, row.multipliers);
  put(kStates, row.state.x);
  put(kPoses, row.poses);
  put(kReactions, row.reactions);
  put(kOutputs, row.outputs);
  put(kDiagnostics, row.diagnostics);
  put(kMethodAccelerations, row.state.a);
  put(kMethodMultipliers, row.state.lambda);
  put(kMethodStateRates, row.state.x_rate);
  put(kMethodMemory, row.state.memory);
  writer_->append(row_);
  // The first row at once: a disk without room for it shows before hours of computing.
  if (writer_->rows() == 1) writer_->flush();
}

long ResultRecorder::kept() const {
  return writer_ ? static_cast<long>(writer_->rows() - first_) : 0;
}

void ResultRecorder::end(const simulate::Summary& summary) {
  if (!writer_) return;
  writer_->flush();
  writer_->write_summary(to_text(summary_json(summary, path_), 1));
  writer_->close();
}

LastRow last_row(const ResultReader& reader) {
  if (reader.rows() == 0) {
    throw InputError({}, "the result has no rows to continue from; run the model again");
  }
  const std::size_t row = reader.rows() - 1;
  const auto read = [&](Slot slot) {
    const auto index = reader.index(kNames[slot]);
    return index ? reader.read(*index, row, 1) : std::vector<double>{};
  };
  LastRow last;
  last.state.t = read(kTime).front();
  last.state.q = read(kCoordinates);
  last.state.v = read(kVelocities);
  last.state.a = read(kMethodAccelerations);
  last.state.lambda = read(kMethodMultipliers);
  last.state.x = read(kStates);
  last.state.x_rate = read(kMethodStateRates);
  last.state.memory = read(kMethodMemory);
  last.outputs = read(kOutputs);
  return last;
}

OutputTable read_outputs(const ResultReader& reader) {
  OutputTable table;
  table.time = reader.read(*reader.index(kNames[kTime]));
  const auto outputs = reader.index(kNames[kOutputs]);
  if (!outputs) return table;
  table.names = reader.layout()[*outputs].components;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    table.columns.push_back(reader.column(*outputs, k));
  }
  if (const std::string* units = reader.text("output_units")) {
    std::size_t at = 0;
    while (at < units->size()) {
      const std::size_t tab = units->find('\t', at), end = units->find('\n', at);
      table.units.push_back(units->substr(tab + 1, end - tab - 1));
      at = end + 1;
    }
  }
  table.units.resize(table.names.size());
  return table;
}

}  // namespace daedal::io
