// Memory that ends where no command can catch it: before one runs, while a destructor does, in a thread's start.
#pragma once

namespace icount {

/// From here on the process then says "icount: not enough memory for this input" and ends with exit code 1, instead of
/// aborting. Other uncaught exceptions end it as before.
void explain_lost_memory();

}  // namespace icount
