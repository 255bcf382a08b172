// The history's tables: made in an empty database, recognised in one that has them, refused when they are newer than
// this program. Text: store/schema.sql. Used by store/history.cc.
#pragma once

#include "icount/store/database.h"

namespace icount {

/// Makes the tables where there are none. Error{kMalformed} for tables of a newer icount, a database of another
/// program; Error{kIo} for an empty database when `create` is false.
void prepare_history_schema(Database& database, bool create);

}  // namespace icount
