// What to measure: a statement with its set-up, as text. PyTorch's TimerArgs and the fields that icount adds. The
// suite makes these from definitions, the command line from options; harness/stub_source.h turns them into a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

enum class Language { kCpp, kTorchScript, kPython };

/// "c++", "torchscript", "python".
std::string_view to_text(Language language);
/// Accepts the names above and cpp, py; Error{kUsage} naming what is accepted otherwise.
Language parse_language(std::string_view text);

/// A value handed to a statement under a name; how it is written down and loaded is harness/globals.h's business.
struct GlobalValue {
  enum class Kind { kInteger, kNumber, kBool, kString, kBytes, kJson, kTensorFile, kModuleFile };
  Kind kind = Kind::kString;
  std::string name;
  std::string value;  ///< text of a number, the bytes of a string, a list or dict as JSON, or a path
  std::string setup;  ///< run before the value is loaded (PyTorch's CopyIfCallgrind setup)
};

struct TimerArgs {
  std::string stmt;
  std::string setup;
  std::string global_setup;  ///< file scope (C++) or module scope (Python)
  Language language = Language::kCpp;
  int num_threads = 1;
  bool torch = true;         ///< false: plain C++, no LibTorch header or library
  bool toggle_loop = false;  ///< C++: warm-up and region as two loops with PyTorch's markers (Markers::kToggle)
  std::string unit;          ///< C++: which translation unit it was compiled in (kUnitFact), set where it is built
  std::string backward;      ///< name of the output to call backward() on after the statement; empty: none
  std::string module_path;   ///< TorchScript: a saved .pt to load; empty: the statement is source text
  std::vector<GlobalValue> globals;
  std::vector<std::string> label;  ///< path of label parts, ["Pointwise", "Math", "add"]; for people and reports
};

/// The same measurement as C++ text, so that harness/stub_source knows set-up and statement alone: globals in front of
/// the set-up, TorchScript compiled or loaded there. Python statements are returned as they are (harness/python_stub
/// hands them their globals). Reads the files of tensors and modules. Error{kUsage}, Error{kIo} as check_globals,
/// make_torchscript_function and embed_file say.
TimerArgs make_cpp_statement(const TimerArgs& args);

}  // namespace icount
