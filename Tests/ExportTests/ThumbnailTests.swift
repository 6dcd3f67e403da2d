import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

@Suite struct ThumbnailTests {
  private static func composition(_ path: String) throws -> ValidatedComposition {
    try CompositionValidator.validate(Edit(showing: .file(path: path), catalog: MediaCatalog()), catalog: MediaCatalog()).get()
  }

  /// Scenes of plain color, of a second each, with a little noise; 25 frames a second.
  private static func scenes(_ path: String, _ colors: [String]) throws {
    let inputs = colors.flatMap { ["-f", "lavfi", "-i", "color=\($0):s=160x90:r=25:d=1,noise=alls=6:allf=t"] }
    let joined = colors.indices.map { "[\($0)]" }.joined() + "concat=n=\(colors.count)"
    try runProgram(
      "ffmpeg",
      ["-v", "error"] + inputs + ["-filter_complex", joined, "-c:v", "libx264", "-g", "50", "-pix_fmt", "yuv420p", path])
  }

  private static func rgb(_ path: String) throws -> (width: Int, bytes: [UInt8]) {
    let size = try runTool("ffprobe", ["-v", "error", "-show_entries", "stream=width", "-of", "csv=p=0", path])
    let width = try #require(Int(size.trimmingCharacters(in: .whitespacesAndNewlines)))
    return (width, Array(try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])))
  }

  @Test func times_ofCounts_areTheMiddlesOfEqualParts() throws {
    let end = MediaTime(value: 10, timescale: 1)
    #expect(try ThumbnailTimes.count(4).times(in: end)?.map(\.seconds) == [1.25, 3.75, 6.25, 8.75])
    #expect(try ThumbnailTimes.count(1).times(in: end)?.map(\.seconds) == [5])
    #expect(try ThumbnailTimes.every(MediaTime(value: 4, timescale: 1)).times(in: end)?.map(\.seconds) == [0, 4, 8])
    #expect(try ThumbnailTimes.every(MediaTime(value: 5, timescale: 1)).times(in: end)?.map(\.seconds) == [0, 5])
    #expect(try ThumbnailTimes.at([end]).times(in: end) == [end])
    #expect(try ThumbnailTimes.scenes(threshold: 10).times(in: end) == nil)
    let third = MediaTime(value: 1001, timescale: 30000)
    let times = try #require(try ThumbnailTimes.count(100_000).times(in: third))
    #expect(times.count == 100_000 && times == times.sorted() && times.allSatisfy { $0 < third })
  }

  @Test(arguments: [
    ThumbnailTimes.count(0), .count(-1), .count(.max), .every(.zero), .every(MediaTime(value: -1, timescale: 1)),
    .every(.invalid),
    .every(MediaTime(value: 1, timescale: .max)), .at([]), .scenes(threshold: -1), .scenes(threshold: .nan),
    .scenes(threshold: 101),
  ])
  func times_thatCannotBe_areRefused(_ times: ThumbnailTimes) {
    #expect { try times.times(in: MediaTime(value: 10, timescale: 1)) } throws: {
      ($0 as? CompositorError)?.code == .invalidValue
    }
  }

  @Test func scenes_areFoundWhereThePictureChangesAtOnce() async throws {
    let folder = try TemporaryFolder()
    try Self.scenes(folder.file("s.mp4"), ["red", "white", "navy", "orange"])
    let result = try await ThumbnailExporter.export(
      try Self.composition(folder.file("s.mp4")), .scenes(threshold: 10), to: folder.file("scene_%d.png"))
    #expect(result.thumbnails.map(\.actualTime.seconds) == [0, 1, 2, 3])
    #expect(result.thumbnails.map(\.file) == (1...4).map { folder.file("scene_\($0).png") })
    #expect(try folder.names == ["s.mp4", "scene_1.png", "scene_2.png", "scene_3.png", "scene_4.png"])
    let one = try await ThumbnailExporter.export(
      try Self.composition(folder.file("s.mp4")), .scenes(threshold: 100), to: folder.file("one.png"))
    #expect(one.thumbnails.count == 1)
  }

  @Test(arguments: ["png", "jpg", "webp"], [false, true])
  func sheet_hasEachThumbnailAtItsPlace(_ name: String, _ hasLabels: Bool) async throws {
    let folder = try TemporaryFolder()
    try Self.scenes(folder.file("s.mp4"), ["red", "lime", "blue", "white", "black"])
    var settings = ThumbnailSettings()
    var layout = ContactSheetLayout(columns: 3, rows: 4)
    (layout.gap, layout.background, layout.hasLabels) = (6, .white, hasLabels)
    (settings.sheet, settings.images.maximumSize) = (layout, PixelSize(width: 80, height: 80))
    let path = folder.file("sheet.\(name)")
    let result = try await ThumbnailExporter.export(
      try Self.composition(folder.file("s.mp4")), .count(5), to: path, settings: settings)
    #expect(result.files == [path])
    #expect(result.thumbnails.map(\.column) == [0, 1, 2, 0, 1])
    #expect(result.thumbnails.map(\.row) == [0, 0, 0, 1, 1])
    let (width, bytes) = try Self.rgb(path)
    // Five thumbnails of 80x45 need two rows.
    #expect(width == 3 * 86 + 6 && bytes.count == 3 * width * (2 * 51 + 6))
    func pixel(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(bytes[3 * (y * width + x) + $0]) } }
    func isNear(_ left: [Int], _ right: [Int]) -> Bool { zip(left, right).allSatisfy { abs($0 - $1) < 40 } }
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0]]
    for (index, color) in colors.enumerated() {
      let (x, y) = (6 + index % 3 * 86, 6 + index / 3 * 51)
      #expect(isNear(pixel(x + 60, y + 10), color), "thumbnail \(index)")
      #expect(isNear(pixel(x + 2, y + 2), color))
      #expect(isNear(pixel(x - 4, y + 20), [255, 255, 255]))
      if index == 3 { #expect(isNear(pixel(x + 2, y + 42), color) != hasLabels) }
    }
    #expect(isNear(pixel(width - 40, 80), [255, 255, 255]))
  }

  @Test func sheets_thatAreSeveral_areNumbered_andTheNameHasToSayWhere() async throws {
    let folder = try TemporaryFolder()
    try Self.scenes(folder.file("s.mp4"), ["red", "lime"])
    let composition = try Self.composition(folder.file("s.mp4"))
    var settings = ThumbnailSettings()
    settings.sheet = ContactSheetLayout(columns: 2, rows: 2)
    let result = try await ThumbnailExporter.export(composition, .count(9), to: folder.file("%02d.jpg"), settings: settings)
    #expect(result.files.map { URL(filePath: $0).lastPathComponent } == ["01.jpg", "02.jpg", "03.jpg"])
    #expect(result.thumbnails.map(\.file) == [0, 0, 0, 0, 1, 1, 1, 1, 2].map { result.files[$0] })
    #expect(result.thumbnails.map(\.index) == Array(1...9))
    for (path, times) in [("sheet.jpg", ThumbnailTimes.count(9)), ("x.tiff", .count(1))] {
      await #expect {
        try await ThumbnailExporter.export(composition, times, to: folder.file(path), settings: settings)
      } throws: {
        ($0 as? CompositorError)?.code == .unsupportedOutput
      }
    }
    await #expect { try await ThumbnailExporter.export(composition, .count(2), to: folder.file("a.jpg")) } throws: {
      ($0 as? CompositorError)?.code == .unsupportedOutput
    }
    #expect(try folder.names == ["01.jpg", "02.jpg", "03.jpg", "s.mp4"])
  }

  @Test func thumbnails_neverReplaceAFile_unlessAsked_norAnInput() async throws {
    let folder = try TemporaryFolder()
    try Self.scenes(folder.file("s.mp4"), ["red", "lime"])
    let composition = try Self.composition(folder.file("s.mp4"))
    try Data("mine".utf8).write(to: URL(filePath: folder.file("2.jpg")))
    await #expect { try await ThumbnailExporter.export(composition, .count(3), to: folder.file("%d.jpg")) } throws: {
      ($0 as? CompositorError)?.code == .outputExists
    }
    #expect(try folder.names == ["2.jpg", "s.mp4"])
    var settings = ThumbnailSettings()
    settings.overwrites = true
    try await ThumbnailExporter.export(composition, .count(3), to: folder.file("%d.jpg"), settings: settings)
    #expect(try folder.names == ["1.jpg", "2.jpg", "3.jpg", "s.mp4"])
    #expect(try Self.rgb(folder.file("2.jpg")).width == 160)
  }

  @Test func thumbnails_thatAreCanceled_orFail_leaveNothing() async throws {
    let folder = try TemporaryFolder()
    try Self.scenes(folder.file("s.mp4"), ["red", "lime"])
    let composition = try Self.composition(folder.file("s.mp4"))
    let task = Task {
      try await ThumbnailExporter.export(composition, .count(20), to: folder.file("%d.jpg")) { done, _ in
        if done == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect { try await task.value } throws: { ($0 as? CompositorError)?.code == .cancelled }
    await #expect {
      try await ThumbnailExporter.export(
        composition, .at([.zero, MediaTime(value: 9, timescale: 1)]), to: folder.file("%d.jpg"))
    } throws: {
      ($0 as? CompositorError)?.code == .noFrame
    }
    #expect(try folder.names == ["s.mp4"])
  }

  @Test func label_ofATime_hasHoursWhereItNeedsThem() {
    let seconds = [0.0, 9.96, 62.5, 3600, 36_061.24]
    #expect(
      seconds.map { ContactSheetLayout.label(for: MediaTime(seconds: $0, preferredTimescale: 1000)) } == [
        "0:00.0", "0:09.9", "1:02.5", "1:00:00.0", "10:01:01.2",
      ])
  }

  @Test(arguments: [(0, 1, 8), (1, 0, 8), (1001, 1, 8), (1, 1, -1), (1, 1, 1001)])
  func layout_outOfRange_isRefused(_ columns: Int, _ rows: Int, _ gap: Int) {
    var layout = ContactSheetLayout(columns: columns, rows: rows)
    layout.gap = gap
    #expect { try layout.validate() } throws: { ($0 as? CompositorError)?.code == .invalidValue }
  }
}
