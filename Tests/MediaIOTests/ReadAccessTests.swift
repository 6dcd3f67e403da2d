import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

/// Random access on media made for the hard cases, each compared with reading from the start and with ffmpeg.
struct ReadAccessTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String]
    var testDescription: String { name }
  }

  static let moving = ["-f", "lavfi", "-i", "testsrc2=d=4:s=96x64:r=25"]
  static let cases = [
    Case(name: "bframes.mp4", arguments: moving + ["-c:v", "libx264", "-bf", "3", "-g", "30", "-pix_fmt", "yuv420p"]),
    Case(
      name: "opengop.mp4",
      arguments: moving + ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=20:bframes=3", "-pix_fmt", "yuv420p"]),
    Case(
      name: "opengop.ts",
      arguments: moving + ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=20:bframes=3", "-pix_fmt", "yuv420p"]),
    Case(name: "cra.mkv", arguments: moving + ["-c:v", "libx265", "-x265-params", "log-level=0:keyint=20:open-gop=1"]),
    Case(name: "intra-refresh.mp4", arguments: moving + ["-c:v", "libx264", "-x264-params", "intra-refresh=1:keyint=20"]),
    Case(name: "mpeg2.ts", arguments: moving + ["-c:v", "mpeg2video", "-bf", "2", "-g", "15", "-b:v", "2M"]),
    Case(name: "mpeg2.mpg", arguments: moving + ["-c:v", "mpeg2video", "-bf", "2", "-g", "15", "-b:v", "2M"]),
    Case(name: "mpeg4.avi", arguments: moving + ["-c:v", "mpeg4", "-bf", "2", "-g", "25"]),
    Case(name: "vp9.webm", arguments: moving + ["-c:v", "libvpx-vp9", "-g", "30", "-cpu-used", "8"]),
    Case(name: "ffv1.mkv", arguments: moving + ["-c:v", "ffv1", "-pix_fmt", "yuv444p12le"]),
    Case(name: "huffyuv.avi", arguments: moving + ["-c:v", "huffyuv", "-pix_fmt", "yuv422p"]),
    Case(name: "fragmented.mp4", arguments: moving + ["-c:v", "libx264", "-g", "25", "-movflags", "frag_keyframe+empty_moov"]),
    Case(
      name: "variable.mkv",
      arguments: moving + ["-vf", "select='not(mod(n,3))+eq(mod(n,7),2)'", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", "2"]),
    Case(name: "late.ts", arguments: moving + ["-c:v", "libx264", "-g", "25", "-output_ts_offset", "100"]),
    Case(name: "mjpeg.mov", arguments: moving + ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]),
    Case(name: "prores.mov", arguments: moving + ["-c:v", "prores_ks", "-profile:v", "3", "-pix_fmt", "yuv422p10le"]),
  ]

  @Test(arguments: cases)
  func randomAccess_hardCase_equalsSequentialAndFFmpeg(hard: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(hard.name, hard.arguments)
    let track = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first)
    let comparison = ReadMediaSetTests()
    let row = try comparison.compare(path, track, label: hard.name)
    #expect(row.frames > 30 && row.boundaryMismatches + row.randomMismatches + row.ffmpegMismatches == 0, "\(row)")
    // Media time begins at the container's start, whatever its clock says.
    #expect(track.timeRange.start.seconds < 0.2)
    #expect(abs(track.timeRange.end.seconds - 4) < 0.2)
  }

  @Test func everyFrame_backwards_equalsSequential() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make("b.mp4", Self.cases[0].arguments)
    for cacheByteCount in [0, 5 * 96 * 64 * 3 / 2, 64 << 20] {
      let reader = try MediaOpener.openVideo(.file(path: path), options: VideoReaderOptions(cacheByteCount: cacheByteCount))
      let sums = try (0..<100).map { index in
        checksum(try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 25))).frame)
      }
      #expect(Set(sums).count == 100)
      for index in (0..<100).reversed() {
        let shown = try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 25)))
        #expect(shown.presentationTime == MediaTime(value: Int64(index), timescale: 25))
        #expect(shown.duration == MediaTime(value: 1, timescale: 25))
        #expect(checksum(shown.frame) == sums[index])
      }
    }
  }

  @Test func threadCounts_oneAndFour_giveTheSameFrames() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make("b.mp4", Self.cases[1].arguments)
    let sums = try [1, 4].map { count in
      let reader = try MediaOpener.openVideo(.file(path: path), options: VideoReaderOptions(threadCount: count))
      return try (0..<100).map { index in
        checksum(try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 25))).frame)
      }
    }
    #expect(sums[0] == sums[1])
  }

  @Test func oddTimes_beforeAndAfterAndNone_areAnswered() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make("b.mkv", ["-f", "lavfi", "-i", "testsrc2=d=1:s=64x48:r=10", "-c:v", "ffv1"])
    let reader = try MediaOpener.openVideo(.file(path: path))
    #expect(try reader.frame(at: MediaTime(value: -1, timescale: 1000)) == nil)
    let last = try #require(try reader.frame(at: MediaTime(value: 1 << 60, timescale: 1)))
    #expect(last.presentationTime == MediaTime(value: 9, timescale: 10))
    #expect(try reader.frame(at: MediaTime(value: -(1 << 60), timescale: 1)) == nil)
    #expect(try #require(try reader.frame(at: .zero)).presentationTime == .zero)
    for time in [MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(throws: CompositorError.self) { try reader.frame(at: time) }
    }
    #expect(throws: CompositorError.self) { try MediaOpener.openVideo(.file(path: path), trackIndex: 1) }
    #expect(throws: CompositorError.self) { try MediaOpener.openVideo(.file(path: path), trackIndex: -1) }
  }

  @Test func frames_outliveTheirReader() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make("b.mp4", Self.cases[0].arguments)
    var held: [(Frame, UInt32)] = []
    do {
      let reader = try MediaOpener.openVideo(.file(path: path))
      for index in 0..<40 {
        let frame = try #require(try reader.frame(at: MediaTime(value: Int64(index), timescale: 25))).frame
        held.append((frame, checksum(frame)))
      }
    }
    #expect(held.allSatisfy { checksum($0.0) == $0.1 })
  }

  @Test(arguments: ["gray", "rgb24", "gbrp10le", "yuv411p", "pal8", "yuv420p"])
  func formats_withoutEquivalent_areConvertedWithoutLoss(format: String) throws {
    let scratch = try TemporaryFolder()
    let codec = format == "pal8" ? ["-c:v", "gif"] : ["-c:v", "ffv1", "-pix_fmt", format]
    let path = try scratch.make(
      format == "pal8" ? "a.gif" : "a.mkv", ["-f", "lavfi", "-i", "testsrc2=d=0.3:s=64x48:r=10"] + codec)
    let shown = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)).frame
    let expected = [
      "gray": "yuv420p", "rgb24": "rgba", "gbrp10le": "rgba64", "yuv411p": "yuv422p", "pal8": "bgra", "yuv420p": "yuv420p",
    ]
    #expect(shown.format.name == expected[format])
    guard shown.format.isRGB, shown.format.bitDepth == 8 else { return }
    let line = try runTool(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-frames:v", "1", "-pix_fmt", shown.format.name, "-f", "framecrc", "-"]
    ).split(separator: "\n").last
    let sum = line?.split(separator: ",").last.flatMap {
      UInt32($0.trimmingCharacters(in: .whitespaces).dropFirst(2), radix: 16)
    }
    #expect(checksum(shown) == sum)
  }

  @Test(arguments: [Deinterlacing.sameRate, .doubleRate])
  func deinterlacing_randomAccess_equalsSequential(mode: Deinterlacing) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "i.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=d=2:s=96x64:r=50", "-vf", "interlace=lowpass=0", "-c:v", "libx264", "-flags",
        "+ildct+ilme", "-g", "12", "-bf", "2", "-pix_fmt", "yuv420p",
      ])
    let options = VideoReaderOptions(deinterlacing: mode)
    let reader = try MediaOpener.openVideo(.file(path: path), options: options)
    let step: Int64 = mode == .doubleRate ? 1 : 2
    let times = stride(from: Int64(0), to: 98, by: Int64.Stride(step)).map { MediaTime(value: $0, timescale: 50) }
    let sums = try times.map { time in
      let shown = try #require(try reader.frame(at: time))
      #expect(shown.presentationTime == time)
      return checksum(shown.frame)
    }
    let other = try MediaOpener.openVideo(.file(path: path), options: options)
    var random = ReadRandom(state: 3)
    for _ in 0..<20 {
      let index = Int.random(in: 0..<times.count, using: &random)
      #expect(checksum(try #require(try other.frame(at: times[index])).frame) == sums[index])
    }
    let plain = try MediaOpener.openVideo(.file(path: path))
    #expect(checksum(try #require(try plain.frame(at: times[6])).frame) != sums[6])
  }
}
