import Foundation
import Testing

/// Titles through the tool: variables, batches, joining.
@Suite struct TitleCommandTests {
  static let template = """
    { version: 1, output: { size: "160x90", frameRate: 25, audio: false },
      assets: { a: { generate: "color", color: "#000000", size: "160x90", duration: "0.4s" } },
      tracks: [{ clips: [{ asset: "a" }] }],
      titles: [{ text: "${name}", size: "30%", fade: "0s" }] }
    """

  /// The mean luma of a movie's first frame, as ffmpeg reads it.
  private func luma(_ movie: URL) throws -> Double {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-f", "lavfi", "-i", "movie=\(movie.path),signalstats", "-show_entries",
      "frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0", "-read_intervals", "%+#1")
    return try #require(Double(result.output.split(separator: "\n")[0].prefix { $0 != "," }))
  }

  @Test func set_ofAVariable_changesTheTitle() throws {
    let scratch = try Scratch()
    let project = try scratch.file("t.json5", Self.template)
    for (name, value) in [("a", "I"), ("b", "WWWW")] {
      let result = try ToolRun.compositor([
        "render", project.path, "--set", "name=\(value)", "-o", scratch.file("\(name).mp4").path, "--progress", "none",
      ])
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(try luma(scratch.file("b.mp4")) > luma(scratch.file("a.mp4")) + 3)
    let missing = try ToolRun.compositor(["frame", project.path, "--at", "0s", "-o", scratch.file("c.png").path])
    #expect(missing.status != 0 && missing.errors.contains("--set name="))
    let stray = try ToolRun.compositor([
      "frame", project.path, "--at", "0s", "--set", "name=x", "--set", "nmae=x", "-o", scratch.file("c.png").path,
    ])
    #expect(stray.status != 0 && stray.errors.contains("Did you mean \"name\"?"))
  }

  @Test func validate_ofTitles_takesVariablesAndTellsMissingFonts() throws {
    let scratch = try Scratch()
    let project = try scratch.file("t.json5", Self.template)
    let valid = try ToolRun.compositor(["validate", project.path, "--set", "name=Ada"])
    #expect(valid.status == 0 && valid.output.contains("valid"), "\(valid.errors)")
    #expect(try ToolRun.compositor(["validate", project.path]).status == 65, "a variable without a value")
    let other = try scratch.file(
      "o.json5", Self.template.replacingOccurrences(of: "size: \"30%\"", with: "font: \"DejaVu San\", start: \"0.3s\""))
    let still = try scratch.file("o.png").path
    for command in [["validate", other.path], ["frame", other.path, "--at", "0s", "-o", still]] {
      let missing = try ToolRun.compositor(command + ["--set", "name=Ada"])
      #expect(
        missing.status == 66 && missing.errors.contains("at titles[0].font: There is no font family"), "\(missing.errors)")
      #expect(missing.errors.contains("Similar names: DejaVu Sans"))
    }
  }

  @Test func batch_withAMistake_isRefusedBeforeAnythingIsRendered() throws {
    let scratch = try Scratch()
    let project = try scratch.file("t.json5", Self.template)
    let names = try scratch.file("names.csv", "name\nAda\nBob\n")
    var result = try ToolRun.compositor([
      "render", project.path, "--batch", names.path, "-o", scratch.folder.path + "/{row}-{nme}.mp4",
    ])
    #expect(result.status == 64 && result.errors.contains("{nme}"), "\(result.errors)")
    let empty = try scratch.file("empty.csv", "name\n")
    result = try ToolRun.compositor(["render", project.path, "--batch", empty.path, "-o", scratch.folder.path + "/{row}.mp4"])
    #expect(result.status == 65 && result.errors.contains("no rows"), "\(result.errors)")
    #expect(try scratch.names().filter { $0.hasSuffix(".mp4") }.isEmpty)
  }

  @Test func batch_ofATable_rendersEachRowAndPrintsTheRate() throws {
    let scratch = try Scratch()
    let project = try scratch.file("t.json5", Self.template)
    let names = try scratch.file("names.csv", "name,role\n\"Ada, Countess\",poet\nBob-Carol,unused\n")
    let batch = try ToolRun.compositor([
      "render", project.path, "--batch", names.path, "-o", scratch.folder.path + "/{row}-{name}.mp4",
    ])
    #expect(batch.status == 0, "\(batch.errors)")
    #expect(batch.output.hasPrefix("2 renders in "))
    #expect(try scratch.names().filter { $0.hasSuffix(".mp4") } == ["1-Ada, Countess.mp4", "2-Bob-Carol.mp4"])
    let same = try ToolRun.compositor(["render", project.path, "--batch", names.path, "-o", scratch.file("one.mp4").path])
    #expect(same.status == 64 && same.errors.contains("{row}"))
  }

  @Test func join_withATitle_showsItOverTheFirstClip() throws {
    let scratch = try Scratch()
    let project = try scratch.file(
      "black.json5",
      Self.template.replacingOccurrences(of: ", fade: \"0s\" }]", with: " }], variables: { name: \" \" }")
        .replacingOccurrences(of: "0.4s", with: "2s"))
    var result = try ToolRun.compositor(["render", project.path, "-o", scratch.file("a.mp4").path, "--progress", "none"])
    #expect(result.status == 0, "\(result.errors)")
    let clips = [String](repeating: try scratch.file("a.mp4").path, count: 2)
    result = try ToolRun.compositor(
      ["join"] + clips + ["--title", "Magic", "-o", scratch.file("b.mp4").path, "--progress", "none"])
    #expect(result.status == 0, "\(result.errors)")
    result = try ToolRun.compositor(["frame", scratch.file("b.mp4").path, "--at", "1s", "-o", scratch.file("b.png").path])
    #expect(result.status == 0, "\(result.errors)")
    result = try ToolRun.compositor(["frame", scratch.file("a.mp4").path, "--at", "1s", "-o", scratch.file("a.png").path])
    #expect(result.status == 0, "\(result.errors)")
    // The word covers about one pixel in a hundred.
    #expect(try luma(scratch.file("b.png")) > luma(scratch.file("a.png")) + 0.5)
  }
}

/// A title is the same in a still as in the movie.
@Suite struct TitleStillTests {
  static let project = """
    { version: 1, output: { size: "320x180", frameRate: 25, audio: false },
      assets: { a: { generate: "bars", size: "320x180", duration: "1s" } },
      tracks: [{ clips: [{ asset: "a" }] }],
      titles: [
        { text: "Still", size: "20%", color: "orange", outlineWidth: "1%" },
        { layer: { bounds: [40, 40], position: [160, 90], backgroundColor: "#ff000080",
          animations: [{ property: "transform.rotation", from: 0, to: 344, duration: "1s" }] } },
      ] }
    """

  @Test func still_atATime_isTheLosslessMoviesFrame() throws {
    let scratch = try Scratch()
    let project = try scratch.file("t.json5", Self.project)
    let movie = try scratch.file("t.mkv")
    var result = try ToolRun.compositor(["render", project.path, "--codec", "ffv1", "-o", movie.path, "--progress", "none"])
    #expect(result.status == 0, "\(result.errors)")
    var pictures: [Data] = []
    for time in ["0.68s", "0.2s", "0.48s"] {
      let stills = try [project, movie].map { source in
        let still = try scratch.file("\(UUID().uuidString).png")
        result = try ToolRun.compositor(["frame", source.path, "--at", time, "-o", still.path])
        #expect(result.status == 0, "\(result.errors)")
        return try Data(contentsOf: still)
      }
      #expect(stills[0] == stills[1], "\(time)")
      pictures.append(stills[0])
    }
    #expect(Set(pictures).count == 3, "the title moves")
  }
}
