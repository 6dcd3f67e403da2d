import CompositorAPI
import Foundation
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Testing

@Suite struct WriteMovieTests {
  struct Case: CustomTestStringConvertible {
    let container: MovieContainer
    let codec: VideoEncodingSettings.Codec
    let format: PixelFormat
    let codecName: String
    var color = ColorTags.bt709
    var decodedFormat: String?
    var testDescription: String { "\(container.rawValue) \(codec.rawValue) \(format.name)" }
  }

  static let cases: [Case] = [
    Case(container: .mp4, codec: .h264, format: .yuv420p, codecName: "h264"),
    Case(container: .mov, codec: .h264, format: .nv12, codecName: "h264", decodedFormat: "yuv420p"),
    Case(container: .m4v, codec: .h264, format: .yuv420p, codecName: "h264", color: .bt601_625),
    Case(container: .mkv, codec: .h264, format: .yuv422p10, codecName: "h264"),
    Case(container: .mp4, codec: .h264, format: .yuv444p, codecName: "h264", color: .bt601_525),
    Case(container: .mp4, codec: .hevc, format: .yuv420p, codecName: "hevc"),
    Case(container: .mov, codec: .hevc, format: .yuv420p10, codecName: "hevc", color: .bt2100HLG),
    Case(container: .mkv, codec: .hevc, format: .planar(.s444, bitDepth: 12), codecName: "hevc"),
    Case(container: .mov, codec: .proRes, format: .yuv422p10, codecName: "prores"),
    Case(container: .mkv, codec: .proRes, format: .yuv422p10, codecName: "prores"),
    Case(container: .mov, codec: .proRes, format: .planar(.s444, bitDepth: 10, alpha: true), codecName: "prores"),
    Case(container: .mkv, codec: .ffv1, format: .yuv420p, codecName: "ffv1"),
    Case(container: .mov, codec: .ffv1, format: .planar(.s422, bitDepth: 12), codecName: "ffv1", color: .bt2100PQ),
  ]

  @Test(arguments: cases)
  func write_eachCodecAndContainer_isWhatTheProbeSays(_ item: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("movie.partial")
    let attributes = FrameAttributes(color: item.color, pixelAspectRatio: Rational(8, 6), alphaMode: .straight)
    let frameDuration = MediaTime(value: 1001, timescale: 30000)
    let size = PixelSize(width: 98, height: 66)
    let description = MovieDescription(
      container: item.container,
      video: VideoTrackDescription(
        size: size, format: item.format, attributes: attributes, timing: .constant(frameDuration: frameDuration),
        encoding: VideoEncodingSettings(codec: item.codec, speed: .ultrafast, threadCount: 2)),
      audio: AudioEncodingSettings())
    let summary = try writeMovie(description, to: path, frameCount: 31, frameDuration: frameDuration)
    #expect(summary.frameCount == 31)
    #expect(summary.duration == MediaTime(value: 31031, timescale: 30000))
    #expect(summary.audioSampleCount == 49650)

    let probe = try WriteProbe(path)
    let video = try probe.stream("video")
    #expect(video.codec_name == item.codecName)
    #expect(video.width == size.width && video.height == size.height)
    #expect(video.sample_aspect_ratio == "4:3")
    #expect(video.nb_read_frames == "31")
    // QuickTime's color atom has no range, nor have FFV1 and ProRes: ffprobe takes ProRes as limited up to FFmpeg 6.
    let isUnsaid = item.container == .mov && [.ffv1, .proRes].contains(item.codec)
    #expect(video.color_range == "tv" || isUnsaid && video.color_range == nil)
    #expect(video.color_primaries == Self.primaries[item.color.primaries.rawValue])
    #expect(video.color_transfer == Self.transfers[item.color.transfer.rawValue])
    #expect(video.color_space == Self.matrices[item.color.matrix.rawValue])
    if item.codec != .proRes {
      let expected = item.decodedFormat ?? item.format.name + (item.format.bitDepth > 8 ? "le" : "")
      #expect(video.pix_fmt == expected)
    }
    try checkTimes(probe, container: item.container)
    #expect(probe.format.tags?["creation_time"] == nil)
  }

  private func checkTimes(_ probe: WriteProbe, container: MovieContainer) throws {
    let video = try probe.stream("video")
    let audio = try probe.stream("audio")
    #expect(video.avg_frame_rate == "30000/1001")
    if container == .mkv {
      let seconds = try #require(probe.format.duration.flatMap(Double.init))
      // A delay that the file declares is before the start, and counts.
      let delay = Double(audio.initial_padding ?? 0) / 48000
      #expect(abs(seconds - delay - 31 * 1001 / 30000) < 0.002)
    } else {
      #expect(video.r_frame_rate == "30000/1001")
      #expect(video.time_base == "1/30000" && video.duration_ts == 31031 && video.start_pts == 0)
      #expect(audio.time_base == "1/48000" && audio.duration_ts == 49650 && audio.start_pts == 0)
    }
  }

  static let primaries: [UInt8: String] = [1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020"]
  static let transfers: [UInt8: String] = [1: "bt709", 6: "smpte170m", 16: "smpte2084", 18: "arib-std-b67"]
  static let matrices: [UInt8: String] = [1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020nc"]

  @Test(arguments: [
    PixelFormat.yuv420p, .yuv444p10, .planar(.s420, bitDepth: 8, alpha: true), .bgra, .rgba16,
    .planar(.s422, bitDepth: 16), .planar(.s444, bitDepth: 12), .planar(.s444, bitDepth: 10, alpha: true),
  ])
  func writeFFV1_oddSize_decodesToTheSameBits(_ format: PixelFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lossless.mkv")
    let size = PixelSize(width: 75, height: 43)
    let color = format.isRGB ? ColorTags.sRGB : .bt709
    let attributes = FrameAttributes(color: color, alphaMode: format.hasAlpha ? .straight : .opaque)
    let description = MovieDescription(
      container: .mkv,
      video: VideoTrackDescription(
        size: size, format: format, attributes: attributes,
        timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
        encoding: VideoEncodingSettings(codec: .ffv1)))
    try writeMovie(description, to: path, frameCount: 3)
    let name = format.bitDepth > 8 ? format.name + "le" : format.name
    let decoded = try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", name, "-fps_mode", "passthrough", "-"])
    let expected = (0..<3).flatMap { packedBytes(patternFrame(format, size, index: $0)) }
    #expect(Array(decoded) == expected)
  }

  @Test func writeProRes4444_alpha_decodesClose() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("alpha.mov")
    let (format, size) = (PixelFormat.planar(.s444, bitDepth: 10, alpha: true), PixelSize(width: 128, height: 64))
    let writer = try MovieWriter(
      MovieDescription(
        container: .mov,
        video: VideoTrackDescription(
          size: size, format: format, attributes: FrameAttributes(alphaMode: .straight),
          timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
          encoding: VideoEncodingSettings(codec: .proRes))), path: path)
    let frame = patternFrame(format, size, index: 0, noise: 1)
    try writer.append(frame, at: .zero, duration: MediaTime(value: 1, timescale: 25))
    _ = try writer.finish()
    #expect(try WriteProbe(path).stream("video").codec_tag_string == "ap4h")
    let decoded = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuva444p10le", "-"])
    let (given, found) = (words(packedBytes(frame)), words(Array(decoded)))
    try #require(given.count == found.count)
    let area = size.width * size.height
    var (alphaError, lumaError) = (0, 0)
    for index in 0..<area {
      alphaError = max(alphaError, abs(given[3 * area + index] - found[3 * area + index]))
      lumaError += abs(given[index] - found[index])
    }
    #expect(alphaError <= 1)
    #expect(lumaError < 12 * area)
  }

  @Test func write_variableFrameTimes_areKept() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("vfr.mp4")
    let times: [Int64] = [0, 40, 50, 130, 131, 400, 2000, 2010, 2011, 5000]
    let writer = try MovieWriter(
      MovieDescription(
        container: .mp4,
        video: VideoTrackDescription(
          size: PixelSize(width: 64, height: 64), format: .yuv420p,
          timing: .variable(timescale: 57600, nominalFrameRate: Rational(30, 1)),
          encoding: VideoEncodingSettings(speed: .veryfast))), path: path)
    for (index, time) in times.enumerated() {
      let next = index + 1 < times.count ? times[index + 1] : time + 77
      try writer.append(
        patternFrame(.yuv420p, PixelSize(width: 64, height: 64), index: index),
        at: MediaTime(value: time, timescale: 57600), duration: MediaTime(value: next - time, timescale: 57600))
    }
    _ = try writer.finish()
    let listed = try runProgram(
      "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts", "-of", "csv=p=0", path])
    let found = String(decoding: listed, as: UTF8.self).split(whereSeparator: { !$0.isNumber }).compactMap { Int64($0) }
    #expect(found == times)
    #expect(try WriteProbe(path).stream("video").duration_ts == 5077)
  }

  @Test(arguments: [VideoEncodingSettings.Codec.h264, .hevc, .ffv1, .proRes])
  func write_sameInputTwice_givesTheSameBytes(_ codec: VideoEncodingSettings.Codec) throws {
    let folder = try TemporaryFolder()
    let settings = VideoEncodingSettings(codec: codec, speed: .veryfast, threadCount: 2)
    let format = try #require(settings.acceptedFormat(nearest: .yuv420p))
    let description = MovieDescription(
      container: .mov,
      video: VideoTrackDescription(
        size: PixelSize(width: 320, height: 180), format: format,
        timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)), encoding: settings),
      audio: AudioEncodingSettings())
    func write(_ name: String) throws -> Data {
      try writeMovie(description, to: folder.file(name), frameCount: 60) {
        Float(sin(Double($0) * 0.05)) * 0.5 + Float($1) * 0.1
      }
      return try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }
    #expect(try write("a.mov") == write("b.mov"))
  }

  @Test func write_hdr10_isInStreamAndContainer() throws {
    let folder = try TemporaryFolder()
    let p3 = MasteringDisplay(
      red: Chromaticity(x: 0.680, y: 0.320), green: Chromaticity(x: 0.265, y: 0.690), blue: Chromaticity(x: 0.150, y: 0.060),
      white: Chromaticity(x: 0.3127, y: 0.3290), maximumLuminance: 1000, minimumLuminance: 0.005)
    let hdr = HDRMetadata(
      masteringDisplay: p3,
      contentLightLevel: ContentLightLevel(maximumContentLightLevel: 987, maximumFrameAverageLightLevel: 321))
    let description = MovieDescription(
      container: .mp4,
      video: VideoTrackDescription(
        size: PixelSize(width: 96, height: 64), format: .yuv420p10,
        attributes: FrameAttributes(color: .bt2100PQ, hdr: hdr),
        timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
        encoding: VideoEncodingSettings(codec: .hevc, speed: .ultrafast)))
    let path = folder.file("hdr.mp4")
    try writeMovie(description, to: path, frameCount: 4)
    let stream = String(decoding: try runProgram("ffprobe", ["-v", "error", "-show_streams", path]), as: UTF8.self)
    let frame = String(
      decoding: try runProgram("ffprobe", ["-v", "error", "-show_frames", "-read_intervals", "%+#1", path]), as: UTF8.self)
    for text in [stream, frame] {
      #expect(text.contains("red_x=34000/50000"))
      #expect(text.contains("max_luminance=10000000/10000"))
      #expect(text.contains("min_luminance=50/10000"))
      #expect(text.contains("max_content=987") && text.contains("max_average=321"))
    }
    #expect(frame.contains("chroma_location=topleft"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for box in ["mdcv", "clli", "colr", "nclx", "hvc1", "pasp"] { #expect(bytes.range(of: Data(box.utf8)) != nil, "\(box)") }
  }

  private func words(_ bytes: [UInt8]) -> [Int] {
    (0..<bytes.count / 2).map { Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8 }
  }

  @Test func encodingSettings_asJSON_keepTheirRoundTrip() throws {
    let settings = VideoEncodingSettings(codec: .hevc, quality: .constant(20), speed: .slow, keyFrameInterval: 12)
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(VideoEncodingSettings.self, from: data) == settings)
  }
}
