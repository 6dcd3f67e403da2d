import CompositorAPI
import CompositorTestSupport
import Foundation
import Testing

/// A pixel of 8 bits, as ffmpeg reads it.
private struct Pixel: Hashable {
  let red, green, blue: UInt8

  /// All pixels of an image, row by row.
  static func all(of image: URL) throws -> [Pixel] {
    let bytes = try runProgram("ffmpeg", ["-v", "error", "-i", image.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    return stride(from: 0, to: bytes.count - 2, by: 3).map { Pixel(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2]) }
  }

  var isRed: Bool { red > 200 && green < 60 && blue < 60 }
}

/// The ready-made titles of Examples/Titles, as their user renders them.
@Suite struct GalleryTests {
  private static let folder = ToolRun.root.appending(path: "Examples/Titles")

  static let names: [String] = [
    "bar-chart", "caption-boxes", "caption-headline", "caption-pop", "chapter-bumper", "chat-bubbles", "countdown",
    "credits-columns", "end-card", "end-screen", "karaoke", "kinetic-words", "line-chart", "location-card", "logo-bug",
    "lower-third", "map-pin", "map-route", "news-ticker", "product-card", "progress-ring", "quote-card", "scoreboard",
    "split-labels",
  ]

  /// A project that shows a template over gray.
  private static func project(_ name: String, _ size: String, color: String, variables: String = "{}") -> String {
    """
    { version: 1, output: { size: "\(size)", frameRate: 25, color: "\(color)" },
      assets: { gray: { generate: "color", color: "#404040", size: "\(size)", duration: "10s" },
                logo: "\(ToolRun.root.path)/docs/images/gallery/countdown.png", first: { generate: "clock", size: "64x36" },
                second: { generate: "bars", size: "64x36" }, third: { generate: "clock", size: "36x64" },
                next: { generate: "bars", size: "64x36" }, picture: { generate: "clock", size: "64x64" } },
      tracks: [{ clips: [{ asset: "gray" }] }],
      titles: [{ template: "\(folder.path)/\(name).json5", variables: \(variables) }] }
    """
  }

  @Test func folder_holdsTheTitlesOfTheGallery() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".json5") }
    #expect(files.sorted() == Self.names.map { "\($0).json5" })
  }

  private static let outputs = [
    ("320x180", "sdr"), ("180x320", "sdr"), ("180x180", "sdr"), ("320x180", "hlg"), ("180x320", "hlg"),
  ]

  /// Each is valid without a warning, and shows in the middle of its time, in any shape of frame. `make test` takes two outputs for each.
  @Test(arguments: TableSelection.pairs(names, outputs, each: 2))
  func title_inAnyFrame_isValidAndShows(_ name: String, _ output: (size: String, color: String)) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project(name, output.size, color: output.color))
    let valid = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(valid.status == 0 && !valid.output.contains("warning"), "\(valid.output)\(valid.errors)")
    let still = try ToolRun.compositor(["frame", "p.json5", "--at", "1.5s", "-o", "p.png"], in: scratch.folder)
    #expect(still.status == 0, "\(still.errors)")
    let pixels = try Pixel.all(of: scratch.folder.appending(path: "p.png"))
    let background = pixels.reduce(into: [:]) { counts, pixel in counts[pixel, default: 0] += 1 }.values.max() ?? 0
    #expect(background < pixels.count * 995 / 1000, "\(name) shows nothing")
  }

  /// A word is lit from the very frame of its time.
  @Test func karaoke_followsItsTimesToTheFrame() throws {
    let scratch = try Scratch()
    let variables = ##"{ text: "one two three", times: ["0.4s", "1s", "1.48s"], color: "#ffffff", accent: "#ff0000" }"##
    _ = try scratch.file("p.json5", Self.project("karaoke", "640x360", color: "sdr", variables: variables))
    /// The number of words that are red.
    func lit(_ frame: Int) throws -> Int {
      let result = try ToolRun.compositor(
        ["frame", "p.json5", "--at", "\(frame)f", "-o", "f\(frame).png"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      let pixels = try Pixel.all(of: scratch.folder.appending(path: "f\(frame).png"))
      let reds = Set(pixels.indices.filter { pixels[$0].isRed }.map { $0 % 640 }).sorted()
      // Words are apart by more than letters are.
      return reds.isEmpty ? 0 : 1 + zip(reds, reds.dropFirst()).count { $1 - $0 > 12 }
    }
    for (frame, words) in [(9, 0), (10, 1), (24, 1), (25, 2), (36, 2), (37, 3)] {
      #expect(try lit(frame) == words, "frame \(frame)")
    }
  }

  /// News of any number have run through, from either side, before the strip leaves.
  @Test(arguments: ["row", "row-reverse"], [1, 100])
  func newsTicker_ofAnyLength_runsThrough(_ direction: String, _ count: Int) throws {
    let scratch = try Scratch()
    let news = String(repeating: "{ text: \"\(String(repeating: "word ", count: 20))\" }, ", count: count)
    let variables = ##"{ news: [\##(news)], direction: "\##(direction)", color: "#ff0000", accent: "#000000" }"##
    _ = try scratch.file("p.json5", Self.project("news-ticker", "1280x720", color: "sdr", variables: variables))
    func isRed(_ time: String) throws -> Bool {
      let result = try ToolRun.compositor(["frame", "p.json5", "--at", time, "-o", "\(time).png"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      return try Pixel.all(of: scratch.folder.appending(path: "\(time).png")).contains(where: \.isRed)
    }
    #expect(try !isRed("0.4s"))
    #expect(try isRed("5s"))
    #expect(try !isRed("9.6s"))
  }

  /// A chart of a CSV file is that of the same rows in the project; the bar of 0 is empty, without a warning.
  @Test func barChart_ofATable_isThatOfItsRows() throws {
    let scratch = try Scratch()
    _ = try scratch.file("sun.csv", "label,value\nChile,23\nNorway,0\n")
    func picture(_ name: String, _ rows: String) throws -> Data {
      let project = Self.project("bar-chart", "320x180", color: "sdr", variables: "{ rows: \(rows) }")
      let declared = "version: 1, variables: { table: { file: \"sun.csv\" } },"
      let table = project.replacingOccurrences(of: "version: 1,", with: declared)
      _ = try scratch.file("\(name).json5", rows.contains("table") ? table : project)
      let valid = try ToolRun.compositor(["validate", "\(name).json5"], in: scratch.folder)
      #expect(valid.status == 0 && !valid.output.contains("warning"), "\(valid.output)\(valid.errors)")
      let still = try ToolRun.compositor(["frame", "\(name).json5", "--at", "3s", "-o", "\(name).png"], in: scratch.folder)
      #expect(still.status == 0, "\(still.errors)")
      return try Data(contentsOf: scratch.folder.appending(path: "\(name).png"))
    }
    let rows = "[{ label: \"Chile\", value: 23 }, { label: \"Norway\", value: 0 }]"
    #expect(try picture("table", "\"${table}\"") == picture("list", rows))
  }

  /// The page shows each title, its pictures and its variables.
  @Test(arguments: names) func page_namesEachTitleWithItsVariables(_ name: String) throws {
    let page = try String(contentsOf: ToolRun.root.appending(path: "docs/gallery.md"), encoding: .utf8)
    let sections = page.components(separatedBy: "\n## ")
    let section = try #require(sections.first { $0.contains("Titles/\(name).json5)") })
    for picture in ["images/gallery/\(name).png", "images/gallery/\(name)-tall.png"] {
      #expect(section.contains(picture))
      #expect(FileManager.default.fileExists(atPath: ToolRun.root.appending(path: "docs/\(picture)").path))
    }
    let template = try String(contentsOf: Self.folder.appending(path: "\(name).json5"), encoding: .utf8)
    let used = Set(template.matches(of: /\$\{(\w+)\}/).map { String($0.1) }).subtracting(["duration", "index", "item"])
    for variable in used { #expect(section.contains("`\(variable)`"), "\(variable)") }
  }
}
