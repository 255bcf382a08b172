// A second thread that reads blocks of a large body while the parser reads those before them. A block begins where
// nothing but names depends on the lines before (docs/callgrind_format.md, "Read by two threads"); whatever is odd
// about one makes it unusable, and the parser reads its lines itself, so that verdicts and messages come from one
// place.
#pragma once

#include <atomic>
#include <latch>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "icount/callgrind/body_reader.h"
#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// What one block says by itself; ids named before it have placeholders.
class AheadBlock {
 public:
  AheadBlock(std::string_view lines, const ProfilePart& part, const ParseOptions& options);
  /// Reads as far as the block goes, or to the part's totals: line. False when the parser must read it.
  bool read();
  const BodyReader& body() const { return body_; }
  /// The first line that was not read.
  const char* stop() const { return stop_; }

 private:
  bool read_piece(const char* end);

  std::string_view lines_;
  const ParseOptions& options_;
  Profile profile_;
  ParseReport report_;
  BodyReader body_;
  const char* stop_;
};

class ReadAhead {
 public:
  /// Cuts `lines`, the rest of a body of `part`, into blocks as options.blocks says and starts on them.
  ReadAhead(std::string_view lines, const ProfilePart& part, const ParseOptions& options);
  /// Waits for the block being read.
  ~ReadAhead();

  /// The first block's begin behind p; the end of the lines when there is none.
  const char* next_begin(const char* p) const;
  /// The block that begins at p, read and usable; nullptr when p's lines are the caller's to read, from now on at the
  /// latest.
  std::unique_ptr<AheadBlock> take(const char* p);

 private:
  enum State { kFree, kTaken, kDone };
  struct Slot {
    std::string_view lines;
    std::atomic<int> state = kFree;
    std::unique_ptr<AheadBlock> block;  // null when unusable
  };

  void cut(const std::vector<size_t>& cuts);
  void run();
  static bool claim(Slot& slot);
  void read(Slot& slot);

  std::string_view lines_;
  ProfilePart part_;  // without costs
  const ParseOptions& options_;
  const bool forced_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::atomic<bool> stopped_ = false;
  std::latch placed_{1};  ///< where the thread may run is settled
  std::thread thread_;
};

}  // namespace icount
