// The program `daedal` as a user meets it: arguments in, exit code, texts and files out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "daedal/io/json.hpp"
#include "daedal/io/result_file.hpp"

namespace daedal::testing {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

struct Outcome {
  int code = -1;    // exit code, or -1
  int signal = 0;   // that ended it, or 0
  std::string out;  // standard output
  std::string err;  // standard error

  io::Json json() const { return io::parse_json(out, "standard output"); }
};

inline std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// A folder in which the program runs, gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "daedal_apps_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  /// Names of what is there, but for the program's two streams.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) {
      const std::string name = entry.path().filename().string();
      if (name != ".stdout" && name != ".stderr") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path path_;
};

/// The program, started in a folder.
class Process {
 public:
  /// `prepare` runs in the child before the program does.
  Process(const Folder& folder, const std::vector<std::string>& arguments,
          const std::function<void()>& prepare = {})
      : out_(folder / ".stdout"), err_(folder / ".stderr") {
    std::vector<std::string> words{DAEDAL_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    const auto redirect = [](const fs::path& file, int stream) {
      const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(descriptor, stream);
      ::close(descriptor);
    };
    redirect(out_, STDOUT_FILENO);
    redirect(err_, STDERR_FILENO);
    if (::chdir(folder.path().c_str()) != 0) ::_exit(126);
    if (prepare) prepare();
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid_ > 0) {
      kill(SIGKILL);
      wait();
    }
  }

  void kill(int signal) { ::kill(pid_, signal); }

  bool running() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ > 0;
  }

  Outcome wait() {
    if (pid_ > 0) ::waitpid(pid_, &status_, 0);
    pid_ = 0;
    Outcome outcome;
    if (WIFEXITED(status_)) outcome.code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) outcome.signal = WTERMSIG(status_);
    outcome.out = text_of(out_);
    outcome.err = text_of(err_);
    return outcome;
  }

 private:
  fs::path out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
};

inline Outcome daedal(const Folder& folder, const std::vector<std::string>& arguments,
                      const std::function<void()>& prepare = {}) {
  return Process(folder, arguments, prepare).wait();
}

/// Runs and expects the exit code; returns the JSON document.
inline io::Json run_json(const Folder& folder, std::vector<std::string> arguments,
                         int expected_code = 0) {
  arguments.push_back("--format");
  arguments.push_back("json");
  const Outcome outcome = daedal(folder, arguments);
  EXPECT_EQ(outcome.code, expected_code) << outcome.err << outcome.out;
  try {
    return outcome.json();
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\n" << outcome.out;
    return {};
  }
}

/// All rows of all datasets of a result, by name.
inline std::vector<std::pair<std::string, std::vector<double>>> rows_of(const fs::path& file) {
  const io::ResultReader reader(file);
  std::vector<std::pair<std::string, std::vector<double>>> all;
  for (std::size_t i = 0; i < reader.layout().size(); ++i) {
    all.push_back({reader.layout()[i].name, reader.read(i)});
  }
  return all;
}

inline std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(DAEDAL_SOURCE_DIR) / "models")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace daedal::testing
