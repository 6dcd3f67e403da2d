import CompositorTestSupport
import Foundation
import Testing

/// The titles of Examples/Titles with texts up to their stated lengths, in six scripts and both directions.
@Suite struct GalleryTextTests {
  /// Six seconds of each title, one after another, over gray.
  private static func project(_ template: GalleryTemplate, size: String) throws -> String {
    let titles = try template.variables().enumerated().map { index, variables in
      """
      { template: "\(GalleryTemplate.folder.path)/\(template.name).json5", start: "\(6 * index)s", duration: "6s", variables: \(variables) },
      """
    }
    return """
      { version: 1, output: { size: "\(size)", frameRate: 25 },
        assets: { gray: { generate: "color", color: "#404040", size: "\(size)", duration: "\(6 * titles.count)s" } },
        tracks: [{ clips: [{ asset: "gray" }] }],
        titles: [
          \(titles.joined(separator: "\n    "))
        ] }
      """
  }

  /// Where a frame has red or green letters.
  private struct Ink {
    private(set) var columns = Int.max...Int.max
    private(set) var rows = Int.max...Int.max
    /// Whether red letters touch green ones.
    private(set) var isMixed = false

    /// - Parameter pixels: Red, green and blue of each pixel, row by row.
    init(_ pixels: ArraySlice<UInt8>, width: Int) {
      let count = pixels.count / 3
      let colors = (0..<count).map { index -> Int in
        let at = pixels.startIndex + 3 * index
        let (red, green, blue) = (Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]))
        return red - max(green, blue) > 60 ? 1 : green - max(red, blue) > 60 ? 2 : 0
      }
      let inked = colors.indices.filter { colors[$0] > 0 }
      guard let first = inked.first, let last = inked.last else { return }
      rows = first / width...last / width
      let places = inked.map { $0 % width }
      columns = (places.min() ?? 0)...(places.max() ?? 0)
      isMixed = inked.contains { index in
        [1, width].contains { step in index + step < count && colors[index] + colors[index + step] == 3 }
      }
    }
  }

  /// Each text is inside of the title-safe area and apart from the others, without a warning. `make test` takes one frame for each template.
  @Test(arguments: TableSelection.pairs(GalleryTemplate.all, [(320, 180), (180, 320), (180, 180)], each: 1))
  func texts_upToTheirStatedLength_holdInAnyFrame(_ template: GalleryTemplate, _ size: (width: Int, height: Int)) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project(template, size: "\(size.width)x\(size.height)"))
    let valid = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(valid.status == 0 && !valid.output.contains("warning"), "\(valid.output)\(valid.errors)")
    let count = 5 * GallerySentence.all.count
    let times = (0..<count).flatMap { ["--at", "\(6 * $0 + template.time)s"] }
    let stills = try ToolRun.compositor(
      ["thumbnails", "p.json5", "--size", "\(size.width)x\(size.height)", "-o", "%02d.png"] + times, in: scratch.folder)
    try #require(stills.status == 0, "\(stills.errors)")
    let images = scratch.folder.appending(path: "%02d.png").path
    let bytes = [UInt8](try runProgram("ffmpeg", ["-v", "error", "-i", images, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    let length = size.width * size.height * 3
    try #require(bytes.count == count * length)
    for index in 0..<count {
      let ink = Ink(bytes[index * length..<(index + 1) * length], width: size.width)
      let name = "text \(index % 5) of sentence \(index / 5): columns \(ink.columns), rows \(ink.rows)"
      #expect(Self.isSafe(ink.columns, size.width) && Self.isSafe(ink.rows, size.height), "\(name)")
      #expect(!ink.isMixed, "\(name)")
    }
  }

  /// Whether pixels are in the title-safe area along a side, or one beyond it, as antialiased edges may be.
  private static func isSafe(_ pixels: ClosedRange<Int>, _ side: Int) -> Bool {
    pixels.lowerBound >= side / 20 - 1 && pixels.upperBound <= side - side / 20
  }

  /// The page states the same lengths as the templates.
  @Test(arguments: GalleryTemplate.all) func page_statesTheLengths(_ template: GalleryTemplate) throws {
    let page = try String(contentsOf: ToolRun.root.appending(path: "docs/gallery.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## ").first { $0.contains("Titles/\(template.name).json5)") })
    let text = try #require(section.split(separator: "\n").first { $0.hasPrefix("Text: ") })
    #expect(try template.comment().contains(text))
    #expect(try !template.lengths().isEmpty)
    if let count = try template.itemCount() { #expect(count == template.items.count) }
  }
}
