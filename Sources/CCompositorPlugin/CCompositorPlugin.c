#include "compositor_plugin.h"

// Swift imports macros that are constants, but not macros with arguments, so Swift code compares struct_size with offsets instead of using
// COMPOSITOR_HAS.
_Static_assert(sizeof(CompositorTime) == 16, "CompositorTime is fixed");
_Static_assert(sizeof(CompositorPlane) == 24 || sizeof(void *) != 8, "CompositorPlane is fixed");

#include "compositor_plugin_text.h"

// The header as a string, for `compositor plugins header` and for new plugins.
__asm__(".pushsection .rodata\n"
        "compositor_plugin_text_bytes:\n"
        ".incbin \"compositor_plugin.h\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char bytes[] __asm__("compositor_plugin_text_bytes");

const char *compositor_plugin_text(void) { return bytes; }
