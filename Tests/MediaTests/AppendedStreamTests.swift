import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Transport streams that were appended to one another: numbered frames of both parts, whatever the packet counters say at the
/// joint, which match by chance in one of sixteen files only.
@Suite(.enabled(if: hasFFmpeg)) struct AppendedStreamTests {
  /// `make test` takes half of the lengths with and half without B-frames.
  @Test(arguments: ["0", "2"])
  func twoParts_anyCountersAtTheJoint_showEachFrameOnce(_ bFrames: String) async throws {
    let folder = try TemporaryFolder()
    for count in TableSelection.columns(Array(20..<36), ofRow: bFrames == "0" ? 0 : 1, each: 8) {
      let part = folder.file("part.ts")
      try NumberedMovie.make(
        part, count: count, rate: "30",
        options: ["-c:v", "libx264", "-preset", "ultrafast", "-bf", bFrames, "-c:a", "aac"], audio: "0.3*sin(2000*t)")
      let bytes = try Data(contentsOf: URL(filePath: part))
      try (bytes + bytes).write(to: URL(filePath: folder.file("both.ts")))
      try await NumberedRender.export([folder.file("both.ts")], to: folder.file("out.mkv"))
      let all = Array(0..<count)
      #expect(try NumberedMovie.numbers(folder.file("out.mkv")) == all + all, "\(count) frames")
    }
  }

  /// A container with what recorders put into it.
  struct Coding: Sendable, CustomTestStringConvertible {
    let container: String
    let video: [String]
    let audio: String
    var testDescription: String { ([container] + video + [audio]).joined(separator: " ") }
    var options: [String] {
      let muxer = ["m2ts": ["-mpegts_m2ts_mode", "1", "-f", "mpegts"], "vob": ["-f", "vob"]]
      return ["-c:v"] + video + ["-g", "12", "-c:a", audio] + muxer[container, default: []]
    }
  }

  static let codings = ["ts", "m2ts", "vob"].flatMap { container -> [Coding] in
    let isProgram = container == "vob"
    let videos = (isProgram ? [] : ["libx264"]) + ["mpeg2video"]
    let audios = isProgram ? ["mp2", "ac3"] : ["aac", "mp2", "ac3", "eac3"]
    return videos.flatMap { video in
      ["0", "2"].flatMap { bFrames in audios.map { Coding(container: container, video: [video, "-bf", bFrames], audio: $0) } }
    }
  }

  /// {containers} × {codecs of video, with and without B-frames} × {codecs of audio}, whose packets a demuxer reads ahead and holds back by different numbers.
  @Test(arguments: codings) func twoParts_ofAnyCodecs_showEachFrameOnce(_ coding: Coding) async throws {
    let folder = try TemporaryFolder()
    for count in [25, 37] {
      let (part, both) = (folder.file("part.\(coding.container)"), folder.file("both.\(coding.container)"))
      try NumberedMovie.make(part, count: count, rate: "25", options: coding.options, audio: "0.3*sin(2000*t)")
      let bytes = try Data(contentsOf: URL(filePath: part))
      try (bytes + bytes).write(to: URL(filePath: both))
      let info = try MediaCatalog().info(for: .file(path: both))
      #expect(!info.warnings.contains { $0.kind == .repeatedTimes }, "\(count): \(info.warnings)")
      try await NumberedRender.export([both], to: folder.file("out.mkv"))
      let all = Array(0..<count)
      #expect(try NumberedMovie.numbers(folder.file("out.mkv")) == all + all, "\(count) frames")
    }
  }

  /// A pause over which frames are reordered is no second recording: each number of B-frames, and each place of the pause among them.
  @Test(arguments: ["0", "2", "3", "8"], ["mp4", "mkv", "ts"])
  func pause_withReorderedFrames_isNoSecondRecording(_ bFrames: String, _ container: String) async throws {
    let folder = try TemporaryFolder()
    for last in 18..<23 {
      let path = folder.file("pause\(last).\(container)")
      try NumberedMovie.make(
        path, count: 90, rate: "30",
        options: ["-vf", "select='lt(n,\(last))+gt(n,60)'", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", bFrames])
      let info = try MediaCatalog().info(for: .file(path: path))
      #expect(!info.warnings.contains { $0.kind == .repeatedTimes }, "\(last): \(info.warnings)")
    }
  }
}
