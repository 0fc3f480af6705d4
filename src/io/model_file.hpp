#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/io/errors.hpp"
#include "daedal/io/model_schema.hpp"
#include "daedal/model/model.hpp"
#include "daedal/simulate/settings.hpp"

namespace daedal::io {

struct ModelSource;

/// What a file may ask for. A few lines describe a large model: whoever reads files of strangers
/// may want less.
struct Limits {
  double repeated = 1e6;  // objects that all repeats make together
};

/// A model file, read: docs/model-file.md describes its keys.
struct ModelFile {
  model::Model model;
  simulate::Settings settings;
  std::map<std::string, double> parameters;
  std::string text;                    // the YAML as read, without the overrides
  std::vector<std::string> overrides;  // applied to it, in order
  std::shared_ptr<const ModelSource> source;

  /// Where something stands in the file, or in the override that made it: `initial.link[3].velocity`
  /// is found in the entry it was repeated from. Of a path that is not there, the nearest part.
  Position position(std::string_view where) const;
};

/// Reads, expands and checks a model file. `overrides` are assignments such as
/// `simulate.step=1e-4` or `parameters.N=40`, applied in order before anything is interpreted.
///
/// Throws one InputError with every problem of the first stage that fails: YAML, keys and kinds of
/// values, parameters, values, then the mechanics (model::validate and simulate::validate). Each
/// problem names its object and points to the node it comes from; for an object made by `repeat`
/// that is the node of the template.
ModelFile read_model(const std::filesystem::path& path,
                     std::span<const std::string> overrides = {});

/// The same for text; `name` stands for the file in positions.
ModelFile parse_model(std::string_view text, std::string_view name,
                      std::span<const std::string> overrides = {}, const Limits& limits = {});

}  // namespace daedal::io
