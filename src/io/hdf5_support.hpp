#pragma once

// Private to the result file's adapter: the only header with HDF5's types.

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace daedal::io::hdf5 {

/// Held around every use of HDF5: it may be built without threads, and studies write from several.
/// Turns off HDF5's printing of errors (a setting of each thread) while it lives.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

/// An identifier and the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }

  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, H5I_INVALID_HID));
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// The innermost complaint on HDF5's error stack.
std::string complaint();

/// State of a file under write.
struct Disk {
  int error = 0;  // errno of the first write that failed
};

/// Makes files of this access list go through our driver: plain POSIX calls, except that after the
/// first failed write the file is left alone, as a kill would leave it, while HDF5 believes all is
/// well. So HDF5 keeps a consistent state and closes quietly (its own driver would try again at
/// exit, in another order), and the caller sees the failure in `disk`.
void use_disk(hid_t access_list, Disk& disk);

}  // namespace daedal::io::hdf5
