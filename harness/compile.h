// One compiler run through the cache: text -> object, objects -> program, prelude -> precompiled header. The step below
// harness/build.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/build_cache.h"
#include "icount/harness/toolchain.h"

namespace icount {

/// What came of a compiler or linker run.
struct CompileOutcome {
  std::filesystem::path file;  ///< empty when it failed
  std::string key;
  std::string message;  ///< the compiler's, when it failed
  bool from_cache = false;

  bool ok() const { return !file.empty(); }
};

/// Compiles for one toolchain and one prelude; safe to use from several threads at once after prepare().
class StubCompiler {
 public:
  StubCompiler(const Toolchain& toolchain, BuildCache& cache, std::function<bool()> cancelled);

  /// Writes the prelude. With clang it is precompiled when a compiler first runs (announced through `say` when it has
  /// to be built): what comes from the cache needs no header, which is long to read.
  void prepare(const std::string& prelude, const std::function<void(const std::string&)>& say);

  /// `with_prelude` is false for the unit with main(). What the text includes outside the system's and LibTorch's
  /// folders is part of the identity, by content.
  CompileOutcome compile(std::string_view text, bool with_prelude);
  /// Syntax only, nothing kept: the message of the compiler, empty when the text is fine.
  std::string check(std::string_view text);
  CompileOutcome link(std::span<const CompileOutcome> objects);

 private:
  std::vector<std::string> command(bool with_prelude) const;
  void precompile();
  /// Precompiles `text` into `out`, on the header that there is already, if any. As run().
  bool make_header(const std::filesystem::path& text, const std::filesystem::path& out, std::string& message) const;
  /// Puts what clang would instantiate again at the end of every unit into a second header, made on the first: a small
  /// statement with LibTorch 2.13 compiles in a third of the time, and its code is the same. Where the compiler cannot
  /// make it the first header stays.
  void precompile_virtual_members(const std::string& header_key, bool is_new);
  /// The text of that second header (harness/virtual_members.h); empty where the compiler writes no trace.
  std::string trace_late_classes() const;
  std::optional<std::filesystem::path> find_object(const std::string& key);
  bool is_users_file(const std::filesystem::path& path) const;
  std::string inputs_of(const std::filesystem::path& depfile) const;
  /// True when the command ended well; `message` is what it printed.
  bool run(std::vector<std::string> argv, std::string& message) const;

  const Toolchain& toolchain_;
  BuildCache& cache_;
  std::function<bool()> cancelled_;
  std::string prelude_key_;
  std::filesystem::path prelude_;
  std::filesystem::path header_;  ///< precompiled; empty: the prelude is included as text
  std::function<void(const std::string&)> say_;
  std::mutex header_mutex_;
};

}  // namespace icount
