// Ctrl-C: remembered, so that running processes and temporary folders are cleaned away before the program ends by it.
#pragma once

namespace icount {

/// From now on the first SIGINT, SIGTERM or SIGHUP is only remembered; a second one ends the program at once.
void catch_interrupts();

/// Whether one has come.
bool interrupted();

/// Ends the program by the remembered signal, so that the caller sees what a caller expects; returns when there was
/// none.
void end_by_interrupt();

}  // namespace icount
