import Foundation
import Testing

/// Runs every recipe of docs/recipes.md as written, and checks its output.
@Suite final class RecipesTests {
  /// Lives as long as the test.
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a recipe by its number on the page, from 1 on.
  private func cook(_ number: Int) throws -> Scratch {
    try Recipe.page()[number - 1].run(in: scratch)
    return scratch
  }

  @Test func page_hasFifteenShortRecipes() throws {
    let page = try Recipe.page()
    #expect(page.count == 16)
    for (index, recipe) in page.enumerated() {
      #expect(recipe.title.hasPrefix("\(index + 1). "))
      #expect(!recipe.commands.isEmpty && recipe.commands.allSatisfy { $0.hasPrefix("compositor ") })
      for project in recipe.projects { #expect(project.lines.count <= 15, "\(recipe.title): \(project.lines.count) lines") }
    }
  }

  @Test func recipe01_join_ducksTheMusicUnderSpeech() throws {
    let movie = try cook(1).file("joined.mp4")
    #expect(abs(try RecipeOutput.duration(movie) - 10) < 0.05)
    // 220 Hz is the music; the clips are at 440 and 880 Hz, the last one is silent.
    let music = try RecipeOutput.levels(movie, filter: "bandpass=f=220:width_type=h:w=40", step: 0.25)
    let ducked = try #require(music[13..<16].max())
    let alone = try #require(music[27..<31].max())
    #expect(abs(alone - ducked - 12) < 1.5, "\(ducked) under the clips, \(alone) alone")
  }

  @Test func recipe02_trim_keepsTheFramesAsTheyAre() throws {
    let scratch = try cook(2)
    let (whole, part) = (try scratch.file("holiday.mp4"), try scratch.file("part.mp4"))
    let frames = try RecipeOutput.hashes(part)
    #expect(frames.count >= 62 && frames.count <= 63)
    #expect(
      frames.elementsEqual(try RecipeOutput.hashes(whole)[50..<(50 + frames.count)]),
      "the frames are decoded from the same packets")
  }

  @Test func recipe03_slideshow_moves() throws {
    let movie = try cook(3).file("slideshow.mp4")
    #expect(try RecipeOutput.duration(movie) == 7)
    #expect(try RecipeOutput.size(movie) == [960, 540])
    // Along each photo frames differ from each other: they move.
    let frames = try RecipeOutput.hashes(movie)
    #expect(frames.count == 175 && Set(frames).count > 170)
    #expect(try RecipeOutput.streams(movie).sorted() == ["audio", "video"])
  }

  @Test func recipe04_pictureInPicture_hasTransparentCorners() throws {
    let movie = try cook(4).file("talk.mp4")
    // 192 by 108 pixels about (512, 273.6), with corners of 18.
    #expect(try RecipeOutput.isNear(movie, (512, 274), [0xc0, 0x40, 0x40]))
    for corner in [(418, 221), (605, 221), (418, 326), (605, 326)] {
      #expect(try RecipeOutput.isNear(movie, corner, [0x40, 0x40, 0xc0]), "the slides show at \(corner)")
    }
    #expect(try RecipeOutput.isNear(movie, (512, 220), [255, 255, 255], within: 40), "the border")
    #expect(try RecipeOutput.isNear(movie, (100, 100), [0x40, 0x40, 0xc0]))
  }

  @Test func recipe05_greenScreen_isGone() throws {
    let movie = try cook(5).file("weather.mp4")
    #expect(try RecipeOutput.duration(movie) == 1)
    for place in [(20, 20), (600, 340), (100, 180)] { #expect(try RecipeOutput.isNear(movie, place, [0x20, 0x60, 0xc0])) }
    #expect(try RecipeOutput.isNear(movie, (320, 200), [0xc0, 0x80, 0x60], within: 20), "the presenter stays")
  }

  @Test func recipe06_retiming_slowsFreezesAndReverses() throws {
    let luma = try RecipeOutput.luma(try cook(6).file("jump-slow.mp4"))
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
    let (before, after) = (
      try RecipeOutput.luma(plain, crop: "100:30:110:145"), try RecipeOutput.luma(captioned, crop: "100:30:110:145")
    )
    let change = zip(before, after).map { abs($0 - $1) }
    #expect(change[..<24].allSatisfy { $0 < 2 } && change[51...].allSatisfy { $0 < 2 }, "\(change)")
    #expect(change[26..<49].allSatisfy { $0 > 3 }, "\(change)")
  }

  @Test func recipe08_upright_isFilledByABlur() throws {
    let movie = try cook(8).file("story.mp4")
    #expect(try RecipeOutput.size(movie) == [720, 1280])
    // Neighboring pixels of the middle differ much, of the blurred fill little.
    let (sharp, blurred) = (
      try RecipeOutput.detail(movie, crop: "720:300:0:490"), try RecipeOutput.detail(movie, crop: "720:300:0:40")
    )
    #expect(sharp > 2.5 * blurred, "\(sharp) in the middle, \(blurred) above")
    #expect(try RecipeOutput.luma(movie, crop: "720:300:0:40")[0] > 30, "the fill isn't black")
  }

  @Test func recipe09_sheetAndGIF_areMade() throws {
    let scratch = try cook(9)
    let sheet = try scratch.file("sheet.jpg")
    let size = try RecipeOutput.size(sheet)
    #expect(abs(Double(size[0]) / Double(size[1]) - 4.0 * 16 / (3 * 9)) < 0.15, "\(size)")
    #expect(try RecipeOutput.codec(sheet) == "mjpeg")
    let gif = try scratch.file("holiday.gif")
    #expect(
      try RecipeOutput.codec(gif) == "gif" && RecipeOutput.size(gif) == [320, 180] && RecipeOutput.hashes(gif).count == 25)
  }

  @Test func recipe10_table_makesFiftyMovies() throws {
    let scratch = try cook(10)
    let folder = try scratch.file("badges").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 50 && names.contains("1-Ada Lovelace.mp4") && names.contains("50-Person 47.mp4"), "\(names)")
    #expect(try RecipeOutput.luma(URL(filePath: "\(folder)/1-Ada Lovelace.mp4")).count == 25)
    #expect(try RecipeOutput.luma(URL(filePath: "\(folder)/2-Grace Hopper.mp4")).count == 30)
    #expect(try RecipeOutput.luma(URL(filePath: "\(folder)/50-Person 47.mp4")).count == 5)
    let (ada, grace) = try (
      RecipeOutput.pixel(URL(filePath: "\(folder)/1-Ada Lovelace.mp4"), (4, 4)),
      RecipeOutput.pixel(URL(filePath: "\(folder)/2-Grace Hopper.mp4"), (4, 4))
    )
    #expect(ada[2] > ada[0] + 30 && grace[0] > grace[2] + 20, "the colors of the table: \(ada), \(grace)")
  }

  @Test func recipe11_look_comesInOverTwoSeconds() throws {
    let scratch = try cook(11)
    let (plain, graded) = (try scratch.file("holiday.mp4"), try scratch.file("graded.mp4"))
    func blue(_ movie: URL, _ frame: Int) throws -> Double { Double(try RecipeOutput.mean(movie, frame: frame)[2]) }
    #expect(abs(try blue(graded, 0) - blue(plain, 0)) < 3)
    let half = try blue(graded, 25) / blue(plain, 25)
    #expect(half > 0.3 && half < 0.7, "\(half)")
    #expect(try blue(graded, 60) < 12)
  }

  @Test func recipe12_splitScreen_showsBothWithLabels() throws {
    let movie = try cook(12).file("compare.mp4")
    #expect(try RecipeOutput.size(movie) == [1280, 360])
    #expect(
      try RecipeOutput.isNear(movie, (320, 100), [0x80, 0x80, 0xff])
        && RecipeOutput.isNear(movie, (960, 100), [0xff, 0x80, 0x80]))
    #expect(
      try RecipeOutput.isNear(movie, (636, 100), [0x80, 0x80, 0xff])
        && RecipeOutput.isNear(movie, (644, 100), [0xff, 0x80, 0x80]))
    for crop in ["300:50:170:292", "300:50:810:292"] {
      #expect(try RecipeOutput.detail(movie, crop: crop) > 3, "a label stands in \(crop)")
    }
  }

  @Test func recipe13_audio_isExtractedReplacedAndNormalized() throws {
    let scratch = try cook(13)
    let extracted = try scratch.file("interview.m4a")
    #expect(try RecipeOutput.streams(extracted) == ["audio"] && abs(RecipeOutput.duration(extracted) - 3) < 0.05)
    let dubbed = try scratch.file("dubbed.mp4")
    #expect(try RecipeOutput.streams(dubbed).sorted() == ["audio", "video"])
    let voice = try #require(
      try RecipeOutput.levels(dubbed, filter: "bandpass=f=330:width_type=h:w=40", step: 0.5)[2...3].max())
    let old = try #require(try RecipeOutput.levels(dubbed, filter: "bandpass=f=880:width_type=h:w=40", step: 0.5)[2...3].max())
    #expect(voice > old + 20, "330 Hz at \(voice) dB, 880 Hz at \(old) dB")
    #expect(abs(try RecipeOutput.loudness(scratch.file("interview-web.mp4")) + 14) < 0.7)
  }

  @Test func recipe14_codecs_areWritten() throws {
    let scratch = try cook(14)
    for (name, codec) in [("walk-edit.mov", "prores"), ("walk-web.mp4", "av1"), ("walk-phone.mp4", "hevc")] {
      let movie = try scratch.file(name)
      #expect(try RecipeOutput.codec(movie) == codec && RecipeOutput.luma(movie).count == 10, "\(name)")
    }
  }

  @Test func recipe15_watermark_isInTheCornerUntilTheEnd() throws {
    let movie = try cook(15).file("branded.mp4")
    #expect(try RecipeOutput.duration(movie) == 1 && RecipeOutput.size(movie) == [640, 360])
    // 100 by 50 pixels that end at (620.8, 342), 70 % of white over the slides.
    for place in [(525, 297), (616, 338), (570, 320)] {
      #expect(try RecipeOutput.isNear(movie, place, [0xc6, 0xc6, 0xec], within: 12), "\(place)")
    }
    for place in [(515, 320), (630, 320), (570, 286), (570, 350)] {
      #expect(try RecipeOutput.isNear(movie, place, [0x40, 0x40, 0xc0]), "\(place)")
    }
  }

  @Test func recipe16_movie_beginsAndEndsInBlack() throws {
    let luma = try RecipeOutput.luma(try cook(16).file("faded.mp4"))
    #expect(luma.count == 125)
    #expect(luma[0] < 18 && luma[124] < 25, "\(luma[0]) \(luma[124])")
    #expect(luma[12] < luma[30] && luma[112] < luma[95] && abs(luma[30] - luma[90]) < 20, "\(luma)")
  }

  /// What the page says of Ctrl-C, on its own command with a longer movie.
  @Test func recipe14_canceled_leavesNothing() async throws {
    _ = try scratch.file(
      "walk.json5",
      "{ version: 1, assets: { a: { generate: \"clock\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"2000s\" }] }] }")
    let command = try #require(try Recipe.page()[13].commands.last { $0.contains("json") })
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = command.replacing("walk.mp4", with: "walk.json5").split(separator: " ").dropFirst().map(
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
    #expect(try scratch.names() == ["log", "walk.json5"])
    #expect(try String(contentsOf: log, encoding: .utf8).contains("\"event\":\"progress\""))
  }
}
