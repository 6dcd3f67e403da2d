#include <stdatomic.h>

#include "tier.h"

// The only place that reads the processor's features.
const cpk_kernels *cpk_tier(size_t index) {
  const cpk_kernels *tiers[4] = {cpk_plain()};
  size_t count = 1;
#ifdef CPK_X86_64_TIERS
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                  && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
                  && __builtin_cpu_supports("avx512vl");
  if (v3) { tiers[count++] = cpk_x86_64_v3(); }
  if (v4) { tiers[count++] = cpk_x86_64_v4(); }
  if (v4 && __builtin_cpu_supports("avx512vbmi")) { tiers[count++] = cpk_x86_64_vbmi(); }
#endif
#ifdef CPK_AARCH64_TIERS
  // Every AArch64 processor that runs an operating system has Advanced SIMD, so there is nothing to check.
  tiers[count++] = cpk_aarch64_neon();
#endif
  return index < count ? tiers[index] : NULL;
}

// Tables are constants, and every thread finds the same one, so races are benign.
static _Atomic(const cpk_kernels *) fastest;

const cpk_kernels *cpk_fastest(void) {
  const cpk_kernels *table = atomic_load_explicit(&fastest, memory_order_relaxed);
  if (table) return table;
  for (size_t index = 0; cpk_tier(index); index++) { table = cpk_tier(index); }
  atomic_store_explicit(&fastest, table, memory_order_relaxed);
  return table;
}
