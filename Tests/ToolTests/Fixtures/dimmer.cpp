// A filter in C++, as docs/plugins.md says: everything is caught, instances are behind void *, nothing runs before main.
#include "compositor_plugin.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class Dimmer {
public:
  explicit Dimmer(const CompositorContext &context) : levels(256) {
    if (std::string(context.output->format).empty()) throw std::runtime_error("no format");
    for (int code = 0; code < 256; code++) levels[code] = static_cast<uint8_t>(std::max(code - 16, 0) / 2 + 16);
  }

  void render(const CompositorRequest &request) const {
    if (request.source_count < 1) throw std::runtime_error("no source");
    const CompositorFrame &from = *request.sources[0]->frame, &to = *request.output;
    for (int32_t p = 0; p < to.plane_count; p++) {
      for (int32_t y = 0; y < to.planes[p].height; y++) {
        auto *source = static_cast<const uint8_t *>(from.planes[p].data) + y * from.planes[p].stride;
        auto *row = static_cast<uint8_t *>(to.planes[p].data) + y * to.planes[p].stride;
        if (p > 0) std::memcpy(row, source, static_cast<size_t>(to.planes[p].width));
        else std::transform(source, source + to.planes[p].width, row, [this](uint8_t code) { return levels[code]; });
      }
    }
  }

private:
  std::vector<uint8_t> levels;
};

int32_t fail(CompositorErrorText *error, const char *text) {
  std::strncpy(error->text, text, error->capacity - 1);
  return COMPOSITOR_FAILED;
}

int32_t create(const CompositorDescription *, const CompositorContext *context, const CompositorParameter *const *, int32_t,
               void **instance, CompositorErrorText *error) {
  try {
    *instance = std::make_unique<Dimmer>(*context).release();
    return COMPOSITOR_OK;
  } catch (const std::exception &failure) {
    return fail(error, failure.what());
  } catch (...) {
    return COMPOSITOR_FAILED;
  }
}

void destroy(void *instance) { delete static_cast<Dimmer *>(instance); }

int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *, CompositorErrorText *error) {
  try {
    static_cast<const Dimmer *>(instance)->render(*request);
    return COMPOSITOR_OK;
  } catch (const std::exception &failure) {
    return fail(error, failure.what());
  } catch (...) {
    return COMPOSITOR_FAILED;
  }
}

} // namespace

extern "C" COMPOSITOR_EXPORT const CompositorPlugin *compositor_plugin_v1(const CompositorHost *) {
  static const char *const formats[] = {"yuv420p", nullptr};
  static CompositorDescription description = [] {
    CompositorDescription made = {};
    made.struct_size = sizeof made;
    made.id = "org.example.dimmer-cpp";
    made.name = "Dimmer";
    made.version = "1.0.0";
    made.summary = "Halves luma.";
    made.sources = COMPOSITOR_SOURCES_OUTPUT;
    made.color = COMPOSITOR_COLOR_WIDE;
    made.output_formats = formats;
    made.role = COMPOSITOR_ROLE_EFFECT;
    made.is_time_invariant = 1;
    made.create = create;
    made.destroy = destroy;
    made.render = render;
    return made;
  }();
  static const CompositorDescription *const compositors[] = {&description};
  static CompositorPlugin plugin = [] {
    CompositorPlugin made = {};
    made.struct_size = sizeof made;
    made.abi_version = COMPOSITOR_ABI_VERSION;
    made.name = "dimmer";
    made.version = "1.0.0";
    made.compositor_count = 1;
    made.compositors = compositors;
    return made;
  }();
  return &plugin;
}
