// Files are read through memory maps. When one shrinks while it is read (another program writes it anew), or its disk
// fails, the kernel answers with SIGBUS: that is a failure with a message, not a crash.
#pragma once

namespace icount {

/// From now on such a read ends the program with exit code 1 and "icount: PATH: became shorter while it was read, or
/// its disk failed; ...".
void explain_lost_mappings();

}  // namespace icount
