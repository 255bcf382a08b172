// What the tool counted, with names and lines, as the text that Callgrind would have written: whatever reads
// callgrind.out files then reads this. docs/counter.md says what differs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "icount/base/file.h"
#include "icount/counter/counts.h"
#include "icount/counter/object_code.h"

namespace icount {

/// The creator: in such a text. Its counts begin at a fork, where Callgrind's are copied by one.
inline constexpr std::string_view kCounterCreator = "callgrind-icount-1";

/// Remembers the objects that it read: the files of one run share most of them.
class CountsNamer {
 public:
  /// The parts of one file as text. Error{kMalformed} of parse_counts.
  std::string load_text(std::string_view bytes, std::string_view name);

  /// Base's load_file; of the tool's files their text.
  FileBytes load_profile(const std::filesystem::path& path);

 private:
  friend class PartWriter;
  const ObjectCode& object(const CountedObject& object);

  std::map<std::pair<std::string, std::string>, ObjectCode> objects_;  // by path and build id
};

}  // namespace icount
