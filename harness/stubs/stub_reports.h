// What a measured child has said in its reports (stub_progress.h), taken line by line as it comes: nothing is kept but
// the last of each kind, so that no amount of them is too much.
#pragma once

#include <stdint.h>
#include <string.h>

#include <initializer_list>

namespace icount_stub {

class Reports {
 public:
  void clear() {
    multi_threaded = unlinked_code = done = prepared = returned = threw = forked = unfit = false;
    phase[0] = seconds[0] = device[0] = note[0] = 0;
    stray_bytes_ = 0;
    used_ = 0;
    too_long_ = false;
  }

  /// Takes what was read from the pipe; pass_on(line) is called for each line that the client gets as it is: "object
  /// ..." and "function ...".
  template <typename PassOn>
  void take(const char* bytes, int size, PassOn&& pass_on) {
    for (int at = 0; at < size;) {
      const char* end = static_cast<const char*>(memchr(bytes + at, '\n', static_cast<size_t>(size - at)));
      const int length = end ? static_cast<int>(end - bytes) - at : size - at;
      add(bytes + at, length);
      at += length;
      if (!end) break;
      ++at;
      end_line(pass_on);
    }
  }

  /// Bytes in the pipe that are no report: the statement wrote to it.
  int64_t stray_bytes() const { return stray_bytes_ + used_; }

  bool done = false;
  bool prepared = false;
  bool unlinked_code = false;
  bool multi_threaded = false;
  bool returned = false;
  bool threw = false;
  bool forked = false;
  bool unfit = false;
  char phase[16] = "";
  char seconds[48] = "";
  char device[16] = "";
  char note[6000] = "";  // of `threw`, `forked` or `unfit`

 private:
  void add(const char* bytes, int length) {
    const int room = static_cast<int>(sizeof line_) - 1 - used_;
    if (length > room || too_long_) {
      stray_bytes_ += too_long_ ? length : used_ + length;
      too_long_ = true;
      used_ = 0;
      return;
    }
    memcpy(line_ + used_, bytes, static_cast<size_t>(length));
    used_ += length;
  }

  template <typename PassOn>
  void end_line(PassOn&& pass_on) {
    line_[used_] = 0;
    if (too_long_)
      ++stray_bytes_;
    else if (!understand(pass_on))
      stray_bytes_ += used_ + 1;
    used_ = 0;
    too_long_ = false;
  }

  template <typename PassOn>
  bool understand(PassOn&& pass_on) {
    if (strlen(line_) != static_cast<size_t>(used_)) return false;
    if (const char* rest = after("phase ")) return keep(rest, phase);
    if (const char* rest = after("seconds ")) return keep(rest, seconds);
    if (const char* rest = after("device ")) return keep(rest, device);
    if (after("object ") || after("function ")) return pass_on(line_), true;
    if (const char* rest = after("threw ")) return threw = true, forked || keep(rest, note);
    if (const char* rest = after("forked ")) return forked = keep(rest, note);
    if (const char* rest = after("unfit ")) return unfit = keep(rest, note);
    for (const auto& [word, flag] : {Flag{"done", &done}, Flag{"prepared", &prepared}, Flag{"returned", &returned},
                                     Flag{"unlinked_code", &unlinked_code}, Flag{"multi_threaded", &multi_threaded}})
      if (strcmp(line_, word) == 0) return *flag = true;
    return false;
  }

  struct Flag {
    const char* word;
    bool* flag;
  };

  /// The rest of the line when it begins so; nullptr otherwise.
  const char* after(const char* verb) const {
    const size_t length = strlen(verb);
    return strncmp(line_, verb, length) == 0 ? line_ + length : nullptr;
  }
  template <size_t kSize>
  static bool keep(const char* text, char (&to)[kSize]) {
    if (strlen(text) >= kSize) return false;
    strcpy(to, text);
    return true;
  }

  char line_[6100];
  int used_ = 0;
  bool too_long_ = false;
  int64_t stray_bytes_ = 0;
};

}  // namespace icount_stub
