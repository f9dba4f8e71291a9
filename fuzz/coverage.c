// What of the compiled code has run, for libFuzzer, which knows the counters of clang alone.
//
// gcc -fsanitize-coverage=trace-pc calls the function below at every branch.

#include <stddef.h>
#include <stdint.h>

enum { COUNTERS = 1 << 16 };
static uint8_t counters[COUNTERS];
static uintptr_t places[2 * COUNTERS];

void __sanitizer_cov_trace_pc(void) {
  uintptr_t place = (uintptr_t)__builtin_return_address(0);
  uint8_t *counter = &counters[(place ^ (place >> 16)) % COUNTERS];
  if (*counter < 255) ++*counter;
}

typedef void (*Ranges)(const void *, const void *);

void pagecut_count(Ranges counters_init, Ranges places_init) {
  for (size_t at = 0; at < COUNTERS; ++at) places[2 * at] = (uintptr_t)&counters[at];
  counters_init(counters, counters + COUNTERS);
  places_init(places, places + 2 * COUNTERS);
}
