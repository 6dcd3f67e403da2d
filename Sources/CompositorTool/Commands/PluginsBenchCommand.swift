import ArgumentParser
import Compositor
import Foundation

/// `compositor plugins bench`.
struct PluginsBenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the cost of running a plugin in its own process: the same frames with and without isolation.",
    discussion: """
      Milliseconds from frame to frame at 1920x1080, alternately with one request at a time and with as many as there are processors. \
      Frames without isolation are made and measured within a worker, so that the plugin never runs in the tool's process.

      EXAMPLES
        compositor plugins bench glow.so
        compositor plugins bench glow.so --footage clip.mp4
      """)

  @OptionGroup var plugins: PluginArguments

  @Argument(help: "A plugin's file.", completion: .file())
  var file: String

  @Option(help: "Frames to measure of each kind, 10 to 10000.")
  var frames = 200

  @Option(
    help: "A video of 1920x1080. Eight of its frames are measured as sources, too, as its decoder delivers them.",
    completion: .file())
  var footage: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (10...10_000).contains(frames) else { throw ValidationError("--frames takes 10 to 10000.") }
  }

  func run() async throws {
    let benchmark = IsolationBenchmark(
      .binary(path: file), isolation: try plugins.options.isolation, decoded: try footage.map(decode) ?? [])
    let rows = try await benchmark.run(rounds: frames)
    guard !json else { return try Terminal.result(try JSON.text(rows)) }
    try Terminal.result(
      "compositor                format      source   in flight  in process  isolated  beyond  copy of a frame  frames")
    for row in rows {
      let name = row.compositor.padding(toLength: 24, withPad: " ", startingAt: 0)
      let format = row.format.padding(toLength: 10, withPad: " ", startingAt: 0)
      let source = row.source.padding(toLength: 7, withPad: " ", startingAt: 0)
      let numbers = String(
        format: "%9d %8.3f ms %6.3f ms %7.3f %13.3f ms", row.inFlight, row.inProcess, row.isolated, row.difference, row.copy)
      try Terminal.result("\(name)  \(format)  \(source)  \(numbers)  \(row.areEqual ? "equal" : "DIFFERENT")")
    }
  }

  private func decode(_ path: String) throws -> [Frame] {
    let reader = try MediaOpener.openVideo(.file(path: path), allocator: SharedFrames())
    var frames: [Frame] = []
    var time = reader.info.timeRange.start
    while frames.count < 8, let shown = try reader.frame(at: time), shown.presentationTime >= time || frames.isEmpty {
      guard shown.frame.size == PixelSize(width: 1920, height: 1080) else {
        throw CompositorError(
          .invalidValue, "The footage has a size of \(shown.frame.size).", recoverySuggestion: "Give a video of 1920x1080.",
          at: ErrorLocation(file: path))
      }
      frames.append(shown.frame)
      time = shown.presentationTime + shown.duration
    }
    return frames
  }
}
