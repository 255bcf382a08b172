#include "icount/cli/commands.h"

#include <array>

#include "icount/cli/command_accept.h"
#include "icount/cli/command_bench.h"
#include "icount/cli/command_bisect.h"
#include "icount/cli/command_cache.h"
#include "icount/cli/command_compare.h"
#include "icount/cli/command_count.h"
#include "icount/cli/command_diff.h"
#include "icount/cli/command_doctor.h"
#include "icount/cli/command_export.h"
#include "icount/cli/command_fuzz.h"
#include "icount/cli/command_gate.h"
#include "icount/cli/command_history.h"
#include "icount/cli/command_manual.h"
#include "icount/cli/command_mcp.h"
#include "icount/cli/command_report.h"
#include "icount/cli/command_serve.h"
#include "icount/cli/command_server.h"
#include "icount/cli/command_show.h"
#include "icount/cli/command_store.h"
#include "icount/cli/command_store_upkeep.h"
#include "icount/cli/command_suite_list.h"
#include "icount/cli/command_suite_merge.h"
#include "icount/cli/command_suite_run.h"
#include "icount/cli/command_suite_show.h"
#include "icount/cli/command_suite_submit.h"
#include "icount/cli/command_time.h"

namespace icount {

std::span<const CommandSpec* const> all_commands() {
  // In the order of the help: the main job first.
  static const std::array commands = {
      &count_command(),         &bench_command(),        &diff_command(),         &show_command(),
      &export_command(),        &time_command(),         &compare_command(),      &report_command(),
      &suite_list_command(),    &suite_run_command(),    &suite_merge_command(),  &suite_submit_command(),
      &suite_show_command(),    &gate_command(),         &accept_command(),       &bisect_command(),
      &history_command(),       &store_import_command(), &store_export_command(), &store_runs_command(),
      &store_merge_command(),   &store_drop_command(),   &store_gc_command(),     &store_check_command(),
      &fuzz_command(),          &doctor_command(),       &cache_info_command(),   &cache_clear_command(),
      &server_status_command(), &server_stop_command(),  &server_run_command(),   &manual_command(),
      &completions_command(),   &mcp_command(),          &serve_command(),
  };
  return commands;
}

}  // namespace icount
