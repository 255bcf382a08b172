// Ctrl-C: remembered, so that running processes and temporary folders are cleaned away before the program ends by it.
#pragma once

namespace icount {

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

}  // namespace icount
