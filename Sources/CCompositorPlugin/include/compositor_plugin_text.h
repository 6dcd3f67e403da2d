#ifndef COMPOSITOR_PLUGIN_TEXT_H
#define COMPOSITOR_PLUGIN_TEXT_H

// The contents of compositor_plugin.h; valid until the process ends.
const char *compositor_plugin_text(void);

#endif
