import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestMedia
import CompositorTestSupport
import Testing

/// Images that move are movies with their own frame times.
struct AnimatedImageTests {
  /// Presentation times of a file's packets in s, and the end of the last, by ffprobe. From FFmpeg 7 on it lists the still item of
  /// an AVIF as a stream of its own, before the movie.
  private func packetTimes(_ path: String) throws -> [Double] {
    let asked = ["-select_streams", "v", "-show_entries", "packet=stream_index,pts_time,duration_time", "-of", "csv=p=0"]
    let lines = try runTool("ffprobe", ["-v", "error"] + asked + [path])
    let rows = lines.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
    let streams = Dictionary(grouping: rows) { $0.first ?? -1 }
    let packets = try #require(streams.values.max { $0.count < $1.count })
    let last = try #require(packets.last)
    try #require(packets.allSatisfy { $0.count >= 2 } && last.count == 3)
    return packets.map { $0[1] } + [last[1] + last[2]]
  }

  /// Times at which another frame is shown, and the end.
  private func frameTimes(_ path: String) throws -> [Double] {
    let reader = try MediaOpener.openVideo(.file(path: path))
    let end = reader.info.timeRange.end
    var times: [Double] = []
    var time = reader.info.timeRange.start
    while time < end {
      let shown = try #require(try reader.frame(at: time))
      #expect(shown.presentationTime == time)
      times.append(time.seconds)
      time = time + shown.duration
    }
    return times + [end.seconds]
  }

  // Frames of unequal lengths: 0.1 s, 0.3 s, 0.1 s, 0.5 s.
  private static let source =
    "testsrc=s=62x38:r=10:d=1,select='eq(n,0)+eq(n,1)+eq(n,4)+eq(n,5)'"

  @Test(arguments: [
    ("gif", ["-f", "gif"]), ("apng", ["-f", "apng", "-pix_fmt", "rgb24"]), ("png", ["-f", "apng", "-pix_fmt", "gray"]),
    ("avif", ["-c:v", "libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p"]),
  ])
  func animations_ofEveryKind_haveTheirPacketsTimes(name: String, arguments: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "a.\(name)", ["-f", "lavfi", "-i", AnimatedImageTests.source, "-fps_mode", "passthrough"] + arguments)
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.videoTracks.map(\.isStill) == [false] && info.duration.isNumeric)
    let (expected, found) = (try packetTimes(path), try frameTimes(path))
    #expect(expected.count == 5 && found.count == 5, "\(found)")
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found), \(expected)")
  }

  /// A last frame that is shorter than the others is shown as long as the file states. At no more than four frames a second, the
  /// track's rate is one whose frames end with it.
  @Test(arguments: [
    // The rate of the frames and their number, the duration of the last one in 1/100 s, the track's rate.
    ("1/3", 2, 20, Rational(5, 1)), ("1/1", 3, 20, Rational(5, 1)), ("5/3", 2, 10, Rational(10, 1)),
    ("1/2", 4, 50, Rational(2, 1)), ("1/1", 3, 100, Rational(1, 1)), ("10/1", 3, 3, Rational(10, 1)),
    ("30/1", 9, 3, Rational(30, 1)),
  ])
  func shortLastFrame_isShownAsLongAsStated(_ rate: String, _ count: Int, _ last: Int, _ expected: Rational) throws {
    let scratch = try TemporaryFolder()
    let source = ["-f", "lavfi", "-i", "testsrc=s=62x38:r=\(rate)", "-frames:v", "\(count)", "-fps_mode", "passthrough"]
    for (name, options) in [
      ("a.gif", ["-final_delay", "\(last)"]), ("a.apng", ["-f", "apng", "-final_delay", "\(last)/100"]),
    ] {
      let path = try scratch.make(name, source + options)
      let stated = try packetTimes(path)
      try #require(abs(stated[count] - stated[count - 1] - Double(last) / 100) < 0.001)
      // A frame at 30 a second is not shorter because its duration is rounded.
      let end = rate == "30/1" ? 0.3 : stated[count]
      let track = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first)
      #expect(abs(track.timeRange.end.seconds - end) < 0.0002, "\(name): \(track.timeRange), \(stated)")
      // Each frame is shown until the next one; the last one until the end.
      if rate != "30/1" { #expect(abs(try #require(frameTimes(path).last) - end) < 0.0002, "\(name)") }
      let cadence = try #require(track.cadence)
      #expect(cadence.isRegular && abs(cadence.rate.value - expected.value) < 0.01, "\(name): \(cadence)")
    }
  }

  @Test func animatedGrayPNG_framesAsFFmpegsStills() throws {
    let scratch = try TemporaryFolder()
    let source = ["-f", "lavfi", "-i", "testsrc=s=62x38:r=10:d=0.3"]
    let path = try scratch.make("a.apng", source + ["-f", "apng", "-pix_fmt", "gray"])
    let reader = try MediaOpener.openVideo(.file(path: path))
    #expect(reader.info.format == .rgba && reader.info.attributes.color == .sRGB)
    _ = try scratch.make("s_%d.png", source + ["-pix_fmt", "gray"])
    for index in 0..<3 {
      let shown = try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 10)))
      let still = try #require(try MediaOpener.openVideo(.file(path: scratch.file("s_\(index + 1).png"))).frame(at: .zero))
      #expect(checksum(shown.frame) == checksum(still.frame))
    }
  }

  /// The durations in a WebP are milliseconds: the rate that they were rounded from is found again.
  @Test(arguments: [
    Rational(10, 1), Rational(12, 1), Rational(15, 1), Rational(24, 1), Rational(30000, 1001), Rational(30, 1),
    Rational(60, 1),
  ])
  func animatedWebP_hasTheRateThatItsTimesWereRoundedFrom(_ rate: Rational) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "a.webp",
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=\(rate.numerator)/\(rate.denominator):duration=2", "-c:v",
        "libwebp_anim",
      ])
    let info = try MediaProbe.probe(.file(path: path))
    let track = try #require(info.videoTracks.first)
    let count = Int((2 * rate.value).rounded(.up))
    #expect(track.nominalFrameRate == rate, "\(track.nominalFrameRate)")
    #expect(track.timeRange.end == rate.frameDuration.multiplied(by: Int64(count), over: 1), "\(track.timeRange)")
    let reader = try MediaOpener.openVideo(.file(path: path))
    let starts = try (0..<count).map { number in
      try reader.frame(at: rate.frameDuration.multiplied(by: Int64(number), over: 1))?.presentationTime
    }
    #expect(starts == (0..<count).map { rate.frameDuration.multiplied(by: Int64($0), over: 1) })
  }

  /// libwebp stores what changes: parts of the canvas, mixed or replaced. Every canvas equals the picture that went in.
  @Test(arguments: [false, true])
  func animatedWebP_lossless_showsEveryFrameThatWentIn(hasAlpha: Bool) throws {
    let scratch = try TemporaryFolder()
    let alpha = hasAlpha ? ",format=bgra,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(mod(X+4*N,20),9),0,255)'" : ""
    let source = ["-f", "lavfi", "-i", "testsrc=s=62x38:r=10:d=1\(alpha)"]
    let path = try scratch.make(
      "a.webp", source + ["-c:v", "libwebp_anim", "-lossless", "1", "-pix_fmt", "bgra", "-loop", "0"])
    _ = try scratch.make("s_%d.png", source + ["-pix_fmt", hasAlpha ? "rgba" : "rgb24"])
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.duration == MediaTime(value: 1000, timescale: 1000))
    #expect(info.videoTracks.first?.isStill == false && info.container == "webp")
    let reader = try MediaOpener.openVideo(.file(path: path))
    // In order, then backwards and across.
    for index in Array(0..<10) + [3, 9, 0, 5, 4] {
      let shown = try #require(try reader.frame(at: MediaTime(value: Int64(2 * index + 1), timescale: 20)))
      let still = try #require(try MediaOpener.openVideo(.file(path: scratch.file("s_\(index + 1).png"))).frame(at: .zero))
      let difference = visibleDifference(shown.frame, still.frame)
      #expect(difference <= 1, "frame \(index) differs by \(difference)")
      #expect(shown.presentationTime <= MediaTime(value: Int64(2 * index + 1), timescale: 20))
    }
    #expect(try reader.frame(at: MediaTime(value: -1, timescale: 10)) == nil)
  }

  /// The largest difference of color times alpha, or of alpha, of two `rgba` frames.
  private func visibleDifference(_ left: Frame, _ right: Frame) -> Int {
    let (a, b) = (packedBytes(left).map(Int.init), packedBytes(right).map(Int.init))
    guard a.count == b.count else { return 255 }
    return a.indices.map { index in
      let alpha = index | 3
      return index == alpha ? abs(a[index] - b[index]) : abs(a[index] * a[alpha] - b[index] * b[alpha]) / 255
    }.max() ?? 0
  }

  @Test(arguments: [
    ("webp", ["-c:v", "libwebp_anim"]), ("apng", ["-f", "apng"]), ("gif", []),
    ("avif", ["-c:v", "libaom-av1", "-cpu-used", "8"]),
  ])
  func animations_ofOnePicture_areStills(name: String, arguments: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make("a.\(name)", ["-f", "lavfi", "-i", "testsrc=s=62x38", "-frames:v", "1"] + arguments)
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.videoTracks.map(\.isStill) == [true] && info.duration == .positiveInfinity)
  }

  @Test(arguments: [
    ("gif", ["-f", "gif"]), ("apng", ["-f", "apng"]), ("webp", ["-c:v", "libwebp_anim"]),
    ("avif", ["-c:v", "libaom-av1", "-cpu-used", "8"]),
  ])
  func animations_cutShort_areErrorsOrSaidToBeCut(name: String, arguments: [String]) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make("a.\(name)", ["-f", "lavfi", "-i", "testsrc2=s=62x38:r=10:d=1"] + arguments)
    let data = try Data(contentsOf: URL(filePath: path))
    for part in [2, 4, 10] {
      try data.prefix(data.count - data.count / part).write(to: URL(filePath: path))
      do {
        // AVIF says what is missing; the rest is a movie, and is read as other movies that are cut short.
        let info = try MediaProbe.probe(.file(path: path))
        #expect(info.container == "avif" && info.warnings.contains { $0.kind == .truncated }, "1/\(part) missing")
      } catch {
        #expect(error.code == .truncatedMedia || error.code == .unreadableMedia, "1/\(part) missing: \(error)")
      }
    }
  }
}
