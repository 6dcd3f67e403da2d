import BuiltinCompositors
import CompositorAPI
import CompositorBenchmark
import CompositorHost
import CompositorMedia
import CompositorPlugins
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// Small runs of the whole benchmark: what is counted is right, whatever the machine's speed.
@Suite(.serialized) struct BenchmarkRunTests {
  /// A compositor of a test's own, wrong by four code values.
  private struct Brighter: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "org.example.brighter", name: "Brighter")
    private let layers: LayerCompositor

    init(parameters: ParameterValues, context: RenderContext) throws {
      layers = try LayerCompositor(parameters: [:], context: context)
    }

    func compose(_ request: CompositionRequest) throws -> Frame {
      let frame = try layers.compose(request)
      var output = try request.context.makeFrame()
      output.withUnsafeMutablePlanes { target in
        frame.withUnsafePlanes { source in
          for plane in 0..<source.count {
            for y in 0..<source[plane].height {
              let from = (source[plane].base + y * source[plane].stride).assumingMemoryBound(to: UInt8.self)
              let to = (target[plane].base + y * target[plane].stride).assumingMemoryBound(to: UInt8.self)
              for x in 0..<source[plane].width { to[x] = from[x] + (plane == 0 ? 4 : 0) }
            }
          }
        }
      }
      return output.freeze()
    }
  }

  private struct Failing: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "org.example.failing", name: "Failing")
    init(parameters: ParameterValues, context: RenderContext) throws {}
    func compose(_ request: CompositionRequest) throws -> Frame {
      throw CompositorError(.compositorFailed, "Never works.")
    }
  }

  private static let small = PixelSize(width: 192, height: 108)

  private static func configuration(_ workloads: [Workload], threads: [Int] = [1]) -> BenchmarkConfiguration {
    BenchmarkConfiguration(
      workloads: workloads, sizes: [small], threads: threads, repetitions: 1, maximumRepetitions: 1, checkedFrames: 2)
  }

  @Test(arguments: Workload.all.map(\.name)) func workload_byTheLayerCompositor_isMadeAndExact(_ name: String) async throws {
    let workload = try #require(Workload.all.first { $0.name == name })
    let report = try await Benchmark.run(
      [LayerCompositor.self], configuration: Self.configuration([workload], threads: [1, 2]))
    #expect(report.rows.count == 2)
    for row in report.rows {
      let figures = try #require(row.figures, "\(row.failure ?? "")")
      let (p50, p99) = (try #require(figures.p50Milliseconds), try #require(figures.p99Milliseconds))
      #expect(figures.framesPerSecond > 0 && p50 > 0 && p99 >= p50)
      #expect(figures.framesInFlight == row.key.threads && !figures.route.isEmpty)
      if ["W4", "W11"].contains(name) {
        #expect(figures.largestError == nil, "titles and effects are not in the definition")
      } else {
        // Noise of single pixels, reduced by 8 and more, is made from copies of a still, and has the largest errors.
        #expect(
          try #require(figures.largestError) <= (name == "W10" ? 16 : 2), "\(name): \(figures.largestError ?? -1) code values")
      }
      #expect((figures.stages.titles > 0) == (name == "W4"))
    }
  }

  /// W2 and W4 allocate no frame once they run, W2 copies none, and W4 one a frame: the source is not its to draw into.
  @Test func steadyState_allocatesNoFrames() async throws {
    let report = try await Benchmark.run([LayerCompositor.self], configuration: Self.configuration([.cut, .dissolve, .title]))
    let figures = report.rows.compactMap(\.figures)
    #expect(figures.count == 3 && figures.allSatisfy { $0.allocations == 0 }, "\(report.table)")
    #expect(figures[0].copies == 0 && figures[0].route == "passthrough")
    #expect(figures[1].copies == 0 && figures[1].route.contains("planar"))
  }

  @Test func compositors_ofOnesOwn_standBesideTheBuiltIn() async throws {
    let report = try await Benchmark.run(
      [LayerCompositor.self, Brighter.self, Failing.self], configuration: Self.configuration([.dissolve]))
    #expect(report.rows.map(\.compositor) == [.layer, "org.example.brighter", "org.example.failing"])
    let (own, other) = (try #require(report.rows[0].figures), try #require(report.rows[1].figures))
    #expect(try #require(own.largestError) <= 1 && abs(try #require(other.largestError) - 4) <= 1)
    #expect(report.rows[2].figures == nil && report.rows[2].failure?.contains("Never works") == true)
    #expect(report.hasCompositorWithoutResult)
    let table = report.table
    #expect(table.contains("org.example.brighter") && table.contains("failed: "))
    #expect(report.chart.contains("org.example.brighter") && report.chart.contains("failed"))
  }

  /// A transition gets the layers of W2 at full opacity, since its progress does what their ramps do.
  @Test func transition_onTheDissolve_isExact() async throws {
    let dissolve = try #require(CompositorRegistry.builtIn["builtin.dissolve"])
    let report = try await Benchmark.run([dissolve], configuration: Self.configuration([.dissolve, .cut]))
    #expect(report.rows.count == 2 && !report.hasCompositorWithoutResult)
    let figures = try #require(report.rows[0].figures)
    #expect(try #require(figures.largestError) <= 1)
  }

  @Test func only_measuresTheCombinationsNamed() async throws {
    var configuration = Self.configuration([.dissolve, .cut], threads: [1, 2])
    configuration.only = [
      BenchmarkRow.Key(workload: "W2", compositor: .layer, size: Self.small, format: .yuv420p, threads: 2)
    ]
    let report = try await Benchmark.run([LayerCompositor.self], configuration: configuration)
    #expect(report.rows.map(\.key) == Array(configuration.only ?? []))
  }

  @Test func project_asWrittenAndThroughAnother_isMeasured() async throws {
    let scene = try Workload.dissolve.scene(on: WorkloadCanvas(size: Self.small, format: .yuv420p))
    let catalog = MediaCatalog()
    for (source, frames) in zip(scene.sources, NoiseFrames.make(scene.sources, minimumBytes: 1)) {
      catalog.provide(
        NoiseMedia(source, frames, frameDuration: Workload.dissolve.frameDuration, duration: .seconds(4)), as: source.name)
    }
    let composition = try CompositionValidator.validate(scene.edit, catalog: catalog).get()
    let report = try await Benchmark.run(
      composition, name: "mine", compositors: [CompositorFactory(Brighter.self)], configuration: Self.configuration([]),
      frameCount: 12)
    #expect(report.rows.map(\.compositor) == [BenchmarkRow.asWritten, "org.example.brighter"])
    #expect(report.rows.allSatisfy { $0.workload == "mine" && $0.figures != nil })
  }

  @Test func report_throughJSON_isTheSame() async throws {
    let report = try await Benchmark.run([LayerCompositor.self, Failing.self], configuration: Self.configuration([.dissolve]))
    let decoded = try JSONDecoder().decode(BenchmarkReport.self, from: try JSONEncoder().encode(report))
    #expect(decoded == report)
    #expect(report.formatVersion == 1)
  }

  @Test func chart_asPNGAndSVG_isWritten() async throws {
    let report = try await Benchmark.run([LayerCompositor.self], configuration: Self.configuration([.dissolve]))
    let folder = try TemporaryFolder()
    for name in ["chart.svg", "chart.png"] {
      let path = folder.url.appending(path: name).path
      try report.writeChart(to: path)
      let bytes = try Data(contentsOf: URL(filePath: path))
      #expect(bytes.count > 500)
      #expect(name.hasSuffix("png") ? bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) : bytes.starts(with: Data("<svg".utf8)))
    }
    #expect(throws: CompositorError.self) { try report.writeChart(to: folder.url.appending(path: "chart.pdf").path) }
  }

  /// A planted slowdown of half is seen in the cost of the same run's two rows, though each is measured in turns with the other.
  @Test func plantedSlowdown_showsInTheCompositorsOwnTime() async throws {
    var slow = Self.configuration([.grid])
    slow.plantedSlowdown = 1
    let plain = try await Benchmark.run([LayerCompositor.self], configuration: Self.configuration([.grid]))
    let slowed = try await Benchmark.run([LayerCompositor.self], configuration: slow)
    let (a, b) = (try #require(plain.rows[0].figures?.stages.compose), try #require(slowed.rows[0].figures?.stages.compose))
    #expect(b > 1.3 * a, "\(a) ms and \(b) ms")
  }
}
