#include <utility>

#include "icount/callgrind/body_reader.h"

// The part of BodyReader that reads a block of lines before those in front of it, and joins such a block on.
namespace icount {

void BodyReader::start_ahead(const ProfilePart& part) {
  ProfilePart& own = tables_.part();
  own.events = part.events;
  own.take_positions(part);
  start(true, false);
  set_rule(true);
  for (NameTable* names : {&objects_, &file_names_, &functions_}) names->start_ahead();
  object_ = unknown_object_ = profile_.strings.add_unknown();
  unknown_file_ = profile_.strings.add_unknown();
  files_.set_function_file(unknown_file_);
}

bool BodyReader::can_join(const BodyReader& ahead) const {
  const ProfilePart& here = tables_.part();
  const ProfilePart& there = ahead.tables_.part();
  return emitter_rule_ && files_.seen_function_file() && awaited_ == Awaited::kNothing && here.events == there.events &&
         here.has_addresses == there.has_addresses && here.has_blocks == there.has_blocks &&
         here.has_lines == there.has_lines;
}

bool BodyReader::join(const BodyReader& ahead) {
  const auto strings = map_strings(ahead);
  if (!strings) return false;
  const ProfilePart& there = ahead.tables_.part();
  if (!tables_.add_rows_and_edges(there, map_functions(ahead, *strings), *strings)) return false;
  for (const auto& [own, other] :
       {std::pair(&objects_, &ahead.objects_), {&file_names_, &ahead.file_names_}, {&functions_, &ahead.functions_}})
    for (const NamesAhead::Definition& definition : other->ahead().definitions)
      own->define(definition.id, (*strings)[definition.name], definition.at);
  ProfilePart& here = tables_.part();
  here.self_lines += there.self_lines;
  here.call_lines += there.call_lines;
  here.zero_calls += there.zero_calls;
  // What follows is fn= and absolute positions or the part's end, which forget the rest.
  set_object((*strings)[ahead.object_]);
  files_.set_function_file((*strings)[ahead.files_.function_file()]);
  named_ = true;
  return true;
}

/// Nothing when the block uses an id that has no name here.
std::optional<std::vector<StringId>> BodyReader::map_strings(const BodyReader& ahead) {
  constexpr StringId kOpen = ~StringId{0};
  const StringPool& there = ahead.profile_.strings;
  std::vector<StringId> strings(there.size(), kOpen);
  strings[ahead.unknown_object_] = object_;
  strings[ahead.unknown_file_] = files_.function_file();
  for (const auto& [own, other] :
       {std::pair(&objects_, &ahead.objects_), {&file_names_, &ahead.file_names_}, {&functions_, &ahead.functions_}})
    for (const NamesAhead::Unknown& unknown : other->ahead().unknown) {
      const auto known = own->known(unknown.id);
      if (!known) return std::nullopt;
      strings[unknown.placeholder] = *known;
    }
  for (StringId id = 0; id < strings.size(); ++id)  // in order of first sight, as if read here
    if (strings[id] == kOpen) strings[id] = profile_.strings.intern(there.view(id));
  return strings;
}

std::vector<FunctionIndex> BodyReader::map_functions(const BodyReader& ahead, const std::vector<StringId>& strings) {
  std::vector<FunctionIndex> functions;
  functions.reserve(ahead.profile_.functions.size());
  for (const Function& f : ahead.profile_.functions)
    functions.push_back(tables_.find_function({strings[f.name], strings[f.file], strings[f.object]}));
  return functions;
}

}  // namespace icount
