#include "icount/cli/commands.h"

#include <array>
#include <vector>

namespace icount {

std::span<const CommandGroup> command_groups() {
  static const std::array start = {&count_command(), &diff_command(), &bench_command(), &show_command(),
                                   &init_command(),  &gate_command(), &report_command()};
  static const std::array measure = {
      &suite_run_command(),    &suite_list_command(), &suite_show_command(), &suite_merge_command(),
      &suite_submit_command(), &fuzz_command(),       &growth_command(),     &tests_command(),
      &time_command(),         &compare_command(),
#ifdef ICOUNT_WITH_KERNELS
      &kernels_command(),
#endif
  };
  static const std::array explain = {&bisect_command(), &affected_command(), &export_command()};
  static const std::array judge = {&accept_command()};
  static const std::array keep = {&history_command(),      &history_measure_command(),
#ifdef ICOUNT_WITH_SERVE
                                  &serve_command(),
#endif
                                  &store_import_command(), &store_runs_command(),      &store_export_command(),
                                  &store_merge_command(),  &store_drop_command(),      &store_gc_command(),
                                  &store_check_command()};
  static const std::array more = {&doctor_command(),        &cache_info_command(),  &cache_clear_command(),
                                  &server_status_command(), &server_stop_command(), &server_run_command(),
#ifdef ICOUNT_WITH_MCP
                                  &mcp_command(),
#endif
                                  &manual_command(),        &completions_command()};
  static const std::array<CommandGroup, 6> groups = {{{"Start here", start},
                                                      {"Measure: suites, random inputs, the wall clock", measure},
                                                      {"Explain: commits, other viewers", explain},
                                                      {"Judge, beside gate", judge},
                                                      {"Keep a history", keep},
                                                      {"More", more}}};
  return groups;
}

std::span<const CommandSpec* const> all_commands() {
  static const std::vector<const CommandSpec*> commands = [] {
    std::vector<const CommandSpec*> all;
    for (const CommandGroup& group : command_groups())
      all.insert(all.end(), group.commands.begin(), group.commands.end());
    return all;
  }();
  return commands;
}

}  // namespace icount
