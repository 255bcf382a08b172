// The list of icount's commands, in the order of the help. Start reading here, then cli/command_diff.cc.
#pragma once

#include <span>

#include "icount/console/command_spec.h"

namespace icount {

/// All commands, by groups.
std::span<const CommandGroup> command_groups();
/// The same in one list.
std::span<const CommandSpec* const> all_commands();

// Each in the file of its name, command_gate.cc and so on.
const CommandSpec& accept_command();
const CommandSpec& affected_command();
const CommandSpec& bench_command();
const CommandSpec& bisect_command();
const CommandSpec& cache_info_command();
const CommandSpec& cache_clear_command();
const CommandSpec& compare_command();
const CommandSpec& count_command();
const CommandSpec& growth_command();
const CommandSpec& diff_command();
const CommandSpec& doctor_command();
const CommandSpec& export_command();
const CommandSpec& fuzz_command();
const CommandSpec& gate_command();
const CommandSpec& history_command();
const CommandSpec& history_measure_command();
const CommandSpec& init_command();
const CommandSpec& kernels_command();
const CommandSpec& manual_command();
const CommandSpec& completions_command();
const CommandSpec& mcp_command();
const CommandSpec& report_command();
const CommandSpec& serve_command();
const CommandSpec& server_status_command();
const CommandSpec& server_stop_command();
const CommandSpec& server_run_command();
const CommandSpec& show_command();
const CommandSpec& store_import_command();
const CommandSpec& store_export_command();
const CommandSpec& store_runs_command();
const CommandSpec& store_merge_command();
const CommandSpec& store_drop_command();
const CommandSpec& store_gc_command();
const CommandSpec& store_check_command();
const CommandSpec& suite_list_command();
const CommandSpec& suite_merge_command();
const CommandSpec& suite_run_command();
const CommandSpec& suite_show_command();
const CommandSpec& suite_submit_command();
const CommandSpec& tests_command();
const CommandSpec& time_command();

}  // namespace icount
