// Standard input, output and error of a program that was started without one of them (`2>&-`, some schedulers).
#pragma once

namespace icount {

/// Fills the numbers 0, 1 and 2 where they are closed, before anything is opened: a file that got one of them would be
/// written into by whatever prints. Reading and writing there still fails, as of what is closed.
void fill_standard_descriptors();

}  // namespace icount
