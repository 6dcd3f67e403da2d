import CompositorTestSupport
import Foundation
import Testing

/// Files joined with cat whose demuxers end with the first one, and files that lack a part: what is not shown is said.
@Suite(.enabled(if: hasFFmpeg)) struct AppendedRecordingTests {
  private static let fragmented = ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-g", "10"]
  private static let kinds: [(name: String, options: [String])] = [
    ("flv", []), ("mp4", []), ("mp4", fragmented), ("mov", []), ("m4v", ["-movflags", "faststart"]),
  ]

  @Test(arguments: 0..<5) func recording_thatWasAppended_isNamedEverywhere(_ index: Int) throws {
    let (kind, options) = Self.kinds[index]
    let scratch = try Scratch()
    for (name, pattern) in [("a", "testsrc2"), ("b", "testsrc")] {
      try scratch.make(
        "\(name).\(kind)", ["-f", "lavfi", "-i", "\(pattern)=size=160x96:rate=25:duration=1", "-c:v", "libx264"] + options)
    }
    let parts = try ["a", "b"].map { try Data(contentsOf: scratch.folder.appending(path: "\($0).\(kind)")) }
    let name = "two.\(kind)"
    try (parts[0] + parts[1]).write(to: scratch.folder.appending(path: name))
    for command in [["probe", name], ["validate", name], ["render", name, "-o", "out.mkv"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      let text = result.output + result.errors
      #expect(
        result.status == 0 && text.contains("after \(parts[0].count) bytes and is not read"), "\(kind) \(command): \(text)")
      #expect(
        !(try ToolRun.compositor([command[0], "a.\(kind)"] + (command.count > 2 ? ["-o", "one.mkv"] : []), in: scratch.folder))
          .errors.contains("second recording"))
    }
    // The advice, as it is written.
    let split = try ToolRun.run(
      URL(filePath: "/bin/sh"),
      ["-c", "head -c \(parts[0].count) \(name) > 1.\(kind) && tail -c +\(parts[0].count + 1) \(name) > 2.\(kind)"],
      in: scratch.folder)
    #expect(split.status == 0)
    let joined = try ToolRun.compositor(["join", "1.\(kind)", "2.\(kind)", "-o", "joined.mkv"], in: scratch.folder)
    #expect(joined.status == 0, "\(joined.errors)")
    let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: "joined.mkv")).first)
    #expect(stream["nb_read_frames"] == "50", "\(stream)")
  }

  /// The boxes of a file: names and bytes.
  private func boxes(of name: String, in scratch: Scratch) throws -> [(name: String, bytes: [UInt8])] {
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: name)))
    var (position, boxes) = (0, [(name: String, bytes: [UInt8])]())
    while position < bytes.count {
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      boxes.append(
        (String(decoding: bytes[position + 4..<position + 8], as: UTF8.self), Array(bytes[position..<position + size])))
      position += size
    }
    return boxes
  }

  /// Packagers repeat the index before fragments that go on: nothing was appended, and all frames are shown.
  @Test func index_thatIsRepeated_beginsNoRecording() throws {
    let scratch = try Scratch()
    try scratch.make(
      "whole.mp4", ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v", "libx264"] + Self.fragmented)
    let all = try boxes(of: "whole.mp4", in: scratch)
    let first = try #require(all.firstIndex { $0.name == "moof" })
    let index = all[..<first].flatMap(\.bytes)
    // Before each fragment but the first.
    let repeated = all.enumerated().flatMap { $1.name == "moof" && $0 > first ? index + $1.bytes : $1.bytes }
    try Data(repeated).write(to: scratch.folder.appending(path: "repeated.mp4"))
    for command in [["probe"], ["validate"], ["render", "-o", "out.mkv"]] {
      let result = try ToolRun.compositor(command + ["repeated.mp4"], in: scratch.folder)
      #expect(result.status == 0 && !(result.output + result.errors).contains("second recording"), "\(result)")
    }
    let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: "out.mkv")).first)
    #expect(stream["nb_read_frames"] == "100", "\(stream)")
  }

  /// A recording in fragments of ten frames each, of which the third was lost. Its first frame is at 0.08 s.
  @Test func frames_thatAreMissing_areNamed() throws {
    let scratch = try Scratch()
    try scratch.make(
      "whole.mp4", ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v", "libx264"] + Self.fragmented)
    var all = try boxes(of: "whole.mp4", in: scratch)
    let third = try #require(all.indices.filter { all[$0].name == "moof" }.dropFirst(2).first)
    // With its media.
    all.removeSubrange(third...third + 1)
    try Data(all.flatMap(\.bytes)).write(to: scratch.folder.appending(path: "hole.mp4"))
    for command in [["probe"], ["validate"], ["render", "-o", "out.mkv"]] {
      let result = try ToolRun.compositor(command + ["hole.mp4"], in: scratch.folder)
      let text = result.output + result.errors
      #expect(result.status == 0 && text.contains("has no frames for 0.400 s at 0.880 s"), "\(command): \(text)")
      let whole = try ToolRun.compositor(
        command + ["whole.mp4"] + (command.count > 1 ? ["--overwrite"] : []), in: scratch.folder)
      #expect(whole.status == 0 && !(whole.output + whole.errors).contains("has no frames"), "\(whole.errors)")
    }
  }
}
