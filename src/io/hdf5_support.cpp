#include "daedal/io/hdf5_support.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

namespace daedal::io::hdf5 {
namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

struct DiskFile {
  H5FD_t base;  // first, as HDF5 demands
  int fd;
  haddr_t end_of_allocation;
  haddr_t end_of_file;
  dev_t device;
  ino_t inode;
  Disk* disk;
};

DiskFile& file_of(H5FD_t* file) {
  return *reinterpret_cast<DiskFile*>(file);
}
const DiskFile& file_of(const H5FD_t* file) {
  return *reinterpret_cast<const DiskFile*>(file);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access_list, haddr_t) {
  Disk* const disk = *static_cast<Disk* const*>(H5Pget_driver_info(access_list));
  int mode = O_CLOEXEC | ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY);
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  const int fd = ::open(name, mode, 0666);
  struct stat status {};
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    disk->error = errno;
    if (fd >= 0) ::close(fd);
    return nullptr;
  }
  auto* file = new (std::nothrow) DiskFile{};
  if (file == nullptr) {
    ::close(fd);
    return nullptr;
  }
  file->fd = fd;
  file->end_of_file = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->disk = disk;
  disk->error = 0;  // HDF5 may have tried other flags before
  return &file->base;
}

herr_t close_file(H5FD_t* base) {
  DiskFile& file = file_of(base);
  // Network disks report a full quota only here.
  if (file.disk->error == 0 && ::fsync(file.fd) != 0 && errno != EINVAL && errno != EROFS) {
    file.disk->error = errno;
  }
  if (::close(file.fd) != 0 && file.disk->error == 0) file.disk->error = errno;
  delete &file;
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const std::pair left(file_of(a).device, file_of(a).inode);
  const std::pair right(file_of(b).device, file_of(b).inode);
  return left < right ? -1 : (left == right ? 0 : 1);
}

/// No sieve buffer and no metadata accumulator: every write reaches the file in HDF5's order.
herr_t features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
           H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return file_of(file).end_of_allocation;
}
herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  file_of(file).end_of_allocation = address;
  return 0;
}
haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  return file_of(file).end_of_file;
}

/// Locks are not this layer's business; but HDF5 marks a file as under write only if it could lock.
herr_t lock(H5FD_t*, hbool_t) {
  return 0;
}
herr_t unlock(H5FD_t*) {
  return 0;
}

herr_t read_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* bytes = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t n = ::pread(file_of(base).fd, bytes, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) {  // allocated but not yet written
      std::memset(bytes, 0, size);
      return 0;
    }
    bytes += n;
    address += static_cast<haddr_t>(n);
    size -= static_cast<size_t>(n);
  }
  return 0;
}

herr_t write_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                   const void* buffer) {
  DiskFile& file = file_of(base);
  const auto* bytes = static_cast<const char*>(buffer);
  const haddr_t end = address + size;
  while (size > 0 && file.disk->error == 0) {
    const ssize_t n = ::pwrite(file.fd, bytes, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      file.disk->error = errno;
      break;
    }
    bytes += n;
    address += static_cast<haddr_t>(n);
    size -= static_cast<size_t>(n);
  }
  if (end > file.end_of_file) file.end_of_file = end;
  return 0;
}

herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  DiskFile& file = file_of(base);
  if (file.end_of_allocation == file.end_of_file) return 0;
  if (file.disk->error == 0 &&
      ::ftruncate(file.fd, static_cast<off_t>(file.end_of_allocation)) != 0) {
    file.disk->error = errno;
  }
  file.end_of_file = file.end_of_allocation;
  return 0;
}

hid_t driver() {
  static const hid_t id = [] {
    H5FD_class_t methods{};
    methods.name = "daedal_disk";
    methods.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    methods.fc_degree = H5F_CLOSE_WEAK;
    methods.fapl_size = sizeof(Disk*);
    methods.open = open_file;
    methods.close = close_file;
    methods.cmp = compare;
    methods.query = features;
    methods.get_eoa = get_eoa;
    methods.set_eoa = set_eoa;
    methods.get_eof = get_eof;
    methods.lock = lock;
    methods.unlock = unlock;
    methods.read = read_bytes;
    methods.write = write_bytes;
    methods.truncate = truncate_file;
    // H5FD_FLMAP_DICHOTOMY: raw data apart from metadata.
    for (H5FD_mem_t& kind : methods.fl_map) kind = H5FD_MEM_SUPER;
    methods.fl_map[H5FD_MEM_DRAW] = H5FD_MEM_DRAW;
    methods.fl_map[H5FD_MEM_GHEAP] = H5FD_MEM_DRAW;
    return H5FDregister(&methods);
  }();
  return id;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  // We close what we open. HDF5's own tidying at exit complains on standard error about files that
  // turned out to be damaged.
  static const bool once = H5dont_atexit() >= 0;
  static_cast<void>(once);
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

std::string complaint() {
  std::string text;
  const auto keep_first = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
    auto& kept = *static_cast<std::string*>(data);
    if (kept.empty() && error->desc != nullptr) kept = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return text.empty() ? "unknown reason" : text;
}

void use_disk(hid_t access_list, Disk& disk) {
  Disk* const pointer = &disk;
  H5Pset_driver(access_list, driver(), &pointer);
}

}  // namespace daedal::io::hdf5
