// Whether a measured process loaded the libraries that it was built with. The loader may find others: LD_LIBRARY_PATH,
// a library's own search path. Between harness/stub_client, whose jobs say what is loaded, and timer/collect_batch.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "icount/harness/stub_protocol.h"
#include "icount/harness/toolchain.h"

namespace icount {

class ObjectCheck {
 public:
  /// What `toolchain` names: the folder of its LibTorch, shared libraries among its link flags.
  explicit ObjectCheck(const Toolchain& toolchain);

  /// One sentence that names the first loaded object that is another one than the file asked for: where it lies, both
  /// build ids, what to do. Empty when all agree. Reads the files asked for, each once.
  std::string find_other(std::span<const LoadedObject> loaded);

 private:
  struct Asked {
    std::filesystem::path file;
    std::string option;  ///< "--torch"
  };
  bool is_asked_for(const LoadedObject& object, const Asked& asked);
  const std::string& identity(const std::filesystem::path& file);

  std::filesystem::path torch_folder_;  ///< empty: no LibTorch
  std::vector<Asked> linked_;           ///< libraries among the link flags
  std::map<std::filesystem::path, std::string> identities_;
};

/// The build id of the loaded object with such a file name ("libc.so.6"); empty when it is not there or has none.
std::string loaded_build_id(std::span<const LoadedObject> loaded, std::string_view file_name);

}  // namespace icount
