extension PluginTexts {
  static let sourceC = #"""
    // @NAME@: darkens the frame toward its corners. An example of a compositor; compositor_plugin.h explains every field.
    #include "compositor_plugin.h"

    #include <stdint.h>
    #include <stdio.h>
    #include <string.h>

    static int32_t fail(CompositorErrorText *error, int32_t code, const char *text) {
      snprintf(error->text, error->capacity, "%s", text);
      return code;
    }

    static double number(const CompositorRequest *request, const char *key, double otherwise) {
      for (int32_t i = 0; i < request->parameter_count; i++)
        if (strcmp(request->parameters[i]->key, key) == 0) return request->parameters[i]->number;
      return otherwise;
    }

    // There is no state between frames, and no instance.
    static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                          const CompositorParameter *const *parameters, int32_t count, void **instance,
                          CompositorErrorText *error) {
      (void)self, (void)context, (void)parameters, (void)count, (void)error;
      *instance = NULL;
      return COMPOSITOR_OK;
    }

    static void destroy(void *instance) { (void)instance; }

    static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer,
                          CompositorErrorText *error) {
      (void)instance, (void)answer;
      const CompositorFrame *output = request->output;
      if (request->source_count < 1) return fail(error, COMPOSITOR_UNSUPPORTED, "A source frame is needed.");
      const CompositorFrame *source = request->sources[0]->frame;
      if (source->width != output->width || source->height != output->height)
        return fail(error, COMPOSITOR_UNSUPPORTED, "The source must have the output's size.");

      const double strength = number(request, "strength", 0.7);
      const int black = output->full_range ? 0 : 16;
      for (int32_t p = 0; p < output->plane_count; p++) {
        const CompositorPlane in = source->planes[p], out = output->planes[p];
        for (int32_t y = 0; y < out.height; y++) {
          if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
          const uint8_t *from = (const uint8_t *)in.data + y * in.stride;
          uint8_t *to = (uint8_t *)out.data + y * out.stride;
          // -1 to 1 from edge to edge, at sample centers; chroma planes have fewer samples.
          const double v = (2.0 * y + 1) / out.height - 1;
          for (int32_t x = 0; x < out.width; x++) {
            const double u = (2.0 * x + 1) / out.width - 1;
            const double light = 1 - strength * (u * u + v * v) / 2;
            // Gray is 128 in a chroma plane, black in the luma plane.
            const int middle = p == 0 ? black : 128;
            to[x] = (uint8_t)(middle + (from[x] - middle) * light + 0.5);
          }
        }
      }
      return COMPOSITOR_OK;
    }

    static const CompositorParameter default_strength = {
      .struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_NUMBER, .number = 0.7};
    static const CompositorParameterDescription strength = {
      .struct_size = sizeof(CompositorParameterDescription),
      .key = "strength",
      .summary = "The strength of the darkening.",
      .kind = COMPOSITOR_NUMBER,
      .minimum = 0,
      .maximum = 1,
      .unit = "fraction",
      .default_value = &default_strength,
      .is_animatable = 1};
    static const CompositorParameterDescription *const parameters[] = {&strength};

    // The host converts other formats.
    static const char *const formats[] = {"yuv420p", "yuv422p", "yuv444p", NULL};

    // Also available: .needs with .needs_other_times (the frames before and after), .takes_mask (the mask of an effect).
    static const CompositorDescription compositor = {
      .struct_size = sizeof(CompositorDescription),
      .id = "org.example.@NAME@",
      .name = "@TYPE@",
      .version = "1.0.0",
      .summary = "Darkens the frame toward its corners.",
      .sources = COMPOSITOR_SOURCES_OUTPUT,
      .color = COMPOSITOR_COLOR_WIDE,
      .concurrency = COMPOSITOR_CONCURRENT,
      .parameter_count = 1,
      .output_formats = formats,
      .parameters = parameters,
      .role = COMPOSITOR_ROLE_EFFECT,
      .is_time_invariant = 1,
      // Sources come in the output's size, placed on the canvas.
      .places_sources = 1,
      .create = create,
      .destroy = destroy,
      .render = render};
    static const CompositorDescription *const compositors[] = {&compositor};

    static const CompositorPlugin plugin = {
      .struct_size = sizeof(CompositorPlugin),
      .abi_version = COMPOSITOR_ABI_VERSION,
      .name = "@NAME@",
      .version = "1.0.0",
      .compositor_count = 1,
      .compositors = compositors};

    const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
      (void)host;
      return &plugin;
    }

    """#
}
