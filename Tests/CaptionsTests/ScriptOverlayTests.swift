import CompositorAPI
import CompositorCaptions
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Scripts of ASS drawn by libass, beside ffmpeg's filter `ass`.
struct ScriptOverlayTests {
  private static let styles = """
    Style: Top,DejaVu Sans,20,&H0000FFFF,&H000000FF,&H00800000,&H80000000,1,0,0,0,100,100,0,0,1,3,0,8,10,10,20,1
    Style: Box,DejaVu Sans,20,&H40FFFFFF,&H000000FF,&H80FF0000,&H80000000,0,1,0,0,100,100,0,0,3,2,2,5,10,10,20,1

    """
  private static let events = """
    Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,Plain white at the bottom
    Dialogue: 0,0:00:00.50,0:00:02.00,Default,,0,0,0,,Stacked above it, and it stays
    Dialogue: 0,0:00:00.00,0:00:02.00,Top,,0,0,0,,{\\k50}Ka{\\k50}ra{\\k50}o{\\k50}ke
    Dialogue: 0,0:00:00.20,0:00:01.50,Box,,0,0,0,,{\\fad(300,300)}In a box
    Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\move(50,100,300,60)\\t(\\fscx200)\\blur2\\frz20}Moving
    Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\an7\\pos(20,20)\\p1\\bord0\\shad0\\c&H00FF00&}m 0 0 l 80 0 80 40 0 40{\\p0}
    """

  /// Frames of 8-bit 4:2:0 as bytes, one after another.
  private func bytes(of path: String) throws -> [UInt8] {
    Array(try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]))
  }

  /// Differences by size in luma, and of chroma where luma and chroma around it are flat.
  private func compare(
    _ script: String, size: PixelSize, matrix: String, layout: String = ""
  ) async throws -> (changed: Int, luma: [Int: Int], flatChroma: Int) {
    let folder = try TemporaryFolder()
    let (movie, path) = (folder.file("in.mkv"), folder.file("s.ass"))
    try Data(script.utf8).write(to: URL(filePath: path))
    try runTool(
      "ffmpeg",
      [
        // Without colors of its own the source takes random ones.
        "-v", "error", "-f", "lavfi", "-i",
        "gradients=s=\(size.width)x\(size.height):r=25:d=2:speed=0.02:seed=3:nb_colors=3:c0=0x2050a0:c1=0xe0c060:c2=0x703010",
        "-vf",
        "scale=out_color_matrix=\(matrix),format=yuv420p,setparams=colorspace=\(matrix):color_primaries=bt709:color_trc=bt709:range=tv",
        "-chroma_sample_location", "left", "-c:v", "ffv1", movie,
      ])
    try runTool(
      "ffmpeg", ["-v", "error", "-i", movie, "-vf", "ass=\(path)\(layout)", "-c:v", "ffv1", folder.file("theirs.mkv")])
    let file = try ProjectFile(
      "{ version: 1, assets: { a: \"\(movie)\" }, tracks: [{ clips: [{ asset: \"a\" }] }], captions: [{ file: \"\(path)\" }] }")
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog).get()
    _ = try await Exporter.export(
      composition, to: folder.file("ours.mkv"), settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1), audio: nil)
    )
    return Self.difference(
      try bytes(of: folder.file("ours.mkv")), try bytes(of: folder.file("theirs.mkv")), try bytes(of: movie), size)
  }

  private static func difference(
    _ ours: [UInt8], _ theirs: [UInt8], _ plain: [UInt8], _ size: PixelSize
  ) -> (changed: Int, luma: [Int: Int], flatChroma: Int) {
    let (width, height) = (size.width, size.height)
    let frameSize = width * height * 3 / 2
    var (changed, luma, flat) = (0, [Int: Int](), 0)
    guard ours.count == theirs.count, plain.count == ours.count else { return (0, [:], .max) }
    for frame in stride(from: 0, to: ours.count, by: frameSize) {
      for index in frame..<frame + width * height {
        if theirs[index] != plain[index] { changed += 1 }
        let distance = abs(Int(ours[index]) - Int(theirs[index]))
        if distance > 0 { luma[distance, default: 0] += 1 }
      }
      // The opaque drawing: away from its edge nothing depends on where chroma is sited.
      let scale = (x: width / 384, y: height / 288)
      for plane in 0..<2 {
        let base = frame + width * height + plane * width * height / 4
        for y in (22 * scale.y / 2 + 1)..<(57 * scale.y / 2) {
          for x in (22 * scale.x / 2 + 1)..<(97 * scale.x / 2) {
            let index = base + y * width / 2 + x
            flat = max(flat, abs(Int(ours[index]) - Int(theirs[index])))
          }
        }
      }
    }
    return (changed, luma, flat)
  }

  @Test(.enabled(if: hasFFmpeg), arguments: [PixelSize(width: 768, height: 576), PixelSize(width: 384, height: 576)])
  func script_isDrawnAsFFmpegDrawsIt(size: PixelSize) async throws {
    let result = try await compare(
      CaptionReadingTests.script(styles: Self.styles, events: Self.events), size: size, matrix: "bt709")
    let beyond = result.luma.filter { $0.key > 2 }.values.reduce(0, +)
    print(
      "ass, \(size): \(result.changed) luma samples drawn over; off by \(result.luma.sorted { $0.key < $1.key }); flat chroma \(result.flatChroma)"
    )
    #expect(result.changed > 200_000)
    // Every mask that ffmpeg blends is cut off to 8 bits, ours is rounded: where many lie over each other a sample is off by 3.
    #expect(beyond * 100_000 <= result.changed && (result.luma.keys.max() ?? 0) <= 3)
    #expect(result.flatChroma <= 2)
  }

  @Test(.enabled(if: hasFFmpeg)) func script_withoutTranslucency_isWithin2Codes() async throws {
    let events = """
      Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,Opaque text, {\\b1}bold{\\b0} and {\\i1}italic
      Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\an7\\pos(20,20)\\p1\\bord0\\shad0\\c&H2040F0&}m 0 0 l 80 0 80 40 0 40{\\p0}
      """
    for header in ["YCbCr Matrix: TV.601", ""] {
      let result = try await compare(
        CaptionReadingTests.script(header: header, events: events), size: PixelSize(width: 768, height: 576), matrix: "bt709")
      #expect(result.changed > 20_000)
      #expect((result.luma.keys.max() ?? 0) <= 2)
      #expect(result.flatChroma <= 2)
    }
  }

  /// What the header says of colors: codes by BT.601 unless it says otherwise; R, G, B are sRGB, brought into the output's primaries.
  @Test(arguments: [
    ("", "bt709", 81, 90, 240), ("YCbCr Matrix: TV.601", "bt709", 81, 90, 240), ("YCbCr Matrix: TV.709", "bt709", 63, 102, 240),
    ("YCbCr Matrix: None", "bt709", 63, 102, 240), ("YCbCr Matrix: TV.709", "bt601-525", 63, 102, 240),
    ("YCbCr Matrix: None", "bt601-525", 82, 93, 240),
  ])
  func color_hasTheCodesThatItsMatrixSays(header: String, output: String, y: Int, cb: Int, cr: Int) async throws {
    let script = CaptionReadingTests.script(
      header: header,
      events:
        "Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\an7\\pos(0,0)\\p1\\bord0\\c&H0000FF&}m 0 0 l 384 0 384 288 0 288{\\p0}"
    )
    let path = try CaptionReadingTests.write(script, "red\(header.utf8.count)\(output).ass")
    let frame = try await CaptionedProject("{ file: \"\(path)\" }", output: ", color: \"\(output)\"").frame(3)
    let found = (0..<3).map { plane in frame.withRow(20, plane: plane, as: UInt8.self) { Int($0[20]) } }
    #expect(found == [y, cb, cr])
  }

  @Test func white_inHDR_is203Candela() async throws {
    let script = CaptionReadingTests.script(
      events: "Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\an7\\pos(0,0)\\p1\\bord0}m 0 0 l 384 0 384 288 0 288{\\p0}")
    let path = try CaptionReadingTests.write(script, "white.ass")
    for (color, code) in [("pq", 573), ("hlg", 721)] {
      let project = try CaptionedProject("{ file: \"\(path)\" }", output: ", color: \"\(color)\"")
      let frame = try await project.frame(3, format: .yuv420p10)
      let found = frame.withRow(20, as: UInt16.self) { Int($0[20]) }
      #expect(abs(found - code) <= 1, "\(color): \(found)")
    }
  }

  /// libass remembers where events are; frames come out the same in any order all the same.
  @Test func frames_drawnInAnyOrder_areTheSame() async throws {
    let path = try CaptionReadingTests.write(
      CaptionReadingTests.script(styles: Self.styles, events: Self.events), "order.ass")
    func frames(_ numbers: [Int]) async throws -> [Int: [UInt8]] {
      let project = try CaptionedProject("{ file: \"\(path)\" }")
      var found: [Int: [UInt8]] = [:]
      for number in numbers {
        let frame = try await project.frame(number)
        found[number] = (0..<frame.size.height).flatMap { y in
          frame.withRow(y, as: UInt8.self) { row in (0..<320).map { row[$0] } }
        }
      }
      return found
    }
    let numbers = Array(stride(from: 0, to: 50, by: 3))
    #expect(try await frames(numbers) == frames(numbers.reversed()))
  }

  @Test func style_inTheProject_drawsAScriptAsCaptions() throws {
    let path = try CaptionReadingTests.write(CaptionReadingTests.script(events: Self.events), "styled.ass")
    #expect(try CaptionedProject("{ file: \"\(path)\" }").composition.captions.map(\.isScript) == [true])
    #expect(try CaptionedProject("{ file: \"\(path)\", style: {} }").composition.captions.map(\.isScript) == [false])
    #expect(try CaptionedProject("{ file: \"\(path)\", as: \"track\" }").composition.captions.isEmpty)
  }
}
