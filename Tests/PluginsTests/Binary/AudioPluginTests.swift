import CompositorAPI
import CompositorAudio
import CompositorPlugins
import CompositorTestSupport
import Foundation
import Testing

/// Audio processors that come through the C interface.
@Suite struct AudioPluginTests {
  /// Multiplies by a gain, one block of 64 samples late, and fails on request.
  private static let source = """
    #include <stdlib.h>
    #include <string.h>
    #include "compositor_plugin.h"
    typedef struct { double gain; int channels, fails; float late[8][64]; } Gain;
    static int32_t create(const CompositorAudioDescription *self, const CompositorAudioContext *context,
                          const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
      (void)self;
      Gain *gain = calloc(1, sizeof *gain);
      gain->channels = context->channel_count;
      for (int32_t i = 0; i < count; i++)
        if (strcmp(parameters[i]->key, "gain") == 0) gain->gain = parameters[i]->number;
      gain->fails = gain->gain == 3;
      *instance = gain;
      if (gain->gain == 3.75) {
        free(gain);
        return COMPOSITOR_CANCELLED;
      }
      if (gain->gain != 4) return COMPOSITOR_OK;
      strncpy(error->text, "four is too much", error->capacity - 1);
      free(gain);
      return COMPOSITOR_INVALID_PARAMETER;
    }
    static void destroy(void *instance) { free(instance); }
    static int32_t process(void *instance, float *const *channels, int32_t count, int64_t position, CompositorErrorText *error) {
      Gain *gain = instance;
      if (gain->gain == 3.5) return COMPOSITOR_CANCELLED;
      if (gain->fails && position >= 2048) {
        strncpy(error->text, "out of steam", error->capacity - 1);
        return COMPOSITOR_FAILED;
      }
      for (int c = 0; c < gain->channels; c++) {
        float next[64];
        memcpy(next, channels[c] + count - 64, sizeof next);
        memmove(channels[c] + 64, channels[c], (size_t)(count - 64) * sizeof(float));
        memcpy(channels[c], gain->late[c], sizeof next);
        memcpy(gain->late[c], next, sizeof next);
        for (int32_t i = 0; i < count; i++) channels[c][i] *= (float)gain->gain;
      }
      return COMPOSITOR_OK;
    }
    static int32_t latency(void *instance) { return ((Gain *)instance)->gain == 3.25 ? INT32_MAX : 64; }
    static const CompositorParameter two = {.struct_size = sizeof two, .kind = COMPOSITOR_NUMBER, .number = 2};
    static const CompositorParameterDescription gain = {
      .struct_size = sizeof gain, .key = "gain", .summary = "The gain.", .kind = COMPOSITOR_NUMBER, .maximum = 4, .default_value = &two};
    static const CompositorParameterDescription *const parameters[] = {&gain};
    static const CompositorAudioDescription description = {
      .struct_size = sizeof description, .id = "org.example.gain", .name = "Gain", .version = "1.0.0", .summary = "Multiplies.",
      .parameters = parameters, .parameter_count = 1, .create = create, .destroy = destroy, .process = process, .latency = latency};
    static const CompositorAudioDescription *const all[] = {&description};
    static const CompositorPlugin plugin = {
      .struct_size = sizeof plugin, .abi_version = COMPOSITOR_ABI_VERSION, .name = "gain",
      .version = "1.0.0", .audio_processors = all, .audio_processor_count = 1};
    const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) { (void)host; return &plugin; }
    """

  private func registry(_ folder: TemporaryFolder) throws -> CompositorRegistry {
    let (code, library) = (folder.file("gain.c"), folder.file("gain.so"))
    try Self.source.write(toFile: code, atomically: true, encoding: .utf8)
    let header = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/CCompositorPlugin/include"
    )
    .path
    try runProgram("cc", ["-shared", "-fPIC", "-Wall", "-Werror", "-I", header, code, "-o", library])
    var options = PluginOptions()
    options.trusted = [try PluginTrust(file: library)]
    var plugins = PluginLibrary(options)
    try plugins.open(library)
    return try plugins.registry
  }

  private func processed(_ registry: CompositorRegistry, _ values: ParameterValues, count: Int) throws -> [Float] {
    var position = 0
    let chain = try #require(
      AudioProcessorChain(
        [AudioProcessorUse("org.example.gain", parameters: values)], provider: registry, sampleRate: 48_000, channelCount: 1,
        position: 0
      ) { count, channels throws(CompositorError) in
        for sample in 0..<count { channels[0][sample] = Float((position + sample) % 997) / 997 }
        position += count
      })
    var result = [Float](repeating: 0, count: count)
    try result.withUnsafeMutableBufferPointer { samples in
      let first = try #require(samples.baseAddress)
      try chain.read(count, into: [first])
    }
    return result
  }

  @Test func openTrusted_processorInC_worksAtItsPlaceAndSaysWhatIsWrong() throws {
    let folder = try TemporaryFolder()
    let registry = try registry(folder)
    #expect(registry.audioProcessor("org.example.gain")?.descriptor.parameters.map(\.key) == ["gain"])
    let found = try processed(registry, [:], count: 5000)
    #expect((0..<5000).allSatisfy { found[$0] == Float($0 % 997) / 997 * 2 })
    let half = try processed(registry, ["gain": .number(0.5)], count: 5000)
    #expect((0..<5000).allSatisfy { half[$0] == Float($0 % 997) / 997 * 0.5 })
    let refused = #expect(throws: CompositorError.self) { try processed(registry, ["gain": .number(4)], count: 10) }
    #expect(refused?.code == .invalidParameter && refused?.cause == "four is too much")
    let failed = #expect(throws: CompositorError.self) { try processed(registry, ["gain": .number(3)], count: 9000) }
    #expect(failed?.cause == "out of steam" && failed?.location.compositor == "org.example.gain")
  }

  /// A cancellation that wasn't requested, when it processes or when it is made, and a latency that never ends are the plugin's faults.
  @Test(arguments: [(3.5, "wasn't requested"), (3.75, "wasn't requested"), (3.25, "nothing for a minute")])
  func openTrusted_processorThatMisbehaves_isNamedAsTheFault(_ gain: Double, _ says: String) throws {
    let folder = try TemporaryFolder()
    let registry = try registry(folder)
    let error = #expect(throws: CompositorError.self) { try processed(registry, ["gain": .number(gain)], count: 10) }
    #expect(error?.code == .pluginFailed && error?.message.contains(says) == true, "\(String(describing: error))")
    #expect(error?.location.file == folder.file("gain.so"))
  }
}
