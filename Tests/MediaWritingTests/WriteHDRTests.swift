import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Testing

/// HDR tags and metadata of written files, in the boxes and in the bitstream, as ffprobe sees them.
@Suite struct WriteHDRTests {
  struct Case: CustomTestStringConvertible {
    let container: MovieContainer
    let codec: VideoEncodingSettings.Codec
    let color: ColorTags
    var testDescription: String { "\(container.rawValue) \(codec.rawValue) \(color.transfer.name)" }
  }

  static let cases: [Case] = [
    Case(container: .mp4, codec: .hevc, color: .bt2100PQ), Case(container: .mov, codec: .hevc, color: .bt2100PQ),
    Case(container: .mkv, codec: .hevc, color: .bt2100PQ), Case(container: .mp4, codec: .hevc, color: .bt2100HLG),
    Case(container: .mp4, codec: .av1, color: .bt2100PQ), Case(container: .mkv, codec: .av1, color: .bt2100PQ),
    Case(container: .mkv, codec: .av1, color: .bt2100HLG), Case(container: .mov, codec: .proRes, color: .bt2100PQ),
    Case(container: .mkv, codec: .ffv1, color: .bt2100HLG),
  ]

  @Test(arguments: cases)
  func hdrMovie_inBoxesAndBitstream_saysWhatItIs(_ item: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("movie.\(item.container.rawValue)")
    let hdr = item.color.transfer == .pq ? HDRMetadata.ofTests : nil
    try write(item, hdr: hdr, to: path)
    let probe = try HDRProbe(path)
    let (stream, frame) = (try #require(probe.streams.first), try #require(probe.frames.first))
    let transfer = item.color.transfer == .pq ? "smpte2084" : "arib-std-b67"
    #expect(stream.color_transfer == transfer && frame.color_transfer == transfer)
    #expect(stream.color_primaries == "bt2020" && stream.color_space == "bt2020nc")
    if item.codec == .hevc { #expect(stream.chroma_location == "topleft" && stream.profile == "Main 10") }
    // In the container, whatever the codec.
    #expect(HDRProbe.Levels(stream.side_data_list) == (hdr == nil ? nil : .expected))
    let isCodedInStream = item.codec == .hevc || item.codec == .av1
    let inFrames = HDRProbe.Levels(frame.side_data_list)
    // From FFmpeg 7 on, decoders repeat in each frame what the container says.
    #expect(inFrames == (hdr == nil ? nil : .expected) || !isCodedInStream && inFrames == nil)
    // And what we read back is what was written, up to the files' notations.
    let track = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first)
    #expect(track.attributes.hdr?.contentLightLevel == hdr?.contentLightLevel)
    #expect((track.attributes.hdr?.masteringDisplay?.maximumLuminance ?? 0) == (hdr == nil ? 0 : 1000))
  }

  @Test func av1_statesWhereItsChromaSits() throws {
    let folder = try TemporaryFolder()
    for (color, expected) in [(ColorTags.bt2100PQ, "topleft"), (.bt709, "left")] {
      let path = folder.file("\(expected).mkv")
      try write(Case(container: .mkv, codec: .av1, color: color), hdr: nil, to: path)
      let packets = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-c", "copy", "-f", "obu", "-"])
      #expect(!packets.isEmpty)
      let trace = try runTrace(path)
      #expect(trace.contains(expected == "left" ? "chroma_sample_position 01 = 1" : "chroma_sample_position 10 = 2"))
    }
  }

  @Test func av1_inQuickTime_isRefusedWithAnAlternative() throws {
    let item = Case(container: .mov, codec: .av1, color: .bt2100PQ)
    let folder = try TemporaryFolder()
    #expect {
      try write(item, hdr: nil, to: folder.file("a.mov"))
    } throws: { error in
      (error as? CompositorError)?.code == .unsupportedOutput
    }
  }

  /// What libavcodec's own reader finds in the sequence header.
  private func runTrace(_ path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-nostdin", "-v", "trace", "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-",
    ]
    let errors = Pipe()
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  private func write(_ item: Case, hdr: HDRMetadata?, to path: String) throws {
    let frameDuration = MediaTime(value: 1, timescale: 25)
    let format: PixelFormat = item.codec == .proRes ? .yuv422p10 : .yuv420p10
    let description = MovieDescription(
      container: item.container,
      video: VideoTrackDescription(
        size: PixelSize(width: 128, height: 96), format: format,
        attributes: FrameAttributes(color: item.color, hdr: hdr), timing: .constant(frameDuration: frameDuration),
        encoding: VideoEncodingSettings(codec: item.codec, speed: .ultrafast, threadCount: 2)))
    let summary = try writeMovie(description, to: path, frameCount: 5, frameDuration: frameDuration)
    #expect(summary.frameCount == 5)
  }
}

/// What ffprobe says of the first stream and its first frame.
struct HDRProbe: Decodable {
  struct SideData: Decodable {
    let side_data_type: String
    let max_luminance: String?
    let min_luminance: String?
    let red_x: String?
    let max_content: Int?
    let max_average: Int?
  }
  struct Part: Decodable {
    let profile: String?
    let color_transfer: String?
    let color_primaries: String?
    let color_space: String?
    let chroma_location: String?
    let pix_fmt: String?
    let side_data_list: [SideData]?
  }
  let streams: [Part]
  let frames: [Part]

  init(_ path: String) throws {
    let data = try runProgram(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_streams", "-show_frames", "-read_intervals", "%+#1", "-of", "json",
        path,
      ])
    self = try JSONDecoder().decode(HDRProbe.self, from: data)
  }

  /// Mastering display and light levels, rounded to what every notation keeps.
  struct Levels: Equatable {
    let maximumLuminance, minimumTimesThousand, redTimesThousand: Int
    let content, average: Int

    static let expected = Levels(
      maximumLuminance: 1000, minimumTimesThousand: 5, redTimesThousand: 708, content: 1000, average: 400)
  }
}

extension HDRProbe.Levels {
  /// Nil where there is neither.
  init?(_ list: [HDRProbe.SideData]?) {
    guard let list, let display = list.first(where: { $0.side_data_type.contains("Mastering") }),
      let light = list.first(where: { $0.side_data_type.contains("Content light") }), let content = light.max_content,
      let average = light.max_average
    else { return nil }
    func number(_ text: String?, _ scale: Double) -> Int {
      let terms = (text ?? "").split(separator: "/").compactMap { Double($0) }
      return terms.count == 2 ? Int((terms[0] / terms[1] * scale).rounded()) : -1
    }
    self.init(
      maximumLuminance: number(display.max_luminance, 1), minimumTimesThousand: number(display.min_luminance, 1000),
      redTimesThousand: number(display.red_x, 1000), content: content, average: average)
  }
}
