import CompositorHost
import CompositorMedia
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// What streams, images and batches say of themselves, as far as they can.
@Suite(.enabled(if: hasFFmpeg)) struct StreamMetadataTests {
  private static let project = """
    { version: 1, output: { size: "64x36", frameRate: 25 },
      assets: { a: "a.mp4" }, tracks: [{ clips: [{ asset: "a", duration: "1s" }] }] }
    """

  /// A clip, a project that shows it, and a folder for temporary files.
  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mp4", seconds: 1, size: "64x36")
    _ = try scratch.file("p.json5", Self.project)
    try FileManager.default.createDirectory(at: scratch.folder.appending(path: "temporary"), withIntermediateDirectories: true)
    return scratch
  }

  private func temporaryNames(_ scratch: Scratch) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path + "/temporary")
  }

  /// Renders to a pipe that a program writes into a file.
  private func stream(_ scratch: Scratch, _ container: String, _ options: [String]) throws -> ToolRun.Result {
    try ToolRun.run(
      URL(filePath: "/bin/bash"),
      [
        "-c", "set -o pipefail; f=$1; shift; \"$0\" render -o - --progress plain \"$@\" | cat > $f", ToolRun.tool.path,
        "out.\(container)", "p.json5", "--container", container,
      ] + options, in: scratch.folder, environment: ["TMPDIR": scratch.folder.path + "/temporary"])
  }

  private func probe(_ path: String) throws -> [String: Any] {
    let data = try runProgram(
      "ffprobe", ["-v", "error", "-show_format", "-show_chapters", "-show_streams", "-of", "json", path])
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// What a file of the kind holds, a stream of it holds; what it does not is refused before anything is written.
  @Test(arguments: MovieContainer.allCases.filter(\.isStreamable)) func stream_holdsWhatItsFileHolds(
    _ container: MovieContainer
  ) throws {
    let scratch = try scratch()
    for (options, isHeld) in [
      (["--metadata", "title=Über uns"], container.holdsMetadata),
      (["--chapter", "0s=One", "--chapter", "0.5s=Two"], container.holdsChapters),
      (["--cover-at", "0.4s"], container.holdsCover),
    ] {
      let result = try stream(scratch, container.rawValue, options)
      #expect((result.status == 0) == isHeld, "\(container) \(options): \(result.errors)")
      #expect(try temporaryNames(scratch) == [])
      guard isHeld else {
        #expect(result.errors.contains(".\(container.rawValue) file"), "\(result.errors)")
        continue
      }
      let found = try probe(scratch.folder.path + "/out.\(container.rawValue)")
      let streams = found["streams"] as? [[String: Any]] ?? []
      switch options[0] {
      case "--metadata":
        // Ogg says it of its track.
        let tags = [found["format"] as? [String: Any]] + streams
        let titles = tags.compactMap { $0?["tags"] as? [String: String] }.flatMap { $0 }.filter {
          $0.key.lowercased() == "title"
        }
        #expect(titles.contains { $0.value == "Über uns" }, "\(container): \(found)")
      case "--chapter":
        let chapters = (found["chapters"] as? [[String: Any]] ?? []).map { chapter in
          "\((chapter["start_time"] as? String).flatMap(Double.init) ?? -1) \((chapter["tags"] as? [String: String])?["title"] ?? "")"
        }
        #expect(chapters == ["0.0 One", "0.5 Two"], "\(container)")
      default:
        let cover = streams.first { ($0["disposition"] as? [String: Int])?["attached_pic"] == 1 }
        #expect(cover?["codec_name"] as? String == "png" && cover?["width"] as? Int == 64, "\(container): \(streams)")
      }
    }
  }

  @Test func stream_keepsWhatAProjectSays() throws {
    let scratch = try scratch()
    _ = try scratch.file(
      "p.json5",
      Self.project.replacing(
        "frameRate: 25", with: "frameRate: 25, metadata: { title: 'T' }, chapters: [{ at: '0s', title: 'One' }]"))
    let result = try stream(scratch, "mkv", [])
    #expect(result.status == 0, "\(result.errors)")
    let found = try probe(scratch.folder.path + "/out.mkv")
    #expect(((found["format"] as? [String: Any])?["tags"] as? [String: String])?["title"] == "T")
    #expect((found["chapters"] as? [Any])?.count == 1)
  }

  /// Two passes to a stream give the bytes that the statistics of the first one lead to: those of the file, not of one pass.
  @Test func stream_inTwoPasses_isThatOfTheFile() throws {
    let scratch = try scratch()
    let options = ["--codec", "h264", "--bit-rate", "200k", "--no-audio"]
    func sums(_ path: String) throws -> String {
      let sums = try runProgram("ffmpeg", ["-v", "error", "-i", scratch.folder.path + "/" + path, "-f", "framemd5", "-"])
      return String(decoding: sums, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    }
    let file = try ToolRun.compositor(
      ["render", "p.json5", "-o", "file.mkv", "--two-pass", "--progress", "none"] + options, in: scratch.folder)
    try #require(file.status == 0, "\(file.errors)")
    let one = try stream(scratch, "mkv", options)
    try #require(one.status == 0, "\(one.errors)")
    let expected = try sums("file.mkv")
    #expect(try sums("out.mkv") != expected, "two passes differ from one")
    let two = try stream(scratch, "mkv", options + ["--two-pass"])
    #expect(two.status == 0, "\(two.errors)")
    #expect(try sums("out.mkv") == expected)
    #expect(try temporaryNames(scratch) == [])
    // No room for the statistics: an error, and nothing stays.
    let scarce = try ToolRun.run(
      URL(filePath: "/bin/bash"),
      [
        "-c",
        "\"$0\" render p.json5 -o - --container mkv --codec h264 --bit-rate 200k --two-pass | cat > x; exit ${PIPESTATUS[0]}",
        ToolRun.tool.path,
      ], in: scratch.folder, environment: ["TMPDIR": scratch.folder.path + "/no-such-folder"])
    #expect(scarce.status == ProcessStatus.inputOutput.rawValue && scarce.errors.contains("no-such-folder"), "\(scarce.errors)")
  }

  @Test func streamsAndAnimations_refuseMetadataInTheirOwnWords() throws {
    let scratch = try scratch()
    let streamed = try stream(scratch, "y4m", ["--metadata", "title=x"])
    #expect(streamed.status == ProcessStatus.usage.rawValue && !streamed.errors.contains("images"), "\(streamed.errors)")
    let animated = try ToolRun.compositor(
      ["render", "p.json5", "--metadata", "title=x", "--preset", "gif", "-o", "m.gif"], in: scratch.folder)
    #expect(animated.status == ProcessStatus.usage.rawValue, "\(animated.errors)")
    #expect(animated.errors.contains("A .gif file holds no metadata."), "\(animated.errors)")
    #expect(animated.errors.contains("write .mp4, .mov") && !animated.errors.contains("Use ,"), "\(animated.errors)")
  }

  @Test func images_noteWhatOfTheProjectTheyCannotHold() throws {
    let scratch = try scratch()
    _ = try scratch.file(
      "p.json5",
      Self.project.replacing(
        "frameRate: 25",
        with:
          "frameRate: 25, metadata: { title: 'T' }, chapters: [{ at: '0s', title: 'One' }], cover: { at: '0s' }, rotation: 90"))
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "im%02d.png", "--range", "0s..0.08s"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains("note: numbered images cannot hold metadata, chapters, a cover, a rotation: left out"),
      "\(result.errors)")
    let report = try ToolRun.compositor(
      ["render", "p.json5", "-o", "jm%02d.png", "--range", "0s..0.08s", "--progress", "json"], in: scratch.folder)
    let notes = "\"notes\":[\"images hold no audio: it is left out\",\"numbered images cannot hold"
    #expect(report.output.contains(notes), "\(report.output)")
  }

  /// Rows of a batch report what a render reports.
  @Test func batch_tellsNotesAndWhatWasCopied() throws {
    let scratch = try scratch()
    _ = try scratch.file("rows.csv", "name\nx\n")
    _ = try scratch.file(
      "c.json5", "{ version: 1, assets: { a: 'a.mp4' }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    let copy = ["render", "c.json5", "--batch", "rows.csv", "-o", "{row}.mp4", "--passthrough", "auto", "--overwrite"]
    let text = try ToolRun.compositor(copy, in: scratch.folder)
    #expect(text.status == 0 && text.errors.contains("note: 1.mp4: edit-list: 25 frames copied"), "\(text.errors)")
    let json = try ToolRun.compositor(copy + ["--progress", "json"], in: scratch.folder)
    let row = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.split(separator: "\n")[0].utf8)) as? [String: Any])
    let copied = row["passthrough"] as? [String: Any]
    #expect(copied?["mode"] as? String == "edit-list" && copied?["copiedFrames"] as? Int == 25, "\(row)")
    #expect(row["event"] as? String == "row" && row["status"] as? String == "completed" && row["seconds"] is Double, "\(row)")
    let single = try ToolRun.compositor(
      ["render", "c.json5", "-o", "y.mp4", "--passthrough", "auto", "--progress", "json"], in: scratch.folder)
    #expect(single.output.contains("\"passthrough\":{\"audio\""), "\(single.output)")
    #expect(single.output.split(separator: "\n", omittingEmptySubsequences: false).last == "", "\(single.output)")
  }
}
