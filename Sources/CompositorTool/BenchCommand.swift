import ArgumentParser
import BuiltinCompositors
import CompositorAPI
import CompositorBenchmark
import CompositorMediaIO
import Foundation

/// `compositor bench`: the built-in compositors on the standard workloads.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure compositors on the same work, with the error of each.",
    discussion: """
      Composing alone is measured: sources are in memory, nothing is decoded or encoded. Every time stands beside a plain, \
      memory-bound blend of the same size and format taken in the same run. A compositor of your own is compared in code: \
      Benchmark.run([LayerCompositor.self, MyCompositor.self]).

      EXAMPLES
        compositor bench
        compositor bench --work W2 --work W3 --size 1920x1080 --size 3840x2160
        compositor bench --format yuv420p10 --threads 1 --json > bench.json
      """)

  @Option(name: .customLong("work"), help: "A workload: W2, W3 or W6. May be given several times; all unless given.")
  var workloads: [String] = []

  @Option(name: .customLong("size"), help: "A canvas, WIDTHxHEIGHT. May be given several times.")
  var sizes: [String] = ["1920x1080"]

  @Option(name: .customLong("format"), help: "A pixel format, such as yuv420p or yuv420p10. May be given several times.")
  var formats: [String] = ["yuv420p"]

  @Option(name: .customLong("threads"), help: "Requests in flight, 1 to 256. May be given several times.")
  var threads: [Int] = [1, 2]

  @Option(help: "Runs of each combination; the fastest counts for the rate, all for the percentiles.")
  var repetitions = 3

  @Option(help: "Frames compared with the double-precision reference; 0 for none.")
  var checkedFrames = 3

  @Flag(help: "Measure transitions that xfade has twins of instead: one line each of twin, milliseconds and the transition.")
  var transitions = false

  @Option(
    help: ArgumentHelp("Measure decoding a file from start to end instead: frames and seconds.", valueName: "file"),
    completion: .file())
  var decode: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    _ = try configuration()
  }

  func run() async throws {
    if let decode { return try runDecoding(decode) }
    guard !transitions else { return try await runTransitions() }
    let report = try await Benchmark.run([LayerCompositor.self], configuration: configuration())
    guard json else {
      try Terminal.result(report.table)
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try Terminal.result(String(decoding: try encoder.encode(report), as: UTF8.self))
  }

  private func runDecoding(_ path: String) throws {
    let start = ContinuousClock.now
    let options = VideoReaderOptions(threadCount: min(64, ProcessInfo.processInfo.activeProcessorCount), cacheByteCount: 0)
    let reader = try MediaOpener.openVideo(.file(path: path), options: options)
    var (count, time) = (0, reader.info.timeRange.start)
    while time.isNumeric, time < reader.info.timeRange.end, let shown = try reader.frame(at: time) {
      count += 1
      time = shown.presentationTime + shown.duration
    }
    try Terminal.result("\(count) \((ContinuousClock.now - start) / .seconds(1))")
  }

  private func runTransitions() async throws {
    let configuration = try configuration()
    guard let size = configuration.sizes.first, let format = configuration.formats.first, format.layout == .planar else {
      throw ValidationError("Transitions are measured in one size and one planar format.")
    }
    let twins = try XfadeEquivalent.all(size: size)
    let timings = try await TransitionTiming.run(twins.map(\.timing), size: size, format: format)
    for (twin, timing) in zip(twins, timings) {
      let milliseconds = Double(Int(timing.milliseconds * 1000)) / 1000
      try Terminal.result("\(timing.name) \(milliseconds) \(twin.written)")
    }
  }

  private func configuration() throws -> BenchmarkConfiguration {
    guard threads.allSatisfy((1...256).contains) else { throw ValidationError("--threads takes 1 to 256.") }
    guard (1...1000).contains(repetitions) else { throw ValidationError("--repetitions takes 1 to 1000.") }
    guard (0...120).contains(checkedFrames) else { throw ValidationError("--checked-frames takes 0 to 120.") }
    return BenchmarkConfiguration(
      workloads: try workloads.isEmpty ? Workload.all : workloads.map(BenchCommand.workload),
      sizes: try sizes.map(BenchCommand.size), formats: try formats.map(BenchCommand.format), threads: threads,
      repetitions: repetitions, checkedFrames: checkedFrames)
  }

  private static func workload(_ name: String) throws -> Workload {
    guard let workload = Workload.all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ValidationError("There is no workload '\(name)'. There are: \(Workload.all.map(\.name).joined(separator: ", ")).")
    }
    return workload
  }

  private static func size(_ text: String) throws -> PixelSize {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (16...16384).contains(width),
      (16...16384).contains(height)
    else { throw ValidationError("'\(text)' is no size. Give WIDTHxHEIGHT, each 16 to 16384.") }
    return PixelSize(width: width, height: height)
  }

  private static func format(_ name: String) throws -> PixelFormat {
    guard let format = PixelFormat(named: name), format.sample == .unsigned else {
      let names = PixelFormat.all.filter { $0.sample == .unsigned }.map(\.name).joined(separator: ", ")
      throw ValidationError("'\(name)' is no format to measure in. There are: \(names).")
    }
    return format
  }
}
