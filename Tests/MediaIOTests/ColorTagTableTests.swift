import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// Tags × containers × codecs against ffprobe: tags of a file are read, and missing ones are reported as assumed.
@Suite(.enabled(if: hasFFmpeg, "FFmpeg's programs are not there"))
struct ColorTagTableTests {
  /// Tags as ffmpeg's filter and ffprobe call them, with their code points.
  struct Tags: Sendable, CustomTestStringConvertible {
    let primaries, transfer, matrix: String
    let codes: (UInt8, UInt8, UInt8)
    var testDescription: String { "\(primaries) \(transfer) \(matrix)" }
  }

  static let tags = [
    Tags(primaries: "bt709", transfer: "bt709", matrix: "bt709", codes: (1, 1, 1)),
    Tags(primaries: "smpte170m", transfer: "smpte170m", matrix: "smpte170m", codes: (6, 6, 6)),
    Tags(primaries: "bt470bg", transfer: "bt470bg", matrix: "bt470bg", codes: (5, 5, 5)),
    Tags(primaries: "smpte432", transfer: "iec61966-2-1", matrix: "bt709", codes: (12, 13, 1)),
    Tags(primaries: "film", transfer: "bt709", matrix: "bt709", codes: (8, 1, 1)),
    Tags(primaries: "bt2020", transfer: "bt2020-10", matrix: "bt2020nc", codes: (9, 14, 9)),
    Tags(primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc", codes: (9, 16, 9)),
    Tags(primaries: "bt2020", transfer: "arib-std-b67", matrix: "bt2020nc", codes: (9, 18, 9)),
  ]

  private static let h264 = ["libx264", "-preset", "ultrafast"]
  private static let hevc = ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]

  /// A container with a codec, and whether either of them keeps all tags.
  private static let files: [(suffix: String, codec: [String], format: String)] = [
    ("mp4", h264, "yuv420p"), ("mov", h264, "yuv420p"), ("mkv", h264, "yuv420p"), ("ts", h264, "yuv420p"),
    ("mp4", hevc, "yuv420p10le"), ("mkv", hevc, "yuv420p10le"), ("ts", hevc, "yuv420p10le"),
    ("mov", ["prores_ks"], "yuv422p10le"),
    ("mkv", ["ffv1"], "yuv420p10le"), ("webm", ["libvpx-vp9", "-deadline", "realtime"], "yuv420p"),
    ("mp4", ["libaom-av1", "-usage", "realtime", "-cpu-used", "8"], "yuv420p10le"), ("avi", h264, "yuv420p"),
  ]

  /// What ffprobe says; nil for what it calls unknown.
  private func probe(_ path: String) throws -> [String: String] {
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=color_primaries,color_transfer,color_space", "-of",
        "default=noprint_wrappers=1", path,
      ])
    let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(pairs.filter { $0.count == 2 && $0[1] != "unknown" }.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  @Test(arguments: tags) func tags_ofEveryContainerAndCodec_areThoseOfFFprobe(tags: Tags) throws {
    let folder = try TemporaryFolder()
    var compared = 0
    for (index, file) in Self.files.enumerated() {
      let path = try folder.make(
        "\(index).\(file.suffix)",
        ["-f", "lavfi", "-i", "testsrc2=d=0.08:s=96x64:r=25,format=\(file.format)", "-c:v"] + file.codec
          + colorTagging(primaries: tags.primaries, transfer: tags.transfer, matrix: tags.matrix))
      let said = try probe(path)
      let info = try MediaProbe.probe(.file(path: path))
      let track = try #require(info.videoTracks.first)
      let (color, name) = (track.attributes.color, "\(file.codec[0]) in \(file.suffix), \(tags.testDescription)")
      let found: [(key: String, name: String, code: UInt8, wanted: UInt8)] = [
        ("color_primaries", tags.primaries, color.primaries.rawValue, tags.codes.0),
        ("color_transfer", tags.transfer, color.transfer.rawValue, tags.codes.1),
        ("color_space", tags.matrix, color.matrix.rawValue, tags.codes.2),
      ]
      for part in found {
        guard let stated = said[part.key] else { continue }
        // A codec or a muxer may say something else than it was asked for; ffprobe then says so too.
        guard stated == part.name else { continue }
        compared += 1
        #expect(part.code == part.wanted, "\(name): \(part.key)")
      }
      let assumed = Set(track.colorProvenance?.assumed ?? []).subtracting(["range"])
      let silent = [("color_primaries", "primaries"), ("color_transfer", "transfer"), ("color_space", "matrix")]
        .filter { said[$0.0] == nil }.map(\.1)
      #expect(assumed == Set(silent), "\(name)")
      // Partly tagged files are spoken of, untagged and whole ones are not.
      #expect(info.warnings.contains { $0.kind == .assumedColor } == (1...2).contains(silent.count), "\(name)")
    }
    #expect(compared >= 3 * Self.files.count - 12)
  }

  /// Code points that H.273 reserves, or that libav has no name for, by a bitstream filter; the container repeats them.
  @Test(arguments: [
    ("colour_primaries=3", "primaries 3, which means nothing here"),
    ("colour_primaries=0", "primaries 0, which means nothing here"),
    ("transfer_characteristics=0", "transfer 0, which means nothing here"),
    ("transfer_characteristics=19", "no known transfer"),
    ("matrix_coefficients=0", "matrix 0, which means nothing here"),
  ])
  func codePoint_thatMeansNothing_isToldAsAssumed(option: String, told: String) throws {
    let folder = try TemporaryFolder()
    let rest = ["colour_primaries=1", "transfer_characteristics=1", "matrix_coefficients=1"]
      .filter { $0.split(separator: "=")[0] != option.split(separator: "=")[0] }
    for suffix in ["mp4", "mkv", "ts"] {
      let path = try folder.make(
        "a.\(suffix)",
        [
          "-f", "lavfi", "-i", "testsrc2=d=0.12:s=320x180:r=25,format=yuv420p", "-c:v", "libx264", "-bsf:v",
          "h264_metadata=\((rest + [option]).joined(separator: ":"))",
        ])
      let info = try MediaProbe.probe(.file(path: path))
      let warning = try #require(info.warnings.first { $0.kind == .assumedColor }, "\(suffix)")
      #expect(warning.message.contains(told), "\(suffix): \(warning.message)")
      #expect(try #require(info.videoTracks.first).attributes.color.matrix != .identity)
    }
  }

  /// CIE XYZ is not a kind of R, G, B: it is read unchanged, and the conversion refuses it.
  @Test func primaries_ofXYZ_areNotTakenForOthers() throws {
    let folder = try TemporaryFolder()
    let path = try folder.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=d=0.12:s=320x180:r=25,format=yuv420p", "-c:v", "libx264", "-bsf:v",
        "h264_metadata=colour_primaries=10:transfer_characteristics=1:matrix_coefficients=1",
      ])
    let color = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first).attributes.color
    #expect(color.primaries.rawValue == 10)
    #expect(throws: CompositorError.self) { try LightConversion(from: color, to: .bt709) }
  }

  /// Broadcast HLG: VUI and box say 14, the SEI message prefers 18.
  @Test(arguments: ["mp4", "mov", "mkv", "ts"])
  func alternativeTransfer_ofTheBitstream_winsOver14(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.make(
      "a.\(suffix)",
      [
        "-f", "lavfi", "-i", "testsrc2=d=0.12:s=128x96:r=25,format=yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
        "-x265-params", "log-level=none:atc-sei=18:colorprim=9:transfer=14:colormatrix=9",
      ] + colorTagging(primaries: "bt2020", transfer: "bt2020-10", matrix: "bt2020nc"))
    let info = try MediaProbe.probe(.file(path: path))
    let track = try #require(info.videoTracks.first)
    #expect(track.attributes.color.transfer == .hlg && track.colorProvenance?.transfer == .bitstream)
    #expect(info.warnings.isEmpty)
    let frame = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)).frame
    #expect(frame.attributes.color.transfer == .hlg)
  }

  /// Frames of standard definition in square pixels are standard definition by default.
  @Test(arguments: [
    ("720x576", ColorPrimaries.bt601_625), ("768x576", .bt601_625), ("1024x576", .bt601_625), ("720x480", .bt601_525),
    ("854x480", .bt601_525), ("640x360", .bt601_525), ("1280x576", .bt709), ("1280x720", .bt709), ("480x854", .bt709),
  ])
  func untagged_ofStandardDefinition_isBT601(size: String, primaries: ColorPrimaries) throws {
    let folder = try TemporaryFolder()
    let path = try folder.make(
      "a.mp4", ["-f", "lavfi", "-i", "testsrc2=d=0.08:s=\(size):r=25,format=yuv420p", "-c:v", "libx264"])
    let info = try MediaProbe.probe(.file(path: path))
    #expect(try #require(info.videoTracks.first).attributes.color.primaries == primaries)
    #expect(info.warnings.isEmpty)
  }

  @Test(arguments: [
    (5, 0, true), (5, 2, true), (8, 0, true), (8, 1, false), (8, 2, false), (8, 4, false), (10, 0, true), (10, 4, false),
    (7, 6, false), (9, 2, false), (20, 0, true),
  ])
  func dolbyVision_withoutABaseLayer_isKnown(profile: Int, compatibility: Int, hasNone: Bool) {
    #expect(
      DynamicMetadata(.dolbyVision, profile: profile, baseLayerCompatibility: compatibility).hasNoBaseLayer == hasNone)
  }

  @Test func lightLevels_thatContradict_areSaidSo() throws {
    let folder = try TemporaryFolder()
    let master = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)"
    for (levels, isWrong) in [("1000,400", false), ("4000,400", true), ("300,400", true), ("0,0", false)] {
      let path = try folder.make(
        "a-\(levels).mp4",
        [
          "-f", "lavfi", "-i", "testsrc2=d=0.12:s=128x96:r=25,format=yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
          "-x265-params", "log-level=none:hdr10=1:master-display=\(master):max-cll=\(levels)",
        ] + colorTagging(primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc"))
      let info = try MediaProbe.probe(.file(path: path))
      #expect(info.warnings.contains { $0.kind == .contradictoryLightLevels } == isWrong, "\(levels)")
    }
  }
}
