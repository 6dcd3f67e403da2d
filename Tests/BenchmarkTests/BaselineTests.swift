import BuiltinCompositors
import CompositorAPI
import CompositorBenchmark
import Testing

/// What times are compared with.
@Suite(.serialized) struct BaselineTests {
  private static let size = PixelSize(width: 192, height: 108)

  private static func report(_ workloads: [Workload], formats: [PixelFormat] = [.yuv420p]) async throws -> BenchmarkReport {
    try await Benchmark.run(
      [LayerCompositor.self],
      configuration: BenchmarkConfiguration(
        workloads: workloads, sizes: [size], formats: formats, threads: [1, 2], repetitions: 2, maximumRepetitions: 2,
        checkedFrames: 0))
  }

  /// Every row of a report is compared with the same blend, in the format that it composes: W5 in 10 bits, whatever the canvas is.
  @Test func ratioToPlainBlend_hasOneDenominatorForAFormat() async throws {
    let report = try await Self.report([.cut, .dissolve, .linearLightDissolve, .toneMapping])
    let blends = report.plainBlendMilliseconds
    #expect(Set(blends.keys) == ["192x108 yuv420p", "192x108 yuv420p10"])
    #expect(report.rows.count == 8)
    for row in report.rows {
      let figures = try #require(row.figures, "\(row.failure ?? "")")
      let format = try #require(figures.outputFormat)
      #expect(format == (row.workload == "W5" ? .yuv420p10 : .yuv420p))
      let blend = try #require(blends["\(Self.size) \(format)"])
      let expected = try #require(figures.p50Milliseconds) / blend
      #expect(abs(try #require(figures.ratioToPlainBlend) - expected) <= 1e-9 * expected, "\(row.workload)")
    }
    let lines = report.table.split(separator: "\n").filter { $0.hasPrefix("W5 ") }
    #expect(lines.count >= 2 && lines.allSatisfy { $0.contains("yuv420p10") }, "\(report.table)")
  }

  /// A row of the same workload has the same time for reading its sources, and one that reads more has a longer one.
  @Test func ratioToSourceRead_isThatOfTheWorkload() async throws {
    let report = try await Self.report([.cut, .grid])
    let figures = report.rows.compactMap(\.figures)
    let times = try figures.map { try #require($0.sourceReadMilliseconds) }
    try #require(times.count == 4)
    #expect(times[0] == times[1] && times[2] == times[3])
    // Sixteen sources instead of one.
    #expect(times[2] > 2 * times[0], "\(times)")
    for (figures, time) in zip(figures, times) {
      let expected = try #require(figures.p50Milliseconds) / time
      #expect(abs(try #require(figures.ratioToSourceRead) - expected) <= 1e-9 * expected)
    }
    #expect(report.table.contains("x read"))
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .rgba])
  func sourceReading_readsEveryByteOfEachFrameOnce(_ format: PixelFormat) throws {
    let source = WorkloadSource(
      name: "noise", size: PixelSize(width: 67, height: 35), format: format, attributes: FrameAttributes())
    let frames = try #require(NoiseFrames.make([source], minimumBytes: 1).first).prefix(2)
    try #require(frames.count == 2)
    var (byteCount, sum) = (0, UInt64(0))
    for frame in frames {
      frame.withUnsafePlanes { planes in
        for index in 0..<planes.count {
          let plane = planes[index]
          let count = plane.stride * (plane.height - 1) + format.rowBytes(plane: index, of: source.size)
          for word in 0..<count / 8 { sum &+= plane.base.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self) }
          for byte in count / 8 * 8..<count { sum &+= UInt64(plane.base.load(fromByteOffset: byte, as: UInt8.self)) }
          byteCount += count
        }
      }
    }
    let read = SourceReading.read([frames[0], frames[1], frames[0]])
    #expect(read.byteCount == byteCount && read.sum == sum && read.milliseconds >= 0)
  }

  /// Sources are larger than the caches at every size of which the work shows that much.
  @Test(arguments: [(1920, 1080, 96.0), (640, 360, 79.0), (192, 108, 7.0)])
  func noise_overflowsTheCaches(_ width: Int, _ height: Int, _ leastMebibytes: Double) throws {
    let canvas = WorkloadCanvas(size: PixelSize(width: width, height: height), format: .yuv420p)
    let sources = try Workload.dissolve.scene(on: canvas).sources
    let frames = NoiseFrames.make(sources, maximumCount: Workload.dissolve.frameCount)
    let byteCount = frames.joined().reduce(0) { $0 + $1.format.byteCount(of: $1.size) }
    #expect(Double(byteCount) / 1_048_576 >= leastMebibytes, "\(byteCount) bytes")
    #expect(frames.allSatisfy { $0.count <= Workload.dissolve.frameCount })
  }
}
