import Compositor
import Foundation

/// The options of the command line.
struct Options {
  var folder = "."
  var clips: [MediaSource] = []
  var clipCount = 3
  var transition = MediaTime.seconds(0.8)

  init(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    var paths: [String] = []
    while let argument = arguments.next() {
      switch argument {
      case "--clips": clipCount = max(1, arguments.next().flatMap(Int.init) ?? clipCount)
      case "--transition": transition = arguments.next().flatMap(Double.init).map { .seconds($0) } ?? transition
      default: paths.append(argument)
      }
    }
    if let first = paths.first { folder = first }
    clips = paths.dropFirst().map { .file(path: $0) }
  }

  /// Clips of different lengths, each with its number, a clock and a different tone.
  func makeClips() async throws -> [MediaSource] {
    var made: [MediaSource] = []
    for index in 0..<clipCount {
      let length = MediaTime.seconds(2 + Double(index * 7 % 5) / 5)
      var clip = Timeline()
      clip.append(
        .generated(
          GeneratedSource(
            pattern: index % 2 == 0 ? .clock : .bars, size: PixelSize(width: 320, height: 180), frameRate: 25, duration: length,
            toneFrequency: 300 + 100 * Double(index % 5))))
      clip.overlay(.title("Clip \(index)"), at: .zero, for: length)
      let path = "\(folder)/editor-clip-\(index).mp4"
      let settings = ExportSettings(video: VideoEncodingSettings(speed: .ultrafast))
      try await clip.export(to: path, overwriting: true, settings: settings)
      made.append(.file(path: path))
    }
    return made
  }
}
