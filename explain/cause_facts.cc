#include "icount/explain/cause_facts.h"

namespace icount {

CauseFacts::CauseFacts() noexcept = default;
CauseFacts::CauseFacts(const CauseFacts& other) = default;
CauseFacts::CauseFacts(CauseFacts&& other) noexcept = default;
CauseFacts& CauseFacts::operator=(const CauseFacts& other) = default;
CauseFacts& CauseFacts::operator=(CauseFacts&& other) noexcept = default;
CauseFacts::~CauseFacts() = default;

}  // namespace icount
