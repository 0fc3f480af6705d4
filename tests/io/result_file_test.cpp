#include "daedal/io/result_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <random>
#include <thread>

#include "io/temporary_folder.hpp"

namespace {
std::atomic<long> allocations{0};
}  // namespace

// Every use of the C++ heap in this executable is counted; the test below compares counts. The
// address sanitizer has replacements of its own.
#ifndef __SANITIZE_ADDRESS__
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
#endif

namespace daedal::io {
namespace {

using testing::HasSubstr;

const Layout kLayout{{"time", {}, "s", "Time"},
                     {"coordinates", {"crank.x", "crank.y", "crank.phi"}, "", "q"},
                     {"diagnostics/step", {}, "s", "Step size"}};
const Texts kTexts{{"model", "daedal: 1\ntitle: Bücher\n"}, {"options", ""}, {"version", "0.1.0"}};

/// Row i, by a rule that the reader can check.
void append_row(ResultWriter& writer, std::size_t i) {
  const double x = static_cast<double>(i);
  const std::array<double, 1> time{0.001 * x};
  const std::array<double, 3> q{x, -x, std::sqrt(x)};
  const std::array<double, 1> step{1.0 / (1.0 + x)};
  const std::array<std::span<const double>, 3> row{time, q, step};
  writer.append(row);
}

/// All rows are there and obey the rule.
void expect_rows(const ResultReader& reader, std::size_t first = 0) {
  const std::size_t n = reader.rows();
  const auto time = reader.read(0, first, n - first);
  const auto q = reader.read(1, first, n - first);
  const auto step = reader.read(2, first, n - first);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n - first; ++i) {
    const double x = static_cast<double>(first + i);
    wrong += time[i] != 0.001 * x || q[3 * i] != x || q[3 * i + 1] != -x ||
             q[3 * i + 2] != std::sqrt(x) || step[i] != 1.0 / (1.0 + x);
  }
  EXPECT_EQ(wrong, 0u) << "of " << n;
}

/// Runs `action` in a child; the child's exit status.
pid_t fork_child(const std::function<int()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 99;
    try {
      status = action();
    } catch (...) {
      status = 98;
    }
    ::_exit(status);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(ResultFile, RoundTripKeepsNumbersNamesTextsAndSummary) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "r.h5", kLayout, kTexts);
  for (std::size_t i = 0; i < 5000; ++i) append_row(writer, i);
  writer.write_summary(R"({"status": "running"})");
  writer.write_summary(R"({"status": "done"})");
  writer.close();
  writer.close();

  const ResultReader reader(folder / "r.h5");
  EXPECT_EQ(reader.layout(), kLayout);
  EXPECT_EQ(reader.texts(), kTexts);
  EXPECT_EQ(*reader.text("version"), "0.1.0");
  EXPECT_EQ(reader.text("nothing"), nullptr);
  EXPECT_EQ(reader.index("diagnostics/step"), 2u);
  EXPECT_EQ(reader.index("nothing"), std::nullopt);
  EXPECT_EQ(reader.rows(), 5000u);
  EXPECT_EQ(reader.summary(), R"({"status": "done"})");
  EXPECT_FALSE(reader.being_written());
  expect_rows(reader);
  const auto y = reader.column(1, 1);
  ASSERT_EQ(y.size(), 5000u);
  EXPECT_EQ(y[4321], -4321.0);
  EXPECT_THROW(reader.read(0, 4999, 2), std::out_of_range);
}

TEST(ResultFile, WithoutRowsIsReadable) {
  const TemporaryFolder folder;
  { const ResultWriter writer(folder / "r.h5", kLayout, kTexts); }
  const ResultReader reader(folder / "r.h5");
  EXPECT_EQ(reader.rows(), 0u);
  EXPECT_EQ(reader.summary(), "");
  EXPECT_TRUE(reader.read(1).empty());
}

TEST(ResultFile, TakesManyComponentsWithLongNames) {
  const TemporaryFolder folder;
  Dataset wide{"coordinates", {}, "", ""};
  for (int i = 0; i < 5000; ++i)
    wide.components.push_back("body[" + std::to_string(i) + "].quaternion.w");
  std::vector<double> values(5000, 2.5);
  {
    ResultWriter writer(folder / "r.h5", {wide}, {});
    const std::array<std::span<const double>, 1> row{values};
    for (int i = 0; i < 50; ++i) writer.append(row);
  }
  const ResultReader reader(folder / "r.h5");
  EXPECT_EQ(reader.layout().front(), wide);
  EXPECT_EQ(reader.column(0, 4999), std::vector<double>(50, 2.5));
}

TEST(ResultFile, AppendingDoesNotAllocateOnceWarm) {
  if (allocations == 0) GTEST_SKIP() << "allocations are not counted in this build";
  const TemporaryFolder folder;
  ResultOptions options;
  options.buffer_bytes = 4096;
  ResultWriter writer(folder / "r.h5", kLayout, kTexts, options);
  for (std::size_t i = 0; i < 1000; ++i) append_row(writer, i);
  const long before = allocations;
  for (std::size_t i = 1000; i < 20000; ++i) append_row(writer, i);
  EXPECT_EQ(allocations - before, 0);
}

TEST(ResultFile, RefusesARowThatDoesNotFitTheLayout) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "r.h5", kLayout, kTexts);
  const std::array<double, 2> two{};
  const std::array<std::span<const double>, 1> short_row{two};
  const std::array<std::span<const double>, 3> wrong_row{two, two, two};
  EXPECT_THROW(writer.append(short_row), std::invalid_argument);
  EXPECT_THROW(writer.append(wrong_row), std::invalid_argument);
  EXPECT_THROW(ResultWriter(folder / "s.h5", {{"time"}, {"time"}}, {}), std::invalid_argument);
  EXPECT_THROW(ResultWriter(folder / "s.h5", {{"summary"}}, {}), std::invalid_argument);
  writer.close();
  EXPECT_THROW(append_row(writer, 0), std::logic_error);
}

TEST(ResultFile, RefusesASummaryLargerThanItsPlace) {
  const TemporaryFolder folder;
  ResultOptions options;
  options.summary_bytes = 100;
  ResultWriter writer(folder / "r.h5", kLayout, kTexts, options);
  EXPECT_THAT(message_of<OutputError>([&] { writer.write_summary(std::string(101, 'x')); }),
              HasSubstr("the summary has 101 bytes, only 100 are reserved"));
  writer.write_summary("[1]");
  writer.close();
  EXPECT_EQ(ResultReader(folder / "r.h5").summary(), "[1]");
}

TEST(ResultFile, ContinuesAfterItsLastRowOrAnEarlierOne) {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "r.h5", kLayout, kTexts);
    for (std::size_t i = 0; i < 3000; ++i) append_row(writer, i);
    writer.write_summary("{}");
  }
  {
    ResultWriter writer = ResultWriter::append_to(folder / "r.h5");
    EXPECT_EQ(writer.rows(), 3000u);
    for (std::size_t i = 3000; i < 4000; ++i) append_row(writer, i);
  }
  {
    const ResultReader reader(folder / "r.h5");
    EXPECT_EQ(reader.rows(), 4000u);
    EXPECT_EQ(reader.texts(), kTexts);
    EXPECT_EQ(reader.summary(), "{}");
    expect_rows(reader);
  }
  {
    ResultWriter writer = ResultWriter::append_to(folder / "r.h5", 10);
    for (std::size_t i = 10; i < 15; ++i) append_row(writer, i);
  }
  const ResultReader reader(folder / "r.h5");
  EXPECT_EQ(reader.rows(), 15u);
  expect_rows(reader);
  EXPECT_THAT(message_of<InputError>([&] { ResultWriter::append_to(folder / "r.h5", 16); }),
              HasSubstr("asked to continue after row 16, but there are only 15 rows"));
}

TEST(ResultFile, ContinuesWithOtherTexts) {
  const TemporaryFolder folder;
  { ResultWriter writer(folder / "r.h5", kLayout, kTexts); }
  {
    ResultWriter::append_to(folder / "r.h5", std::nullopt,
                            {{"options", "step=1"}, {"remark", "longer"}});
  }
  const ResultReader reader(folder / "r.h5");
  EXPECT_EQ(*reader.text("options"), "step=1");
  EXPECT_EQ(*reader.text("remark"), "longer");
  EXPECT_EQ(*reader.text("model"), kTexts.front().second);
}

TEST(ResultFile, IsWholeAfterAKillAtAnyMoment) {
  const TemporaryFolder folder;
  const auto path = folder / "r.h5";
  std::mt19937 random(20240607);
  std::uniform_int_distribution<int> microseconds(0, 30000);
  int existed = 0;
  std::size_t most = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::filesystem::remove(path);
    const pid_t child = fork_child([&]() -> int {
      ResultOptions options;
      options.buffer_bytes = std::size_t{512} << (trial % 6);
      options.chunk_bytes = 4096;
      ResultWriter writer(path, kLayout, kTexts, options);
      for (std::size_t i = 0;; ++i) {
        append_row(writer, i);
        if (i % 1000 == 0) writer.write_summary("{\"rows\": " + std::to_string(i) + "}");
      }
    });
    // Every other kill may hit the creation of the file, the rest its growth.
    while (trial % 2 == 0 && !std::filesystem::exists(path)) ::usleep(100);
    ::usleep(static_cast<useconds_t>(microseconds(random)));
    ::kill(child, SIGKILL);
    ASSERT_EQ(wait_for(child), -SIGKILL);
    if (!std::filesystem::exists(path)) continue;  // killed before its first moment
    ++existed;
    std::size_t kept = 0;
    {
      const ResultReader reader(path);
      EXPECT_EQ(reader.layout(), kLayout);
      EXPECT_EQ(reader.texts(), kTexts);
      EXPECT_FALSE(reader.being_written());
      kept = reader.rows();
      expect_rows(reader);
    }
    most = std::max(most, kept);
    {
      ResultWriter writer = ResultWriter::append_to(path);
      EXPECT_EQ(writer.rows(), kept);
      for (std::size_t i = kept; i < kept + 100; ++i) append_row(writer, i);
    }
    const ResultReader reader(path);
    EXPECT_EQ(reader.rows(), kept + 100);
    expect_rows(reader);
  }
  EXPECT_GE(existed, 20);
  EXPECT_GT(most, 0u);
}

TEST(ResultFile, AfterAKillItsSuperblockKnowsItsLength) {
  const TemporaryFolder folder;
  const pid_t child = fork_child([&]() -> int {
    ResultWriter writer(folder / "r.h5", kLayout, kTexts);
    for (std::size_t i = 0; i < 20000; ++i) append_row(writer, i);
    writer.flush();
    ::_exit(0);
  });
  ASSERT_EQ(wait_for(child), 0);
  const std::string bytes = folder.read("r.h5");
  std::uint64_t end = 0;  // superblock version 3: end of file at byte 28
  std::memcpy(&end, bytes.data() + 28, sizeof end);
  EXPECT_EQ(end, bytes.size());
}

TEST(ResultFile, SurvivesAKillWhileItIsContinued) {
  const TemporaryFolder folder;
  const auto path = folder / "r.h5";
  {
    ResultWriter writer(path, kLayout, kTexts);
    for (std::size_t i = 0; i < 20000; ++i) append_row(writer, i);
  }
  std::mt19937 random(7);
  std::uniform_int_distribution<int> microseconds(0, 15000);
  for (int trial = 0; trial < 15; ++trial) {
    const pid_t child = fork_child([&]() -> int {
      ResultWriter writer = ResultWriter::append_to(path, 19000);
      for (std::size_t i = 19000;; ++i) append_row(writer, i);
    });
    ::usleep(static_cast<useconds_t>(microseconds(random)));
    ::kill(child, SIGKILL);
    wait_for(child);
    const ResultReader reader(path);
    EXPECT_GE(reader.rows(), 19000u);
    expect_rows(reader);
  }
}

TEST(ResultFile, CanBeReadByAnotherProcessWhileItGrows) {
  const TemporaryFolder folder;
  const auto path = folder / "r.h5";
  const pid_t child = fork_child([&]() -> int {
    ResultOptions options;
    options.buffer_bytes = 2048;
    options.flush_interval = std::chrono::duration<double>(0.001);
    ResultWriter writer(path, kLayout, kTexts, options);
    for (std::size_t i = 0; i < 20000; ++i) {
      append_row(writer, i);
      if (i % 100 == 0) ::usleep(500);
    }
    writer.write_summary("{\"status\": \"done\"}");
    return 0;
  });
  while (!std::filesystem::exists(path)) ::usleep(100);
  ResultReader reader(path);
  EXPECT_TRUE(reader.being_written());
  EXPECT_THAT(message_of<OutputError>([&] { ResultWriter::append_to(path); }),
              HasSubstr("another run is writing it"));
  EXPECT_THAT(message_of<OutputError>([&] { ResultWriter(path, kLayout, kTexts); }),
              HasSubstr("another run is writing it"));
  int growths = 0;
  std::size_t seen = 0;
  while (reader.being_written()) {
    const std::size_t rows = reader.refresh();
    EXPECT_GE(rows, seen);
    growths += rows > seen;
    expect_rows(reader, seen);
    seen = rows;
    ResultReader another(path);
    EXPECT_GE(another.rows(), rows);
  }
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_GT(growths, 3);
  EXPECT_EQ(reader.refresh(), 20000u);
  EXPECT_EQ(reader.summary(), "{\"status\": \"done\"}");
  expect_rows(reader);
}

TEST(ResultFile, CanBeReadByTheProcessThatWritesIt) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "r.h5", kLayout, kTexts);
  append_row(writer, 0);
  writer.flush();
  ResultReader reader(folder / "r.h5");
  EXPECT_EQ(reader.rows(), 1u);
  append_row(writer, 1);
  writer.close();
  EXPECT_EQ(reader.refresh(), 2u);
  expect_rows(reader);
}

TEST(ResultFile, SeveralThreadsWriteSeveralFiles) {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&folder, k] {
      ResultOptions options;
      options.buffer_bytes = 4096;
      ResultWriter writer(folder / (std::to_string(k) + ".h5"), kLayout, kTexts, options);
      for (std::size_t i = 0; i < 3000; ++i) append_row(writer, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 4; ++k) {
    const ResultReader reader(folder / (std::to_string(k) + ".h5"));
    EXPECT_EQ(reader.rows(), 3000u);
    expect_rows(reader);
  }
}

TEST(ResultFile, FlushesByTime) {
  const TemporaryFolder folder;
  ResultOptions options;
  options.flush_interval = std::chrono::duration<double>(0.02);
  ResultWriter writer(folder / "r.h5", kLayout, kTexts, options);
  append_row(writer, 0);
  EXPECT_EQ(ResultReader(folder / "r.h5").rows(), 0u);
  ::usleep(30000);
  append_row(writer, 1);
  EXPECT_EQ(ResultReader(folder / "r.h5").rows(), 2u);
}

/// Appends until the disk refuses; 0 if it all went as promised.
int fill(const std::filesystem::path& path, const std::string& reason) {
  bool refused = false;
  try {
    ResultOptions options;
    options.buffer_bytes = 8192;
    ResultWriter writer(path, kLayout, kTexts, options);
    try {
      for (std::size_t i = 0; i < 10'000'000; ++i) append_row(writer, i);
    } catch (const OutputError& error) {
      const std::string text = error.what();
      refused = text.find(reason) != std::string::npos &&
                text.find("rows are in the file") != std::string::npos;
      if (!refused) std::fprintf(stderr, "%s\n", text.c_str());
      writer.close();  // quiet after a failure
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return refused ? 0 : 1;
}

TEST(ResultFile, KeepsWhatWasFlushedWhenTheFileMayNotGrow) {
  const TemporaryFolder folder;
  const auto path = folder / "r.h5";
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::exit(fill(path, "File too large; the limit of file sizes is reached"));  // with atexit
  }
  EXPECT_EQ(wait_for(child), 0);
  {
    const ResultReader reader(path);
    EXPECT_GT(reader.rows(), 5000u);
    expect_rows(reader);
  }
  ResultWriter writer = ResultWriter::append_to(path);
  const std::size_t kept = writer.rows();
  append_row(writer, kept);
  writer.close();
  expect_rows(ResultReader(path));
}

TEST(ResultFile, KeepsWhatWasFlushedWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "disk");
  if (::mount("none", (folder / "disk").c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  struct Unmount {
    std::filesystem::path path;
    ~Unmount() { ::umount(path.c_str()); }
  } const unmount{folder / "disk"};
  const auto path = folder / "disk" / "r.h5";
  const pid_t child = ::fork();
  if (child == 0) std::exit(fill(path, "No space left on device; free some space"));
  EXPECT_EQ(wait_for(child), 0);
  {
    const ResultReader reader(path);
    EXPECT_GT(reader.rows(), 5000u);
    expect_rows(reader);
  }
  // There is no room for the copy either: the old file stays as it is.
  EXPECT_THAT(message_of<OutputError>([&] { ResultWriter::append_to(path); }),
              HasSubstr("No space left on device"));
  expect_rows(ResultReader(path));
  EXPECT_FALSE(std::filesystem::exists(folder / "disk" / "r.h5.partial"));
}

TEST(ResultFile, CreationFailsWithASentence) {
  const TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& path) {
    return message_of<OutputError>([&] { ResultWriter(path, kLayout, kTexts); });
  };
  EXPECT_EQ(message(folder / "none" / "r.h5"),
            "cannot write '" + (folder / "none" / "r.h5").string() +
                "': No such file or directory; create the folder first or choose another");
  EXPECT_THAT(message(folder.path()), HasSubstr("Is a directory; give the name of a file"));
  EXPECT_THAT(message("/dev/null"), HasSubstr("device or pipe; give the name of a file"));
  folder.write("file", "");
  EXPECT_THAT(message(folder / "file" / "r.h5"), HasSubstr("Not a directory"));
  EXPECT_THAT(message(folder / std::string(300, 'x')), HasSubstr("File name too long"));
  const pid_t child = fork_child([&] {
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return 1;
    if (::geteuid() != 65534)
      std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
    return message(folder / "r.h5")
                       .find("Permission denied; choose a folder that may be written") !=
                   std::string::npos
               ? 0
               : 2;
  });
  EXPECT_EQ(wait_for(child), 0);
}

TEST(ResultFile, ReplacesTheTargetOfALink) {
  const TemporaryFolder folder;
  folder.write("real.h5", "old");
  std::filesystem::create_symlink("real.h5", folder / "link.h5");
  { ResultWriter writer(folder / "link.h5", kLayout, kTexts); }
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.h5"));
  EXPECT_EQ(ResultReader(folder / "real.h5").rows(), 0u);
}

TEST(ResultFile, ReaderRefusesWhatIsNoResult) {
  const TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& path) {
    return message_of<InputError>([&] { ResultReader{path}; });
  };
  EXPECT_THAT(message(folder / "none.h5"), HasSubstr("none.h5: no such file"));
  EXPECT_THAT(message(folder.write("text.h5", "hello")), HasSubstr("not a result file of daedal"));
  EXPECT_THAT(message(folder.write("empty.h5", "")), HasSubstr("not a result file of daedal"));
  EXPECT_THAT(message(folder.path()), HasSubstr("not a result file of daedal"));
}

TEST(ResultFile, ADamagedFileIsRefusedOrReadButNeverCrashes) {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "r.h5", kLayout, kTexts);
    for (std::size_t i = 0; i < 2000; ++i) append_row(writer, i);
  }
  const std::string whole = folder.read("r.h5");
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    std::string damaged = whole;
    if (trial % 2 == 0) {
      damaged.resize(random() % whole.size());
    } else {
      for (int k = 0; k < 20; ++k) damaged[random() % 16384] = static_cast<char>(random());
    }
    const auto path = folder.write("d.h5", damaged);
    const pid_t child = fork_child([&] {
      try {
        const ResultReader reader(path);
        for (std::size_t i = 0; i < reader.layout().size(); ++i) reader.read(i);
        reader.summary();
      } catch (const InputError&) {
      }
      return 0;
    });
    EXPECT_EQ(wait_for(child), 0) << "trial " << trial;
  }
}

}  // namespace
}  // namespace daedal::io
