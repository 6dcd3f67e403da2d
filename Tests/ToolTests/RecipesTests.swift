import Foundation
import Testing

/// Every recipe of docs/recipes.md is run as it stands there, and what comes out is looked at.
@Suite final class RecipesTests {
  /// Lives as long as the test.
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a recipe by its number on the page, from 1 on.
  private func cook(_ number: Int) throws -> Scratch {
    try Recipe.page()[number - 1].run(in: scratch)
    return scratch
  }

  @Test func page_hasFourteenShortRecipes() throws {
    let page = try Recipe.page()
    #expect(page.count == 14)
    for (index, recipe) in page.enumerated() {
      #expect(recipe.title.hasPrefix("\(index + 1). "))
      #expect(!recipe.commands.isEmpty && recipe.commands.allSatisfy { $0.hasPrefix("compositor ") })
      for project in recipe.projects { #expect(project.lines.count <= 15, "\(recipe.title): \(project.lines.count) lines") }
    }
  }

  @Test func recipe01_join_ducksTheMusicUnderSpeech() throws {
    let movie = try cook(1).file("joined.mp4")
    #expect(try Media.duration(movie) == 7)
    // 220 Hz is the music; the clips are at 440 and 880 Hz, the last one is silent.
    let music = try Media.levels(movie, filter: "bandpass=f=220:width_type=h:w=40", step: 0.25)
    let ducked = try #require(music[4..<12].max())
    let alone = try #require(music[24..<26].max())
    #expect(abs(alone - ducked - 12) < 1.5, "\(ducked) under the clips, \(alone) alone")
  }

  @Test func recipe02_trim_keepsTheFramesAsTheyAre() throws {
    let scratch = try cook(2)
    let (whole, part) = (try scratch.file("holiday.mp4"), try scratch.file("part.mp4"))
    let frames = try Media.hashes(part)
    #expect(frames.count >= 62 && frames.count <= 63)
    #expect(
      frames.elementsEqual(try Media.hashes(whole)[50..<(50 + frames.count)]), "the frames are decoded from the same packets")
  }

  @Test func recipe03_slideshow_moves() throws {
    let movie = try cook(3).file("slideshow.mp4")
    #expect(try Media.duration(movie) == 7)
    #expect(try Media.size(movie) == [1280, 720])
    // Along each photo frames differ from each other: they move.
    let frames = try Media.hashes(movie)
    #expect(frames.count == 175 && Set(frames).count > 170)
  }

  @Test func recipe04_pictureInPicture_hasTransparentCorners() throws {
    let movie = try cook(4).file("talk.mp4")
    // 192 by 108 pixels about (512, 273.6), with corners of 18.
    #expect(try Media.isNear(movie, (512, 274), [0xc0, 0x40, 0x40]))
    for corner in [(418, 221), (605, 221), (418, 326), (605, 326)] {
      #expect(try Media.isNear(movie, corner, [0x40, 0x40, 0xc0]), "the slides show at \(corner)")
    }
    #expect(try Media.isNear(movie, (512, 220), [255, 255, 255], within: 40), "the border")
    #expect(try Media.isNear(movie, (100, 100), [0x40, 0x40, 0xc0]))
  }

  @Test func recipe05_greenScreen_isGone() throws {
    let movie = try cook(5).file("weather.mp4")
    #expect(try Media.duration(movie) == 1)
    for place in [(20, 20), (600, 340), (100, 180)] { #expect(try Media.isNear(movie, place, [0x20, 0x60, 0xc0])) }
    #expect(try Media.isNear(movie, (320, 200), [0xc0, 0x80, 0x60], within: 14), "the presenter stays")
  }

  @Test func recipe06_retiming_slowsFreezesAndReverses() throws {
    let luma = try Media.luma(try cook(6).file("jump-slow.mp4"))
    #expect(luma.count == 150)
    func step(_ range: Range<Int>) -> Double { (luma[range.upperBound - 1] - luma[range.lowerBound]) / Double(range.count - 1) }
    #expect(abs(step(0..<25) - 2) < 0.1, "at its own speed")
    #expect(abs(step(25..<74) - 1) < 0.1, "at half of it")
    #expect(abs(step(75..<100)) < 0.02 && abs(luma[80] - luma[0] - 100) < 2, "the frame at two seconds stands")
    #expect(abs(step(100..<150) + 2) < 0.1, "backward")
  }

  @Test func recipe07_subtitles_areDrawnWhileTheyLast() throws {
    let scratch = try cook(7)
    let (plain, captioned) = (try scratch.file("interview.mp4"), try scratch.file("captioned.mp4"))
    let (before, after) = (try Media.luma(plain, crop: "200:36:60:130"), try Media.luma(captioned, crop: "200:36:60:130"))
    let change = zip(before, after).map { abs($0 - $1) }
    #expect(change[..<24].allSatisfy { $0 < 2 } && change[51...].allSatisfy { $0 < 2 }, "\(change)")
    #expect(change[26..<49].allSatisfy { $0 > 5 }, "\(change)")
  }

  @Test func recipe08_upright_isFilledByABlur() throws {
    let movie = try cook(8).file("story.mp4")
    #expect(try Media.size(movie) == [720, 1280])
    // Neighboring pixels of the middle differ much, of the blurred fill little.
    let (sharp, blurred) = (try Media.detail(movie, crop: "720:300:0:490"), try Media.detail(movie, crop: "720:300:0:40"))
    #expect(sharp > 4 * blurred, "\(sharp) in the middle, \(blurred) above")
    #expect(try Media.luma(movie, crop: "720:300:0:40")[0] > 30, "the fill isn't black")
  }

  @Test func recipe09_sheetAndGIF_areMade() throws {
    let scratch = try cook(9)
    let sheet = try scratch.file("sheet.jpg")
    let size = try Media.size(sheet)
    #expect(abs(Double(size[0]) / Double(size[1]) - 4.0 * 16 / (3 * 9)) < 0.15, "\(size)")
    #expect(try Media.codec(sheet) == "mjpeg")
    let gif = try scratch.file("holiday.gif")
    #expect(try Media.codec(gif) == "gif" && Media.size(gif) == [320, 180] && Media.hashes(gif).count == 25)
  }

  @Test func recipe10_table_makesFiftyMovies() throws {
    let scratch = try cook(10)
    let folder = try scratch.file("badges").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 50 && names.contains("1-Ada Lovelace.mp4") && names.contains("50-Person 47.mp4"), "\(names)")
    #expect(try Media.luma(URL(filePath: "\(folder)/1-Ada Lovelace.mp4")).count == 25)
    #expect(try Media.luma(URL(filePath: "\(folder)/2-Grace Hopper.mp4")).count == 30)
    #expect(try Media.luma(URL(filePath: "\(folder)/50-Person 47.mp4")).count == 5)
    let (ada, grace) = try (
      Media.pixel(URL(filePath: "\(folder)/1-Ada Lovelace.mp4"), (4, 4)),
      Media.pixel(URL(filePath: "\(folder)/2-Grace Hopper.mp4"), (4, 4))
    )
    #expect(ada[2] > ada[0] + 30 && grace[0] > grace[2] + 20, "the colors of the table: \(ada), \(grace)")
  }

  @Test func recipe11_look_comesInOverTwoSeconds() throws {
    let scratch = try cook(11)
    let (plain, graded) = (try scratch.file("holiday.mp4"), try scratch.file("graded.mp4"))
    func blue(_ movie: URL, _ frame: Int) throws -> Double { Double(try Media.mean(movie, frame: frame)[2]) }
    #expect(abs(try blue(graded, 0) - blue(plain, 0)) < 3)
    let half = try blue(graded, 25) / blue(plain, 25)
    #expect(half > 0.3 && half < 0.7, "\(half)")
    #expect(try blue(graded, 60) < 12)
  }

  @Test func recipe12_splitScreen_showsBothWithLabels() throws {
    let movie = try cook(12).file("compare.mp4")
    #expect(try Media.size(movie) == [1280, 360])
    #expect(try Media.isNear(movie, (320, 100), [0x80, 0x80, 0xff]) && Media.isNear(movie, (960, 100), [0xff, 0x80, 0x80]))
    #expect(try Media.isNear(movie, (636, 100), [0x80, 0x80, 0xff]) && Media.isNear(movie, (644, 100), [0xff, 0x80, 0x80]))
    for crop in ["300:50:170:292", "300:50:810:292"] {
      #expect(try Media.detail(movie, crop: crop) > 3, "a label stands in \(crop)")
    }
  }

  @Test func recipe13_audio_isExtractedReplacedAndNormalized() throws {
    let scratch = try cook(13)
    let extracted = try scratch.file("interview.m4a")
    #expect(try Media.streams(extracted) == ["audio"] && abs(Media.duration(extracted) - 3) < 0.05)
    let dubbed = try scratch.file("dubbed.mp4")
    #expect(try Media.streams(dubbed).sorted() == ["audio", "video"])
    let voice = try #require(try Media.levels(dubbed, filter: "bandpass=f=330:width_type=h:w=40", step: 0.5)[2...3].max())
    let old = try #require(try Media.levels(dubbed, filter: "bandpass=f=880:width_type=h:w=40", step: 0.5)[2...3].max())
    #expect(voice > old + 20, "330 Hz at \(voice) dB, 880 Hz at \(old) dB")
    #expect(abs(try Media.loudness(scratch.file("interview-web.mp4")) + 14) < 0.7)
  }

  @Test func recipe14_codecs_areWritten() throws {
    let scratch = try cook(14)
    for (name, codec) in [("holiday-edit.mov", "prores"), ("holiday-web.mp4", "av1"), ("holiday-phone.mp4", "hevc")] {
      let movie = try scratch.file(name)
      #expect(try Media.codec(movie) == codec && Media.luma(movie).count == 125, "\(name)")
    }
  }

  /// What the page says of Ctrl-C, on its own command with a longer movie.
  @Test func recipe14_canceled_leavesNothing() async throws {
    _ = try scratch.file(
      "holiday.json5",
      "{ version: 2, assets: { a: { generate: \"clock\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"2000s\" }] }] }")
    let command = try #require(try Recipe.page()[13].commands.last { $0.contains("json") })
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = command.replacing("holiday.mp4", with: "holiday.json5").split(separator: " ").dropFirst().map(
      String.init)
    process.currentDirectoryURL = scratch.folder
    let log = try scratch.file("log", "")
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ContinuousClock.now + .seconds(60)
    while try Data(contentsOf: log).isEmpty, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
    let start = ContinuousClock.now
    process.interrupt()
    process.waitUntilExit()
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(process.terminationStatus == 130)
    #expect(try scratch.names() == ["holiday.json5", "log"])
    #expect(try String(contentsOf: log, encoding: .utf8).contains("\"event\":\"progress\""))
  }
}

/// What ffmpeg and ffprobe say of a file.
private enum Media {
  private static func ffmpeg(_ arguments: [String]) throws -> Data {
    let out = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: out) }
    let result = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments + [out.path])
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return try Data(contentsOf: out)
  }

  private static func probe(_ file: URL, _ entries: String) throws -> [String] {
    let result = try ToolRun.program("ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", file.path)
    return result.output.split(separator: "\n").map { $0.trimmingCharacters(in: ["\r", ","]) }
  }

  static func duration(_ file: URL) throws -> Double { Double(try probe(file, "format=duration").first ?? "") ?? .nan }
  static func codec(_ file: URL) throws -> String? { try probe(file, "stream=codec_name").first }
  static func streams(_ file: URL) throws -> [String] { try probe(file, "stream=codec_type") }
  static func size(_ file: URL) throws -> [Int] {
    let sides = try probe(file, "stream=width,height").first?.split(separator: ",").compactMap { Int($0) } ?? []
    try #require(sides.count == 2, "\(file.lastPathComponent) has no picture")
    return sides
  }

  /// A digest of each decoded frame.
  static func hashes(_ file: URL) throws -> [String] {
    let text = String(
      decoding: try ffmpeg(["-i", file.path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5"]), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      String($0.split(separator: ",").last ?? "").trimmingCharacters(in: .whitespaces)
    }
  }

  /// The mean luma of each frame, in codes, of a part of the picture.
  static func luma(_ file: URL, crop: String? = nil) throws -> [Double] {
    let filters = (crop.map { ["crop=\($0)"] } ?? []) + ["extractplanes=y", "scale=1:1:flags=area", "format=gray16le"]
    let data = try ffmpeg([
      "-i", file.path, "-map", "0:v", "-vf", filters.joined(separator: ","), "-fps_mode", "passthrough", "-f", "rawvideo",
    ])
    return stride(from: 0, to: data.count - 1, by: 2).map { (Double(data[$0]) + 256 * Double(data[$0 + 1])) / 257 }
  }

  /// The first frame as R′G′B′.
  private static func rgb(_ file: URL, frame: Int = 0, filter: String = "null") throws -> [UInt8] {
    [UInt8](
      try ffmpeg([
        "-i", file.path, "-map", "0:v", "-vf", "select=eq(n\\,\(frame)),scale=in_color_matrix=bt709,format=rgb24,\(filter)",
        "-frames:v",
        "1", "-f", "rawvideo", "-pix_fmt", "rgb24",
      ]))
  }

  static func pixel(_ file: URL, _ place: (Int, Int)) throws -> [Int] {
    try rgb(file, filter: "crop=1:1:\(place.0):\(place.1)").map(Int.init)
  }

  static func isNear(_ file: URL, _ place: (Int, Int), _ color: [Int], within tolerance: Int = 8) throws -> Bool {
    let found = try pixel(file, place)
    return found.count == 3 && zip(found, color).allSatisfy { abs($0 - $1) <= tolerance }
  }

  /// The mean color of a frame.
  static func mean(_ file: URL, frame: Int) throws -> [Int] {
    let bytes = try rgb(file, frame: frame)
    return (0..<3).map { channel in
      stride(from: channel, to: bytes.count, by: 3).reduce(0) { $0 + Int(bytes[$1]) } / max(1, bytes.count / 3)
    }
  }

  /// How much neighboring pixels of a part of the first frame differ, in codes on the mean.
  static func detail(_ file: URL, crop: String) throws -> Double {
    let width = Int(crop.split(separator: ":")[0]) ?? 1
    let bytes = [UInt8](
      try ffmpeg(["-i", file.path, "-vf", "crop=\(crop),format=gray", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray"]))
    var sum = 0
    for index in bytes.indices.dropLast() where index % width != width - 1 {
      sum += abs(Int(bytes[index]) - Int(bytes[index + 1]))
    }
    return Double(sum) / Double(max(1, bytes.count))
  }

  /// RMS levels of steps of time, in dB.
  static func levels(_ file: URL, filter: String, step: Double) throws -> [Double] {
    let data = try ffmpeg(["-i", file.path, "-map", "0:a", "-af", filter, "-ac", "1", "-ar", "48000", "-f", "f32le"])
    let samples = data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 3, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
    let count = Int(step * 48000)
    return stride(from: 0, to: samples.count - count + 1, by: count).map { start in
      let power = samples[start..<start + count].reduce(0) { $0 + Double($1) * Double($1) } / Double(count)
      return 10 * log10(max(power, 1e-12))
    }
  }

  /// Integrated loudness, in LUFS.
  static func loudness(_ file: URL) throws -> Double {
    let result = try ToolRun.program("ffmpeg", "-hide_banner", "-i", file.path, "-af", "ebur128", "-f", "null", "-")
    let summary = result.errors.components(separatedBy: "Summary:").last ?? ""
    let value = summary.components(separatedBy: "I:").dropFirst().first?.split(separator: " ").first
    return value.flatMap { Double($0) } ?? .nan
  }
}
