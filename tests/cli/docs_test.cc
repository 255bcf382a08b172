// What the docs say about the command line is what the tables say.
#include <gtest/gtest.h>

#include <cstdlib>

#include "icount/base/file.h"
#include "icount/cli/commands.h"
#include "icount/console/help.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

TEST(DocsTest, ExitCodesPage) {
  const std::string generated = exit_codes_page();
  const auto path = std::filesystem::path(source_dir()) / "docs/exit_codes.md";
  const char* update = std::getenv("ICOUNT_UPDATE_GOLDEN");
  if (update && std::string_view(update) == "1") save_file(path, generated);
  ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; ICOUNT_UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(load_text(path), generated) << path << " differs from the tables; ICOUNT_UPDATE_GOLDEN=1 writes it anew";
}

TEST(DocsTest, HelpNamesEveryOptionOfEveryCommand) {
  for (const CommandSpec* command : all_commands()) {
    EXPECT_NE(command->run, nullptr) << command->name;
    EXPECT_FALSE(command->summary.empty()) << command->name;
    EXPECT_FALSE(command->description.empty()) << command->name;
    EXPECT_FALSE(command->examples.empty()) << command->name;
    const std::string help = help_text(*command, 80);
    for (const OptionSpec& option : command->options) {
      EXPECT_FALSE(option.help.empty()) << command->name << " " << option.name;
      if (option.name.empty()) continue;
      const std::string name = "--" + std::string(option.name.substr(0, option.name.find(',')));
      EXPECT_NE(help.find(name), std::string::npos) << command->name << " " << name;
    }
    EXPECT_NE(overview_text(command_groups()).find("  " + std::string(command->name) + " "), std::string::npos);
  }
}

}  // namespace
}  // namespace icount
