import Compositor
import CompositorBenchmark

// Two clips and a mask. Your own compositor mixes them during the middle second; the built-in one serves the rest.
let project = try ProjectFile(
  """
  {
    version: 1,
    output: { size: "640x360", frameRate: 25, color: "bt709", format: "yuv420p" },
    assets: {
      clock: { generate: "clock", size: "640x360", frameRate: 25 },
      bars: { generate: "bars", size: "640x360", frameRate: 25 },
      mask: { generate: "gradient", from: "white", to: "black", angle: 30, size: "640x360", frameRate: 25 },
    },
    tracks: [
      { name: "clock", clips: [{ asset: "clock", duration: "3s" }] },
      { name: "bars", clips: [{ asset: "bars", duration: "3s" }] },
      { name: "mask", clips: [{ asset: "mask", duration: "3s" }] },
    ],
    instructions: [
      { duration: "1s", layers: [{ track: "clock" }] },
      {
        duration: "1s",
        compositor: "org.example.maskmix",
        layers: [{ track: "clock" }, { track: "bars" }, { track: "mask" }],
      },
      { duration: "1s", layers: [{ track: "bars" }] },
    ],
  }
  """)

var registry = CompositorRegistry.builtIn
try registry.register(MaskMixer.self)
let catalog = MediaCatalog()
let composition = try CompositionValidator.validate(project.edit(catalog: catalog), catalog: catalog, registry: registry).get()

let folder = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
let path = "\(folder)/maskmix.mp4"
var settings = try project.exportSettings(for: composition, to: path)
settings.overwrites = true
let result = try await Exporter.export(composition, to: path, settings: settings)
print("wrote \(result.path): \(result.frameCount) frames, \(result.routes[.custom] ?? 0) of them by \(MaskMixer.descriptor.id)")

// How good is it? The same dissolve with the built-in compositor and with ours, in one table.
let measured = BenchmarkConfiguration(workloads: [.dissolve], threads: [1])
print(try await Benchmark.run([LayerCompositor.self, MaskMixer.self], configuration: measured).table)
