import ArgumentParser
import Compositor
import CompositorBenchmark
import Foundation

/// `compositor bench`: measures any number of compositors on the same work.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure compositors on the same work, with the error of each.",
    discussion: """
      The same edits go through every compositor: the standard workloads W1 to W11, whose sources are in memory, or your own project, \
      whose frames are decoded first. Only the time between decoding and encoding is measured, unless --end-to-end is given. \
      Every time is shown next to that of a simple, memory-bound blend of the same size and format, measured in the same run.

      The output of --json is a baseline for later runs: --baseline ends with status 79 if a row became slower by more than the \
      machine's noise explains, and with 75 if the machine is too noisy to tell. See docs/benchmark.md.

      EXAMPLES
        compositor bench
        compositor bench --compositor builtin.layer,./glow.so,avfilter.xfade --work W2
        compositor bench holiday.json5 --compositor ./glow.so --end-to-end
        compositor bench --work W2 --work W3 --size 1920x1080 --size 3840x2160 --chart speed.svg
        compositor bench --format yuv420p10 --threads 1 --json > before.json
        compositor bench --format yuv420p10 --threads 1 --baseline before.json
        compositor bench --work W3 --threads 1 --against ./compositor-of-last-week
      """)

  @Argument(
    help: ArgumentHelp("A project or a media file to measure instead of the standard workloads.", valueName: "project"),
    completion: .file())
  var project: String?

  @Option(
    name: .customLong("compositor"),
    help: ArgumentHelp(
      """
      Compositors, separated by commas: names such as builtin.layer, avfilter.xfade or frei0r.glow, or the file of a plugin for all \
      of its compositors. May be given several times. By default builtin.layer.
      """, valueName: "name|file,…"))
  var compositors: [String] = []

  @Option(name: .customLong("work"), help: "A workload: W1 to W11, except W7. May be given several times. By default all.")
  var workloads: [String] = []

  @Option(
    name: .customLong("size"),
    help: "A canvas of the standard workloads, WIDTHxHEIGHT. May be given several times. By default 1920x1080.")
  var sizes: [String] = []

  @Option(
    name: .customLong("format"),
    help: """
      A pixel format of the standard workloads, such as yuv420p10. May be given several times. By default yuv420p. That of a project is \
      the project's.
      """)
  var formats: [String] = []

  @Option(
    name: .customLong("layers"),
    help: "A grid of this many layers (W6/N), 1 to 10000, besides --work. May be given several times."
  )
  var layers: [Int] = []

  @Option(name: .customLong("threads"), help: "Requests in flight, 1 to 256. May be given several times.")
  var threads: [Int] = [1, 2]

  @Option(help: "Passes over each combination, 1 to 1000, interleaved with the others.")
  var repetitions = 5

  @Option(help: "Frames to compare with the double-precision reference. 0 compares none.")
  var checkedFrames = 3

  @Option(help: "The most frames of a project to measure, spread over its timeline.")
  var frames = 120

  @Flag(help: "Also decode, encode and write each edit, and report each stage separately.")
  var endToEnd = false

  @OptionGroup var assigned: VariableArguments
  @OptionGroup var comparison: BenchComparisonOptions
  @OptionGroup var plugins: PluginArguments

  @Flag(
    help: "Measure transitions that xfade has, too, instead: a line each of its name there, milliseconds and the transition.")
  var transitions = false

  @Option(
    help: ArgumentHelp("Measure decoding a file from start to end instead. Prints frames and seconds.", valueName: "file"),
    completion: .file())
  var decode: String?

  @Option(
    help: ArgumentHelp("Draw a chart into a .svg or .png file, which is replaced.", valueName: "file"),
    completion: .file(extensions: ["svg", "png"]))
  var chart: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    _ = try configuration()
    guard (1...100_000).contains(frames) else { throw ValidationError("--frames takes 1 to 100000.") }
    let ofWorkloads = [
      ("--work", workloads.isEmpty), ("--layers", layers.isEmpty), ("--size", sizes.isEmpty), ("--format", formats.isEmpty),
    ]
    if project != nil, let given = ofWorkloads.first(where: { !$0.1 })?.0 {
      throw ValidationError("\(given) is for the standard workloads, but a project was given, which already determines it.")
    }
    if comparison.against != nil, json || chart != nil {
      throw ValidationError("--against prints a comparison, but --json and --chart report one build.")
    }
    if comparison.against != nil, endToEnd {
      throw ValidationError("--against compares composing alone. Leave out --end-to-end, or compare two runs yourself.")
    }
    if let chart, !chart.lowercased().hasSuffix(".svg"), !chart.lowercased().hasSuffix(".png") {
      throw ValidationError("--chart takes a .svg or .png file.")
    }
  }

  func run() async throws {
    if let decode { return try runDecoding(decode) }
    guard !transitions else { return try await runTransitions() }
    if let other = comparison.against {
      let paired = BenchAgainst(other: other, tolerance: comparison.tolerance, plantedRegression: comparison.plantedRegression)
      return try await paired.run(BenchAgainst.arguments(CommandLine.arguments))
    }
    let configuration = try configuration()
    let baseline = try comparison.report()
    let measurement = try BenchMeasurement(self, baseline: baseline)
    let report = try await measurement.run(configuration)
    if let chart { try report.writeChart(to: chart) }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      try Terminal.result(String(decoding: try encoder.encode(report), as: UTF8.self).escapingControlsOfJSON)
    } else {
      try Terminal.result(report.table)
    }
    guard let baseline else {
      if report.hasCompositorWithoutResult { throw ExitCode(ProcessStatus.internal.rawValue) }
      return
    }
    try await comparison.judge(report, baseline, measurement, configuration)
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
    let equivalents = try XfadeEquivalent.all(size: size)
    let timings = try await TransitionTiming.run(equivalents.map(\.timing), size: size, format: format)
    for (equivalent, timing) in zip(equivalents, timings) {
      let milliseconds = Double(Int(timing.milliseconds * 1000)) / 1000
      try Terminal.result("\(timing.name) \(milliseconds) \(equivalent.written)")
    }
  }

  private func configuration() throws -> BenchmarkConfiguration {
    guard threads.allSatisfy((1...256).contains) else { throw ValidationError("--threads takes 1 to 256.") }
    guard (1...1000).contains(repetitions) else { throw ValidationError("--repetitions takes 1 to 1000.") }
    guard (0...120).contains(checkedFrames) else { throw ValidationError("--checked-frames takes 0 to 120.") }
    guard layers.allSatisfy((1...10_000).contains) else { throw ValidationError("--layers takes 1 to 10000.") }
    let grids = layers.map { Workload.grid(layers: $0) }
    var configuration = BenchmarkConfiguration(
      workloads: try workloads.isEmpty && grids.isEmpty ? Workload.all : workloads.map(BenchCommand.workload) + grids,
      sizes: try (sizes.isEmpty ? ["1920x1080"] : sizes).map(BenchCommand.size),
      formats: try (formats.isEmpty ? ["yuv420p"] : formats).map(BenchCommand.format), threads: threads,
      repetitions: repetitions, maximumRepetitions: 3 * repetitions, checkedFrames: checkedFrames)
    configuration.plantedSlowdown = comparison.plantedRegression / 100
    return configuration
  }

  private static func workload(_ name: String) throws -> Workload {
    guard let workload = Workload.all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ValidationError(
        "There is no workload '\(name)'. Choose one of: \(Workload.all.map(\.name).joined(separator: ", ")).")
    }
    return workload
  }

  private static func size(_ text: String) throws -> PixelSize {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let lengths = 16...PixelSize.renderableSides.upperBound
    guard sides.count == 2, let width = sides[0], let height = sides[1], lengths.contains(width), lengths.contains(height)
    else { throw ValidationError("'\(text)' is not a size. Give WIDTHxHEIGHT, each 16 to \(lengths.upperBound).") }
    return PixelSize(width: width, height: height)
  }

  private static func format(_ name: String) throws -> PixelFormat {
    guard let format = PixelFormat(named: name), format.sample == .unsigned else {
      let names = PixelFormat.all.filter { $0.sample == .unsigned }.map(\.name).joined(separator: ", ")
      throw ValidationError("'\(name)' is not a format to measure in. Choose one of: \(names).")
    }
    return format
  }
}
