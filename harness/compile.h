// One compiler run through the cache: text -> object, objects -> program, prelude -> precompiled header; and what a
// compiled file or a linked program was made of, read from what compilers and linkers say. The step below
// harness/build.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/build_cache.h"
#include "icount/harness/compiler_facts.h"
#include "icount/harness/reuse.h"
#include "icount/harness/toolchain.h"

namespace icount {

// What a preprocessor looked for: from the files that it read (the compiler's -MD) and the folders that it searches,
// the paths at which it would have found another file first, or one that it asked for and did not find. They are no
// part of what compilers tell, so the texts are read for their directives.

/// The names in one text's directives.
struct IncludeNames {
  std::vector<std::string> quoted;    ///< of #include "x", __has_include("x")
  std::vector<std::string> searched;  ///< of #include <x>, __has_include(<x>); quoted ones, too
  std::string unknown;                ///< what it asks for that can't be told from its text; empty: nothing
};

/// Of #include, #include_next, #import and __has_include, also where they are switched off. What a macro names is found
/// among the files that were read; where it was not found (__has_include(NAME)), and what the assembler reads
/// (.incbin), is unknown.
IncludeNames find_include_names(std::string_view text);

/// The working directory, where what a text with these flags is compiled to depends on it: what it includes may be
/// searched for there; else empty.
std::string place_of(std::string_view text, const std::vector<std::string>& flags);

/// The folders of -I, which are to be searched for quoted includes before the working directory is.
std::vector<std::string> include_folders(std::vector<std::string> flags);

/// What came of a compiler or linker run.
struct CompileOutcome {
  std::filesystem::path file;  ///< empty when it failed
  std::string key;
  std::string message;  ///< the compiler's, when it failed
  bool from_cache = false;

  bool ok() const { return !file.empty(); }
};

/// What a text is compiled as.
enum class UnitKind {
  kStatements,  ///< with the prelude
  kLibrary,     ///< the user's, without
  kServer       ///< ours: looks for nothing in the working directory
};

/// Compiles for one toolchain and one prelude; safe to use from several threads at once after prepare().
class StubCompiler {
 public:
  StubCompiler(const Toolchain& toolchain, BuildCache& cache, std::function<bool()> cancelled);

  /// Writes the prelude. It is precompiled (of LibTorch by clang alone) when a compiler first runs (announced through
  /// `say` when it has to be built): what comes from the cache needs no header, which is long to read.
  void prepare(const std::string& prelude, const std::function<void(const std::string&)>& say);

  /// Everything that its objects of statements have in common, in one text: toolchain, surroundings, prelude.
  std::string identity() const { return identity_ + prelude_key_ + "\n"; }

  /// From the cache only where everything that the compiler would look at now is what it was (harness/reuse.h).
  CompileOutcome compile(std::string_view text, UnitKind kind);
  /// Syntax only, nothing kept: the message of the compiler, empty when the text is fine.
  std::string check(std::string_view text);
  CompileOutcome link(std::span<const CompileOutcome> objects);

 private:
  std::vector<std::string> command(UnitKind kind) const;
  /// The sources of what compilers make of the prelude.
  void record_prelude();
  /// What the precompiled header depends on: of the folders that the user's headers lie in nothing, where none of them
  /// has anything that the prelude asks for, so that two commits in two folders share it.
  std::string header_identity() const;
  void precompile();
  /// Precompiles `text` into `out`, on the header that there is already, if any. As run().
  bool make_header(const std::filesystem::path& text, const std::filesystem::path& out, std::string& message) const;
  /// Puts what clang would instantiate again at the end of every unit into a second header, made on the first: a small
  /// statement with LibTorch 2.13 compiles in a third of the time, and its code is the same. Where the compiler cannot
  /// make it the first header stays.
  void precompile_virtual_members(const std::string& header_key, bool is_new);
  /// The text of that second header (harness/object_layout.h); empty where the compiler writes no trace.
  std::string trace_late_classes() const;
  /// True when the command ended well; `message` is what it printed, without its standard output where `output` is to
  /// have that.
  bool run(std::vector<std::string> argv, std::string& message, std::string* output = nullptr) const;

  const Toolchain& toolchain_;
  BuildCache& cache_;
  std::function<bool()> cancelled_;
  CompilerFacts facts_;
  std::string identity_;          ///< of the toolchain, with what the compiler says of itself here
  std::string prelude_text_key_;  ///< of its text alone
  std::string prelude_key_;       ///< with its sources
  ReuseRecord prelude_sources_;
  std::filesystem::path prelude_;
  std::filesystem::path members_;  ///< the text of the second header
  std::filesystem::path header_;   ///< precompiled; empty: the prelude is included as text
  std::function<void(const std::string&)> say_;
  std::mutex header_mutex_;
};

/// The sources of an object that StubCompiler or an own library's build made, as they were.
ReuseRecord load_sources(const std::filesystem::path& made);

/// A shared library of our own, made from `files` (name, text), the last of them compiled with `flags`, through the
/// cache. Error{kTool} "cannot compile WHAT with COMPILER: ...".
struct OwnLibrary {
  std::string what;  ///< "the Python stub server"
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> flags, libraries;  ///< before and behind the source
  std::string name;                           ///< "python_server.so"
};
std::filesystem::path build_own_library(const OwnLibrary& library, const Compiler& compiler, BuildCache& cache);

}  // namespace icount
