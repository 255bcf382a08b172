#include "icount/callgrind/body_reader.h"

// The part of BodyReader that notes where functions' lines are, and reads those of some again.
namespace icount {

void BodyReader::note_function(const char* begin) {
  places_.functions.push_back({begin, function_key_, costs_.base()});
}

bool BodyReader::can_read_again() const {
  return emitter_rule_ && files_.seen_function_file() && objects_.is_steady() && file_names_.is_steady() &&
         functions_.is_steady();
}

void BodyReader::read_again(const ProfilePart& part, const FunctionPlaces& places, const char* end,
                            CodeCollector& code) {
  reads_again_ = true;
  code_ = &code;
  tables_.take_part();
  tables_.part().events = part.events;
  tables_.part().take_positions(part);
  start(true, false);
  if (places.has_jumps) code.tell_of_jumps();
  for (const PlacedEntry& one : places.entries)
    if (code.wants(profile_, one.function)) code.add_entry(one.function, one.entry);
  for (const FunctionPlace& place : places.functions) {
    if (!code.wants(profile_, tables_.find_function(place.function))) continue;
    object_ = place.function.object;
    files_.set_function_file(place.function.file);
    function_key_ = place.function;
    named_ = true;
    function_ = kNoFunction;
    callee_ = jump_target_ = {};
    awaited_ = Awaited::kNothing;
    costs_.set_base(place.base);
    const auto begins_function = [&](const char* p) {
      return std::string_view(p, static_cast<size_t>(end - p)).starts_with("fn=");
    };
    for (const char* p = place.begin; p && p != end && !begins_function(p);) p = read_body_line(p, end);
  }
}

}  // namespace icount
