#ifndef COMPOSITOR_PLUGIN_TEXT_H
#define COMPOSITOR_PLUGIN_TEXT_H

// The text of compositor_plugin.h; lives as long as the process.
const char *compositor_plugin_text(void);

#endif
