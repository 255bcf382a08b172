// Must not compile: icount's headers have a prefix, and its rooms stay out of a user's include path.
#include "icount/base/error.h"
//
#include "base/error.h"
