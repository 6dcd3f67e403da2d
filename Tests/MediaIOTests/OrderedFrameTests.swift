import CompositorAPI
import CompositorMediaIO
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// The frames of a track in order, compared with those of ffprobe.
@Suite(.enabled(if: hasFFmpeg)) struct OrderedFrameTests {
  /// A kind of track: its name, and how ffmpeg makes it.
  enum Kind: String, CaseIterable, Sendable {
    case constant, variable, reordered, edited
  }

  struct Movie: CustomStringConvertible, Sendable {
    let container: String
    let kind: Kind
    var description: String { "\(container), \(kind)" }
  }

  /// {MP4, QuickTime, Matroska, transport stream, WebM} × {constant rate, variable rate, B-frames, edit list}, as far as they have them.
  static let movies = ["mp4", "mov", "mkv", "ts", "webm"].flatMap { container in
    Kind.allCases.compactMap { kind -> Movie? in
      if container == "webm", kind == .reordered { return nil }
      if kind == .edited, !["mp4", "mov"].contains(container) { return nil }
      return Movie(container: container, kind: kind)
    }
  }

  private func make(_ movie: Movie, in folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.file("made.\(movie.container)")
    let codec =
      movie.container == "webm"
      ? ["-c:v", "libvpx", "-g", "20", "-deadline", "realtime"]
      : ["-c:v", "libx264", "-g", "20", "-bf", movie.kind == .constant ? "0" : "3", "-pix_fmt", "yuv420p"]
    let varying = ["-vf", "select='not(mod(n,5)-2)+not(mod(n,3))+lt(n,8)'", "-fps_mode", "vfr"]
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=d=3:r=30000/1001:s=160x90"] + (movie.kind == .variable ? varying : [])
        + codec + [path])
    guard movie.kind == .edited else { return path }
    let cut = folder.file("cut.\(movie.container)")
    try runProgram("ffmpeg", ["-v", "error", "-ss", "1.2", "-i", path, "-c", "copy", cut])
    return cut
  }

  private struct Probed: Decodable {
    struct Frame: Decodable { let best_effort_timestamp: Int64 }
    struct Stream: Decodable { let time_base: String }
    let frames: [Frame]
    let streams: [Stream]
  }

  /// The times of the frames, and the duration of a tick.
  private func expected(_ path: String) throws -> (times: [MediaTime], tick: MediaTime) {
    let data = try runProgram(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp:stream=time_base", "-of", "json",
        path,
      ])
    let probed = try JSONDecoder().decode(Probed.self, from: data)
    let timescale = try #require(probed.streams.first.flatMap { Int32($0.time_base.dropFirst(2)) })
    let first = probed.frames.first?.best_effort_timestamp ?? 0
    let times = probed.frames.map { MediaTime(value: $0.best_effort_timestamp - first, timescale: timescale) }
    return (times, MediaTime(value: 1, timescale: timescale))
  }

  private func all(_ reader: any VideoReader, from start: MediaTime? = nil) throws -> [DecodedVideoFrame] {
    var (frames, found) = (reader.frames(from: start), [DecodedVideoFrame]())
    while let frame = try frames.next() { found.append(frame) }
    #expect(try frames.next() == nil)
    return found
  }

  @Test(arguments: movies) func frames_areThoseOfFFprobe_eachOnce(_ movie: Movie) throws {
    let folder = try TemporaryFolder()
    let path = try make(movie, in: folder)
    let (times, tick) = try expected(path)
    let reader = try MediaOpener.openVideo(.file(path: path))
    let frames = try all(reader)
    #expect(frames.count == times.count && frames.count > 40, "\(movie)")
    let start = try #require(frames.first).presentationTime
    #expect(start == reader.info.timeRange.start, "\(movie)")
    for (frame, time) in zip(frames, times) {
      // A rounded timestamp means the point of a regular grid.
      #expect((frame.presentationTime - start - time).magnitude <= tick, "\(movie): \(frame.presentationTime), \(time)")
    }
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(frame.presentationTime + frame.duration == next.presentationTime, "\(movie)")
    }
    #expect(try #require(frames.last).duration > .zero, "\(movie)")
    // Random access gives the same frames.
    for index in [0, 7, 31, frames.count - 1] {
      let shown = try #require(try reader.frame(at: frames[index].presentationTime))
      #expect(
        shown.presentationTime == frames[index].presentationTime && packedBytes(shown.frame) == packedBytes(frames[index].frame)
      )
    }
  }

  @Test(arguments: movies) func frames_fromAnyStart_areTheRest(_ movie: Movie) throws {
    let folder = try TemporaryFolder()
    let reader = try MediaOpener.openVideo(.file(path: try make(movie, in: folder)))
    let times = try all(reader).map(\.presentationTime)
    let starts = [0, 1, 19, 20, 21, 33, times.count - 1].map { times[$0] }
    for start in starts.flatMap({ [$0, $0 + MediaTime(value: 1, timescale: 90)] }) + [.seconds(100)] {
      let rest = Array(times[(times.lastIndex { $0 <= start } ?? 0)...])
      #expect(try all(reader, from: start).map(\.presentationTime) == rest, "\(movie) from \(start)")
    }
    #expect(try all(reader, from: times[0] - .seconds(1)).map(\.presentationTime) == times, "\(movie)")
  }

  @Test func frames_betweenOtherRequests_keepTheirOrder() throws {
    let folder = try TemporaryFolder()
    let reader = try MediaOpener.openVideo(
      .file(path: try make(Movie(container: "mp4", kind: .reordered), in: folder)))
    let times = try all(reader).map(\.presentationTime)
    var (frames, found) = (reader.frames(), [MediaTime]())
    while let frame = try frames.next() {
      found.append(frame.presentationTime)
      _ = try reader.frame(at: times[(found.count * 37) % times.count])
      if found.count % 5 == 0 { _ = try reader.frame(before: frame.presentationTime) }
    }
    #expect(found == times)
  }

  @Test func frames_ofATruncatedFile_endWithAnError() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("whole.mp4")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=3:r=25:s=160x90", "-c:v", "libx264", "-bf", "0", "-movflags",
        "faststart", path,
      ])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let cut = folder.file("cut.mp4")
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: cut))
    var frames = try MediaOpener.openVideo(.file(path: cut)).frames()
    var count = 0
    let error = #expect(throws: CompositorError.self) { while try frames.next() != nil { count += 1 } }
    #expect([.truncatedMedia, .decodeFailed].contains(error?.code) && count > 10)
    let kept = try all(MediaOpener.openVideo(.file(path: cut), options: VideoReaderOptions(damaged: .keep)))
    #expect(kept.count >= count && kept.count < 75)
  }

  @Test func framesOfOtherSources_comeOnce() throws {
    let generated = GeneratedSource(
      pattern: .clock, size: PixelSize(width: 32, height: 32), frameRate: 25, duration: .seconds(2))
    let clock = try all(MediaOpener.openVideo(.generated(generated)))
    #expect(clock.map(\.presentationTime) == (0..<50).map { MediaTime(value: $0, timescale: 25) })
    let folder = try TemporaryFolder()
    let path = folder.file("still.png")
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=32x32", "-frames:v", "1", path])
    #expect(try all(MediaOpener.openVideo(.file(path: path))).map(\.duration) == [.positiveInfinity])
    let pattern = folder.file("frame_%03d.png")
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=32x32:r=10", "-frames:v", "7", pattern])
    let images = try all(
      MediaOpener.openVideo(.imageSequence(pattern: pattern, first: 1, frameRate: 10)))
    #expect(images.map(\.presentationTime) == (0..<7).map { MediaTime(value: $0, timescale: 10) })
  }
}
