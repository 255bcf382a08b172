// What is made of the files that a run under Callgrind left: which processes are counted, and why others are not.
// The folders here are written by hand; the events are in the form of base/process_tree.
#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/named_regions.h"
#include "icount/callgrind/run.h"
#include "support/error_of.h"

namespace icount {
namespace {

using Kind = ProcessEvent::Kind;
using End = ProcessProfile::End;
using Words = std::vector<std::string>;

constexpr int kKilled = 9, kTerminated = 15;

/// A part that costs 7 and began and ended at these basic blocks.
std::string part(int number, int first, int last, const std::string& trigger) {
  return "part: " + std::to_string(number) + "\n\ndesc: Timerange: Basic block " + std::to_string(first) + " - " +
         std::to_string(last) + "\ndesc: Trigger: " + trigger +
         "\n\npositions: line\nevents: Ir\nsummary: 7\n\nfl=a.c\nfn=f\n1 7\n\ntotals: 7\n";
}

std::string profile(const std::string& parts) {
  return "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\ncmd: ./p\n" + parts;
}

std::string whole(int first = 0) { return profile(part(1, first, 90, "Program termination")); }

/// Of a process that forked when it had run 40 basic blocks.
std::string forking() {
  return profile(part(1, 0, 40, "--dump-before=_Fork") + part(2, 40, 90, "Program termination"));
}

class Folder {
 public:
  void add(Kind kind, int pid, int value = 0, int kept = 0, bool has_written = false, const std::string& program = {},
           const std::string& argv = {}) {
    const int32_t numbers[] = {static_cast<int32_t>(kind), pid, value, kept, has_written ? 1 : 0};
    const uint32_t sizes[] = {static_cast<uint32_t>(program.size()), static_cast<uint32_t>(argv.size())};
    events_.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    events_.append(reinterpret_cast<const char*>(sizes), sizeof sizes);
    events_ += program + argv;
  }
  /// The process becomes this program, first as Valgrind's launcher.
  void start(int pid, const std::string& program, int kept = 0) {
    std::string argv;
    for (const std::string& word : {std::string("valgrind"), std::string("--tool=callgrind"), program})
      argv += word + '\0';
    add(Kind::kExecuted, pid, 0, kept, false, "/usr/bin/valgrind.bin", argv);
    add(Kind::kExecuted, pid, 0, 0, false, "/lib/valgrind/callgrind-amd64-linux", argv);
  }
  void fork(int pid, int child, bool has_written = true) { add(Kind::kForked, pid, child, 0, has_written); }
  void end(int pid, int kept, int status = 0) { add(Kind::kEnded, pid, status, kept); }
  void save(const std::string& name, const std::string& text) { save_file(folder_.path() / name, text); }

  CallgrindRun read() {
    save("events", events_);
    const ParseOptions options;
    return load_callgrind_run(folder_.path(), options);
  }
  std::string error() {
    return error_of([this] { read(); });
  }

 private:
  ScratchDir folder_;
  std::string events_;
};

/// A program with one copy, whose profile and end are given.
ProcessProfile copy_with(const std::string& text, int status = 0, bool parent_wrote = true, int kept = 1) {
  Folder folder;
  folder.start(10, "./p");
  folder.fork(10, 20, parent_wrote);
  folder.end(20, kept, status);
  folder.end(10, 1);
  folder.save("cg.10.1", forking());
  folder.save("cg.20.1", text);
  const CallgrindRun run = folder.read();
  EXPECT_EQ(run.processes.size(), 2u);
  EXPECT_EQ(run.processes[0].not_counted, "");
  EXPECT_EQ(run.processes[1].parent, 0);
  return run.processes.at(1);
}

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

TEST(RunFolderTest, AProgramHasItsProfileAndItsEnd) {
  for (const int status : {0, 3 << 8, 6}) {
    Folder folder;
    folder.start(10, "./p");
    folder.end(10, 1, status);
    folder.save("cg.10.1", whole());
    const CallgrindRun run = folder.read();
    ASSERT_EQ(run.processes.size(), 1u);
    const ProcessProfile& process = run.processes[0];
    EXPECT_EQ(process.argv, Words{"./p"});
    EXPECT_EQ(process.parent, -1);
    EXPECT_EQ(process.end, status == 6 ? End::kSignalled : End::kExited);
    EXPECT_EQ(process.code, status == 6 ? 6 : status >> 8);
    ASSERT_EQ(process.programs.size(), 1u);
    EXPECT_EQ(process.programs[0].parts.at(0).totals, std::vector<int64_t>{7});
    EXPECT_FALSE(process.is_copy);
    EXPECT_EQ(process.not_counted, "");
    EXPECT_TRUE(run.notes.empty());
    EXPECT_TRUE(run.not_followed.empty());
  }
}

TEST(RunFolderTest, AProgramThatBecomesAnotherHasBoth) {
  Folder folder;
  folder.start(10, "sh");
  folder.start(10, "cc", 1);
  folder.end(10, 2);
  folder.save("cg.10.1", profile(part(1, 0, 40, "--dump-before=execve")));
  folder.save("cg.10.2", whole());
  const CallgrindRun run = folder.read();
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_EQ(run.processes[0].argv, Words{"cc"});
  EXPECT_EQ(run.processes[0].programs.size(), 2u);
  EXPECT_EQ(run.processes[0].not_counted, "");
}

TEST(RunFolderTest, WhatAProgramWasBeforeMayHaveLeftNothing) {
  Folder folder;
  folder.start(10, "sh");
  folder.start(10, "cc", 0);
  folder.end(10, 2);
  folder.save("cg.10.2", whole());
  const CallgrindRun run = folder.read();
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_EQ(run.processes[0].programs.size(), 1u);
  EXPECT_EQ(run.processes[0].not_counted, "it executed another program, and what ran before left no profile");
}

TEST(RunFolderTest, WithoutAProfileOfTheProgramThereAreNoProcesses) {
  Folder folder;
  folder.start(10, "./p");
  folder.fork(10, 20);
  folder.end(20, 1);
  folder.end(10, 0);
  folder.save("cg.20.1", whole(40));
  EXPECT_TRUE(folder.read().processes.empty());
  EXPECT_TRUE(Folder().read().processes.empty());
}

TEST(RunFolderTest, ACopyBeginsWhereItsParentForked) {
  const ProcessProfile copy = copy_with(whole(40));
  EXPECT_TRUE(copy.is_copy);
  EXPECT_EQ(copy.copied_from, 0u);
  EXPECT_EQ(copy.argv, Words{"./p"});
  EXPECT_EQ(copy.programs.size(), 1u);
  EXPECT_EQ(copy.not_counted, "");
}

TEST(RunFolderTest, ACopyThatBeganOtherwiseIsNotCounted) {
  for (const ProcessProfile& copy :
       {copy_with(whole(41)), copy_with(whole(0)), copy_with(whole(90)), copy_with(whole(40), 0, false)}) {
    EXPECT_EQ(copy.not_counted, "it was forked without the C library");
    EXPECT_TRUE(copy.programs.empty());
    EXPECT_FALSE(copy.is_copy);
  }
}

TEST(RunFolderTest, OneDumpIsForOneCopy) {
  Folder folder;
  folder.start(10, "./p");
  folder.fork(10, 20);
  folder.fork(10, 21);
  folder.end(20, 1);
  folder.end(21, 1);
  folder.end(10, 1);
  folder.save("cg.10.1", forking());
  folder.save("cg.20.1", whole(40));
  folder.save("cg.21.1", whole(40));
  const CallgrindRun run = folder.read();
  ASSERT_EQ(run.processes.size(), 3u);
  EXPECT_EQ(run.processes[1].not_counted, "");
  EXPECT_NE(run.processes[2].not_counted, "");
}

TEST(RunFolderTest, ACopyIsOfTheProgramThatItsParentRanThen) {
  for (const int first : {1, 0}) {  // with and without a profile of what the parent was before
    Folder folder;
    folder.start(10, "sh");
    folder.start(10, "make", first);
    folder.fork(10, 20);
    folder.start(20, "cc", 1);
    folder.end(20, 2);
    folder.end(10, 2);
    folder.save("cg.10.1", profile(part(1, 0, 30, "--dump-before=execve")));
    folder.save("cg.10.2", forking());
    folder.save("cg.20.1", profile(part(1, 40, 50, "--dump-before=execve")));
    folder.save("cg.20.2", whole());
    const CallgrindRun run = folder.read();
    ASSERT_EQ(run.processes.size(), 2u);
    const ProcessProfile& copy = run.processes[1];
    EXPECT_EQ(copy.not_counted, "");
    EXPECT_TRUE(copy.is_copy);
    EXPECT_EQ(copy.copied_from, first == 1 ? 1u : 0u);
    EXPECT_EQ(copy.programs.size(), 2u);
  }
}

TEST(RunFolderTest, ACopyThatStaysOneIsOfTheProgramThatItsParentRanThen) {
  Folder folder;
  folder.start(10, "sh");
  folder.start(10, "make", 1);
  folder.fork(10, 20);
  folder.end(20, 1);
  folder.end(10, 2);
  folder.save("cg.10.1", profile(part(1, 0, 30, "--dump-before=execve")));
  folder.save("cg.10.2", forking());
  folder.save("cg.20.1", whole(40));
  const CallgrindRun run = folder.read();
  ASSERT_EQ(run.processes.size(), 2u);
  EXPECT_EQ(run.processes[1].copied_from, 1u);
  EXPECT_EQ(run.processes[1].not_counted, "");
}

TEST(RunFolderTest, OfAKilledProcessWhatItDumpedBeforeIsLeft) {
  EXPECT_EQ(copy_with("", kKilled).not_counted, "it ended before its profile was written");
  const ProcessProfile cut = copy_with(profile(part(1, 40, 60, "--dump-before=_Fork")), kKilled);
  EXPECT_EQ(cut.not_counted, "it was killed before its last part was written");
  EXPECT_EQ(cut.programs.size(), 1u);
  EXPECT_EQ(cut.end, End::kSignalled);
  EXPECT_EQ(cut.code, kKilled);
  EXPECT_EQ(copy_with("", 0, true, 0).not_counted, "it ended before its profile was written");
}

TEST(RunFolderTest, AProfileThatIsNotWholeIsAnError) {
  const auto error_with = [](const std::string& text, int status) {
    return error_of(ErrorKind::kIo, [&] { copy_with(text, status); });
  };
  EXPECT_TRUE(has(error_with("", 0), "not the whole profile"));
  EXPECT_TRUE(has(error_with(profile(part(1, 40, 60, "--dump-before=_Fork")), kTerminated),
                  "its last part was written for \"--dump-before=_Fork\""));
  EXPECT_TRUE(has(error_with(whole(40).substr(0, 90), kKilled), "not the whole profile"));
}

TEST(RunFolderTest, AProcessThatOutlivesTheProgramOrRunsElsewhereSaysSo) {
  Folder folder;
  folder.start(10, "./p");
  folder.fork(10, 20);
  folder.fork(10, 21);
  folder.add(Kind::kExecuted, 21, 0, 0, false, "/bin/su", std::string("su\0-l\0", 6));
  folder.end(21, 0, 1 << 8);
  folder.end(10, 1);
  folder.save("cg.10.1", forking());
  const CallgrindRun run = folder.read();
  ASSERT_EQ(run.processes.size(), 3u);
  EXPECT_EQ(run.processes[1].end, End::kOutlived);
  EXPECT_EQ(run.processes[1].not_counted, "it outlived the program");
  EXPECT_EQ(run.processes[2].argv, (Words{"su", "-l"}));
  EXPECT_EQ(run.processes[2].code, 1);
  EXPECT_EQ(run.processes[2].not_counted, "it does not run under Valgrind");
}

const std::string kGivenUp = "==20== Unsupported clone() flags: 0x111\n";

TEST(RunFolderTest, AProcessThatValgrindGaveUpHasValgrindsReason) {
  Folder folder;
  folder.start(10, "./p");
  folder.fork(10, 20);
  folder.end(20, 1, 1 << 8);
  folder.end(10, 1);
  folder.save("cg.10.1", forking());
  folder.save("cg.20.1", "");
  folder.save("log.20", kGivenUp);
  EXPECT_EQ(folder.read().processes.at(1).not_counted,
            "Valgrind gave up on it and left no profile: Unsupported clone() flags: 0x111");
}

TEST(RunFolderTest, TheProgramItselfGivenUpIsAnError) {
  Folder folder;
  folder.start(10, "./p");
  folder.end(10, 1, 1 << 8);
  folder.save("cg.10.1", "");
  folder.save("log.10", kGivenUp);
  EXPECT_EQ(error_of(ErrorKind::kTool, [&] { folder.read(); }),
            "cannot count ./p: Valgrind gave up on it and left no profile: Unsupported clone() flags: 0x111");
  folder.end(10, 0);
  folder.save("log.10", "");
  folder.save("log.9", kGivenUp);
  const std::string other = folder.error();
  EXPECT_TRUE(has(other, "nothing was written")) << other;
  EXPECT_TRUE(has(other, "; Valgrind says: Unsupported clone() flags: 0x111")) << other;
}

TEST(RunFolderTest, LogsAreReadInTheOrderOfTheirNames) {
  ScratchDir folder;
  const std::pair<const char*, const char*> files[] = {
      {"log.30", "c"}, {"log.10", "a"}, {"log.20", "b"}, {"cg.10.1", "x"}, {"events", ""}};
  for (const auto& [name, text] : files) save_file(folder.path() / name, text);
  const ParseOptions options;
  EXPECT_EQ(RunFolder(folder.path(), options).load_logs(), "abc");
}

TEST(RunFolderTest, WhatCouldNotBeFollowedIsNoted) {
  Folder folder;
  folder.start(10, "./p");
  folder.end(10, 1);
  folder.save("cg.10.1", whole());
  folder.save("log.10", "==10== Can't execute setuid/setgid/setcap executable: /bin/su\n--10--   Zeroing costs...\n");
  const CallgrindRun run = folder.read();
  EXPECT_EQ(run.not_followed, Words{"su"});
  ASSERT_EQ(run.notes.size(), 1u);
  EXPECT_TRUE(run.notes[0].starts_with("/bin/su is setuid or setgid: ")) << run.notes[0];
  EXPECT_TRUE(run.requests.zeroed);
  EXPECT_FALSE(run.requests.switched_off);
}

TEST(RunFolderTest, WhereTracingIsRefusedOtherProcessesAreNoted) {
  Folder folder;
  folder.add(Kind::kUnwatched, 10, 1);  // EPERM
  folder.end(10, 1);
  folder.save("cg.10.1", whole());
  folder.save("log.10", "");
  CallgrindRun run = folder.read();
  EXPECT_EQ(run.processes.size(), 1u);
  EXPECT_TRUE(run.notes.empty()) << "it started nothing";
  folder.save("cg.11", whole());
  run = folder.read();
  EXPECT_EQ(run.not_followed, Words{"all that it starts"});
  ASSERT_EQ(run.notes.size(), 1u);
  EXPECT_EQ(
      run.notes[0],
      "what the program starts is not counted: this system does not allow icount to follow it (ptrace: Operation not "
      "permitted)");
}

ProcessEvent forked(pid_t parent, pid_t child) { return {Kind::kForked, parent, child, 0, {}, {}}; }
ProcessEvent ended(pid_t pid, int kept, int status = 0) { return {Kind::kEnded, pid, status, kept, {}, {}}; }
ProcessEvent launcher(pid_t pid, int kept, std::string program) {
  return {
      Kind::kExecuted, pid, 0, kept, "/usr/bin/valgrind.bin", {"valgrind", "--tool=callgrind", "-q", program, "-x"}};
}
ProcessEvent tool(pid_t pid, std::string program) {
  return {Kind::kExecuted, pid, 0, 0, "/lib/valgrind/callgrind-amd64-linux", {"v", "--tool=callgrind", program, "-x"}};
}

TEST(ProcessListTest, AProcessIsOneWhateverItRunsAndIdsMayComeAgain) {
  const std::vector<ProcessEvent> events = {
      launcher(10, 0, "sh"), tool(10, "sh"), forked(10, 20), launcher(20, 1, "cc"), tool(20, "cc"), forked(20, 30),
      ended(30, 2),          ended(20, 3),   forked(10, 30), ended(30, 4, 9),       ended(10, 5)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].argv, (std::vector<std::string>{"sh", "-x"}));
  EXPECT_EQ(list[0].kept, (std::vector<int>{5}));
  EXPECT_EQ(list[1].argv[0], "cc");
  EXPECT_EQ(list[1].kept, (std::vector<int>{1, 3})) << "the piece before the other program, and that program";
  EXPECT_TRUE(list[1].is_copy);
  EXPECT_EQ(list[2].parent, 1);
  EXPECT_EQ(list[2].parent_file, 1u) << "a copy of what its parent ran second";
  EXPECT_EQ(list[2].kept, (std::vector<int>{2}));
  EXPECT_EQ(list[3].parent, 0);
  EXPECT_EQ(list[3].kept, (std::vector<int>{4}));
  EXPECT_EQ(list[3].status, 9);
}

TEST(ProcessListTest, ACopyKnowsWhetherItsParentWroteForIt) {
  ProcessEvent written = forked(10, 20);
  written.has_written = true;
  const std::vector<ProcessEvent> events = {tool(10, "sh"), written, forked(10, 21)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(list[1].parent_wrote);
  EXPECT_FALSE(list[2].parent_wrote);
}

TEST(ProcessListTest, WhatOutlivesTheProgramOrIsNotFollowedSaysSo) {
  const std::vector<ProcessEvent> events = {tool(10, "sh"), forked(10, 20),
                                            forked(10, 21), {Kind::kExecuted, 21, 0, 1, "/bin/su", {"su"}},
                                            ended(21, 0),   ended(10, 2)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_FALSE(list[1].status);
  EXPECT_FALSE(list[2].followed);
  EXPECT_EQ(list[2].argv, (std::vector<std::string>{"su"}));
  EXPECT_EQ(list[2].kept, (std::vector<int>{1}));
}

TEST(ProcessListTest, WhereTracingIsRefusedTheFirstProcessIsLeft) {
  const std::vector<ProcessEvent> events = {{Kind::kUnwatched, 10, 1, 0, {}, {}}, ended(10, 1)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].kept, (std::vector<int>{1}));
  EXPECT_TRUE(list_processes({}).empty());
}

TEST(ProcessListTest, HelpersOfValgrindsLauncherAreNoProcesses) {
  const std::vector<ProcessEvent> events = {
      launcher(10, 0, "sh"), forked(10, 99), forked(99, 98), {Kind::kExecuted, 98, 0, 0, "/bin/ls", {"ls"}},
      ended(98, 0),          ended(99, 0),   tool(10, "sh"), forked(10, 99),
      forked(99, 98),        ended(98, 1),   ended(99, 2),   ended(10, 3)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].kept, std::vector<int>{3});
  EXPECT_EQ(list[1].pid, 99) << "the same ids again, of the program's own";
  EXPECT_EQ(list[1].kept, std::vector<int>{2});
  EXPECT_EQ(list[1].parent, 0);
  EXPECT_EQ(list[2].pid, 98);
  EXPECT_EQ(list[2].kept, std::vector<int>{1});
  EXPECT_EQ(list[2].parent, 1);
}

TEST(ProcessListTest, OptionsAreNoProgram) {
  const std::vector<ProcessEvent> events = {
      {Kind::kExecuted, 10, 0, 0, "callgrind-amd64-linux", {"v", "x", "--tool=callgrind", "-q", "--a", "p", "-z"}},
      ended(10, 1)};
  const std::vector<ListedProcess> list = list_processes(events);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].argv, (std::vector<std::string>{"p", "-z"}));
  EXPECT_EQ(list[0].kept, std::vector<int>{1}) << "a program's name without a folder";
  EXPECT_TRUE(list[0].followed);
}

ProfilePart part(std::string trigger, int64_t last_block) {
  ProfilePart made;
  made.trigger = std::move(trigger);
  made.last_block = last_block;
  return made;
}

TEST(PartChoiceTest, PartsWithinNestedFunctionsAreKept) {
  const FunctionNames kFunctions = {"f", "g"};
  Profile profile;
  for (const char* trigger : {"--dump-before=f", "--dump-before=g", "--dump-before=_Fork", "--dump-after=g",
                              "--dump-after=f", "Program termination"})
    profile.parts.push_back(part(trigger, 10 * static_cast<int64_t>(profile.parts.size() + 1)));
  EXPECT_EQ(depth_at(profile, kFunctions, 5, 0), 0);
  EXPECT_EQ(depth_at(profile, kFunctions, 9, 0), 0);
  EXPECT_EQ(depth_at(profile, kFunctions, 10, 0), 1) << "the dump before f was written then";
  EXPECT_EQ(depth_at(profile, kFunctions, 40, 0), 1);
  EXPECT_EQ(depth_at(profile, kFunctions, 60, 3), 3);
  EXPECT_EQ(depth_at(profile, kFunctions, 30, 0), 2);
  EXPECT_EQ(depth_at(profile, kFunctions, 60, 0), 0);
  Profile copy = profile;
  keep_within(copy, kFunctions, 1);
  EXPECT_EQ(copy.parts.size(), 6u) << "of a process that began within one";
  keep_within(profile, kFunctions, 0);
  ASSERT_EQ(profile.parts.size(), 4u);
  EXPECT_EQ(profile.parts[0].trigger, "--dump-before=g");
  EXPECT_EQ(profile.parts[3].trigger, "--dump-after=f");
  Profile ends;
  for (const char* trigger : {"--dump-after=f", "--dump-before=f", "Program termination"})
    ends.parts.push_back(part(trigger, 10));
  keep_within(ends, kFunctions, 0);
  ASSERT_EQ(ends.parts.size(), 1u) << "an end without a begin leaves nothing open";
  EXPECT_EQ(ends.parts[0].trigger, "Program termination");
  EXPECT_EQ(begun_function(part("--dump-before=xf", 1), kFunctions), "") << "a pattern that means f met it";
  EXPECT_EQ(ended_function(part("--dump-after=xf", 1), kFunctions), "");
}

}  // namespace
}  // namespace icount
