// The compiled part of this example: a sum over bytes.
#pragma once

#include <string_view>

unsigned checksum(std::string_view bytes);
