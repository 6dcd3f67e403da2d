import Compositor
import CompositorBenchmark

// Two parts of the footage with a transition by the compositor of this folder.
let webb: MediaSource = "Examples/media/webb-mirror.mp4"
let folder = CommandLine.arguments.dropFirst().first ?? "."
var movie = Timeline()
movie.append(webb, from: .seconds(2), for: .seconds(3))
movie.append(
  webb, from: .seconds(8), for: .seconds(3), transition: .compositor(PlainDissolve.descriptor.id, .seconds(1)))

var registry = CompositorRegistry.builtIn
try registry.register(PlainDissolve.self)
let result = try await movie.export(
  to: "\(folder)/plain-dissolve.mp4", preset: .h264, overwriting: true, registry: registry)
print("wrote \(result.path): \(result.routes[.custom] ?? 0) of \(result.frameCount) frames by \(PlainDissolve.descriptor.id)")

// Compare its speed and accuracy with the built-in compositor. W2 is a dissolve of two full frames.
let configuration = BenchmarkConfiguration(workloads: [.dissolve], threads: [1])
print(try await Benchmark.run([LayerCompositor.self, PlainDissolve.self], configuration: configuration).table)
