import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Every frame of containers × codecs × rates × field coding × edit lists, offsets and gaps is shown at the media's own rate, as often as ffprobe counts.
/// `make test` takes every other rate of a pair, among them one of the two whose timings vary, and the others of the next pair.
@Suite(.enabled(if: hasFFmpeg)) struct FrameGridTableTests {
  struct Pair: CustomTestStringConvertible {
    let container, codec: String
    let arguments: [String]
    /// Rates that the pair can state; `nil` for all.
    var rates: [String]?
    var isInterlaceable = false
    var testDescription: String { "\(container) \(codec)" }
  }

  private static let x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"]
  private static let mpeg2 = ["-c:v", "mpeg2video", "-bf", "2"]
  private static let mpeg4 = ["-c:v", "mpeg4"]
  private static let vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]
  private static let vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]
  private static let av1 = ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8"]
  private static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=0:bframes=2"]

  static let pairs: [Pair] = [
    Pair(container: "mp4", codec: "h264", arguments: x264, isInterlaceable: true),
    Pair(container: "mp4", codec: "hevc", arguments: hevc),
    Pair(container: "mp4", codec: "mpeg4", arguments: mpeg4), Pair(container: "mp4", codec: "vp9", arguments: vp9),
    Pair(container: "mp4", codec: "av1", arguments: av1), Pair(container: "mkv", codec: "av1", arguments: av1),
    Pair(container: "mov", codec: "h264", arguments: x264, isInterlaceable: true),
    Pair(container: "mov", codec: "prores", arguments: ["-c:v", "prores_ks"]),
    Pair(container: "mov", codec: "mjpeg", arguments: ["-c:v", "mjpeg"]),
    Pair(container: "mkv", codec: "h264", arguments: x264, isInterlaceable: true),
    Pair(container: "mkv", codec: "hevc", arguments: hevc),
    Pair(container: "mkv", codec: "ffv1", arguments: ["-c:v", "ffv1"]),
    Pair(container: "mkv", codec: "mpeg2", arguments: mpeg2, isInterlaceable: true),
    Pair(container: "webm", codec: "vp8", arguments: vp8), Pair(container: "webm", codec: "vp9", arguments: vp9),
    Pair(container: "ts", codec: "h264", arguments: x264, isInterlaceable: true),
    Pair(container: "ts", codec: "hevc", arguments: hevc),
    Pair(container: "ts", codec: "mpeg2", arguments: mpeg2, isInterlaceable: true),
    Pair(container: "avi", codec: "mpeg4", arguments: mpeg4),
    Pair(container: "avi", codec: "mjpeg", arguments: ["-c:v", "mjpeg"]),
    Pair(container: "flv", codec: "h264", arguments: x264), Pair(container: "flv", codec: "flv1", arguments: ["-c:v", "flv"]),
    Pair(container: "mpg", codec: "mpeg2", arguments: mpeg2, isInterlaceable: true),
    // Its encoder leaves frames out that are nearly the same.
    Pair(container: "ogv", codec: "theora", arguments: ["-vf", "noise=alls=40:allf=t", "-c:v", "libtheora", "-q:v", "8"]),
  ]

  private static let rates = ["24000/1001", "25", "30000/1001", "30", "50", "60000/1001"]
  private static let frames = 14

  /// A kind of timing, made from a file without encoding, or while encoding.
  enum Timing: String, CaseIterable { case plain, interlaced, editList, offset, gap }

  private func timings(of pair: Pair, rate: String) -> [Timing] {
    var found: [Timing] = [.plain]
    if pair.isInterlaceable, ["25", "30000/1001"].contains(rate) { found.append(.interlaced) }
    guard ["25", "30000/1001"].contains(rate) else { return found }
    if ["mp4", "mov"].contains(pair.container) { found.append(.editList) }
    if ["mp4", "mov", "mkv", "ts", "flv"].contains(pair.container) { found.append(.offset) }
    if ["mp4", "mov", "mkv", "webm", "ts"].contains(pair.container) { found.append(.gap) }
    return found
  }

  private func make(_ pair: Pair, _ rate: String, _ timing: Timing, in folder: TemporaryFolder) throws -> String {
    let name = "\(timing).\(pair.container)"
    // Gaps are frames that are missing on a regular grid.
    let filter =
      timing == .gap ? ["-vf", "select='not(between(n,5,7))'"] : timing == .interlaced ? ["-vf", "interlace=lowpass=off"] : []
    let source = timing == .interlaced ? "testsrc2=s=64x48:r=2*\(rate)" : "testsrc2=s=64x48:r=\(rate)"
    let fields = timing == .interlaced ? ["-flags", "+ildct+ilme"] : []
    let shift = timing == .offset ? ["-output_ts_offset", "1"] : []
    let plain = folder.file(timing == .editList ? "whole.\(pair.container)" : name)
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", source.replacing("2*\(rate)", with: Self.doubled(rate))] + filter
        + ["-fps_mode", timing == .gap ? "passthrough" : "auto", "-frames:v", "\(Self.frames)"] + pair.arguments + fields
        + (pair.codec == "prores" || pair.codec == "mjpeg" ? [] : ["-pix_fmt", "yuv420p"]) + ["-g", "5"] + shift + [plain])
    if timing == .editList {
      // A copy from the middle of a group: the edit list hides what precedes.
      try runProgram("ffmpeg", ["-v", "error", "-y", "-ss", "0.13", "-i", plain, "-c", "copy", folder.file(name)])
    }
    return folder.file(name)
  }

  private static func doubled(_ rate: String) -> String {
    let parts = rate.split(separator: "/")
    let numerator = (Int(parts[0]) ?? 0) * 2
    return parts.count > 1 ? "\(numerator)/\(parts[1])" : "\(numerator)"
  }

  /// Frames that a player shows: ffprobe's. It states no time of the last frame of a program stream. Its wrapper of dav1d returns frames that an
  /// edit list cuts away; that of libaom doesn't.
  private func promised(_ path: String, _ codec: String) throws -> Int {
    if codec == "av1" {
      let list = try runTool(
        "ffmpeg", ["-v", "error", "-c:v", "libaom-av1", "-i", path, "-fps_mode", "passthrough", "-f", "framecrc", "-"])
      return list.split(separator: "\n").count { !$0.hasPrefix("#") }
    }
    // Its decoder of JPEG doesn't heed an edit list, either.
    if codec == "mjpeg" {
      let flags = try runTool(
        "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=flags", "-of", "csv=p=0", path])
      return flags.split(separator: "\n").count { !$0.contains("D") }
    }
    let rows = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp", "-of",
        "compact", path,
      ])
    var (times, untimed) = (Set<Int>(), 0)
    for row in rows.split(separator: "\n") where row.hasPrefix("frame|") {
      let fields = row.split(separator: "|").map { $0.split(separator: "=").map(String.init) }
      func value(_ key: String) -> Int? { fields.first { $0.count == 2 && $0[0] == key }.flatMap { Int($0[1]) } }
      guard let time = value("best_effort_timestamp") else {
        untimed += 1
        continue
      }
      times.insert(time)
    }
    return times.count + untimed
  }

  private func shown(_ path: String) throws -> (count: Int, rate: Rational) {
    let source = MediaSource.file(path: path)
    let track = try #require(try MediaProbe.probe(source).videoTracks.first)
    let rate = try #require(track.cadence).rate
    let reader = try MediaOpener.openVideo(source, info: track)
    var (times, index) = (Set<MediaTime>(), Int64(0))
    while true {
      let time = track.timeRange.start + MediaTime(value: index * Int64(rate.denominator), timescale: Int32(rate.numerator))
      guard time < track.timeRange.end else { break }
      if let frame = try reader.frame(at: time) { times.insert(frame.presentationTime) }
      index += 1
    }
    return (times.count, rate)
  }

  @Test(arguments: pairs) func everyFrame_isShown(_ pair: Pair) throws {
    let folder = try TemporaryFolder()
    var row: [String] = []
    let turn = (Self.pairs.firstIndex { $0.testDescription == pair.testDescription } ?? 0) % 2
    for (index, rate) in (pair.rates ?? Self.rates).enumerated() where TableSelection.isWhole || index % 2 == turn {
      for timing in timings(of: pair, rate: rate) {
        let path = try make(pair, rate, timing, in: folder)
        let (found, expected) = (try shown(path), try promised(path, pair.codec))
        row.append("\(rate) \(timing.rawValue) \(found.count)/\(expected)")
        #expect(
          found.count == expected && expected >= 10,
          "\(pair.container) \(pair.codec) \(rate) \(timing): \(found), ffprobe \(expected)")
      }
    }
    print("\(pair.testDescription): \(row.joined(separator: ", "))")
  }
}
