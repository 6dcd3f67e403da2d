#include "tiers.h"

// The one place that reads the processor's features.
const cpk_kernels *cpk_tier(size_t index) {
  const cpk_kernels *tiers[5] = {cpk_plain()};
  size_t count = 1;
#ifdef CPK_X86_64_TIERS
  __builtin_cpu_init();
  const int v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const int v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                 && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
                 && __builtin_cpu_supports("avx512vl");
  if (v3) { tiers[count++] = cpk_x86_64_v3(); }
  if (v4) { tiers[count++] = cpk_x86_64_v4(); }
  if (v4 && __builtin_cpu_supports("avx512vbmi")) { tiers[count++] = cpk_x86_64_vbmi(); }
#endif
  return index < count ? tiers[index] : NULL;
}
