/* A library is loaded, used and unloaded, several times. */
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    void* library = dlopen(i % 2 ? "libm.so.6" : "libz.so.1", RTLD_NOW);
    if (!library) return 1;
    if (i % 2) {
      double (*cosine)(double) = (double (*)(double))dlsym(library, "cos");
      for (int k = 0; k < 10; ++k) sum += cosine(k);
    } else {
      unsigned long (*crc)(unsigned long, const unsigned char*, unsigned) =
          (unsigned long (*)(unsigned long, const unsigned char*, unsigned))dlsym(library, "crc32");
      sum += crc(0, (const unsigned char*)"0123456789", 10);
    }
    dlclose(library);
  }
  printf("%f\n", sum);
}
