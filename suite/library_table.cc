#include "icount/suite/library_table.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "icount/suite/table_reader.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

template <typename Item>
void append(std::vector<Item>& items, const std::vector<Item>& more) {
  items.insert(items.end(), more.begin(), more.end());
}

std::vector<fs::path> paths(TableReader& table, const fs::path& folder, std::string_view key) {
  std::vector<fs::path> result;
  for (const std::string& text : table.texts(key)) result.push_back((folder / text).lexically_normal());
  return result;
}

void read_cmake_packages(TableReader& reader, LibrarySpec& library, Problems& problems) {
  for (const TomlValue* table : reader.tables("cmake_packages")) {
    TableReader fields(*table, "'cmake_packages' of [library]", problems);
    CmakePackage package{fields.required_text("name"), fields.texts("components"), fields.texts("targets")};
    if (package.targets.empty())
      fields.problem(table->place, fmt::format("CMake package {}: name its 'targets' to link", package.name));
    fields.finish();
    library.cmake_packages.push_back(std::move(package));
  }
}

}  // namespace

void read_library_table(const TomlValue& table, const fs::path& folder, LibrarySpec& library, Problems& problems) {
  TableReader reader(table, "[library]", problems);
  if (const TomlValue* torch = reader.find("torch", TomlValue::Kind::kBool)) library.torch = torch->boolean;
  append(library.headers, reader.texts("headers"));
  append(library.include_dirs, paths(reader, folder, "include_dirs"));
  append(library.sources, paths(reader, folder, "sources"));
  append(library.flags, reader.texts("flags"));
  append(library.link_flags, reader.texts("link_flags"));
  append(library.pkg_config, reader.texts("pkg_config"));
  read_cmake_packages(reader, library, problems);
  for (const fs::path& source : library.sources) {
    std::error_code error;
    const fs::file_status status = fs::status(source, error);
    if (!fs::status_known(status))
      reader.problem(table.place, fmt::format("'sources' of [library]: {}: {}", source.string(), error.message()));
    else if (!fs::exists(status))
      reader.problem(table.place, fmt::format("'sources' of [library]: no file {}", source.string()));
    else if (!fs::is_regular_file(status))  // the compiler would wait for a pipe
      reader.problem(table.place, fmt::format("'sources' of [library]: {} is not a file", source.string()));
  }
  reader.finish();
}

}  // namespace icount
