import Foundation
import Testing

/// Whole renders through the tool, read back with ffprobe.
@Suite struct RenderingTests {
  static let examples: [URL] =
    ((try? FileManager.default.contentsOfDirectory(
      at: ToolRun.root.appending(path: "Examples"), includingPropertiesForKeys: nil)) ?? [])
    .filter { $0.pathExtension == "json5" }.sorted { $0.path < $1.path }

  static let lengths = [
    "dissolve-pip": (240, 8.0), "explicit": (75, 3.0), "ramps": (75, 3.0), "transitions": (210, 7.0),
    "magic-title": (360, 12.0), "titles": (360, 12.0), "scripts": (120, 4.0), "title-track": (255, 8.5),
    "effects": (180, 7.2), "filters": (60, 2.4), "card": (200, 8.0), "soundtrack": (250, 10.0),
    "slow-motion": (247, 247.0 / 30), "scores": (100, 4.0),
  ]

  @Test(arguments: examples)
  func render_example_hasTheFramesAndSoundOfItsArithmetic(_ example: URL) throws {
    let scratch = try Scratch()
    let name = example.deletingPathExtension().lastPathComponent
    let movie = try scratch.file("\(name).mp4")
    let result = try ToolRun.compositor([
      "render", example.path, "-o", movie.path, "--encoder-speed", "ultrafast", "--progress", "none",
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    let (frames, seconds) = try #require(Self.lengths[name], "\(name) has no expected length here")
    let streams = try ToolRun.streams(movie)
    let video = try #require(streams.first { $0["codec_type"] == "video" })
    #expect(video["nb_read_frames"] == "\(frames)")
    #expect(video["color_space"] == "bt709")
    // The examples with a tone have audio, the others no audio track.
    let audio = streams.first { $0["codec_type"] == "audio" }
    #expect((audio != nil) == ["dissolve-pip", "ramps", "soundtrack", "slow-motion"].contains(name))
    if let audio {
      #expect(abs((audio["duration"].flatMap(Double.init) ?? 0) - seconds) < 0.03)
      #expect(audio["sample_rate"] == "48000" && audio["channels"] == "2")
    }
  }

  @Test func join_dissolves_haveTheLengthOfTheirArithmetic() throws {
    let scratch = try Scratch()
    // 2 s, 2 s and 1.5 s: 137.5 frames at 25, and a frame that has begun is a frame.
    _ = try scratch.clip("a.mp4", seconds: 2)
    _ = try scratch.clip("b.mp4", seconds: 2, rate: "30", size: "200x100")
    _ = try scratch.clip("c.mp4", seconds: 1.5, rate: "24", sound: false)
    for (transition, frames) in [(nil, 138), ("dissolve:0.4s", 118), ("push-up:5f", 128)] as [(String?, Int)] {
      let movie = try scratch.file("\(transition ?? "cut").mp4")
      let options = transition.map { ["--transition", $0] } ?? []
      let result = try ToolRun.compositor(
        ["join", "a.mp4", "b.mp4", "c.mp4", "-o", movie.path, "--progress", "none"] + options, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      let streams = try ToolRun.streams(movie)
      let video = try #require(streams.first { $0["codec_type"] == "video" })
      #expect(video["nb_read_frames"] == "\(frames)")
      #expect(video["width"] == "160" && video["height"] == "90" && video["r_frame_rate"] == "25/1")
      let audio = try #require(streams.first { $0["codec_type"] == "audio" })
      #expect(abs((audio["duration"].flatMap(Double.init) ?? 0) - (Double(frames) - 0.5) / 25) < 0.03)
    }
  }

  @Test func render_mediaFile_isAProjectOfOneClip() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mp4", seconds: 1, rate: "30000/1001")
    let result = try ToolRun.compositor(
      ["render", "a.mp4", "-o", "b.mov", "--codec", "ffv1", "--audio-codec", "pcm-s16", "--progress", "none"],
      in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let video = try #require(ToolRun.streams(scratch.file("b.mov")).first { $0["codec_type"] == "video" })
    #expect(video["r_frame_rate"] == "30000/1001" && video["codec_name"] == "ffv1")
    // Nothing was composed, so a lossless copy is the very same pictures.
    func pictures(_ name: String) throws -> String {
      try ToolRun.program("ffmpeg", "-v", "error", "-i", scratch.file(name).path, "-map", "0:v", "-f", "md5", "-").output
    }
    #expect(try pictures("a.mp4") == pictures("b.mov"))
  }

  @Test func render_range_givesThoseFramesOnly() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    for (range, frames) in [("10f..15f", 5), ("0.5s..", 12), ("..00:00:00:03", 3), ("0.9s..9s", 2)] {
      let result = try ToolRun.compositor(
        ["render", "p.json5", "-o", "x.mkv", "--codec", "ffv1", "--range", range, "--overwrite", "--progress", "none"],
        in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "\(frames)", "\(range)")
    }
  }

  @Test func render_numberedImages_areAllThere() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(
      ["render", "p.json5", "-o", "f_%03d.png", "--range", "..3f", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try scratch.names() == ["f_001.png", "f_002.png", "f_003.png", "p.json5"])
    // And back in: images are media as well.
    _ = try scratch.file(
      "q.json5",
      "{ version: 1, assets: { a: { images: 'f_%03d.png', first: 1, frameRate: 25 } }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    let again = try ToolRun.compositor(["render", "q.json5", "-o", "q.mp4", "--progress", "none"], in: scratch.folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try ToolRun.streams(scratch.file("q.mp4")).first?["nb_read_frames"] == "3")
  }

  @Test func render_oneAndTwoThreads_giveTheSamePictures() throws {
    let scratch = try Scratch()
    let example = ToolRun.root.appending(path: "Examples/dissolve-pip.json5").path
    var sums: Set<String> = []
    for threads in ["1", "2"] {
      let movie = try scratch.file("\(threads).mkv").path
      let result = try ToolRun.compositor(
        ["render", example, "-o", movie, "--codec", "ffv1", "--range", "3s..4s", "--threads", threads, "--progress", "none"])
      #expect(result.status == 0, "\(result.errors)")
      sums.insert(try ToolRun.program("ffmpeg", "-v", "error", "-i", movie, "-map", "0:v", "-f", "framemd5", "-").output)
    }
    #expect(sums.count == 1)
  }

  @Test func progress_json_isOneObjectALineAndRises() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", "--progress", "json"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let objects = try result.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let progress = objects.filter { $0["event"] as? String == "progress" }
    let frames = progress.compactMap { $0["frame"] as? Int }
    #expect(frames == frames.sorted() && frames.last == 25)
    #expect(progress.allSatisfy { $0["frames"] as? Int == 25 && $0["fraction"] is Double || $0["fraction"] is Int })
    let done = try #require(objects.last)
    #expect(done["event"] as? String == "completed" && done["frames"] as? Int == 25 && done["output"] as? String == "x.mp4")
  }

  @Test func progress_plain_endsWithASummary() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("compositor: wrote x.mp4: 25 frames, 1.000 s"), "\(result.errors)")
  }

  @Test(arguments: [("8", "rgb24"), ("16", "rgb48be")])
  func frame_png_hasTheCanvasAndDepth(_ depth: String, _ format: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let command = ["frame", "p.json5", "--at", "0.5s", "-o", "x.png", "--depth", depth]
    let result = try ToolRun.compositor(command, in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let probe = try ToolRun.program(
      "ffprobe", "-v", "error", "-show_entries", "stream=width,height,pix_fmt", "-of", "csv=p=0", scratch.file("x.png").path)
    #expect(probe.output.hasPrefix("160,90,\(format)"), "\(probe.output)")
    // Again: the picture is there, and stays.
    #expect(try ToolRun.compositor(command, in: scratch.folder).status == 74)
    #expect(try ToolRun.compositor(command + ["--overwrite"], in: scratch.folder).status == 0)
  }

  @Test func inspection_json_isReadByOthers() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    _ = try scratch.clip("a.mp4", seconds: 0.4)
    for command in [
      ["validate", "p.json5", "--json"], ["explain", "p.json5", "--json"], ["probe", "a.mp4", "--json"],
      ["compositors", "--json"],
      ["schema"],
    ] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(result.output.utf8)) }
    }
    let text = try ToolRun.compositor(["explain", "p.json5"], in: scratch.folder).output
    for word in ["160x90", "generated:bars", "instruction 0", "route "] { #expect(text.contains(word), "\(text)") }
    #expect(try ToolRun.compositor(["probe", "a.mp4"], in: scratch.folder).output.contains("h264, 160x90"))
    #expect(try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder).output.contains("p.json5: valid"))
  }
}
