import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation
import Foundation
import Testing

struct PresetTableTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The documentation's table is the code's.
  @Test func documentation_showsTheTable() throws {
    let text = try String(contentsOf: Self.root.appending(path: "docs/export.md"), encoding: .utf8)
    for row in PresetTable.rows {
      let line = "| " + (["`\(row[0])`"] + row.dropFirst()).joined(separator: " | ") + " |"
      #expect(text.contains(line), "docs/export.md lacks: \(line)")
    }
  }

  @Test(arguments: ExportPreset.allCases) func preset_everyOne_canBeWrittenInItsFiles(_ preset: ExportPreset) throws {
    let definition = preset.definition
    #expect(!definition.containers.isEmpty && !definition.summary.isEmpty)
    for container in definition.containers {
      try container.validate(definition.video?.codec, definition.audio?.codec)
      try OutputName(path: "x.\(container.rawValue)").check(preset)
    }
    try definition.video?.validateRanges()
    if let video = definition.video, let format = definition.format {
      #expect(video.acceptedFormats.contains(format) || video.codec == .proRes)
    }
  }

  /// What the names meant before there was a table.
  @Test(arguments: [
    (ExportPreset.h264SDR, VideoEncodingSettings(codec: .h264), ColorTags.bt709), (.hevcSDR, .init(codec: .hevc), .bt709),
    (.hevcHLG, .init(codec: .hevc), .bt2100HLG), (.hevcPQ, .init(codec: .hevc), .bt2100PQ),
    (.av1HLG, .init(codec: .av1), .bt2100HLG),
    (.av1PQ, .init(codec: .av1), .bt2100PQ), (.proResHLG, .init(codec: .proRes, proResProfile: .hq), .bt2100HLG),
    (.proResPQ, .init(codec: .proRes, proResProfile: .hq), .bt2100PQ), (.ffv1HLG, .init(codec: .ffv1), .bt2100HLG),
    (.ffv1PQ, .init(codec: .ffv1), .bt2100PQ),
  ]) func preset_ofAnEarlierVersion_isWhatItWas(_ preset: ExportPreset, _ video: VideoEncodingSettings, _ color: ColorTags) {
    let definition = preset.definition
    #expect(preset.video == video && preset.color == color && definition.audio == nil && definition.format == nil)
    #expect(
      definition.bitDepth == nil && definition.largestSize == nil && definition.highestFrameRate == nil
        && !definition.keepsAlpha)
  }

  // canvas, box, size
  @Test(arguments: [
    ((1920, 1080), (1280, 720), (1280, 720)), ((1080, 1920), (1280, 720), (720, 1280)),
    ((3840, 2160), (1920, 1080), (1920, 1080)),
    ((1920, 804), (1280, 720), (1280, 536)), ((1000, 1000), (480, 480), (480, 480)), ((1366, 768), (960, 540), (960, 540)),
  ]) func largestSize_ofACanvas_isEvenAndInTheBox(_ canvas: (Int, Int), _ box: (Int, Int), _ size: (Int, Int)) {
    let found = CanvasPlacement.size(
      of: PixelSize(width: canvas.0, height: canvas.1), within: PixelSize(width: box.0, height: box.1))
    #expect(found == PixelSize(width: size.0, height: size.1))
    #expect(CanvasPlacement.size(of: PixelSize(width: 64, height: 48), within: PixelSize(width: 64, height: 48)) == nil)
  }

  @Test(arguments: [Double.nan, -1, 0, 101]) func quality_outOfRange_isRefused(_ quality: Double) {
    for codec in VideoEncodingSettings.Codec.allCases where codec != .webp || quality != 0 {
      guard !([.h264, .hevc, .av1, .vp9].contains(codec) && quality == 0) else { continue }
      #expect { try VideoEncodingSettings(codec: codec, quality: .constant(quality)).validateRanges() } throws: {
        ($0 as? CompositorError)?.code == .unsupportedOutput
      }
    }
  }

  @Test(arguments: [
    MediaTime.zero, .invalid, .positiveInfinity, MediaTime(value: 1, timescale: 0), MediaTime(value: -1, timescale: 1),
  ])
  func keyFrameDuration_thatIsNone_isRefused(_ duration: MediaTime) {
    var video = VideoEncodingSettings()
    video.keyFrameDuration = duration
    #expect { try video.validateRanges() } throws: { ($0 as? CompositorError)?.code == .unsupportedOutput }
  }

  /// Settings that were written before these keys existed are still read, and all of them come back.
  @Test func settings_asJSON_comeBack() throws {
    var video = VideoEncodingSettings(codec: .dnxhr)
    (video.dnxhrProfile, video.encoder, video.isTwoPass) = (.hqx, .vaapi, true)
    video.keyFrameDuration = .seconds(2)
    video.animation = .init(palette: .perFrame, dithering: .bayer, playCount: 3, isLossless: true)
    #expect(try JSONDecoder().decode(VideoEncodingSettings.self, from: JSONEncoder().encode(video)) == video)
    #expect(try JSONDecoder().decode(VideoEncodingSettings.self, from: Data("{}".utf8)) == VideoEncodingSettings())
    var output = OutputDescription()
    output.size = PixelSize(width: 8, height: 6)
    #expect(try JSONDecoder().decode(OutputDescription.self, from: JSONEncoder().encode(output)) == output)
  }
}
