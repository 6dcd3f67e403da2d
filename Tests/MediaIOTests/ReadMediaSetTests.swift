import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

/// Random access against reading from the start, and against what ffmpeg decodes, for every file of the media set.
@Suite(.serialized, .enabled(if: ReadMedia.isPresent, "the media set is not there"))
struct ReadMediaSetTests {
  /// Frames per file that are compared: more with whole tables, and all where COMPOSITOR_TEST_FULL is set.
  static let frameLimit =
    ProcessInfo.processInfo.environment["COMPOSITOR_TEST_FULL"] != nil ? Int.max : TableSelection.isWhole ? 120 : 60

  struct Row {
    var file: String
    var frames = 0
    var boundaryMismatches = 0
    var randomChecks = 0
    var randomMismatches = 0
    var ffmpegFrames = 0
    var ffmpegMismatches = 0
    var note = ""
  }

  struct Shown {
    var time: MediaTime
    var duration: MediaTime
    var sum: UInt32
  }

  @Test func randomAccess_everyVideoFile_equalsSequentialAndFFmpeg() throws {
    var rows: [Row] = []
    for name in try ReadMedia.names() where !name.hasSuffix(".md") {
      let path = try ReadMedia.path(name)
      guard let info = try? MediaProbe.probe(.file(path: path)) else {
        rows.append(Row(file: name, note: "not readable"))
        continue
      }
      for track in info.videoTracks where !track.isStill {
        let label = info.videoTracks.count > 1 ? "\(name)#\(track.index)" : name
        rows.append(try compare(path, track, label: label))
      }
    }
    print(Self.table(rows))
    #expect(rows.allSatisfy { $0.boundaryMismatches + $0.randomMismatches + $0.ffmpegMismatches == 0 })
    #expect(rows.filter { $0.frames > 0 }.count >= 50)
  }

  func compare(_ path: String, _ track: VideoTrackInfo, label: String) throws -> Row {
    var row = Row(file: label)
    let options = VideoReaderOptions(threadCount: 2, damaged: .keep)
    func open(_ allocator: (any FrameAllocator)? = nil) throws -> any VideoReader {
      try MediaOpener.openVideo(
        .file(path: path), trackIndex: track.index, options: options, info: track, allocator: allocator)
    }
    let shown = try sequential(try open(), from: track.timeRange.start, &row)
    row.frames = shown.count
    try compareRandom(try open(GuardedFrames()), shown, &row)
    try compareWithFFmpeg(path, track, shown, &row)
    return row
  }

  /// Every frame in order; at its last tick it must still be the same, and a tick later no more.
  func sequential(_ reader: any VideoReader, from start: MediaTime, _ row: inout Row) throws -> [Shown] {
    var shown: [Shown] = []
    var time = start
    while shown.count < Self.frameLimit, let frame = try reader.frame(at: time), frame.presentationTime >= time {
      shown.append(Shown(time: frame.presentationTime, duration: frame.duration, sum: checksum(frame.frame)))
      time = frame.presentationTime + frame.duration
      let lastTick = MediaTime(value: time.value - 1, timescale: time.timescale)
      let still = try reader.frame(at: lastTick)
      if still.map({ !$0.frame.isSameMemory(as: frame.frame) }) ?? true { row.boundaryMismatches += 1 }
    }
    return shown
  }

  func compareRandom(_ reader: any VideoReader, _ shown: [Shown], _ row: inout Row) throws {
    var random = ReadRandom(state: 1)
    for _ in 0..<min(20, shown.count * 2) {
      let expected = shown[Int.random(in: 0..<shown.count, using: &random)]
      // Its first tick, a time in its middle, or its last tick.
      let ticks = max(1, expected.duration.value)
      let offset = [0, ticks / 2, ticks - 1][Int.random(in: 0..<3, using: &random)]
      let time = MediaTime(value: expected.time.value + offset, timescale: expected.time.timescale)
      let found = try reader.frame(at: time)
      row.randomChecks += 1
      let isSame = found.map { $0.presentationTime == expected.time && checksum($0.frame) == expected.sum } ?? false
      if !isSame { row.randomMismatches += 1; print(row.file, time, expected, found?.presentationTime as Any) }
    }
  }

  func compareWithFFmpeg(_ path: String, _ track: VideoTrackInfo, _ shown: [Shown], _ row: inout Row) throws {
    let decoder = track.attributes.alphaMode == .straight && track.codec == "vp9" ? ["-c:v", "libvpx-vp9"] : []
    let limit = Self.frameLimit == .max ? [] : ["-frames:v", String(Self.frameLimit)]
    let output = try runTool(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-threads", "1", "-noautorotate", "-flags", "unaligned"] + decoder + ["-i", path] + [
        "-map", "0:v:\(track.index)", "-fps_mode", "passthrough", "-noautoscale", "-enc_time_base", "1/90000", "-copyts",
      ] + limit + ["-f", "framecrc", "-"], mayFail: true)
    let lines = output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let sums = lines.map { line -> (pts: Int64, byteCount: Int, sum: UInt32) in
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return (Int64(fields[2]) ?? -1, Int(fields[4]) ?? 0, UInt32(fields[5].dropFirst(2), radix: 16) ?? 0)
    }
    row.ffmpegFrames = sums.count
    // Frames of another size than the first are scaled, which ffmpeg's frames here are not; `FrameSizeTests` compares those.
    let differing = zip(sums, shown).filter { $0.0.sum != $0.1.sum && $0.0.byteCount == sums[0].byteCount }
    row.ffmpegMismatches = abs(sums.count - shown.count) + differing.count
    if sums.count != shown.count { row.note = "ffmpeg \(sums.count)" }
    for (a, b) in differing.prefix(10) { print(row.file, a, b) }
  }

  static func table(_ rows: [Row]) -> String {
    var lines = ["file | frames | at boundaries: mismatches | random times | mismatches | ffmpeg frames | mismatches | note"]
    for row in rows {
      lines.append(
        "\(row.file) | \(row.frames) | \(row.boundaryMismatches) | \(row.randomChecks) | \(row.randomMismatches) | \(row.ffmpegFrames)"
          + " | \(row.ffmpegMismatches) | \(row.note)")
    }
    let compared = rows.filter { $0.frames > 0 }
    let frames = compared.reduce(0) { $0 + $1.frames }
    let mismatches = compared.reduce(0) { $0 + $1.boundaryMismatches + $1.randomMismatches + $1.ffmpegMismatches }
    lines.append("\(compared.count) tracks, \(frames) frames, \(mismatches) mismatches")
    return lines.joined(separator: "\n")
  }
}
