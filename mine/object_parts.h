// What the objects of two builds do to a count, each linked alone into base, and left out of head
// (gate/object_proof.h). Rendered by report/mine_document.h and report/mine_json.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icount/mine/attribution.h"

namespace icount {

struct ObjectPiece {
  std::vector<std::string> objects;  ///< as the link command names them
  std::string together_for;          ///< why several are one piece
  UnitProof proof;
};

struct ObjectParts {
  int64_t equal = 0;                   ///< objects that are the same in both builds
  std::vector<ObjectPiece> pieces;     ///< by magnitude, then in the order of the command
  std::optional<int64_t> interaction;  ///< what the pieces alone don't add up to; nothing where one was not counted
};

}  // namespace icount
