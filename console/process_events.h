// What can happen to the process around a command, and what is done about it. First: standard input, output and error
// of a program that was started without one of them (`2>&-`, some schedulers).
#pragma once

namespace icount {

/// Fills the numbers 0, 1 and 2 where they are closed, before anything is opened: a file that got one of them would be
/// written into by whatever prints. Reading and writing there still fails, as of what is closed.
void fill_standard_descriptors();

// Ctrl-C: remembered, so that running processes and temporary folders are cleaned away before the program ends by it.

/// From now on the first SIGINT, SIGTERM or SIGHUP is remembered for whoever asks interrupted(). When nobody does, it
/// ends the program as if it had not been caught: after half a second where nobody has ever asked (the program
/// computes, has started nothing and has nothing to clean away), else after two. A second signal ends the program at
/// once.
void catch_interrupts();

/// Whether one has come. Whoever learns so cleans up and comes to an end.
bool interrupted();

/// Ends the program by the remembered signal, so that the caller sees what a caller expects; returns when there was
/// none.
void end_by_interrupt();

// Files are read through memory maps. When one shrinks while it is read (another program writes it anew), or its disk
// fails, the kernel answers with SIGBUS: that is a failure with a message, not a crash.

/// From now on such a read ends the program with exit code 1 and "icount: PATH: became shorter while it was read, or
/// its disk failed; ...".
void explain_lost_mappings();

// Memory that ends where no command can catch it: before one runs, while a destructor does, in a thread's start.

/// From here on the process then says "icount: not enough memory for this input" and ends with exit code 1, instead of
/// aborting. Other uncaught exceptions end it as before.
void explain_lost_memory();

}  // namespace icount
