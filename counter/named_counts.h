// What the tool counted, with names and lines, as the text that Callgrind would have written: whatever reads
// callgrind.out files then reads this. docs/counter.md says what differs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/file.h"
#include "icount/counter/counts_layout.h"
#include "icount/counter/object_code.h"

namespace icount {

// What icount's Valgrind tool (tool/) counted, as its file says it: pieces of straight code with their executions,
// calls with what they cost, and the objects that had the code. Pure: nothing is looked up.

struct CountedObject {
  uint64_t bias = 0;     ///< address in memory less address in the file
  std::string path;      ///< never empty
  std::string build_id;  ///< hex; empty: it has none
};

struct CountedThread {
  uint64_t thread = 0;  ///< 0: all of them together
  int64_t total = 0;
  std::vector<CountsPiece> pieces;
  std::vector<CountsEdge> edges;
};

struct CountsPart {
  int64_t pid = 0, number = 0;
  uint32_t trigger = kCountsAtEnd;
  int64_t total = 0;
  std::string command;
  std::string name;            ///< that the program gave it; empty: none
  int64_t begin = 0, end = 0;  ///< instructions that ran in the program before it and up to its end, kept or not
  std::vector<CountedObject> objects;
  std::vector<CountedThread> threads;
  std::string text;  ///< lengths of instructions, by CountsPiece::lengths
};

/// Whether `bytes` begin as such a file does.
bool is_counts_file(std::string_view bytes);

/// Error{kMalformed} "NAME: ..." unless every part is whole: a file that was cut off is no smaller count.
std::vector<CountsPart> parse_counts(std::string_view bytes, std::string_view name);

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
