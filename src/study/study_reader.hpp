#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "daedal/study/study.hpp"

namespace daedal::study {

/// Reads and checks a study file. `overrides` change keys of the study, such as
/// `axes.h.values=[1e-3, 1e-4]` or `set.simulate.until=1`; `gallery` is the folder of models that
/// go by name.
///
/// Throws one io::InputError with every problem of the first stage that fails: YAML, keys and kinds
/// of values, the parts of the study, then the model with the settings of every single run.
Study read_study(const std::filesystem::path& path, const std::filesystem::path& gallery,
                 std::span<const std::string> overrides = {});

/// The same for text; `path` stands for the file in positions, and what it names is relative to it.
Study parse_study(std::string_view text, const std::filesystem::path& path,
                  const std::filesystem::path& gallery,
                  std::span<const std::string> overrides = {}, const Limits& limits = {});

}  // namespace daedal::study
