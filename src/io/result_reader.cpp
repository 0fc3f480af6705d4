#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include "daedal/io/file_lock.hpp"
#include "daedal/io/hdf5_support.hpp"
#include "daedal/io/json.hpp"
#include "daedal/io/result_file.hpp"
#include "daedal/io/result_format.hpp"

namespace daedal::io {

using hdf5::Handle;

/// A block that a writer is just replacing is read again. HDF5 waits 1 ns, 2 ns, 4 ns... between
/// attempts: this many take 0.1 s. Its default of 100 would wait for ever at a damaged block.
constexpr unsigned kReadAttempts = 27;

struct ResultReader::File {
  std::filesystem::path path;
  Handle file;
  Handle committed_rows;
  std::vector<Handle> sets;
  Layout layout;
  Dataset events;
  Texts texts;
  std::size_t rows = 0;

  explicit File(const std::filesystem::path& source) : path(source) {
    if (std::error_code ignored; !std::filesystem::exists(path, ignored)) {
      throw InputError({path.string()}, "no such file; check the path of the result");
    }
    const hdf5::Session session;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access, false, true);
    H5Pset_sieve_buf_size(access, 0);  // no copy of what a writer may change meanwhile
    H5Pset_metadata_read_attempts(access, kReadAttempts);
    // A killed file still carries the writer's mark; readers of single-writer files ignore it.
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose);
    if (file < 0) refuse(fmt::format("HDF5 says '{}'", hdf5::complaint()));
    if (read_attribute("format") != format::kName) refuse("it has another format");
    if (read_attribute("format_version") != std::to_string(format::kVersion)) {
      throw InputError({path.string()},
                       fmt::format("result has format version '{}', this program reads version {}; "
                                   "use the version of the program that wrote it",
                                   read_attribute("format_version"), format::kVersion));
    }
    read_index();
    committed_rows = open_set(format::kCommittedRows);
    for (const Dataset& set : layout) sets.push_back(open_set(set.name));
    refresh();
  }

  ~File() {
    const hdf5::Session session;
    sets.clear();
    committed_rows.reset();
    file.reset();
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError({path.string()},
                     fmt::format("not a result file of daedal, or a damaged one: {}", why));
  }

  Handle open_set(const std::string& name) const {
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk_cache(access, 0, 0, 0.0);  // as for the sieve buffer
    Handle set(H5Dopen2(file, name.c_str(), access), H5Dclose);
    if (set < 0) refuse(fmt::format("dataset '{}' cannot be opened", name));
    return set;
  }

  std::string read_attribute(const char* name) const {
    const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
    if (attribute < 0) return {};
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return {};
    std::string text(static_cast<std::size_t>(H5Aget_storage_size(attribute)), '\0');
    if (text.size() != H5Tget_size(type) || H5Aread(attribute, type, text.data()) < 0) return {};
    return text.substr(0, text.find('\0'));
  }

  std::string read_text(const std::string& name) const {
    const Handle set = open_set(name);
    const Handle type(H5Dget_type(set), H5Tclose);
    const Handle space(H5Dget_space(set), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        H5Sget_simple_extent_npoints(space) != 1) {
      refuse(fmt::format("'{}' is no text", name));
    }
    std::string text(H5Tget_size(type), '\0');
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) {
      refuse(fmt::format("text '{}' cannot be read", name));
    }
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
  }

  void read_index() try {
    const Json index = parse_json(read_text(format::kIndex), path.string());
    const auto dataset = [](const Json& set) {
      return Dataset{
          set.at("name").get<std::string>(), set.at("components").get<std::vector<std::string>>(),
          set.at("unit").get<std::string>(), set.at("description").get<std::string>()};
    };
    for (const Json& set : index.at("datasets")) layout.push_back(dataset(set));
    if (index.contains("events")) events = dataset(index.at("events"));
    for (const Json& name : index.at("texts")) {
      texts.emplace_back(name.get<std::string>(),
                         read_text(fmt::format("{}/{}", format::kTexts, name.get<std::string>())));
    }
  } catch (const Json::exception& error) {
    refuse(fmt::format("its index is not understood ({})", error.what()));
  }

  void refresh() {
    const hdf5::Session session;
    // The counter first: the datasets have at least as many rows by the time they are looked at.
    std::uint64_t committed = 0;
    if (H5Dread(committed_rows, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &committed) < 0) {
      refuse("the number of rows cannot be read");
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const int rank = layout[i].components.empty() ? 1 : 2;
      hsize_t size[2] = {0, 1};
      if (H5Drefresh(sets[i]) < 0) refuse(fmt::format("'{}' cannot be read", layout[i].name));
      const Handle space(H5Dget_space(sets[i]), H5Sclose);
      const bool fits = H5Sget_simple_extent_ndims(space) == rank &&
                        H5Sget_simple_extent_dims(space, size, nullptr) == rank &&
                        size[1] == layout[i].width();
      if (!fits) refuse(fmt::format("'{}' has an unexpected shape", layout[i].name));
      committed = std::min<std::uint64_t>(committed, size[0]);
    }
    rows = static_cast<std::size_t>(committed);
  }

  void read(std::size_t i, std::size_t first, std::span<double> values) const {
    const hdf5::Session session;
    read(sets[i], layout[i], first, values);
  }

  void read(hid_t set, const Dataset& dataset, std::size_t first, std::span<double> values) const {
    const int rank = dataset.components.empty() ? 1 : 2;
    const hsize_t start[2] = {first, 0};
    const hsize_t count[2] = {values.size() / dataset.width(), dataset.width()};
    const Handle source(H5Dget_space(set), H5Sclose);
    const Handle target(H5Screate_simple(rank, count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(source, H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
        H5Dread(set, H5T_NATIVE_DOUBLE, target, source, H5P_DEFAULT, values.data()) < 0) {
      refuse(fmt::format("rows of '{}' cannot be read: {}", dataset.name, hdf5::complaint()));
    }
  }

  std::vector<double> read_events() const {
    if (events.components.empty()) return {};
    const hdf5::Session session;
    const Handle set = open_set(format::kEvents);
    const Handle space(H5Dget_space(set), H5Sclose);
    hsize_t size[2] = {0, 0};
    if (H5Sget_simple_extent_ndims(space) != 2 ||
        H5Sget_simple_extent_dims(space, size, nullptr) != 2 || size[1] != events.width()) {
      refuse("'events' has an unexpected shape");
    }
    std::vector<double> values(size[0] * size[1]);
    if (!values.empty()) read(set, events, 0, values);
    while (!values.empty() && std::isnan(values[values.size() - events.width()])) {
      values.resize(values.size() - events.width());
    }
    return values;
  }
};

ResultReader::ResultReader(const std::filesystem::path& path)
    : file_(std::make_unique<File>(path)) {}
ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;
ResultReader::~ResultReader() = default;

const Layout& ResultReader::layout() const {
  return file_->layout;
}
const Texts& ResultReader::texts() const {
  return file_->texts;
}

const std::string* ResultReader::text(std::string_view name) const {
  for (const auto& [key, text] : file_->texts) {
    if (key == name) return &text;
  }
  return nullptr;
}

std::optional<std::size_t> ResultReader::index(std::string_view name) const {
  const auto found = std::ranges::find(file_->layout, name, &Dataset::name);
  if (found == file_->layout.end()) return std::nullopt;
  return static_cast<std::size_t>(found - file_->layout.begin());
}

std::size_t ResultReader::rows() const {
  return file_->rows;
}

std::size_t ResultReader::refresh() {
  file_->refresh();
  return file_->rows;
}

bool ResultReader::being_written() const {
  return is_locked(file_->path);
}

std::vector<double> ResultReader::read(std::size_t dataset, std::size_t first,
                                       std::size_t count) const {
  const Dataset& set = file_->layout.at(dataset);
  if (first > rows() || count > rows() - first) {
    throw std::out_of_range(
        fmt::format("rows {} to {} of '{}', which has {}", first, first + count, set.name, rows()));
  }
  std::vector<double> values(count * set.width());
  if (count > 0) file_->read(dataset, first, values);
  return values;
}

const Dataset& ResultReader::events() const {
  return file_->events;
}

std::vector<double> ResultReader::read_events() const {
  return file_->read_events();
}

std::vector<double> ResultReader::column(std::size_t dataset, std::size_t component) const {
  const std::size_t width = file_->layout.at(dataset).width();
  if (component >= width) throw std::out_of_range("no such component");
  constexpr std::size_t kBlockBytes = 8u << 20;
  const std::size_t block = std::max<std::size_t>(1, kBlockBytes / (sizeof(double) * width));
  std::vector<double> values;
  values.reserve(rows());
  for (std::size_t first = 0; first < rows(); first += block) {
    const std::vector<double> part = read(dataset, first, std::min(block, rows() - first));
    for (std::size_t i = component; i < part.size(); i += width) values.push_back(part[i]);
  }
  return values;
}

std::string ResultReader::summary() const {
  const hdf5::Session session;
  const Handle set = file_->open_set(format::kSummary);
  const Handle space(H5Dget_space(set), H5Sclose);
  std::string text(
      static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))), '\0');
  if (H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) {
    file_->refuse("the summary cannot be read");
  }
  text.resize(std::min(text.find('\0'), text.size()));
  return Json::accept(text) ? text : std::string();  // a kill may have cut it
}

}  // namespace daedal::io
