extension PluginTexts {
  static let sourceCPlusPlus = #"""
    // @NAME@: darkens the frame toward its corners. An example of a compositor; compositor_plugin.h explains every field.
    #include "compositor_plugin.h"

    #include <algorithm>
    #include <cstdint>
    #include <cstring>
    #include <exception>
    #include <memory>
    #include <stdexcept>
    #include <string>
    #include <vector>

    namespace {

    // An instance: one for each set of parameters and output format.
    class @TYPE@ {
    public:
      explicit @TYPE@(const CompositorContext &context) : across(offsets(context.output->width)) {}

      // Calls may run side by side, since the compositor is declared concurrent.
      int32_t render(const CompositorRequest &request) const {
        const CompositorFrame &output = *request.output;
        if (request.source_count < 1) throw std::invalid_argument("A source frame is needed.");
        const CompositorFrame &source = *request.sources[0]->frame;
        if (source.width != output.width || source.height != output.height)
          throw std::invalid_argument("The source must have the output's size.");

        const double strength = number(request, "strength", 0.7);
        const int black = output.full_range ? 0 : 16;
        for (int32_t p = 0; p < output.plane_count; p++) {
          const CompositorPlane &in = source.planes[p], &out = output.planes[p];
          const std::vector<double> own = out.width == output.width ? std::vector<double>() : offsets(out.width);
          const std::vector<double> &u = own.empty() ? across : own;
          const std::vector<double> v = offsets(out.height);
          // Gray is 128 in a chroma plane, black in the luma plane.
          const int middle = p == 0 ? black : 128;
          for (int32_t y = 0; y < out.height; y++) {
            if (request.is_cancelled(request.host_data)) return COMPOSITOR_CANCELLED;
            const uint8_t *from = static_cast<const uint8_t *>(in.data) + y * in.stride;
            uint8_t *to = static_cast<uint8_t *>(out.data) + y * out.stride;
            for (int32_t x = 0; x < out.width; x++) {
              const double light = 1 - strength * (u[x] * u[x] + v[y] * v[y]) / 2;
              to[x] = static_cast<uint8_t>(middle + (from[x] - middle) * light + 0.5);
            }
          }
        }
        return COMPOSITOR_OK;
      }

    private:
      std::vector<double> across;

      // -1 to 1 from edge to edge, at sample centers; chroma planes have fewer samples.
      static std::vector<double> offsets(int32_t count) {
        std::vector<double> values(static_cast<size_t>(count));
        for (int32_t i = 0; i < count; i++) values[static_cast<size_t>(i)] = (2.0 * i + 1) / count - 1;
        return values;
      }

      static double number(const CompositorRequest &request, const char *key, double otherwise) {
        const auto end = request.parameters + request.parameter_count;
        const auto found = std::find_if(request.parameters, end, [key](auto it) { return std::strcmp(it->key, key) == 0; });
        return found == end ? otherwise : (*found)->number;
      }
    };

    // No exception may leave a function of the tables.
    template <typename Work> int32_t guarded(CompositorErrorText *error, Work work) {
      std::string text = "The compositor failed.";
      int32_t code = COMPOSITOR_FAILED;
      try {
        return work();
      } catch (const std::bad_alloc &) {
        code = COMPOSITOR_OUT_OF_MEMORY;
      } catch (const std::invalid_argument &failure) {
        code = COMPOSITOR_UNSUPPORTED;
        text = failure.what();
      } catch (const std::exception &failure) {
        text = failure.what();
      } catch (...) {
      }
      const size_t count = std::min(text.size(), error->capacity - 1);
      std::memcpy(error->text, text.data(), count);
      error->text[count] = 0;
      return code;
    }

    int32_t create(const CompositorDescription *, const CompositorContext *context, const CompositorParameter *const *, int32_t,
                   void **instance, CompositorErrorText *error) {
      return guarded(error, [&] {
        *instance = std::make_unique<@TYPE@>(*context).release();
        return COMPOSITOR_OK;
      });
    }

    void destroy(void *instance) { delete static_cast<@TYPE@ *>(instance); }

    int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *, CompositorErrorText *error) {
      return guarded(error, [&] { return static_cast<const @TYPE@ *>(instance)->render(*request); });
    }

    const CompositorParameterDescription *strength() {
      static CompositorParameter value = {};
      value.struct_size = sizeof value;
      value.kind = COMPOSITOR_NUMBER;
      value.number = 0.7;
      static CompositorParameterDescription made = {};
      made.struct_size = sizeof made;
      made.key = "strength";
      made.summary = "The strength of the darkening.";
      made.kind = COMPOSITOR_NUMBER;
      made.minimum = 0;
      made.maximum = 1;
      made.unit = "fraction";
      made.default_value = &value;
      made.is_animatable = 1;
      return &made;
    }

    const CompositorDescription *compositor() {
      // The host converts other formats.
      static const char *const formats[] = {"yuv420p", "yuv422p", "yuv444p", nullptr};
      static const CompositorParameterDescription *parameters[1];
      parameters[0] = strength();
      // Also available: needs with needs_other_times (the frames before and after), takes_mask (the mask of an effect).
      static CompositorDescription made = {};
      made.struct_size = sizeof made;
      made.id = "org.example.@NAME@";
      made.name = "@TYPE@";
      made.version = "1.0.0";
      made.summary = "Darkens the frame toward its corners.";
      made.sources = COMPOSITOR_SOURCES_OUTPUT;
      made.color = COMPOSITOR_COLOR_WIDE;
      made.concurrency = COMPOSITOR_CONCURRENT;
      made.parameter_count = 1;
      made.output_formats = formats;
      made.parameters = parameters;
      made.role = COMPOSITOR_ROLE_EFFECT;
      made.is_time_invariant = 1;
      // Sources come in the output's size, placed on the canvas.
      made.places_sources = 1;
      made.create = create;
      made.destroy = destroy;
      made.render = render;
      return &made;
    }

    } // namespace

    // The plugin's entry point, which is called once.
    extern "C" COMPOSITOR_EXPORT const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *) {
      static const CompositorDescription *compositors[1];
      compositors[0] = compositor();
      static CompositorPlugin made = {};
      made.struct_size = sizeof made;
      made.abi_version = COMPOSITOR_ABI_VERSION;
      made.name = "@NAME@";
      made.version = "1.0.0";
      made.compositor_count = 1;
      made.compositors = compositors;
      return &made;
    }

    """#
}
