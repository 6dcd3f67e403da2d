import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

/// What a source is said to hold, against what is known of the files and what ffprobe says.
@Suite(.enabled(if: ReadMedia.isPresent, "the media set is not there"))
struct ProbeTests {
  func probe(_ name: String) throws -> MediaInfo { try MediaProbe.probe(.file(path: try ReadMedia.path(name))) }
  func video(_ name: String) throws -> VideoTrackInfo { try #require(try probe(name).videoTracks.first) }

  @Test func probe_everyFileOfTheSet_isStable() throws {
    for name in try ReadMedia.names() where !name.hasSuffix(".md") && !name.hasPrefix("8k") && !name.contains("4k60") {
      let source = MediaSource.file(path: try ReadMedia.path(name))
      let (first, second) = (try? MediaProbe.probe(source), try? MediaProbe.probe(source))
      #expect(first == second, "\(name)")
      guard let first else { continue }
      for track in first.videoTracks {
        #expect(track.timeRange.start >= .zero && track.timeRange.duration > .zero, "\(name)")
        #expect(track.preferredTransform.isFinite && abs(abs(track.preferredTransform.determinant) - 1) < 1e-9, "\(name)")
      }
      #expect(try JSONDecoder().decode(MediaInfo.self, from: try JSONEncoder().encode(first)) == first)
    }
  }

  @Test func timeRange_ofEachKindOfFile_isTheFramesOwn() throws {
    func check(_ name: String, _ start: (Int64, Int32), _ end: (Int64, Int32)) throws {
      let range = try video(name).timeRange
      #expect(range.start == MediaTime(value: start.0, timescale: start.1), "\(name)")
      #expect(range.end == MediaTime(value: end.0, timescale: end.1), "\(name)")
    }
    try check("karma.mp4", (0, 1), (1_087_086, 90_000))
    try check("edts.mp4", (0, 1), (9, 1))
    try check("edit_list_positive_shift.mp4", (1, 1), (10, 1))
    try check("sample_fragmented.mp4", (2002, 30_000), (32_032, 30_000))
    try check("100_0306.AVI", (0, 1), (41, 15))
  }

  @Test func preferredTransform_ofRotatedPhones_turnsUpright() throws {
    #expect(try video("video_0.mov").preferredTransform == .identity)
    let (w, h) = (568.0, 320.0)
    #expect(try video("video_90.mov").preferredTransform == AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: h, ty: 0))
    #expect(try video("video_270.mov").preferredTransform == AffineMatrix(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: w))
    #expect(try video("fire2.mp4").preferredTransform == AffineMatrix(a: -1, b: 0, c: 0, d: -1, tx: 1280, ty: 720))
    let reflected = try video("sample_rotate_and_reflect.mp4")
    #expect(reflected.preferredTransform.determinant == -1)
    #expect(reflected.displaySize == Size(width: 720, height: 1080))
  }

  @Test func color_ofTaggedAndUntaggedFiles_followsTheRule() throws {
    #expect(try video("karma.mp4").attributes.color.range == .full)
    #expect(try video("bt601.mp4").attributes.color == .bt601_525)
    let small = try video("bear-vp9-odd-dimensions.webm").attributes.color
    #expect(small.primaries == .bt601_525 && small.matrix == .bt601_525 && small.range == .limited)
    #expect(try video("sample.mp4").attributes.color == .bt709)
    let hlg = try video("hlg10-color-test.mp4").attributes.color
    #expect(hlg.primaries == .bt2020 && hlg.transfer == .hlg && hlg.matrix == .bt2020)
    let jpeg = try video("100_0306.AVI").attributes.color
    #expect(jpeg.matrix == .bt601_625 && jpeg.range == .full && jpeg.chromaLocation == .center)
  }

  @Test func color_whereContainerAndBitstreamDisagree_isTheContainersAndSaidSo() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc=d=0.2:s=64x48", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-x264-params",
        "colorprim=bt470bg:transfer=bt470bg:colormatrix=bt470bg",
      ] + colorTagging(primaries: "bt709", transfer: "bt709", matrix: "bt709"))
    let info = try MediaProbe.probe(.file(path: path))
    let track = try #require(info.videoTracks.first)
    #expect(track.attributes.color == .bt709)
    #expect(info.warnings.contains { $0.kind == .colorDisagreement })
    let frame = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero))
    #expect(frame.frame.attributes == track.attributes)
  }

  @Test func pixelAspectFieldsAndHDR_areRead() throws {
    #expect(try video("sar_2x1.mp4").displaySize == Size(width: 1280, height: 360))
    #expect(try video("derived_interlaced_tff.mp4").fieldOrder == .topFirst)
    #expect(try video("VideoAndTimecodeTrack_29_97i_Start-00-00-00-00.mov").fieldOrder == .bottomFirst)
    #expect(try video("chaplin.mp4").fieldOrder == .progressive)
    let regular = try video("regular.mkv").attributes
    #expect(regular.color.transfer == .pq && regular.hdr != nil)
  }

  @Test func alpha_ofVP9AndProRes_isThere() throws {
    #expect(try video("transparent.webm").format == .planar(.s420, bitDepth: 8, alpha: true))
    #expect(try video("derived_prores4444_alpha.mov").format == .planar(.s444, bitDepth: 12, alpha: true))
    for name in ["transparent.webm", "derived_prores4444_alpha.mov"] {
      #expect(try video(name).attributes.alphaMode == .straight)
    }
  }

  @Test func tracks_ofAllKinds_areListed() throws {
    let karma = try probe("karma.mp4")
    #expect(karma.videoTracks.count == 1 && karma.audioTracks.count == 1 && karma.otherTracks.count == 3)
    #expect(karma.otherTracks.contains { $0.kind == .timecode })
    #expect(try probe("nasa_13013.mp4").videoTracks.map(\.index) == [0, 1])
    let empty = try probe("sample_empty_track.mp4")
    #expect(empty.videoTracks.count == 1 && empty.otherTracks.contains { $0.kind == .video && $0.reason != nil })
    #expect(try probe("bbb_6ch_8kHz_opus.ogg").audioTracks.first?.channelCount == 6)
  }

  /// FFmpeg 9.0.2 refuses a file of nothing but a timecode ("File exists"); then it is refused here too, with one error.
  @Test func track_ofTimecodeAlone_isListedWhereFFmpegOpensIt() throws {
    let name = "TimecodeTrack_29_97d_Start_00-00-00-00.mov"
    let streams = try runTool("ffprobe", ["-v", "error", "-show_streams", ReadMedia.path(name)], mayFail: true)
    guard streams.contains("index=0") else {
      let error = #expect(throws: CompositorError.self) { try probe(name) }
      #expect(error?.code == .unreadableMedia)
      return
    }
    let timecode = try probe(name)
    #expect(timecode.videoTracks.isEmpty && timecode.otherTracks.map(\.kind) == [.timecode])
  }

  @Test func truncatedFile_promisesItsHeaderAndSaysWhereItEnds() throws {
    let info = try probe("derived_truncated_faststart.mp4")
    let track = try #require(info.videoTracks.first)
    let end = try #require(track.readableEnd)
    #expect(track.timeRange.end == MediaTime(value: 9, timescale: 1))
    #expect(end > MediaTime(value: 5, timescale: 1) && end < MediaTime(value: 6, timescale: 1))
    #expect(info.warnings.contains { $0.kind == .truncated })
    let path = try ReadMedia.path("derived_truncated_faststart.mp4")
    let strict = try MediaOpener.openVideo(.file(path: path))
    #expect(try strict.frame(at: MediaTime(value: 5, timescale: 1)) != nil)
    #expect {
      try strict.frame(at: MediaTime(value: 8, timescale: 1))
    } throws: { error in
      (error as? CompositorError)?.code == .truncatedMedia && (error as? CompositorError)?.location.file == path
    }
    let holding = try MediaOpener.openVideo(.file(path: path), options: VideoReaderOptions(damaged: .keep))
    #expect(try holding.frame(at: MediaTime(value: 8, timescale: 1)) != nil)
  }

  @Test func damagedFiles_haveOneClearError() throws {
    for name in ["invalid-bitstream.webm", "invalid_userdata.mp4"] {
      do {
        let info = try probe(name)
        #expect(!info.warnings.isEmpty, "\(name)")
      } catch let error as CompositorError {
        #expect([.unreadableMedia, .truncatedMedia, .decodeFailed].contains(error.code), "\(name)")
        #expect(error.location.file != nil)
      }
    }
  }
}
