// What the count of a benchmark stands on besides its own text: of a compiled statement the headers that it was
// compiled from and the shared libraries that were loaded. Recorded while counting (timer/batch_gathering);
// suite/take_over.h asks later whether they are still the same.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/harness/file_identities.h"
#include "icount/harness/reuse.h"
#include "icount/harness/stub_protocol.h"
#include "icount/harness/toolchain.h"

namespace icount {

struct StatementFiles {
  std::vector<std::string> lines;  ///< of a ReuseRecord
  std::string unknown;             ///< why not all can be known

  void add(const ReuseRecord& record);
};

/// What the files of a program's statements are found by.
struct StatementFileSources {
  std::filesystem::path executable;
  std::map<size_t, std::filesystem::path> objects;  ///< BuildOutcome::objects
  const Toolchain& toolchain;
  std::filesystem::path cache_root;
  Environment environment;  ///< in which the program runs
};

class StatementFileRecorder {
 public:
  explicit StatementFileRecorder(StatementFileSources sources) : sources_(std::move(sources)) {}

  /// `loaded`: what the statement's process had loaded at its end. A library among it that the loader alone would not
  /// have loaded was opened while the program ran (dlopen); which one that is next time nobody can know.
  StatementFiles record(size_t statement, std::span<const LoadedObject> loaded);

 private:
  const std::filesystem::path& resolved(const std::filesystem::path& path);
  const ReuseRecord& sources(const std::filesystem::path& object);

  StatementFileSources sources_;
  std::optional<std::set<std::filesystem::path>> needed_;  ///< what the loader loads with the program
  FileIdentities identities_;
  std::map<std::filesystem::path, std::filesystem::path> resolved_;
  std::map<std::filesystem::path, ReuseRecord> records_;  ///< by object: many statements' own
};

}  // namespace icount
