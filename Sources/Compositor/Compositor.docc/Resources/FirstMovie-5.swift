import Compositor
import CompositorBenchmark

var movie = Timeline()  // size and rate of the first clip
movie.append("a.mp4", from: .seconds(1), for: .seconds(4))
movie.append("b.mp4", for: .seconds(4), transition: .dissolve(.seconds(1)))
movie.overlay(.title("My first movie"), for: .seconds(3))

let catalog = MediaCatalog()
var edit = try movie.edit(catalog: catalog)
for index in edit.videoComposition.instructions.indices where edit.videoComposition.instructions[index].layers.count == 2 {
  edit.videoComposition.instructions[index].compositor = PlainDissolve.descriptor.id
}

var registry = CompositorRegistry.builtIn
try registry.register(PlainDissolve.self)
let result = try await edit.export(
  to: "first.mp4", preset: .h264, overwriting: true, catalog: catalog, registry: registry)
print("\(result.routes[.custom] ?? 0) of \(result.frameCount) frames by \(PlainDissolve.descriptor.id)")

let configuration = BenchmarkConfiguration(workloads: [.dissolve], threads: [1])
print(try await Benchmark.run([LayerCompositor.self, PlainDissolve.self], configuration: configuration).table)
