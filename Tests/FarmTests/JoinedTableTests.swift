import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Movies of parts, in every codec and container, at rates of both kinds and with parts of 1, 2, 3 and many frames: the same bytes in any
/// order, the times of the plan, the frames of the parts, the audio of one render.
@Suite(.enabled(if: hasFFmpeg)) struct JoinedTableTests {
  struct Case: Sendable, CustomStringConvertible {
    let codec: VideoEncodingSettings.Codec
    let container: String
    let rate: Rational
    let frames: Int
    let segments: Int
    var description: String { "\(codec.rawValue) .\(container) \(rate) \(frames)/\(segments)" }
  }

  static let cases: [Case] = {
    let kinds: [(VideoEncodingSettings.Codec, [String])] = [
      (.h264, ["mp4", "mov", "mkv"]), (.hevc, ["mp4", "mov", "mkv"]), (.av1, ["mp4", "mkv"]), (.proRes, ["mov", "mkv"]),
      (.ffv1, ["mov", "mkv"]),
    ]
    // Parts of 1, 2, 3 and of many frames; the last ones are longer or shorter where it does not come out even.
    let lengths = [(4, 4), (7, 4), (9, 3), (48, 3)]
    let files = kinds.flatMap { codec, containers in containers.map { (codec, $0) } }
    let parts = [Rational(25, 1), Rational(30000, 1001)].flatMap { rate in lengths.map { (rate, $0) } }
    return TableSelection.pairs(files, parts, each: 1).map { file, part in
      Case(codec: file.0, container: file.1, rate: part.0, frames: part.1.0, segments: part.1.1)
    }
  }()

  private static func isAvailable(_ codec: VideoEncodingSettings.Codec) -> Bool {
    VideoEncodingSettings(codec: codec).isAvailable
  }

  @Test(arguments: cases)
  func join_ofParts_isTheMovie(_ row: Case) async throws {
    try #require(Self.isAvailable(row.codec), "there is no encoder for \(row.codec.rawValue)")
    let name = "movie.\(row.container)"
    let movie = try await PlannedMovie(
      name, codec: row.codec, rate: row.rate, frames: row.frames, segments: row.segments)
    #expect(movie.plan.segmentCount == row.segments && movie.plan.movie?.frameCount == row.frames)
    try await movie.render(movie.plan.parts.reversed())
    let joined = try await movie.join(name)
    let bytes = try Data(contentsOf: URL(filePath: joined))

    // Another machine: the same plan in another folder, its parts in another order.
    let other = try await PlannedMovie(
      name, codec: row.codec, rate: row.rate, frames: row.frames, segments: row.segments, folder: movie.folder)
    #expect(other.file.name == movie.file.name)
    try FileManager.default.removeItem(atPath: other.parts.path)
    try await other.render()
    #expect(try Data(contentsOf: URL(filePath: await other.join("again.\(row.container)"))) == bytes)

    let plain = try await movie.plain("plain.\(row.container)")
    try compareVideo(joined, plain, movie, row)
    try compareAudio(joined, plain)
    let (own, others) = (try Probe.facts(joined), try Probe.facts(plain))
    #expect(own == others, "\(row): \(Set(own).symmetricDifference(others).sorted())")
  }

  private func compareVideo(_ joined: String, _ plain: String, _ movie: PlannedMovie, _ row: Case) throws {
    let (packets, others) = (try Probe.packets(joined, "v:0"), try Probe.packets(plain, "v:0"))
    #expect(packets.count == row.frames)
    let base = try Probe.entry("time_base", "v:0", of: joined).split(separator: "/").compactMap { Int($0) }
    try #require(base.count == 2)
    let times = packets.compactMap(\.time).sorted()
    let expected = (0..<row.frames).map { frame in
      // Halves go up, as libavformat rounds.
      let (over, under) = (frame * Int(row.rate.denominator) * base[1], Int(row.rate.numerator) * base[0])
      return Int64((2 * over + under) / (2 * under))
    }
    #expect(times == expected, "\(row): the picture's times are those of the plan, the first is 0")
    #expect(times == others.compactMap(\.time).sorted())
    let decodeTimes = packets.compactMap(\.decodeTime)
    #expect(zip(decodeTimes, decodeTimes.dropFirst()).allSatisfy { $0 < $1 }, "\(row): \(decodeTimes)")
    #expect(packets.allSatisfy { ($0.decodeTime ?? 0) <= ($0.time ?? 0) })
    // What decoders show of the movie is what they show of its parts.
    var shown: [String] = []
    for segment in 0..<row.segments { shown += try Probe.frames(movie.parts.path(of: .segment(segment))) }
    let decoded = try Probe.frames(joined)
    #expect(decoded == shown)
    if [.ffv1, .proRes].contains(row.codec) {
      // Each frame is coded by itself: the very frames, packets and times of one render.
      #expect(decoded == (try Probe.frames(plain)))
      #expect(packets == others)
    }
  }

  private func compareAudio(_ joined: String, _ plain: String) throws {
    let (own, others) = (try Probe.packets(joined, "a:0"), try Probe.packets(plain, "a:0"))
    #expect(own == others && !own.isEmpty)
    #expect(try Probe.frames(joined, "0:a:0") == Probe.frames(plain, "0:a:0"))
  }

  /// A cut inside a dissolve, too far from its ends to be moved there: the frames on both sides are those of one render.
  @Test(arguments: [VideoEncodingSettings.Codec.ffv1, .proRes])
  func frames_ofACutWithinADissolve_areThoseOfOneRender(_ codec: VideoEncodingSettings.Codec) async throws {
    let movie = try await PlannedMovie("movie.mov", codec: codec, rate: Rational(30000, 1001), frames: 48, segments: 2)
    let outline = try await ExportOutline(
      of: movie.project.composition, to: try OutputName(path: "movie.mov"), settings: movie.settings)
    let starts = outline.plan.instructions.map { outline.plan.schedule.frameCount(until: $0.timeRange.start) }
    // The dissolve is from frame 16 to frame 32.
    #expect(starts == [0, 16, 32] && movie.plan.cuts == [0, 24], "\(starts), \(movie.plan.cuts)")
    try await movie.render()
    let (joined, plain) = (try await movie.join("movie.mov"), try await movie.plain("plain.mov"))
    #expect(try Probe.packets(joined, "v:0") == Probe.packets(plain, "v:0"))
    let frames = try Probe.frames(joined)
    #expect(try frames == Probe.frames(plain) && Set(frames).count == 48)
  }

  /// One segment is one render: the whole movie is the same in all that is written of it.
  @Test(arguments: ["mp4", "mov", "mkv"])
  func join_ofOneSegment_hasThePacketsOfOneRender(_ container: String) async throws {
    let name = "movie.\(container)"
    let movie = try await PlannedMovie(name, codec: .h264, rate: Rational(25, 1), frames: 40, segments: 1) {
      // B frames, so that packets are not in the order of frames; an index after the media, so that no room is kept for it before them.
      $0.video.speed = .medium
      $0.fastStart = false
    }
    try await movie.render()
    let joined = try await movie.join(name)
    let plain = try await movie.plain("plain.\(container)")
    #expect(try Probe.packets(joined, "v:0") == Probe.packets(plain, "v:0"))
    #expect(try Probe.packets(joined, "a:0") == Probe.packets(plain, "a:0"))
    #expect(try Probe.facts(joined) == Probe.facts(plain))
    #expect(try Data(contentsOf: URL(filePath: joined)) == Data(contentsOf: URL(filePath: plain)))
  }

  /// Audio of every codec, alone in its part, is that of one render.
  @Test(arguments: [
    ("mp4", AudioEncodingSettings.Codec.aac), ("mp4", .alac), ("mp4", .mp3), ("mp4", .opus), ("mov", .pcmInt16),
    ("mov", .pcmInt24),
    ("mov", .pcmFloat32), ("mov", .aac), ("mkv", .opus), ("mkv", .flac), ("mkv", .mp3), ("mkv", .pcmInt16), ("mkv", .aac),
  ])
  func audio_ofEveryCodec_isThatOfOneRender(_ container: String, _ codec: AudioEncodingSettings.Codec) async throws {
    let name = "movie.\(container)"
    let movie = try await PlannedMovie(name, codec: .h264, rate: Rational(30000, 1001), frames: 50, segments: 5) {
      $0.audio = AudioEncodingSettings(codec: codec)
    }
    try await movie.render()
    let joined = try await movie.join(name)
    let plain = try await movie.plain("plain.\(container)")
    #expect(try samples(joined) == samples(plain))
    if !codec.rawValue.hasPrefix("pcm") {
      #expect(try Probe.packets(joined, "a:0") == Probe.packets(plain, "a:0"))
    }
    let (own, others) = (try Probe.facts(joined), try Probe.facts(plain))
    #expect(own == others, "\(Set(own).symmetricDifference(others).sorted())")
  }

  private func samples(_ path: String) throws -> Data {
    try runProgram(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le", "-"])
  }

  /// A tone through the whole movie has no step at any cut: its samples follow one curve.
  @Test func tone_throughTheMovie_isContinuous() async throws {
    let movie = try await PlannedMovie("movie.mov", codec: .proRes, rate: Rational(30000, 1001), frames: 60, segments: 9) {
      $0.audio = AudioEncodingSettings(codec: .pcmFloat32)
    }
    try await movie.render(movie.plan.parts.reversed())
    let joined = try await movie.join("movie.mov")
    let data = try samples(joined)
    let values = data.withUnsafeBytes { bytes in
      (0..<data.count / 8).map { Double(bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Float.self)) }
    }
    let expected = 60 * 1001 * 48_000 / 30_000
    #expect(values.count == expected)
    // Of a sine of 440 Hz, each sample follows from the two before: x[n] = 2 cos(ω) x[n−1] − x[n−2].
    let factor = 2 * cos(2 * Double.pi * 440 / 48_000)
    let range = 2..<values.count
    let loudest = range.map { abs(values[$0]) }.max() ?? 0
    let step = range.map { abs(values[$0] - factor * values[$0 - 1] + values[$0 - 2]) }.max() ?? 1
    #expect(loudest > 0.01 && step < 1e-4, "\(loudest), \(step)")
  }
}
