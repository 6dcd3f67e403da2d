import CompositorAPI
import CompositorFarm
import CompositorTestSupport
import Foundation
import Testing

/// The commands as people and engines run them, over real clips.
@Suite(.enabled(if: hasFFmpeg)) struct CommandTests {
  /// Two clips with audio, a project with a dissolve, a title and an effect that needs its frames in order.
  static func folder(titles: Bool = true) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("media"), withIntermediateDirectories: true)
    for (name, source) in [("a", "testsrc2"), ("b", "mandelbrot")] {
      try runProgram(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "\(source)=size=160x90:rate=25", "-f", "lavfi", "-i",
          "sine=frequency=440:sample_rate=48000", "-t", "3", "-c:v", "libx264", "-preset", "ultrafast", "-g", "20", "-pix_fmt",
          "yuv420p", "-c:a", "aac", folder.file("media/\(name).mp4"),
        ])
    }
    let title = titles ? "{ kind: \"title\", text: \"${name:Ada}\", start: \"0.5s\", duration: \"2s\" }" : ""
    try Data(
      """
      // A comment that does not count.
      {
        version: 1,
        output: { size: "160x90", frameRate: 25, video: { codec: "h264", encoderSpeed: "veryfast" } },
        assets: { a: "media/a.mp4", b: "media/b.mp4" },
        tracks: [{ clips: [
          { asset: "a", duration: "2s" },
          { asset: "b", duration: "2s", transition: { type: "dissolve", duration: "0.8s" } },
        ] }],
        titles: [\(title)],
      }
      """.utf8
    ).write(to: URL(filePath: folder.file("project.json5")))
    return folder
  }

  static func bytes(_ name: String, _ folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: URL(filePath: folder.file(name)))
  }

  static let quiet = ["--progress", "none"]

  /// One machine, parts in another order, one processor, other threads, another folder to call from: the same bytes.
  @Test func movie_isTheSameBytes_howeverItIsRendered() throws {
    let folder = try Self.folder()
    try FarmTool.succeed(["plan", "project.json5", "--length", "1s", "--movie", "movie.mp4"] + Self.quiet, in: folder)
    let plan = try Self.bytes("plan.json", folder)
    try FarmTool.succeed(["render", "--plan", "plan.json"] + Self.quiet, in: folder)
    let movie = try Self.bytes("movie.mp4", folder)
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts")).sorted()
    let stems = ["00000", "00001", "00002", "audio"]
    #expect(parts == stems.flatMap { ["\($0).json", "\($0).mp4"] } + ["joined.json"])

    func again(_ name: String, _ commands: [[String]], before: [String] = []) throws {
      try FileManager.default.removeItem(atPath: folder.file("plan.parts"))
      for command in commands { try FarmTool.succeed(command + Self.quiet, in: folder, before: before) }
      try FarmTool.succeed(["concat", "plan.json", "-o", "\(name).mp4"] + Self.quiet, in: folder)
      #expect(try Self.bytes("\(name).mp4", folder) == movie, "\(name)")
    }
    let render = ["render", "--plan", "plan.json"]
    try again("other-order", [render + ["--segment", "2"], render + ["--audio"], render + ["--segment", "0-1"]])
    try again("one-processor", [render + ["--segment", "0-2"], render + ["--audio"]], before: ["taskset", "-c", "0"])
    try again("one-thread", [render + ["--segment", "0-2", "--audio", "--threads", "1"]])
    try again("four-threads", [render + ["--segment", "0,1,2", "--audio", "--threads", "4"]])
    // Rendered again, nothing is made.
    let result = try FarmTool.succeed(render + ["--segment", "0-2", "--progress", "plain"], in: folder)
    #expect(result.errors.split(separator: "\n").count == 3 && result.errors.contains("00001.mp4 is there already, complete"))
    // A plan made from elsewhere, and on one processor, is the same plan.
    let elsewhere = try TemporaryFolder()
    try FarmTool.succeed(
      [
        "plan", folder.file("project.json5"), "--length", "1s", "--movie", folder.file("movie.mp4"), "-o",
        folder.file("again.json"),
      ] + Self.quiet, in: elsewhere, before: ["taskset", "-c", "0"])
    #expect(try Self.bytes("again.json", folder) == plan)
    try FarmTool.succeed(
      ["concat", folder.file("plan.json"), "-o", "here.mp4"] + Self.quiet, in: elsewhere)
    #expect(try Self.bytes("here.mp4", elsewhere) == movie)
  }

  /// A folder that was moved as a whole renders the same movie.
  @Test func plan_movedWithItsFolder_rendersTheSame() throws {
    let folder = try Self.folder(titles: false)
    try FileManager.default.createDirectory(atPath: folder.file("farm"), withIntermediateDirectories: true)
    try FarmTool.succeed(
      ["plan", "project.json5", "--segments", "2", "--movie", "movie.mp4", "-o", "farm/plan.json"] + Self.quiet, in: folder)
    try FarmTool.succeed(["render", "--plan", "farm/plan.json"] + Self.quiet, in: folder)
    let other = try TemporaryFolder()
    for name in ["farm", "media", "project.json5"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: other.file(name))
    }
    try FileManager.default.removeItem(atPath: other.file("farm/plan.parts"))
    try FarmTool.succeed(["render", "--plan", "farm/plan.json"] + Self.quiet, in: other)
    #expect(try Self.bytes("movie.mp4", other) == Self.bytes("movie.mp4", folder))
  }

  /// What changed after the plan, what is said of it, and the status.
  @Test func changes_areRefused_byName() throws {
    let folder = try Self.folder()
    try FarmTool.succeed(
      ["plan", "project.json5", "--segments", "2", "--movie", "movie.mp4", "--set", "name=Grace"] + Self.quiet, in: folder)
    let project = try Self.bytes("project.json5", folder)
    let media = try Self.bytes("media/a.mp4", folder)
    func attempt(_ words: [String], status: Int32, _ arguments: [String] = []) throws {
      let result = try FarmTool.run(["render", "--plan", "plan.json", "--segment", "0"] + arguments + Self.quiet, in: folder)
      #expect(result.status == status, "\(words): \(result.status) \(result.errors)")
      for word in words { #expect(result.errors.contains(word), "\(word): \(result.errors)") }
      let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts"))) ?? []
      #expect(left.isEmpty, "\(left)")
    }
    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(filePath: folder.file(name))) }
    // The project: 65. A comment is no change.
    let text = String(decoding: project, as: UTF8.self)
    try write(Data(text.replacing("duration: \"0.8s\"", with: "duration: \"0.4s\"").utf8), "project.json5")
    try attempt(["project.json5", "differs from the plan's"], status: 65)
    try write(project, "project.json5")
    // Media changed, of the same length; missing: 66.
    var changed = media
    changed[changed.startIndex + changed.count / 2] ^= 1
    try write(changed, "media/a.mp4")
    try attempt(["media/a.mp4", "not that of the plan"], status: 66)
    try FileManager.default.removeItem(atPath: folder.file("media/a.mp4"))
    try attempt(["media/a.mp4", "not there"], status: 66)
    try write(media, "media/a.mp4")
    // Another font: 65.
    let plan = try Self.bytes("plan.json", folder)
    let planText = String(decoding: plan, as: UTF8.self)
    let font = try #require(planText.firstMatch(of: /"fonts" : \[\s*\{[^}]*"sha256" : "([0-9a-f]{64})"/))
    try write(Data(planText.replacing(font.1, with: String(repeating: "0", count: 64)).utf8), "plan.json")
    try attempt(["font", "plan"], status: 65)
    // Another version of FFmpeg or of the tool: 69, unless it is allowed, which the receipt says.
    let version = try #require(planText.firstMatch(of: /"libavcodec" : "([^"]*)"/))
    try write(
      Data(planText.replacing("\"libavcodec\" : \"\(version.1)\"", with: "\"libavcodec\" : \"1.2.3\"").utf8), "plan.json")
    try attempt(["libavcodec is \(version.1), and 1.2.3 in the plan"], status: 69)
    let allowed = try FarmTool.succeed(
      ["render", "--plan", "plan.json", "--segment", "0", "--allow-version"] + Self.quiet, in: folder)
    #expect(allowed.errors.contains("allowed: libavcodec is"))
    #expect(
      try String(contentsOfFile: folder.file("plan.parts/00000.json"), encoding: .utf8).contains("libavcodec is \(version.1)"))
    try FileManager.default.removeItem(atPath: folder.file("plan.parts"))
    // Another processor: 69.
    let architecture = try #require(planText.firstMatch(of: /"architecture" : "([^"]*)"/))
    try write(Data(planText.replacing(architecture.0, with: "\"architecture\" : \"vax\"").utf8), "plan.json")
    try attempt(["the processor is \(architecture.1), and vax in the plan"], status: 69)
    // All as it was: a comment more in the project changes nothing.
    try write(plan, "plan.json")
    try write(Data(("// more\n" + text).utf8), "project.json5")
    try FarmTool.succeed(["render", "--plan", "plan.json", "--segment", "0"] + Self.quiet, in: folder)
    let concat = try FarmTool.run(["concat", "plan.json"] + Self.quiet, in: folder)
    #expect(
      concat.status == 75 && concat.errors.contains("00001.mp4 is missing") && concat.errors.contains("audio.mp4 is missing"))
    #expect(concat.errors.contains("compositor render --plan plan.json --segment 1"))
    let status = try FarmTool.succeed(["plan", "plan.json", "--status"], in: folder)
    #expect(status.output.contains("1 of 3 parts are there") && status.output.contains("--segment 1"))
    let json =
      try JSONSerialization.jsonObject(
        with: Data(FarmTool.succeed(["plan", "plan.json", "--status", "--json"], in: folder).output.utf8)) as? [String: Any]
    #expect(json?["done"] as? String == "0" && json?["missing"] as? String == "1" && json?["complete"] as? Bool == false)
  }

  /// Killed in the middle: nothing has a final name, and the next run leaves nothing of it.
  @Test func part_killed_isRenderedAgain() throws {
    let folder = try Self.folder(titles: false)
    try FarmTool.succeed(
      ["plan", "project.json5", "--segments", "1", "--movie", "movie.mkv", "--codec", "hevc", "--encoder-speed", "veryslow"]
        + Self.quiet, in: folder)
    let arguments = ["render", "--plan", "plan.json", "--segment", "0"] + Self.quiet
    // Last what leaves something behind.
    for signal in [SIGTERM, SIGINT, SIGKILL] {
      let running = try FarmTool.process(arguments, in: folder)
      // Once something is being written.
      let begun = ContinuousClock.now
      func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts"))) ?? [] }
      while names().isEmpty, running.process.isRunning, ContinuousClock.now - begun < .seconds(60) { usleep(2000) }
      kill(running.process.processIdentifier, signal)
      let result = try running.result()
      #expect(running.process.terminationReason == .uncaughtSignal || result.status == 128 + signal, "\(signal): \(result)")
      #expect(names().allSatisfy { $0.hasPrefix(".compositor-partial") }, "\(signal): \(names())")
      if signal != SIGKILL { #expect(names().isEmpty, "\(signal): \(names())") }
    }
    try FarmTool.succeed(["render", "--plan", "plan.json"] + Self.quiet, in: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts")).allSatisfy { !$0.hasPrefix(".") })
  }

  /// A folder that nothing can be written into: 74, and no receipt.
  @Test func disk_thatIsFull_isAnError() throws {
    let folder = try Self.folder(titles: false)
    try FarmTool.succeed(["plan", "project.json5", "--segments", "2", "--movie", "movie.mp4"] + Self.quiet, in: folder)
    // A limit on the size of files stands for a disk without room: writes fail in both cases.
    let limited = try FarmTool.run(
      ["render", "--plan", "plan.json", "--segment", "0"] + Self.quiet, in: folder,
      before: ["sh", "-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""])
    #expect(limited.status == 74, "\(limited.status): \(limited.errors)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts"))) ?? []
    #expect(names.allSatisfy { !$0.hasSuffix(".json") }, "\(names)")
    try FarmTool.succeed(["render", "--plan", "plan.json"] + Self.quiet, in: folder)
  }

  /// Cuts within effects that need their frames in order, and at a rate of fractions: the frames are those of one render, and what such
  /// cuts cost is told.
  @Test func frames_withinEffectsInOrder_areThoseOfOneRender() throws {
    let folder = try Self.folder(titles: false)
    try Data(
      """
      {
        version: 1,
        output: { size: "160x90", frameRate: "30000/1001" },
        assets: { a: "media/a.mp4" },
        tracks: [{ clips: [{ asset: "a", duration: "2s", effects: [{ use: "avfilter.graph", graph: "tmix=frames=5,hqdn3d" }] }] }],
      }
      """.utf8
    ).write(to: URL(filePath: folder.file("ordered.json5")))
    let options = ["--codec", "ffv1", "--no-audio"]
    let planned = try FarmTool.succeed(
      ["plan", "ordered.json5", "--segments", "4", "--movie", "movie.mov"] + options + Self.quiet, in: folder)
    #expect(planned.errors.contains("3 of 3 cuts lie within an instruction whose effects need its frames in order"))
    try FarmTool.succeed(["render", "--plan", "plan.json"] + Self.quiet, in: folder)
    try FarmTool.succeed(["render", "ordered.json5", "-o", "plain.mov"] + options + Self.quiet, in: folder)
    let (own, others) = (try Probe.frames(folder.file("movie.mov")), try Probe.frames(folder.file("plain.mov")))
    #expect(own == others && own.count == 60)
  }

  @Test func mistakes_ofUsage_are64() throws {
    let folder = try Self.folder(titles: false)
    try FarmTool.succeed(["plan", "project.json5", "--segments", "2"] + Self.quiet, in: folder)
    for arguments in [
      ["plan", "project.json5"], ["plan", "--length", "10s"], ["plan", "project.json5", "--length", "x"],
      ["plan", "project.json5", "--length", "1s", "--segments", "2"],
      ["plan", "project.json5", "--length", "1s", "-o", "movie.mp4"],
      ["plan", "project.json5", "--lenght", "1s"], ["plan", "-", "--length", "1s"], ["plan", "plan.json", "--status", "more"],
      ["plan", "media/a.mp4", "--segments", "2", "--movie", "media/a.mp4"],
      ["plan", "media/a.mp4", "--segments", "2", "-o", "media/plan.json"],
      ["plan", "project.json5", "--length", "1s", "--json"], ["plan", "project.json5", "--batch", "rows.csv"],
      ["render", "--plan", "plan.json", "--segment", "2"], ["render", "--plan", "plan.json", "--segment", "0", "-o", "x.mp4"],
      ["render", "project.json5", "--plan", "plan.json"], ["render", "--plan", "plan.json", "--codec", "hevc"],
    ] {
      let result = try FarmTool.run(arguments + (arguments.contains("--status") ? [] : Self.quiet), in: folder)
      #expect(result.status == 64, "\(arguments): \(result.status) \(result.errors)")
    }
    // Before anything is read or measured.
    #expect(try FarmTool.run(["plan", "none.json5", "--segments", "2"] + Self.quiet, in: folder).status == 74)
    let container = try FarmTool.run(["render", "--plan", "plan.json", "-o", "movie.mov"] + Self.quiet, in: folder)
    #expect(container.status == 65 && container.errors.contains("planned for a .mp4 file"), "\(container.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("plan.parts")))
    #expect(
      try FarmTool.run(
        ["plan", "project.json5", "--segments", "2", "--movie", "x.gif", "--overwrite"] + Self.quiet, in: folder
      ).status == 65)
    #expect(try FarmTool.run(["concat", "project.json5"] + Self.quiet, in: folder).status == 65)
    #expect(try FarmTool.run(["concat", "nothing.json"] + Self.quiet, in: folder).status == 66)
    let replacing = try FarmTool.run(["concat", "plan.json", "-o", "media/a.mp4", "--overwrite"] + Self.quiet, in: folder)
    #expect(replacing.status == 74 && replacing.errors.contains("The output is the input"), "\(replacing.errors)")
  }

  /// Each row is a task of its own.
  @Test func batch_isOneTaskARow() throws {
    let folder = try Self.folder()
    try Data("name,role\nAda,one\nGrace,two\nMary,three\n".utf8).write(to: URL(filePath: folder.file("people.csv")))
    let arguments = ["project.json5", "--batch", "people.csv"]
    try FarmTool.succeed(["plan"] + arguments + ["--movie", "out/{row}-{name}.mp4"] + Self.quiet, in: folder)
    let file = try SegmentPlanFile(contentsOf: folder.file("plan.json"))
    #expect(file.plan.isBatch && file.plan.segmentCount == 3 && file.plan.table == "people.csv")
    #expect(file.plan.rows?.map(\.path) == ["out/1-Ada.mp4", "out/2-Grace.mp4", "out/3-Mary.mp4"])
    try FarmTool.succeed(["render", "--plan", "plan.json", "--segment", "1"] + Self.quiet, in: folder)
    #expect(try PlanStatus(of: file).missing.description == "0,2")
    let job = try PlanStatus(of: file).job
    #expect(job.isBatch && job.movieName == "people.csv" && job.segmentCount == 3 && !job.hasAudio)
    try FarmTool.succeed(["render", "--plan", "plan.json"] + Self.quiet, in: folder)
    #expect(try PlanStatus(of: file).isComplete)
    // The same as a batch on one machine.
    try FarmTool.succeed(["render"] + arguments + ["-o", "plain/{row}-{name}.mp4"] + Self.quiet, in: folder)
    for row in ["1-Ada", "2-Grace", "3-Mary"] {
      #expect(try Self.bytes("out/\(row).mp4", folder) == Self.bytes("plain/\(row).mp4", folder))
    }
    let concat = try FarmTool.run(["concat", "plan.json", "-o", "all.mp4"] + Self.quiet, in: folder)
    #expect(concat.status == 65 && concat.errors.contains("nothing to join"))
    // Another table: 65. A row that was damaged is rendered again.
    try Data("name,role\nAda,one\nGrace,two\nMarie,three\n".utf8).write(to: URL(filePath: folder.file("people.csv")))
    try FileManager.default.removeItem(atPath: folder.file("out/3-Mary.mp4"))
    #expect(try FarmTool.run(["render", "--plan", "plan.json"] + Self.quiet, in: folder).status == 65)
  }
}
