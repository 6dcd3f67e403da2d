import Foundation
import Testing

/// Masks of effects, beside plain arithmetic over the frames with and without the effect.
@Suite(.serialized) struct EffectMaskTests {
  /// A kind of footage, as ffmpeg makes it.
  struct Footage: CustomTestStringConvertible {
    let format: String
    let size: (width: Int, height: Int)
    var isHDR: Bool { format.hasSuffix("10") }
    var isSubsampled: Bool { format.contains("420") }
    var testDescription: String { "\(format) \(size.width)x\(size.height)" }

    /// The bytes of a plane's row and its number of rows, in order.
    var planes: [(width: Int, height: Int)] {
      let half = isSubsampled ? ((size.width + 1) / 2, (size.height + 1) / 2) : size
      return [size, half, half]
    }
  }

  struct Case: CustomTestStringConvertible {
    let effect: String
    let footage: Footage
    var testDescription: String { "\(effect), \(footage)" }
  }

  static let footage = [
    Footage(format: "yuv420p", size: (160, 90)), Footage(format: "yuv444p", size: (161, 91)),
    Footage(format: "yuv420p10", size: (160, 90)), Footage(format: "yuv444p10", size: (161, 91)),
  ]
  static let cases = ["gaussian-blur", "org.example.dimmer", "avfilter.negate"].flatMap { effect in
    footage.map { Case(effect: effect, footage: $0) }
  }
  /// The mask's part of the frame's width: 0 before its start, 1 after its end, a ramp between.
  private static let ramp = (start: 1.0 / 3, end: 2.0 / 3)

  private let workshop: PluginWorkshop
  private let folder: URL

  init() throws {
    workshop = try PluginWorkshop()
    folder = workshop.scratch.folder
    try FileManager.default.createDirectory(at: folder.appending(path: "media"), withIntermediateDirectories: true)
  }

  // MARK: Media

  private func ffmpeg(_ filter: String, _ options: [String], _ name: String, frames: Int = 3) throws {
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", filter, "-frames:v", "\(frames)", "-c:v", "ffv1"] + options
        + [folder.appending(path: name).path])
    try #require(result.status == 0, "\(result.errors)")
  }

  private func makeFootage(_ footage: Footage) throws {
    let color =
      footage.isHDR
      ? ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
      : ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
    let format = footage.isHDR ? footage.format + "le" : footage.format
    try ffmpeg(
      "testsrc2=s=\(footage.size.width)x\(footage.size.height):r=25,format=\(format)",
      ["-pix_fmt", format, "-color_range", "tv"] + color, "media/footage.mkv")
  }

  /// A mask with a ramp from left to right, in luma or alpha.
  private func makeMask(alpha: Bool, size: (width: Int, height: Int), name: String) throws {
    let value = "clip((X/W-1/3)*3\\,0\\,1)"
    let planes =
      alpha ? "lum='40+X':cb=90:cr=180:a='255*\(value)'" : "lum='16+219*\(value)':cb=128:cr=128"
    let format = alpha ? "yuva444p" : "yuv444p"
    try ffmpeg(
      "color=gray:s=\(size.width)x\(size.height):r=25,format=\(format),geq=\(planes)",
      ["-pix_fmt", format, "-color_range", "tv", "-colorspace", "bt709"], "media/\(name).mkv")
  }

  // MARK: Frames

  /// Masks of the frame's size and of another one, by luma and alpha, as they are and inverted.
  private static let masks = ["", "other-"].flatMap { prefix in
    ["luma", "alpha"].flatMap { channel in [false, true].map { (prefix: prefix, channel: channel, isInverted: $0) } }
  }

  /// A movie with a frame of the footage for each list of effects; returns the samples of each, by plane.
  private func frames(
    _ footage: Footage, effects: [String], plugin: URL?, output: String = "", format: String? = nil
  ) throws -> [[[Int]]] {
    let plugins = plugin.map { "plugins: [\"\($0.path)\"]," } ?? ""
    let clips = effects.map { "{ asset: \"a\", in: \"1f\", duration: \"1f\", effects: [\($0)] }" }
    let files = ["luma", "alpha", "other-luma", "other-alpha"].map { "\"\($0)\": { file: \"media/\($0).mkv\" }" }
    let project = try workshop.scratch.file(
      "mask.json5",
      """
      { version: 1, \(plugins)
        output: { size: "\(footage.size.width)x\(footage.size.height)", frameRate: 25, format: "\(format ?? footage.format)",
          video: { codec: "ffv1" }, audio: false\(output) },
        assets: { a: { file: "media/footage.mkv" }, \(files.joined(separator: ", ")) },
        tracks: [{ clips: [\(clips.joined(separator: ",\n"))] }] }
      """)
    let movie = folder.appending(path: "o.mkv")
    let result = try ToolRun.compositor(["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    return try samples(movie, footage, format: format)
  }

  private func samples(_ movie: URL, _ footage: Footage, format: String?) throws -> [[[Int]]] {
    let raw = folder.appending(path: "o.raw")
    let name = format ?? footage.format
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-i", movie.path, "-map", "0:v", "-f", "rawvideo", "-pix_fmt",
      footage.isHDR ? name + "le" : name, raw.path)
    try #require(result.status == 0, "\(result.errors)")
    let bytes = [UInt8](try Data(contentsOf: raw))
    let all =
      footage.isHDR
      ? stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 } : bytes.map(Int.init)
    var (frames, start): ([[[Int]]], Int) = ([], 0)
    let planes = footage.planes + (name.hasPrefix("yuva") ? [footage.size] : [])
    while start < all.count {
      var frame: [[Int]] = []
      for plane in planes {
        frame.append(Array(all[start..<start + plane.width * plane.height]))
        start += plane.width * plane.height
      }
      frames.append(frame)
    }
    return frames
  }

  private func makeMasks(_ footage: Footage) throws {
    for channel in ["luma", "alpha"] {
      try makeMask(alpha: channel == "alpha", size: footage.size, name: channel)
      try makeMask(alpha: channel == "alpha", size: (97, 61), name: "other-\(channel)")
    }
  }

  private static func written(_ mask: (prefix: String, channel: String, isInverted: Bool)) -> String {
    "mask: { asset: \"\(mask.prefix)\(mask.channel)\", channel: \"\(mask.channel)\", inverted: \(mask.isInverted) }"
  }

  /// The mask's value in the middle of a column of a plane: that of the sample there, or between two, for a mask of another width.
  private func weight(_ column: Int, of plane: (width: Int, height: Int), _ footage: Footage, maskWidth: Int) -> Double {
    // Chroma of 4:2:0 is sited on the left sample of two.
    let position = plane.width < footage.size.width ? Double(column) * 2 + 0.5 : Double(column) + 0.5
    let index = position / Double(footage.size.width) * Double(maskWidth) - 0.5
    return min(max((index / Double(maskWidth) - Self.ramp.start) * 3, 0), 1)
  }

  /// Whether a column is so far from the ends of the ramp that filters don't reach across them: three samples of the mask.
  private func isFar(_ column: Int, of width: Int, maskWidth: Int) -> Bool {
    let place = (Double(column) + 0.5) / Double(width)
    return min(abs(place - Self.ramp.start), abs(place - Self.ramp.end)) > 4 / Double(min(maskWidth, width))
  }

  // MARK: Tests

  @Test(arguments: cases) func effects_areShownByTheirMask(_ example: Case) throws {
    let footage = example.footage
    try makeFootage(footage)
    try makeMasks(footage)
    let plugin = example.effect.hasPrefix("org.") ? try workshop.compile(workshop.exampleSource(), name: "dimmer") : nil
    let effect = "use: \"\(example.effect)\"" + (example.effect == "gaussian-blur" ? ", radius: 9" : "")
    for blending in ["encoded"] + (example.effect == "gaussian-blur" ? ["linear"] : []) {
      let frames = try frames(
        footage, effects: ["", "{ \(effect) }"] + Self.masks.map { "{ \(effect), \(Self.written($0)) }" }, plugin: plugin,
        output: ", blending: \"\(blending)\"")
      try #require(frames.count == 2 + Self.masks.count)
      #expect(zip(frames[0][0], frames[1][0]).contains { abs($0 - $1) > 8 })
      for (mask, mixed) in zip(Self.masks, frames.dropFirst(2)) {
        check(
          mixed, between: frames[0], frames[1], footage, maskWidth: mask.prefix.isEmpty ? footage.size.width : 97,
          isInverted: mask.isInverted, mixes: blending == "encoded", "\(example) \(mask) \(blending)")
      }
    }
  }

  /// - Parameter mixes: Whether codes between the original's and the effect's are those of their weighted mean.
  private func check(
    _ mixed: [[Int]], between original: [[Int]], _ changed: [[Int]], _ footage: Footage, maskWidth: Int, isInverted: Bool,
    mixes: Bool, _ name: String
  ) {
    var (wrong, worst, exactCount) = (0, 0.0, 0)
    for (index, plane) in footage.planes.enumerated() {
      for sample in mixed[index].indices {
        let (before, after, found) = (original[index][sample], changed[index][sample], mixed[index][sample])
        let column = sample % plane.width
        let plain = weight(column, of: plane, footage, maskWidth: maskWidth)
        let weight = isInverted ? 1 - plain : plain
        let isFar = isFar(column, of: plane.width, maskWidth: maskWidth)
        if isFar, plain == 0 || plain == 1 {
          exactCount += 1
          if found != (weight == 0 ? before : after) { wrong += 1 }
        } else if mixes {
          // A code of the mask, and more at the ends of the ramp.
          let allowed = 1.01 + abs(Double(after - before)) * (isFar ? 0.012 : 0.1)
          worst = max(worst, abs(Double(found) - Double(before) - Double(after - before) * weight) - allowed)
        }
      }
    }
    #expect(wrong == 0 && exactCount > 4000, "\(name): \(wrong) of \(exactCount) samples are of neither frame")
    #expect(worst <= 0, "\(name): \(worst) codes too far")
  }

  @Test(arguments: footage) func pluginsThatTakeMasks_receiveTheirValues(_ footage: Footage) throws {
    try makeFootage(footage)
    try makeMasks(footage)
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "masked.c"), name: "masked")
    let (black, white, gray) = footage.isHDR ? (64.0, 940.0, 512) : (16.0, 235.0, 128)
    let effects =
      Self.masks.map { "{ use: \"org.example.masked\", \(Self.written($0)) }" } + ["{ use: \"org.example.masked\" }"]
    let frames = try frames(footage, effects: effects, plugin: plugin)
    try #require(frames.count == Self.masks.count + 1)
    for (mask, shown) in zip(Self.masks, frames) {
      let width = mask.prefix.isEmpty ? footage.size.width : 97
      var worst = 0.0
      for sample in shown[0].indices {
        let column = sample % footage.size.width
        let plain = weight(column, of: footage.size, footage, maskWidth: width)
        let value = (Double(shown[0][sample]) - black) / (white - black)
        let allowed = isFar(column, of: footage.size.width, maskWidth: width) ? 0.012 : 0.1
        worst = max(worst, abs(value - (mask.isInverted ? 1 - plain : plain)) - allowed)
      }
      #expect(
        worst <= 0 && shown[1].allSatisfy { $0 == gray } && shown[2].allSatisfy { $0 == gray }, "\(footage) \(mask): \(worst)")
    }
    #expect(frames[Self.masks.count][0].allSatisfy { $0 == (footage.isHDR ? 1023 : 255) })
  }

  @Test func alpha_isMixedPremultiplied() throws {
    let footage = Footage(format: "yuv444p", size: (160, 90))
    // Green above, which becomes transparent, and gray below.
    try ffmpeg(
      "color=gray:s=160x90:r=25,format=yuv444p,geq=lum='if(lt(Y\\,45)\\,173\\,90)':cb='if(lt(Y\\,45)\\,42\\,128)':"
        + "cr='if(lt(Y\\,45)\\,26\\,128)'",
      [
        "-pix_fmt", "yuv444p", "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
      ],
      "media/footage.mkv")
    try makeMasks(footage)
    let key = "use: \"chroma-key\", color: \"#00ff00\", similarity: 0.3, spill: 0"
    let frames = try frames(
      footage, effects: ["", "{ \(key) }", "{ \(key), mask: { asset: \"luma\" } }"], plugin: nil,
      output: ", alpha: true, background: \"#00000000\"",
      format: "yuva444p")
    let (original, changed, mixed) = (frames[0], frames[1], frames[2])
    #expect(original[3].allSatisfy { $0 == 255 } && changed[3][80] == 0 && changed[3].last == 255)
    var (wrong, worst) = (0, 0.0)
    for sample in mixed[3].indices {
      let column = sample % 160
      let weight = weight(column, of: footage.size, footage, maskWidth: 160)
      let alphas = (Double(original[3][sample]) * (1 - weight), Double(changed[3][sample]) * weight)
      worst = max(worst, abs(Double(mixed[3][sample]) - alphas.0 - alphas.1) - 2.5)
      guard alphas.0 + alphas.1 > 64 else { continue }
      for plane in 0..<3 {
        let (before, after, found) = (original[plane][sample], changed[plane][sample], mixed[plane][sample])
        let exact = (Double(before) * alphas.0 + Double(after) * alphas.1) / (alphas.0 + alphas.1)
        worst = max(worst, abs(Double(found) - exact) - 2)
        if weight == 0, found != before { wrong += 1 }
      }
    }
    #expect(wrong == 0 && worst <= 0, "\(wrong) wrong, \(worst) codes too far")
  }

  @Test func rotatedClips_areMaskedUpright() throws {
    let footage = Footage(format: "yuv420p", size: (160, 90))
    try makeFootage(footage)
    // White below the middle of the upright frame.
    try ffmpeg(
      "color=gray:s=90x160:r=25,format=yuv444p,geq=lum='if(lt(Y\\,80)\\,16\\,235)':cb=128:cr=128",
      ["-pix_fmt", "yuv444p", "-color_range", "tv"], "media/below.mkv")
    let movie = folder.appending(path: "media/rotated.mov")
    let plain = folder.appending(path: "media/plain.mov")
    for arguments in [
      ["-i", folder.appending(path: "media/footage.mkv").path, "-c:v", "libx264", "-qp", "0", plain.path],
      ["-i", plain.path, "-c", "copy", "-metadata:s:v", "rotate=90", movie.path],
    ] {
      let result = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
    }
    let upright = Footage(format: "yuv420p", size: (90, 160))
    let color = "{ use: \"color\", brightness: 0.2"
    let clips = ["", "\(color) }", "\(color), mask: { asset: \"below\" } }"].map {
      "{ asset: \"a\", in: \"1f\", duration: \"1f\", effects: [\($0)] }"
    }
    let project = try workshop.scratch.file(
      "rotated.json5",
      """
      { version: 1, output: { size: "90x160", frameRate: 25, video: { codec: "ffv1" }, audio: false },
        assets: { a: { file: "media/rotated.mov" }, below: { file: "media/below.mkv" } },
        tracks: [{ clips: [\(clips.joined(separator: ", "))] }] }
      """)
    let output = folder.appending(path: "rotated.mkv")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let frames = try samples(output, upright, format: nil)
    for sample in frames[2][0].indices where abs(sample / 90 - 80) > 2 {
      #expect(frames[2][0][sample] == frames[sample / 90 < 80 ? 0 : 1][0][sample])
    }
    #expect(frames[0][0] != frames[1][0])
  }
}
