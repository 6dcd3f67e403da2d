import Foundation
import Testing

/// The same bytes on one processor and on all of them, whatever the codec and the file. `Tests/Tools/reproducible` has more cases and more runs.
@Suite(.enabled(if: Processors.allowed.count > 1, "one processor cannot be compared with several"))
struct ReproducibleTests {
  /// A clip, a dissolve, a layer that moves, a title and tones. Large enough for more threads than one.
  private static let project = """
    { version: 1, output: { size: "640x360", frameRate: 25 },
      assets: { clip: "clip.mp4", dusk: { generate: "gradient", from: "#10204c", to: "#e07a3c", size: "640x360", tone: 660 },
        clock: { generate: "clock", size: "320x180" } },
      tracks: [
        { clips: [{ asset: "clip", duration: "14f" },
          { asset: "dusk", duration: "14f", transition: { type: "dissolve", duration: "4f" } }] },
        { clips: [{ asset: "clock", duration: "24f", transform: [
          { at: 0, x: 120, y: 100, scale: 0.5, rotation: -8 }, { at: "24f", x: 480, y: 260, scale: 0.8, rotation: 8 }] }] },
      ],
      titles: [{ kind: "lower-third", text: "Ada Lovelace", role: "Mathematician", start: 0, duration: "24f" }] }
    """

  private static let fast = ["--encoder-speed", "ultrafast"]
  private static let twoPasses = fast + ["--bit-rate", "600k", "--two-pass"]

  static let cases: [(file: String, options: [String])] = [
    ("h264.mp4", ["--codec", "h264"]), ("h264.mov", ["--codec", "h264", "--bit-rate", "600k"]),
    ("h264.mkv", ["--codec", "h264", "--audio-codec", "opus"]), ("h264-loud.mp4", fast + ["--loudness", "-14"]),
    ("hevc.mp4", ["--codec", "hevc"] + fast), ("hevc.mov", ["--codec", "hevc", "--encoder-speed", "faster"]),
    ("hevc.mkv", ["--codec", "hevc", "--bit-rate", "600k"] + fast),
    ("av1.mp4", ["--codec", "av1"] + fast), ("av1.webm", ["--codec", "av1"] + fast), ("av1.mkv", ["--codec", "av1"] + fast),
    ("vp9.webm", ["--codec", "vp9"] + fast), ("vp9.mkv", ["--codec", "vp9"] + fast),
    ("prores.mov", ["--codec", "prores"]), ("prores.mkv", ["--codec", "prores"]), ("dnxhr.mov", ["--codec", "dnxhr"]),
    ("ffv1.mkv", ["--codec", "ffv1"]), ("ffv1.mov", ["--codec", "ffv1"]), ("raw.nut", ["--codec", "raw"]),
    ("movie.gif", []), ("movie.webp", []), ("audio.mp3", []), ("audio.opus", []),
    ("h264-2.mp4", ["--codec", "h264"] + twoPasses), ("hevc-2.mp4", ["--codec", "hevc"] + twoPasses),
    ("av1-2.mkv", ["--codec", "av1"] + twoPasses), ("vp9-2.webm", ["--codec", "vp9"] + twoPasses),
    ("pq.mp4", ["--preset", "hevc-pq", "--hdr-metadata", "generate"] + fast),
  ]

  @Test(arguments: cases)
  func render_onOneProcessorAndOnAll_givesTheSameBytes(_ file: String, _ options: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("clip.mp4", seconds: 0.6, size: "640x360")
    _ = try scratch.file("p.json5", Self.project)
    let one = try #require(Processors.allowed.first)
    let arguments = ["render", "p.json5", "--overwrite", "--progress", "none"] + options
    let folder = scratch.folder
    func bytes(_ name: String, _ run: (String) throws -> ToolRun.Result) throws -> Data {
      let result = try run("\(name)-\(file)")
      try #require(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: scratch.file("\(name)-\(file)"))
    }
    let alone = try bytes("alone") {
      try ToolRun.run(
        URL(filePath: "/usr/bin/env"),
        ["taskset", "-c", "\(one)", ToolRun.tool.path] + arguments + ["--threads", "1", "-o", $0], in: folder)
    }
    let together = try bytes("together") { try ToolRun.compositor(arguments + ["--threads", "4", "-o", $0], in: folder) }
    #expect(alone == together, "\(alone.count) and \(together.count) bytes")
    #expect(alone.count > 1000)
  }

  /// What asks the system for its processors, instead of where it may run.
  @Test(
    .enabled(if: Processors.pretending != nil, "this system allows no namespaces"),
    arguments: cases.filter {
      ["h264.mp4", "hevc.mp4", "av1.mkv", "vp9.webm", "prores.mov", "dnxhr.mov", "ffv1.mkv"].contains($0.file)
    })
  func render_asIfOn1And16Processors_givesTheSameBytes(_ file: String, _ options: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("clip.mp4", seconds: 0.6, size: "640x360")
    _ = try scratch.file("p.json5", Self.project)
    let script = try #require(Processors.pretending)
    var found: Set<Data> = []
    for count in ["1", "16"] {
      let result = try ToolRun.run(
        script, [count, ToolRun.tool.path, "render", "p.json5", "-o", "\(count)-\(file)", "--progress", "none"] + options,
        in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      found.insert(try Data(contentsOf: scratch.file("\(count)-\(file)")))
    }
    #expect(found.count == 1)
  }

  /// Frames at cuts are encoded, the others copied.
  @Test func smartCopy_onOneProcessorAndOnAll_givesTheSameBytes() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("clip.mp4", seconds: 2, size: "640x360")
    let one = try #require(Processors.allowed.first)
    let arguments = ["render", "clip.mp4", "--passthrough", "smart", "--range", "5f..40f", "--progress", "none", "-o"]
    let alone = try ToolRun.run(
      URL(filePath: "/usr/bin/env"), ["taskset", "-c", "\(one)", ToolRun.tool.path] + arguments + ["a.mp4"], in: scratch.folder)
    let together = try ToolRun.compositor(arguments + ["b.mp4"], in: scratch.folder)
    #expect(alone.status == 0 && together.status == 0, "\(alone.errors)\(together.errors)")
    #expect(try Data(contentsOf: scratch.file("a.mp4")) == Data(contentsOf: scratch.file("b.mp4")))
  }

  /// The comparison above can fail: another number of threads is other bytes.
  @Test(arguments: [("h264", ["1", "4", "6"]), ("hevc", ["1", "4"]), ("av1", ["1", "2"])])
  func encoderThreads_decideTheBytes(_ codec: String, _ counts: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("clip.mp4", seconds: 0.6, size: "640x360")
    _ = try scratch.file("p.json5", Self.project)
    var found: Set<Data> = []
    for count in counts {
      let result = try ToolRun.compositor(
        ["render", "p.json5", "-o", "\(count).mp4", "--codec", codec, "--encoder-threads", count, "--progress", "none"]
          // libx265's fastest settings give the same bytes with any number.
          + (codec == "hevc" ? ["--encoder-speed", "medium"] : Self.fast), in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      found.insert(try Data(contentsOf: scratch.file("\(count).mp4")))
    }
    #expect(found.count == counts.count)
  }

  @Test(arguments: [
    (["x.mp4", "--encoder-threads", "0"], "1 to 64"), (["x.mp4", "--encoder-threads", "65"], "1 to 64"),
    (["x.gif", "--encoder-threads", "2"], "gif uses no threads"), (["f_%d.png", "--encoder-threads", "2"], "is for movies"),
    (["x.wav", "--encoder-threads", "2"], "is for video"),
  ])
  func encoderThreads_wrong_ends64(_ options: [String], _ word: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o"] + options, in: scratch.folder)
    #expect(result.status == 64 && result.errors.contains(word), "\(result.errors)")
  }
}

/// The processors of this machine, and a way to show a program others.
private enum Processors {
  /// Numbers of those that this process may run on.
  static let allowed: [Int] = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") } ?? ""
    return line.drop { $0 != "\t" }.dropFirst().split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last else { return [] }
      return Array(first...last)
    }
  }()

  /// A command that sees another number of processors; nil if the system allows no namespaces.
  static let pretending: URL? = {
    let script = ToolRun.root.appending(path: "Benchmarks/scripts/as-processors")
    return (try? ToolRun.run(script, ["16", "true"]))?.status == 0 ? script : nil
  }()
}
