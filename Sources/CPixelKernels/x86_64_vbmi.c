#include "tier.h"

#ifdef CPK_X86_64_TIERS
  #include <immintrin.h>

  #define CPK_WIDE_LOOPS 1
  #define TIER_NAME "x86-64-v4+vbmi"
  // The compiler avoids vectors of 64 bytes, because they lower the frequency of the first processors with AVX-512, which lack VBMI. Tuning for a later one
  // changes no bits.
  #pragma clang attribute push(__attribute__((target("arch=x86-64-v4,avx512vbmi,tune=znver4"))), apply_to = function)
  #include "bodies/reducing_blocks_v4.h"
  #include "bodies/common.h"
  #include "bodies/curving.h"
  #include "bodies/warping_positions_v4.h"
  #include "bodies/warping_vbmi.h"
  #include "bodies/warping_words_v4.h"
  #include "bodies/banding.h"
  #include "bodies/reducing_rows_v4.h"
  #include "bodies/filtering_v4.h"
  #include "bodies/lighting_v4.h"
  #pragma clang attribute pop
  #include "bodies/table.h"

const cpk_kernels *cpk_x86_64_vbmi(void) { return &table_of_this_tier; }
#endif
