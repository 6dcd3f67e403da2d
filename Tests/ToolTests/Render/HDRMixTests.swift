import Foundation
import CompositorTestSupport
import Testing

/// HLG, PQ and BT.709 with a white title on one timeline, written as each of the three.
@Suite(.enabled(if: mediaFolder != nil, "the media set is not there")) struct HDRMixTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    let name, transfer, primaries, matrix, codec: String
    /// White of 203 cd/m² as a fraction of the signal (BT.2408), and how far a code may be off.
    let white: Double
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "hlg", transfer: "arib-std-b67", primaries: "bt2020", matrix: "bt2020nc", codec: "hevc", white: 0.75),
    Kind(name: "pq", transfer: "smpte2084", primaries: "bt2020", matrix: "bt2020nc", codec: "hevc", white: 0.5807),
    Kind(name: "sdr", transfer: "bt709", primaries: "bt709", matrix: "bt709", codec: "h264", white: 1),
  ]

  /// A second of each clip; the title is a solid block in the middle of the frame.
  private func project(_ scratch: Scratch) throws -> URL {
    let folder = try #require(mediaFolder)
    func asset(_ name: String) -> String { "'\(folder.appending(path: name).path)'" }
    return try scratch.file(
      "mix.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 10, color: "hlg" },
        assets: { phone: \(asset("hlg10-color-test.mp4")), graded: \(asset("hdr10-video-with-sdr-container.mp4")),
          camera: \(asset("karma.mp4")) },
        tracks: [{ clips: [{ asset: "phone", duration: "0.3s" }, { asset: "graded", duration: "0.5s" },
          { asset: "camera", duration: "0.5s" }] }],
        titles: [{ text: "\\u2588\\u2588\\u2588", color: "#ffffff", size: "50%", fade: 0, start: 0, duration: "1.3s" }] }
      """)
  }

  @Test(arguments: kinds) func mix_asEachColor_hasTagsAndMetadata(_ kind: Kind) throws {
    let scratch = try Scratch()
    let movie = try scratch.file("\(kind.name).mp4")
    let result = try ToolRun.compositor([
      "render", try project(scratch).path, "-o", movie.path, "--color", kind.name, "--hdr-metadata", "generate",
      "--encoder-speed",
      "ultrafast", "--progress", "none",
    ])
    #expect(result.status == 0, "\(result.errors)")
    // The phone's HDR10+ and its impossible mastering display are said to be lost.
    #expect(result.errors.contains("HDR10+"))
    let tags = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
      "stream=codec_name,color_range,color_space,color_transfer,color_primaries,nb_frames", "-of", "csv=p=0", movie.path)
    // Side data adds empty fields and lines behind these.
    #expect(tags.output.hasPrefix("\(kind.codec),tv,\(kind.matrix),\(kind.transfer),\(kind.primaries),13"))
    let sides = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_streams", "-show_frames", "-read_intervals", "%+#1", movie.path)
    let count = sides.output.components(separatedBy: "side_data_type=Content light level metadata").count - 1
    #expect(count == (kind.name == "pq" ? 2 : 0), "in the box and in the bitstream, for PQ alone")
  }

  @Test(arguments: kinds) func titleOfTheMix_isWhereTheStandardPutsWhite(_ kind: Kind) throws {
    let scratch = try Scratch()
    let path = try project(scratch).path
    for (index, time) in ["0.1s", "0.5s", "1s"].enumerated() {
      let still = try scratch.file("\(index).png")
      let result = try ToolRun.compositor([
        "frame", path, "--at", time, "-o", still.path, "--color", kind.name, "--depth", "16",
      ])
      #expect(result.status == 0, "\(result.errors)")
      let raw = try scratch.file("\(index).raw")
      _ = try ToolRun.program(
        "ffmpeg", "-v", "error", "-y", "-i", still.path, "-f", "rawvideo", "-pix_fmt", "rgb48le", raw.path)
      let bytes = [UInt8](try Data(contentsOf: raw))
      let middle = (90 * 320 + 160) * 6
      for component in 0..<3 {
        let code = Int(bytes[middle + 2 * component]) | Int(bytes[middle + 2 * component + 1]) << 8
        // The frame was composed in 10 bits.
        #expect(abs(Double(code) / 65535 - kind.white) < 1.5 / 876, "\(kind.name) at \(time): \(code)")
      }
    }
  }

  @Test func explainOfTheMix_saysWhatBecomesOfEachSource() throws {
    let scratch = try Scratch()
    let path = try project(scratch).path
    let text = try ToolRun.compositor(["explain", path, "--color", "sdr"]).output
    #expect(text.contains("BT.2020 HLG → BT.709: HLG shown on 1000 cd/m², system gamma 1.2 (BT.2100)"))
    #expect(
      text.contains("BT.2020 PQ → BT.709: PQ up to 1000 cd/m²") && text.contains("BT.2390 roll-off from 1000 to 203 cd/m²"))
    #expect(text.contains("color as --color says"))
    let json = try ToolRun.compositor(["explain", path, "--json"]).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let sources = try #require(object["sources"] as? [[String: Any]])
    let conversions = sources.compactMap { $0["conversion"] as? String }
    #expect(conversions.count == 3 && conversions[0].contains("nothing to convert"))
    #expect(conversions[2].contains("SDR white at 203 cd/m² (BT.2408)"))
  }

  @Test func dolbyVision5_isRefusedWhateverTheOutputIs() throws {
    let scratch = try Scratch()
    // The phone's file with its configuration box changed: version 1.0, profile 5, level 2, no compatibility.
    var bytes = try Data(contentsOf: #require(mediaFolder).appending(path: "dolbyVision-hdr.MOV"))
    let box = try #require(bytes.range(of: Data("dvvC".utf8)))
    let flags = bytes[box.upperBound + 3] & 0b111
    bytes.replaceSubrange(box.upperBound + 2..<box.upperBound + 5, with: [5 << 1, 2 << 3 | flags, 0])
    let path = try scratch.file("a.mov").path
    try bytes.write(to: URL(filePath: path))
    for options in [[], ["--color", "sdr"]] {
      for command in [["validate", path], ["render", path, "-o", try scratch.file("b.mov").path]] {
        let result = try ToolRun.compositor(command + options)
        #expect(result.status == 65)
        #expect(result.errors.contains("Dolby Vision 5 has no base layer that can be shown"), "\(result.errors)")
      }
    }
    #expect(try ToolRun.compositor(["probe", path]).output.contains("cannot be converted"))
  }

  @Test func probeOfHDR_saysByWhatRuleItBecomesSDR() throws {
    let folder = try #require(mediaFolder)
    for (name, rule) in [
      ("hlg10-color-test.mp4", "HLG shown on 1000 cd/m²"), ("hdr10-video-with-sdr-container.mp4", "PQ up to 1000 cd/m²"),
    ] {
      let path = folder.appending(path: name).path
      #expect(try ToolRun.compositor(["probe", path]).output.contains(rule))
      let json = try ToolRun.compositor(["probe", path, "--json"]).output
      let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let conversions = try #require(object["conversions"] as? [[String: Any]])
      #expect(conversions.count == 1 && (conversions[0]["rule"] as? String)?.contains(rule) == true)
      #expect((object["videoTracks"] as? [Any])?.count == 1)
    }
  }
}

/// The tool's answers about color that need no media set.
@Suite struct ColorCommandTests {
  private let hlg = """
    { version: 1, output: { size: "64x36", frameRate: 25, color: "hlg", CODEC }, assets: { w: { generate: "color", color: "#fff" } },
      tracks: [{ clips: [{ asset: "w", duration: "0.2s" }] }] }
    """

  @Test func validate_hdrInH264_isStatus65AtTheKey() throws {
    let scratch = try Scratch()
    let project = try scratch.file("a.json5", hlg.replacing("CODEC", with: "video: { codec: 'h264' }"))
    let result = try ToolRun.compositor(["validate", project.path])
    #expect(result.status == 65)
    #expect(result.errors.contains("output.video.codec") && result.errors.contains("hevc"))
    #expect(try ToolRun.compositor(["validate", project.path, "--color", "sdr"]).status == 0)
    let render = try ToolRun.compositor(["render", project.path, "-o", "a.mp4", "--progress", "none"], in: scratch.folder)
    #expect(render.status == 65)
    #expect(try scratch.names() == ["a.json5"])
  }

  @Test(arguments: [
    ("hevc-hlg", "hevc,yuv420p10le,tv,bt2020nc,arib-std-b67"), ("prores-pq", "prores,yuv422p10le,*,bt2020nc,smpte2084"),
    ("h264-sdr", "h264,yuv420p,tv,bt709,bt709"), ("ffv1-hlg", "ffv1,yuv420p10le,"),
  ])
  func render_exportPreset_isItsCodecAndColor(_ preset: String, _ expected: String) throws {
    let scratch = try Scratch()
    let project = try scratch.file("a.json5", hlg.replacing("CODEC", with: ""))
    let movie = try scratch.file("a.mov")
    let result = try ToolRun.compositor(
      [
        "render", project.path, "-o", movie.path, "--preset", preset, "--encoder-speed", "ultrafast", "--progress", "none",
      ].filter { !preset.hasPrefix("prores") && !preset.hasPrefix("ffv1") || !["--encoder-speed", "ultrafast"].contains($0) })
    #expect(result.status == 0, "\(result.errors)")
    let seen = try ToolRun.program(
      "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,pix_fmt,color_range,color_space,color_transfer", "-of",
      "csv=p=0", movie.path)
    // QuickTime has no range, nor have FFV1 and ProRes: what ffprobe takes it to be there depends on its version.
    let fields = seen.output.split(separator: "\n")[0].split(separator: ",")
    for (field, value) in zip(fields, expected.split(separator: ",")) where value != "*" {
      #expect(field == value, "\(seen.output)")
    }
    #expect(fields.count == 5 && !fields.contains("pc"))
  }

  @Test func frame_ofAnHDRProject_isSDRUnlessAskedOtherwise() throws {
    let scratch = try Scratch()
    let project = try scratch.file("a.json5", hlg.replacing("CODEC", with: ""))
    for (options, format, transfer) in [
      ([], "rgb24", "iec61966-2-1"), (["--color", "hlg"], "rgb48be", "arib-std-b67"),
      (["--color", "pq"], "rgb48be", "smpte2084"),
    ] {
      let still = try scratch.file("\(transfer).png")
      let result = try ToolRun.compositor(["frame", project.path, "--at", "0", "-o", still.path] + options)
      #expect(result.status == 0, "\(result.errors)")
      let seen = try ToolRun.program(
        "ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", still.path)
      #expect(seen.output == "\(format)\n")
      let bytes = try Data(contentsOf: still)
      let isCoded = bytes.range(of: Data("cICP".utf8)).map { Array(bytes[$0.upperBound..<$0.upperBound + 4]) }
      let expected: [UInt8]? = transfer == "arib-std-b67" ? [9, 18, 0, 1] : transfer == "smpte2084" ? [9, 16, 0, 1] : nil
      #expect(isCoded == expected)
      #expect((bytes.range(of: Data("sRGB".utf8)) != nil) == (expected == nil))
    }
    let wrong = try ToolRun.compositor(
      ["frame", project.path, "--at", "0", "-o", "x.png", "--color", "pq", "--depth", "8"], in: scratch.folder)
    #expect(wrong.status == 64)
  }
}
