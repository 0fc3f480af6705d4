#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace daedal::io {
struct ModelFile;
}
namespace daedal::model {
class ModelError;
}

namespace daedal::app {

/// What a command returns to the shell.
enum Exit { kDone = 0, kFailed = 1, kBadInput = 2 };

/// Prints to a stream what a person reads: no control characters of names or titles get through.
void say(std::FILE* stream, std::string_view text);

enum class Format { text, json };

struct RunArguments {
  std::string model;             // a file, `-`, or the name of a model of the gallery
  std::string result;            // default: the model's name with .h5, in the present folder
  std::vector<std::string> set;  // overrides
  Format format = Format::text;
  std::string csv, plot;
  bool want_csv = false, want_plot = false;
  bool continued = false;  // `model` is then a result
  bool quiet = false;
};
int run(const RunArguments& arguments);

struct StudyArguments {
  std::string study;             // a file, or the name of one that comes with the program
  std::string folder;            // of what is written; default: the study's name
  std::vector<std::string> set;  // overrides of keys of the study
  Format format = Format::text;
  int jobs = 0;  // 0: what the study says, else one per processor
  bool resume = false;
  bool quiet = false;
};
int study(const StudyArguments& arguments);

struct CheckArguments {
  std::string model;
  std::vector<std::string> set;
  Format format = Format::text;
};
int check(const CheckArguments& arguments);

int models(Format format);
int studies(Format format);
int methods(Format format);
int cite(const std::string& result, Format format);
/// Of model files, or of study files.
int schema(bool of_studies);

/// Throws an io::InputError: problems found while assembling, with their places in the file.
[[noreturn]] void refuse(const io::ModelFile& file, const model::ModelError& error);

/// Folder of the gallery: beside the installed program, or in the source tree.
std::filesystem::path gallery();
/// A model by path, `-` for standard input, or by the name of a gallery model.
std::filesystem::path find_model(const std::string& name);
/// A study by path, or by the name of one that comes with the program.
std::filesystem::path find_study(const std::string& name);

}  // namespace daedal::app
