// Byte code of CPython as it would be, had every compiler of it the same references: `marshal` notes which objects
// happened to be shared while it wrote, and where the source lay. Both leave traces in the heap of whom reads it, for
// the time of an import. Here only what is referred to is noted, and the place is given.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace icount_stub {

/// Reads one marshalled object twice: first which objects are referred to, then it is written. Versions of CPython
/// differ in the fields of code objects only.
class Bytecode {
 public:
  /// Writes to `to`, of `room` bytes, the marshalled object that is `size` bytes long, with `source` as the file of all
  /// code in it; returns its size, 0 where it has something unknown in it or there is no room. `minor`: of CPython 3.
  static size_t rewrite(const char* object, size_t size, const char* source, int minor, char* to, size_t room) {
    static Noted noted[kMostObjects];
    Bytecode marks(object, object + size, source, minor, noted, nullptr, nullptr);
    if (!marks.copy() || marks.at_ != marks.end_) return 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < marks.objects_; ++i) noted[i].number = noted[i].number ? ++next : 0;
    Bytecode writes(object, object + size, source, minor, noted, to, to + room);
    return writes.copy() ? static_cast<size_t>(writes.to_ - to) : 0;
  }

 private:
  static constexpr uint32_t kMostObjects = 1 << 18;
  static constexpr int kDeepest = 1000;
  static constexpr int kFlag = 0x80;

  /// An object that others may refer to.
  struct Noted {
    const char* at;
    uint32_t number;  ///< 0 where nothing refers to it; when writing one more than its number
  };

  Bytecode(const char* at, const char* end, const char* source, int minor, Noted* noted, char* to, char* to_end)
      : at_(at), end_(end), source_(source), minor_(minor), noted_(noted), to_(to), to_end_(to_end), writes_(to) {}

  bool write(const void* bytes, size_t size) {
    if (!writes_ || skips_) return true;
    if (static_cast<size_t>(to_end_ - to_) < size) return false;
    memcpy(to_, bytes, size);
    to_ += size;
    return true;
  }
  bool write_number(uint32_t number) { return write(&number, sizeof number); }
  bool write_kind(int kind, bool is_noted) {
    const char byte = static_cast<char>(kind | (is_noted ? kFlag : 0));
    return write(&byte, 1);
  }
  bool copy_bytes(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) return false;
    at_ += size;
    return write(at_ - size, size);
  }
  uint32_t peek_number(size_t bytes) const {
    uint32_t number = 0;
    if (static_cast<size_t>(end_ - at_) >= bytes) memcpy(&number, at_, bytes);  // little endian
    return number;
  }
  /// A size of so many bytes, and as many bytes behind it.
  bool copy_sized(size_t bytes) {
    const uint32_t size = peek_number(bytes);
    return copy_bytes(bytes) && copy_bytes(size);
  }
  bool copy_objects(size_t count) {
    while (count > 0 && copy()) --count;
    return count == 0;
  }
  bool copy_counted(size_t bytes) {
    const uint32_t count = peek_number(bytes);
    return copy_bytes(bytes) && copy_objects(count);
  }

  bool copy() {
    if (at_ == end_ || depth_ == kDeepest) return false;
    ++depth_;
    const bool done = copy_object();
    --depth_;
    return done;
  }

  bool copy_object() {
    const char* begin = at_;
    const int kind = static_cast<unsigned char>(*at_++) & ~kFlag;
    if (kind == 'r') {
      const uint32_t object = peek_number(4);
      if (object >= objects_ || !skip(4)) return false;
      return *noted_[object].at == static_cast<char>('>' | kFlag) ? copy_again(object) : refer(object);
    }
    bool is_noted = *begin & kFlag;
    if (is_noted) {
      if (objects_ == kMostObjects) return false;
      const uint32_t object = objects_++;
      if (again_ && kind != '>') {
        ++skips_;
        const bool skipped = copy_content(kind);
        --skips_;
        return skipped && refer(object);
      }
      if (!writes_ && !again_) noted_[object] = {begin, 0};
      is_noted = noted_[object].number > 0;
    }
    // Whether a text of one character is interned follows from what else the writer did: there is only one of each.
    const bool is_character = kind == 'z' && peek_number(1) == 1;
    return write_kind(is_character ? 'Z' : kind, is_noted) && copy_content(kind);
  }

  bool skip(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) return false;
    at_ += size;
    return true;
  }

  bool refer(uint32_t object) {
    if (!writes_ && !skips_) noted_[object].number = 1;
    return write("r", 1) && write_number(noted_[object].number - 1);
  }

  /// A frozen set in place of what refers to it: whether two equal ones are one followed from the hashes of the writer.
  bool copy_again(uint32_t object) {
    const char* const at = at_;
    const uint32_t objects = objects_;
    at_ = noted_[object].at;
    objects_ = object;
    ++again_;
    const bool done = copy();
    --again_;
    at_ = at;
    objects_ = objects;
    return done;
  }

  bool copy_content(int kind) {
    switch (kind) {
      case '0':
      case 'N':
      case 'F':
      case 'T':
      case 'S':
      case '.':
        return true;
      case 'i':
        return copy_bytes(4);
      case 'l': {
        const auto digits = static_cast<int32_t>(peek_number(4));
        return digits != INT32_MIN && copy_bytes(4) &&
               copy_bytes(2 * static_cast<size_t>(digits < 0 ? -digits : digits));
      }
      case 'g':
        return copy_bytes(8);
      case 'y':
        return copy_bytes(16);
      case 's':
      case 'u':
      case 't':
      case 'a':
      case 'A':
        return copy_sized(4);
      case 'z':
      case 'Z':
        return copy_sized(1);
      case ')':
        return copy_counted(1);
      case '(':
      case '[':
      case '<':
      case '>':
        return copy_counted(4);
      case '{':
        while (at_ < end_ && *at_ != '0')
          if (!copy_objects(2)) return false;
        return copy_bytes(1);
      case 'c':
        return copy_code();
      default:
        return false;
    }
  }

  bool copy_code() {
    const bool is_old = minor_ < 11;
    // Numbers, then the code, constants, names and names of variables; file; name, since 3.11 its qualified name, too;
    // line; tables.
    return copy_bytes(is_old ? 24 : 20) && copy_objects(is_old ? 6 : 5) && copy_file() &&
           copy_objects(is_old ? 1 : 2) && copy_bytes(4) && copy_objects(is_old ? 1 : 2);
  }

  /// The name of the file, a text of any kind, becomes `source`; what refers to it stays.
  bool copy_file() {
    if (at_ == end_ || !strchr("utaAzZ", *at_ & ~kFlag)) return copy();
    const bool is_noted = *at_ & kFlag && noted_[objects_].number > 0;
    ++skips_;
    const bool skipped = copy();
    --skips_;
    const auto size = static_cast<uint32_t>(strlen(source_));
    return skipped && write_kind('u', is_noted) && write_number(size) && write(source_, size);
  }

  const char* at_;
  const char* end_;
  const char* source_;
  int minor_;
  Noted* noted_;
  char* to_;
  char* to_end_;
  bool writes_;
  int skips_ = 0;         ///< above 0: nothing is written, nor referred to
  int again_ = 0;         ///< above 0: what was noted is there before
  uint32_t objects_ = 0;  ///< noted so far
  int depth_ = 0;
};

}  // namespace icount_stub
