#include "daedal/study/trace.hpp"

#include <algorithm>

namespace daedal::study {

std::vector<std::string> traceable_names() {
  const auto& names = simulate::StepDiagnostics::kNames;
  return {names.begin(), names.end()};
}

Tracer::Tracer(std::span<const std::string> names, simulate::Recorder* next)
    : next_(next), traces_(names.size()) {
  const std::vector<std::string> known = traceable_names();
  for (const std::string& name : names) {
    places_.push_back(static_cast<std::size_t>(std::ranges::find(known, name) - known.begin()));
  }
}

void Tracer::begin(const simulate::RowNames& names) {
  if (next_) next_->begin(names);
}

void Tracer::record(const simulate::Row& row) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Trace& trace = traces_[i];
    const double value = row.diagnostics[places_[i]];
    if (!trace.value.empty() && trace.value.back() == value) continue;
    trace.t.push_back(row.state.t);
    trace.value.push_back(value);
  }
  last_ = row.state.t;
  if (next_) next_->record(row);
}

void Tracer::end(const simulate::Summary& summary) {
  for (Trace& trace : traces_) {
    if (trace.t.empty() || trace.t.back() == last_) continue;
    trace.t.push_back(last_);
    trace.value.push_back(trace.value.back());
  }
  if (next_) next_->end(summary);
}

}  // namespace daedal::study
