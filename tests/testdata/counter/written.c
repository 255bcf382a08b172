/* Code that the program writes, runs, and writes anew. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    unsigned char code[] = {0xb8, (unsigned char)i, 0, 0, 0, 0x83, 0xc0, 0x01, 0xc3}; /* mov $i, %eax; add $1, %eax; ret */
    void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return 1;
    memcpy(page, code, sizeof code);
    for (int k = 0; k < 3; ++k) sum += ((int (*)(void))page)();
    munmap(page, 4096);
  }
  printf("%d\n", sum);
}
