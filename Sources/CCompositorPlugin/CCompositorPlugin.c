#include "compositor_plugin.h"

// Swift sees a macro of text, not one that takes arguments: COMPOSITOR_HAS is spelled with offsets there.
_Static_assert(sizeof(CompositorTime) == 16, "CompositorTime is fixed");
_Static_assert(sizeof(CompositorPlane) == 24 || sizeof(void *) != 8, "CompositorPlane is fixed");
