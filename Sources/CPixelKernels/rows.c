#include "Rows.h"

#define CPK_KERNEL(result, name, parameters, arguments) \
  result cpk_##name parameters { return cpk_fastest()->name arguments; }
#include "Rows.def"
#undef CPK_KERNEL
