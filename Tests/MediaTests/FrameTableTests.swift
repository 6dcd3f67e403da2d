import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import Testing

/// Numbered frames in, the same frames out: containers × rates, through a render, a second one from Matroska, and a join.
@Suite(.enabled(if: hasFFmpeg)) struct FrameTableTests {
  struct Container: Sendable, CustomTestStringConvertible {
    var name: String
    var suffix: String
    var options: [String]
    var rates: ArraySlice<String> = FrameTableTests.rates[...]
    var testDescription: String { name }
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "12"]

  static let containers = [
    Container(name: "MP4", suffix: "mp4", options: h264),
    Container(name: "MOV, time scale 600", suffix: "mov", options: h264 + ["-video_track_timescale", "600"]),
    Container(name: "MP4, time scale 1000", suffix: "mp4", options: h264 + ["-video_track_timescale", "1000"]),
    Container(name: "MP4, time scale 90000", suffix: "mp4", options: h264 + ["-video_track_timescale", "90000"]),
    Container(name: "MKV", suffix: "mkv", options: h264),
    Container(name: "WebM", suffix: "webm", options: ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "1M"]),
    Container(name: "FLV", suffix: "flv", options: h264),
    Container(name: "TS", suffix: "ts", options: h264),
    Container(name: "AVI", suffix: "avi", options: h264 + ["-bf", "0"]),
    // Its clock has two to four steps a frame, and none for 60 frames per second.
    Container(name: "GIF", suffix: "gif", options: [], rates: rates.dropLast(2)),
  ]
  static let rates = ["24000/1001", "24", "25", "30000/1001", "30", "50", "60000/1001", "60"]

  @Test(arguments: containers)
  func everyRate_renderedTwiceAndJoined_showsEachFrameOnce(_ container: Container) async throws {
    let folder = try TemporaryFolder()
    let all = Array(0..<60)
    var row: [String] = []
    let shift = Self.containers.firstIndex { $0.name == container.name } ?? 0
    for (index, rate) in container.rates.enumerated() where TableSelection.isWhole || (index + shift) % 4 == 0 {
      let source = folder.file("source.\(container.suffix)")
      try NumberedMovie.make(source, count: all.count, rate: rate, options: container.options)
      let first = try await render([source], to: folder.file("first.mkv"))
      let second = try await render([folder.file("first.mkv")], to: folder.file("second.mkv"))
      let joined = try await render([source, source], to: folder.file("joined.mkv"))
      #expect(first == all && second == all && joined == all + all, "\(container.name) at \(rate)")
      row.append("\(rate): \(Self.summary(first, all)) \(Self.summary(second, all)) \(Self.summary(joined, all + all))")
    }
    print("frames lost/repeated by render, second render, join; \(container.name): \(row.joined(separator: " | "))")
  }

  private static func summary(_ found: [Int], _ expected: [Int]) -> String {
    let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
    let wanted = Dictionary(expected.map { ($0, 1) }, uniquingKeysWith: +)
    let lost = wanted.reduce(0) { $0 + max(0, $1.value - (counts[$1.key] ?? 0)) }
    let repeated = counts.reduce(0) { $0 + max(0, $1.value - (wanted[$1.key] ?? 0)) }
    return "\(lost)/\(repeated)"
  }

  private func render(_ sources: [String], to path: String) async throws -> [Int] {
    try await NumberedRender.export(sources, to: path)
    return try NumberedMovie.numbers(path)
  }
}

/// Renders of numbered movies without loss.
enum NumberedRender {
  /// Renders one source alone as a file given to `render` is, several as `join` does.
  static func export(_ sources: [String], transition: String? = nil, to path: String) async throws {
    let catalog = MediaCatalog()
    let edit =
      try sources.count == 1
      ? Edit(showing: .file(path: sources[0]), catalog: catalog)
      : Timeline(joining: sources, transition: transition, catalog: catalog).edit(catalog: catalog)
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = ExportSettings(overwrites: true)
    settings.video.codec = .ffv1
    settings.audio = AudioEncodingSettings(codec: .pcmInt16)
    _ = try await Exporter.export(valid, to: path, settings: settings)
  }
}
