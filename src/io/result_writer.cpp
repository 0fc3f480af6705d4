#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "daedal/io/file_lock.hpp"
#include "daedal/io/hdf5_support.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/result_file.hpp"
#include "daedal/io/result_format.hpp"
#include "daedal/io/text_file.hpp"

namespace daedal::io {
namespace {

using hdf5::Handle;

/// A page of the operating system. A kill can cut a write in two only between pages, so metadata
/// that stays within one is written whole or not at all.
constexpr hsize_t kPage = 4096;

Handle string_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

bool add_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = string_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const std::string padded = text.empty() ? std::string(1, '\0') : text;
  return H5Awrite(attribute, type, padded.data()) >= 0;
}

/// Names padded to the longest: h5py shows them as an array of strings.
bool add_names_attribute(hid_t object, const char* name, const std::vector<std::string>& names) {
  std::size_t longest = 1;
  for (const std::string& text : names) longest = std::max(longest, text.size());
  std::string all;
  for (const std::string& text : names) {
    all += text;
    all.append(longest - text.size(), '\0');
  }
  const hsize_t count = names.size();
  const Handle type = string_type(longest);
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return H5Awrite(attribute, type, all.data()) >= 0;
}

bool add_text(hid_t file, const std::string& name, const std::string& text, hid_t links) {
  const Handle type = string_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set(H5Dcreate2(file, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  const std::string padded = text.empty() ? std::string(1, '\0') : text;
  return H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0;
}

/// A contiguous dataset with its space on disk taken now, so that it can be overwritten in place.
bool add_block(hid_t file, const char* name, hid_t type, hsize_t size) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC);
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                   H5Dclose);
  return set >= 0;
}

bool add_dataset(hid_t file, const Dataset& dataset, std::size_t chunk_bytes, hid_t links) {
  const std::size_t width = dataset.width();
  const int rank = dataset.components.empty() ? 1 : 2;
  const hsize_t size[2] = {0, width};
  const hsize_t limit[2] = {H5S_UNLIMITED, width};
  const hsize_t chunk[2] = {std::max<std::size_t>(1, chunk_bytes / (sizeof(double) * width)),
                            width};
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation, rank, chunk);
  H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nothing);
  H5Pset_attr_phase_change(creation, 0, 0);  // the names of many components pass 64 KB
  const Handle space(H5Screate_simple(rank, size, limit), H5Sclose);
  const Handle set(
      H5Dcreate2(file, dataset.name.c_str(), H5T_IEEE_F64LE, space, links, creation, H5P_DEFAULT),
      H5Dclose);
  return set >= 0 && add_text_attribute(set, "unit", dataset.unit) &&
         add_text_attribute(set, "description", dataset.description) &&
         (dataset.components.empty() || add_names_attribute(set, "components", dataset.components));
}

Json entry_of(const Dataset& set) {
  return {{"name", set.name},
          {"components", set.components},
          {"unit", set.unit},
          {"description", set.description}};
}

std::string index_of(const Layout& layout, const Texts& texts, const Dataset& events) {
  Json datasets = Json::array();
  for (const Dataset& set : layout) datasets.push_back(entry_of(set));
  Json names = Json::array();
  for (const auto& [name, text] : texts) names.push_back(name);
  Json index{{"datasets", datasets}, {"texts", names}};
  if (!events.components.empty()) index["events"] = entry_of(events);
  return to_text(index, -1);
}

/// Our own mistakes, not the user's.
void check_names(const Layout& layout, const Texts& texts) {
  std::set<std::string> used{format::kCommittedRows, format::kSummary, format::kIndex,
                             format::kTexts,         format::kEvents};
  for (const Dataset& set : layout) {
    if (set.name.empty() || !used.insert(set.name).second) {
      throw std::invalid_argument(fmt::format("dataset name '{}' is empty or taken", set.name));
    }
  }
  used.clear();
  for (const auto& [name, text] : texts) {
    if (name.empty() || name.find('/') != std::string::npos || !used.insert(name).second) {
      throw std::invalid_argument(fmt::format("text name '{}' is empty, taken or a path", name));
    }
  }
}

}  // namespace

struct ResultWriter::File {
  using Clock = std::chrono::steady_clock;

  std::filesystem::path path;
  std::filesystem::path destination;  // path without symbolic links
  std::filesystem::path partial;      // empty once published
  Layout layout;
  ResultOptions options;
  FileLock lock;
  hdf5::Disk disk;  // outlives the handles
  Handle file;
  Handle committed_rows;
  Handle summary;
  Handle events;
  std::vector<double> event_buffer;
  std::size_t events_written = 0;
  std::vector<Handle> sets;
  std::vector<std::vector<double>> buffers;
  std::size_t capacity = 0;   // [rows] of the buffers
  std::size_t buffered = 0;   // [rows]
  std::size_t committed = 0;  // [rows] in the file
  Clock::time_point last_flush;
  bool open = true;
  bool is_published = false;  // has its name

  File(const std::filesystem::path& target, const Layout& sets_wanted, const Texts& texts,
       const ResultOptions& wanted)
      : path(target), destination(link_target(target)), layout(sets_wanted), options(wanted) {
    check_names(layout, texts);
    options.events.name = format::kEvents;
    check_destination();
    std::filesystem::path name = destination;
    name += ".partial";
    refuse_if(!lock.acquire(name, true));
    partial = name;  // ours from here on
    const hdf5::Session session;
    create(texts);
    open_sets();
    last_flush = Clock::now();
  }

  ~File() {
    const hdf5::Session session;
    release();
  }

  void check_destination() const {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(destination, ignored);
    if (is_directory(status)) throw cannot_write(path, EISDIR);
    if (exists(status) && !is_regular_file(status)) {
      throw OutputError(
          fmt::format("cannot write '{}': it is a device or pipe; give the name of a "
                      "file",
                      path.string()));
    }
  }

  void refuse_if(bool taken) const {
    if (!taken) return;
    throw OutputError(
        fmt::format("cannot write '{}': another run is writing it; wait for its end "
                    "or choose another name",
                    path.string()));
  }

  void create(const Texts& texts) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_file_locking(access, false, true);  // lock is ours
    hdf5::use_disk(access, disk);
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(creation, kPage);
    file = Handle(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
    must(file >= 0);

    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    must(add_text_attribute(file, "format", format::kName));
    must(add_text_attribute(file, "format_version", std::to_string(format::kVersion)));
    must(add_block(file, format::kCommittedRows, H5T_STD_U64LE, 1));
    must(add_block(file, format::kSummary, H5T_STD_U8LE, options.summary_bytes));
    must(add_text(file, format::kIndex, index_of(layout, texts, options.events), links));
    for (const auto& [name, text] : texts) {
      must(add_text(file, fmt::format("{}/{}", format::kTexts, name), text, links));
    }
    for (const Dataset& set : layout) must(add_dataset(file, set, options.chunk_bytes, links));
    if (has_events()) must(add_dataset(file, options.events, options.chunk_bytes, links));
    must(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    must(H5Fstart_swmr_write(file) >= 0);
  }

  void open_sets() {
    const auto open_set = [&](const char* name) {
      Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
      must(set >= 0);
      return set;
    };
    committed_rows = open_set(format::kCommittedRows);
    summary = open_set(format::kSummary);
    if (has_events()) events = open_set(format::kEvents);
    std::size_t row_bytes = 0;
    for (const Dataset& set : layout) {
      sets.push_back(open_set(set.name.c_str()));
      row_bytes += set.width() * sizeof(double);
    }
    capacity = std::max<std::size_t>(1, options.buffer_bytes / std::max<std::size_t>(1, row_bytes));
    for (const Dataset& set : layout) buffers.emplace_back(capacity * set.width());
  }

  /// The file, whole from its first moment, takes its name.
  void publish() {
    if (::rename(partial.c_str(), destination.c_str()) != 0) throw cannot_write(path, errno);
    partial.clear();
    is_published = true;
  }

  void append(std::span<const std::span<const double>> row) {
    if (!open) throw std::logic_error("append to a result file that is closed");
    if (row.size() != layout.size()) throw std::invalid_argument("row does not fit the layout");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = layout[i].width();
      if (row[i].size() != width) {
        throw std::invalid_argument(fmt::format("row of dataset '{}' has {} numbers instead of {}",
                                                layout[i].name, row[i].size(), width));
      }
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::ranges::copy(row[i], buffers[i].begin() + std::ptrdiff_t(buffered * row[i].size()));
    }
    ++buffered;
    if (buffered == capacity || Clock::now() - last_flush >= options.flush_interval) flush();
  }

  bool has_events() const { return !options.events.components.empty(); }

  void append_event(std::span<const double> event) {
    if (!open) throw std::logic_error("append to a result file that is closed");
    if (event.size() != options.events.components.size()) {
      throw std::invalid_argument("an event does not fit the layout");
    }
    event_buffer.insert(event_buffer.end(), event.begin(), event.end());
  }

  void write_events() {
    if (event_buffer.empty()) return;
    const std::size_t count = event_buffer.size() / options.events.width();
    must(extend(events, options.events, events_written, count, event_buffer.data()));
    events_written += count;
    event_buffer.clear();
  }

  void flush() {
    if (!open) return;
    if (buffered > 0 || !event_buffer.empty()) {
      const hdf5::Session session;
      write_events();
      for (std::size_t i = 0; i < sets.size(); ++i) must(write_rows(i));
      // The whole file, not each dataset: that also brings the file's length to its superblock,
      // without which h5clear would cut the rows off a killed file.
      must(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
      // Rows count from here on.
      const std::uint64_t total = committed + buffered;
      must(H5Dwrite(committed_rows, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &total) >= 0);
      committed += buffered;
      buffered = 0;
    }
    last_flush = Clock::now();
  }

  bool write_rows(std::size_t i) {
    return extend(sets[i], layout[i], committed, buffered, buffers[i].data());
  }

  /// More rows for a dataset, after the first `rows`.
  static bool extend(hid_t set, const Dataset& dataset, std::size_t rows, std::size_t more,
                     const double* values) {
    const int rank = dataset.components.empty() ? 1 : 2;
    const hsize_t width = dataset.width();
    const hsize_t size[2] = {rows + more, width};
    const hsize_t start[2] = {rows, 0};
    const hsize_t count[2] = {more, width};
    if (H5Dset_extent(set, size) < 0) return false;
    const Handle target(H5Dget_space(set), H5Sclose);
    const Handle source(H5Screate_simple(rank, count, nullptr), H5Sclose);
    return H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0 &&
           H5Dwrite(set, H5T_NATIVE_DOUBLE, source, target, H5P_DEFAULT, values) >= 0;
  }

  void write_summary(std::string_view json) {
    if (!open) throw std::logic_error("summary for a result file that is closed");
    if (json.size() > options.summary_bytes) {
      throw OutputError(
          fmt::format("cannot write '{}': the summary has {} bytes, only {} are "
                      "reserved; record fewer outputs",
                      path.string(), json.size(), options.summary_bytes));
    }
    std::string padded(json);
    padded.resize(options.summary_bytes, '\0');
    const hdf5::Session session;
    must(H5Dwrite(summary, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0);
  }

  void close() {
    if (!open) return;
    flush();
    const hdf5::Session session;
    release();
    if (disk.error != 0) throw cannot_write(path, disk.error, remark());
  }

  /// Lets go of everything, whether or not it can still be written.
  void release() {
    open = false;
    if (!partial.empty()) ::unlink(partial.c_str());
    sets.clear();
    events.reset();
    summary.reset();
    committed_rows.reset();
    file.reset();
    lock = FileLock();
  }

  /// After each step of HDF5: a failure closes the file and leaves what was committed.
  void must(bool ok) {
    if (ok && disk.error == 0) return;
    const std::string why = ok ? "" : hdf5::complaint();
    const int error = disk.error;
    buffered = 0;
    event_buffer.clear();
    if (committed == 0 && is_published) ::unlink(destination.c_str());
    release();
    if (error != 0) throw cannot_write(path, error, remark());
    throw OutputError(fmt::format("cannot write '{}': HDF5 says '{}'{}{}", path.string(), why,
                                  remark().empty() ? "" : "; ", remark()));
  }

  std::string remark() const {
    if (committed == 1) return "the first row is in the file";
    if (committed > 1) return fmt::format("the first {} rows are in the file", committed);
    return is_published ? "no row could be written, so there is no result" : "";
  }
};

ResultWriter::ResultWriter(const std::filesystem::path& path, const Layout& layout,
                           const Texts& texts, const ResultOptions& options)
    : file_(std::make_unique<File>(path, layout, texts, options)) {
  file_->refuse_if(is_locked(path));
  file_->publish();
}

ResultWriter::ResultWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}

ResultWriter ResultWriter::append_to(const std::filesystem::path& path,
                                     std::optional<std::size_t> rows, const Texts& replaced,
                                     const ResultOptions& options) {
  FileLock old_lock;
  const ResultReader old(path);
  if (!old_lock.acquire(path, false)) {
    throw OutputError(
        fmt::format("cannot continue '{}': another run is writing it; wait for its "
                    "end",
                    path.string()));
  }
  if (rows.value_or(0) > old.rows()) {
    throw InputError({path.string()}, fmt::format("asked to continue after row {}, but there are "
                                                  "only {} rows",
                                                  *rows, old.rows()));
  }
  const std::size_t kept = rows.value_or(old.rows());
  const std::string summary = old.summary();
  ResultOptions enough = options;
  enough.summary_bytes = std::max(options.summary_bytes, summary.size());

  Texts texts = old.texts();
  for (const auto& [name, text] : replaced) {
    const auto entry = std::ranges::find(texts, name, &Texts::value_type::first);
    if (entry == texts.end()) {
      texts.emplace_back(name, text);
    } else {
      entry->second = text;
    }
  }

  enough.events = old.events();
  auto file = std::make_unique<File>(path, old.layout(), texts, enough);
  // Of events those that were before the last row.
  const std::optional<std::size_t> time = old.index("time");
  if (const std::vector<double> all = old.read_events(); !all.empty() && time && kept > 0) {
    const double last = old.read(*time, kept - 1, 1).front();
    const std::size_t width = old.events().width();
    for (std::size_t at = 0; at < all.size() && all[at] <= last; at += width) {
      file->append_event({all.data() + at, width});
    }
  }
  while (file->committed < kept) {
    file->buffered = std::min(file->capacity, kept - file->committed);
    for (std::size_t i = 0; i < file->layout.size(); ++i) {
      std::ranges::copy(old.read(i, file->committed, file->buffered), file->buffers[i].begin());
    }
    file->flush();
  }
  if (!summary.empty()) file->write_summary(summary);
  file->publish();
  return ResultWriter(std::move(file));
}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;
ResultWriter::~ResultWriter() {
  if (!file_) return;
  try {
    file_->close();
  } catch (const std::exception&) {
    // Whoever wants to know calls close().
  }
}

const std::filesystem::path& ResultWriter::path() const {
  return file_->path;
}
const Layout& ResultWriter::layout() const {
  return file_->layout;
}
std::size_t ResultWriter::rows() const {
  return file_->committed + file_->buffered;
}
void ResultWriter::append(std::span<const std::span<const double>> row) {
  file_->append(row);
}
void ResultWriter::append_event(std::span<const double> event) {
  file_->append_event(event);
}
void ResultWriter::flush() {
  file_->flush();
}
void ResultWriter::write_summary(std::string_view json) {
  file_->write_summary(json);
}
void ResultWriter::close() {
  file_->close();
}

}  // namespace daedal::io
