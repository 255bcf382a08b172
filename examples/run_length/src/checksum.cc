#include "checksum.h"

unsigned checksum(std::string_view bytes) {
  unsigned sum = 0;
  for (char byte : bytes) sum = sum * 31 + static_cast<unsigned char>(byte);
  return sum;
}
