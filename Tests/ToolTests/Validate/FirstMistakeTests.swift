import CompositorAPI
import CompositorHost
import CompositorValidation
import Foundation
import Testing

/// What people write who come from other programs, or use this one for the first time: each mistake is answered with what to write.
@Suite struct FirstMistakeTests {
  private static let head = "{ version: 1, assets: { a: { generate: 'bars' } }, tracks: [{ clips: [{ asset: 'a', duration: '2s'"

  private func scratch(_ project: String = "\(Self.head) }] }] }") throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", project)
    return scratch
  }

  static let options: [(arguments: [String], says: String)] = [
    (["render", "p.json5", "-o", "x.mp4", "--crf", "20"], "Unknown option '--crf'. Use --quality, such as --quality 20."),
    (["render", "p.json5", "-o", "x.mp4", "-crf", "20"], "Use --quality, such as --quality 20."),
    (["render", "p.json5", "-y", "-o", "x.mp4"], "Use --overwrite"),
    (["join", "-i", "a.mp4", "-i", "b.mp4", "-o", "x.mp4"], "Name the files without it."),
    (["render", "p.json5", "--title", "Hello", "-o", "x.mp4"], "--title is an option of join; in a project, use titles"),
    (["render", "p.json5", "--music", "a.mp3", "-o", "x.mp4"], "--music is an option of join"),
    (["render", "p.json5", "--overlay", "a.png", "-o", "x.mp4"], "recipe 15 of docs/recipes.md"),
    (["join", "a.mp4", "--watermark", "a.png", "-o", "x.mp4"], "recipe 15 of docs/recipes.md"),
    (["join", "a.mp4", "b.mp4", "--transition", "dissolve", "-o", "x.mp4"], "has no duration. Write \"dissolve:1s\"."),
    (["join", "a.mp4", "b.mp4", "--transition", "crossfade:1s", "-o", "x.mp4"], "Did you mean \"dissolve\"?"),
    (["join", "a.mp4", "b.mp4", "--transition", "crossfade", "-o", "x.mp4"], "Did you mean \"dissolve:1s\"?"),
    (
      ["render", "p.json5", "--range", "4s..2s", "-o", "x.mp4"], "ends before it starts. Write the earlier time first: 2s..4s."
    ),
    (["render", "p.json5", "-o", "."], ". is a folder. Name a file in it"),
    (["render", "p.json5"], "Add one, such as -o movie.mp4."),
    (["frame", "p.json5", "-o", "x.png"], "Add one, such as --at 2s."),
    (["concat", "a.mp4", "c.mkv"], "concat joins the parts of a plan; for clips use compositor join."),
    (["render", "a.mp4", "b.mp4", "-o", "x.mp4"], "for several clips use compositor join."),
    (["plan", "p.json5", "--length", "10s", "--segments", "4"], "--length and --segments exclude each other."),
    (["plan", "p.json5", "--preset", "prores-422", "--length", "1s"], "Name the movie, such as --movie movie.mov."),
    (["join", "-dash.mp4", "a.mp4", "-o", "x.mp4"], "If it is a file, write ./-dash.mp4."),
    (["render", "p.json5", "-o", "x.mp4", "--treads", "2"], "Did you mean '--threads'?"),
  ]

  @Test(arguments: options.indices) func option_ofAnotherProgram_isAnswered(_ index: Int) throws {
    let (arguments, says) = Self.options[index]
    let scratch = try scratch()
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    #expect(result.status == ProcessStatus.usage.rawValue && result.errors.contains(says), "\(arguments): \(result)")
    #expect(result.errors.split(separator: "\n").count == 1 && result.output.isEmpty, "\(result)")
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test func option_far_isNotSuggested() throws {
    let scratch = try scratch()
    for option in ["--crop", "--magic", "--zoom"] {
      let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", option, "1"], in: scratch.folder)
      #expect(result.status == 64 && !result.errors.contains("Did you mean"), "\(result.errors)")
    }
  }

  static let projects: [(text: String, says: String)] = [
    ("\(head), crop: { x: 0, y: 0, w: 10, height: 10 } }] }] }", "Did you mean \"width\"?"),
    ("\(head) }] }], output: { codec: 'h264' } }", "codec belongs in \"video\": video: { codec: … }."),
    ("\(head) }] }], output: { sampleRate: 44100 } }", "sampleRate belongs in \"audio\""),
    ("\(head), opacity: '50%' }] }] }", "Write a fraction, of which 1 is 100 %: 0.5."),
    ("\(head), transform: { scale: '30%' } }] }] }", "Write a fraction, of which 1 is 100 %: 0.3."),
    ("\(head), transform: { rotation: '90deg' } }] }] }", "Write it without quotes and unit: 90."),
    ("\(head), speed: '50%' }] }] }", "1 is 100 %: 0.5."),
    ("\(head), loop: 'yes' }] }] }", "Write loop: true to repeat until the end"),
    (
      "\(head) }, { asset: 'a', duration: '2s', transition: 'crossfade' }] }] }",
      "in braces: { type: \"dissolve\", duration: \"1s\" }."
    ),
    ("\(head), effects: [{ use: 'hflip' }] }] }] }", "Did you mean \"avfilter.hflip\"?"),
    ("\(head) }] }], titles: [{ text: 'x', position: 'bottom' }] }", "from the top: [\"50%\", \"80%\"]."),
    ("\(head) }] }], output: { rotation: 45 } }", "transform: { rotation: 45 }"),
    ("Dear Anna", "A project begins with {"), ("<xmeml version='5'/>", "A project begins with {"),
    ("\(head) }] }], output: { video: { codec: 'h264', lossless: true } } }", "lossless is for webp, but the codec is h264."),
    ("\(head) }] }], output: { video: { codec: 'h264', palette: 'shared' } } }", "palette is for gif, but the codec is h264."),
    ("\(head) }] }], output: { preset: 'web', video: { profile: 'hq' } } }", "profile is for prores and dnxhr"),
  ]

  @Test(arguments: projects.indices) func project_mistake_isAnswered(_ index: Int) throws {
    let (text, says) = Self.projects[index]
    let scratch = try scratch(text)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 65 && result.output.contains(says), "\(result.output)\(result.errors)")
  }

  @Test func fixUnsafe_neverWritesAFarGuess() throws {
    let text = "\(Self.head), crop: { q: 3 } }] }], output: { codec: 'h264' } }"
    let scratch = try scratch(text)
    let result = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    #expect(result.status == 65, "\(result.output)")
    #expect(try String(contentsOf: scratch.file("p.json5"), encoding: .utf8) == text)
  }

  @Test func set_ofAProjectWithoutVariables_saysHowToDeclareThem() throws {
    let scratch = try scratch()
    let result = try ToolRun.compositor(["render", "p.json5", "--set", "nam=Bob", "-o", "x.mp4"], in: scratch.folder)
    #expect(result.errors.contains("Declare it, as variables: { nam:"), "\(result.errors)")
  }

  @Test func join_projectOrSilentMusic_isExplained() throws {
    let scratch = try scratch()
    _ = try scratch.clip("a.mkv", seconds: 1)
    let project = try ToolRun.compositor(["join", "p.json5", "a.mkv", "-o", "x.mkv"], in: scratch.folder)
    #expect(project.status == 66 && project.errors.contains("This is a project, not a media file."), "\(project.errors)")
    let still = try ToolRun.compositor(["frame", "p.json5", "--at", "0", "-o", "still.png"], in: scratch.folder)
    #expect(still.status == 0)
    let music = try ToolRun.compositor(["join", "a.mkv", "--music", "still.png", "-o", "x.mkv"], in: scratch.folder)
    #expect(music.status != 0 && music.errors.contains("--music: This file has no audio."), "\(music.errors)")
  }

  @Test func join_songAmongMovies_notesThatItIsBlack() throws {
    let scratch = try scratch()
    _ = try scratch.clip("a.mkv", seconds: 0.4)
    let song = try scratch.file("song.wav")
    _ = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.4", "-ac", "6", song.path)
    let joined = try ToolRun.compositor(["join", "a.mkv", "song.wav", "-o", "x.mkv", "--progress", "none"], in: scratch.folder)
    #expect(joined.status == 0 && joined.errors.contains("note: song.wav has no video"), "\(joined.errors)")
    // A file alone keeps its channels.
    let render = try ToolRun.compositor(["render", "song.wav", "-o", "x.flac", "--progress", "none"], in: scratch.folder)
    #expect(render.status == 0 && !render.errors.contains("mixed down"), "\(render.errors)")
  }
}

/// Mistakes of the output that `render` found, and `validate` did not, or neither located.
@Suite struct OutputPlaceTests {
  static let mistakes: [(output: String, place: String, says: String)] = [
    ("cover: 'nofile.jpg'", "output.cover", "nofile.jpg"),
    ("cover: { at: '50s' }", "output.cover.at", "The cover is the frame at 50 s, but the movie ends at 1 s."),
    ("metadataFrom: 'nofile.mov'", "output.metadataFrom", "nofile.mov"),
    ("chapters: [{ at: '50s', title: 'x' }]", "output.chapters[0].at", "A chapter starts at 50 s, and the movie ends at 1 s."),
    (
      "chapters: [{ at: '0.5s', title: 'x' }, { at: 0, title: 'y' }]", "output.chapters[1].at",
      "A chapter starts at 0 s, not after the one before it (0.5 s)."
    ),
    ("size: '161x90'", "output.size", "161x90"), ("video: { twoPass: true }", "output.video.twoPass", "Two passes need"),
    ("audio: { codec: 'mp3', channels: 6 }", "output.audio.channels", "6 channels"),
    ("audio: { codec: 'opus', sampleRate: 44100 }", "output.audio.sampleRate", "44100"),
    ("video: { codec: 'dnxhr' }", "output", "dnxhr"),
  ]

  @Test(arguments: mistakes.indices) func mistake_isLocatedInValidateAndRender(_ index: Int) throws {
    let (output, place, says) = Self.mistakes[index]
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: { generate: "bars", size: "160x90", tone: 440 } },
        tracks: [{ clips: [{ asset: "a", duration: "1s" }] }],
        output: { frameRate: 25, \(output) } }
      """)
    let checked = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    let rendered = try ToolRun.compositor(["render", "p.json5", "-o", "x.mkv"], in: scratch.folder)
    #expect(checked.status != 0 && checked.status == rendered.status, "\(checked)\n\(rendered)")
    #expect(checked.output.contains("p.json5:3:") && checked.output.contains(says), "\(checked.output)")
    for text in [checked.errors, rendered.errors] {
      #expect(text.contains("p.json5:3:") && text.contains("at \(place)") && text.contains(says), "\(text)")
      // A file that the project names follows the place at which it does.
      #expect(!says.hasPrefix("nofile") || text.contains(", at \(place): \(says): "), "\(text)")
    }
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test func address_asMedia_isLocatedAtItsAsset() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5", "{ version: 1,\n  assets: { a: 'https://example.org/a.mp4' }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    for command in [["validate", "p.json5"], ["render", "p.json5", "-o", "x.mkv"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(result.status == 66 && result.errors.contains("p.json5:2:16") && result.errors.contains("assets.a"), "\(result)")
    }
  }

  @Test func font_missing_isLocatedAtItsKey() throws {
    let scratch = try Scratch()
    let text = CommandLineTests.project.replacing("tracks:", with: "titles: [{ text: 'x',\n  font: 'No Such Font' }], tracks:")
    _ = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 66 && result.errors.contains("titles[0].font"), "\(result.errors)")
  }

  @Test func lossless_withoutACodec_isForTheFileThatIsWritten() throws {
    let scratch = try Scratch()
    let text = CommandLineTests.project.replacing("frameRate: 25", with: "frameRate: 25, video: { lossless: true }")
    _ = try scratch.file("p.json5", text)
    #expect(try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder).status == 0)
    #expect(try ToolRun.compositor(["render", "p.json5", "-o", "x.webp"], in: scratch.folder).status == 0)
    let movie = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    #expect(movie.status == 65 && movie.errors.contains("output.video.lossless"), "\(movie.errors)")
    #expect(movie.errors.contains("lossless is for webp, but the codec is h264."), "\(movie.errors)")
  }
}
