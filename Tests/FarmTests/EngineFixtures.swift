import CompositorFarm
import CompositorTestSupport
import Foundation

/// Jobs that the tests of engines share, and what runs their texts.
enum EngineFixtures {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Six segments and audio, nothing rendered yet.
  static let movie = FarmJob(
    title: "holiday", planPath: "holiday.plan.json", partsFolderName: "holiday.plan.parts", movieName: "holiday.mp4",
    segmentCount: 6,
    hasAudio: true, inputPaths: ["clips/church.mov", "holiday.json5"], missing: [0...5], isAudioMissing: true, isBatch: false)

  /// The same with most of it rendered.
  static let rest: FarmJob = {
    var job = movie
    (job.missing, job.isAudioMissing) = ([1...1, 4...5], false)
    return job
  }()

  /// A table of 40 rows.
  static let batch = FarmJob(
    title: "people", planPath: "people.plan.json", partsFolderName: "people.plan.parts", movieName: "people.csv",
    segmentCount: 40,
    hasAudio: false, inputPaths: ["lower-third.json5", "people.csv"], missing: [0...39], isAudioMissing: false, isBatch: true)

  /// Names that a shell, YAML or an option parser could take for something else.
  static let names = [
    "two words", "it's", "say \"cheese\"", "$(touch made)", "`touch made`", "a\nb", "a\r\nb\nc", "-rf", "--plan=x", "*", "~",
    "!x", "a;b&c|d>e",
    "back\\slash\\n", "100%d%%", "tab\there", "#hash", "{{Param.Tool}}", "é 🎬 日本", "'\u{301}", "-\u{301}", "\"\u{301}'\u{301}",
    "a'b'c\n'd'", "-\n-",
    ": x", "no", "\u{7F}\u{85}\u{2028}", "%A_%a", "a=b", " lead", "trail ",
  ]

  static func settings(_ change: (inout FarmSettings) -> Void = { _ in }) -> FarmSettings {
    var settings = FarmSettings()
    settings.architecture = "x86_64"
    change(&settings)
    return settings
  }

  /// An interpreter that has PyYAML; nil if there is none.
  static let python: String? = ["\(root.path)/.venv/bin/python3", "python3"].first { python in
    (try? runTool(python, ["-c", "import yaml"])) != nil
  }

  /// openjd-cli, as `scripts/oracles` installs it; nil if it isn't there.
  static let openjd: String? = {
    let own = root.appending(path: ".venv/bin/openjd").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : nil
  }()

  /// The shells of this machine: what `sh` is differs.
  static let shells = ["sh", "dash", "bash", "zsh", "busybox"].filter {
    (try? runTool("sh", ["-c", "command -v \($0)"])) != nil
  }

  /// A script in a shell, and what it printed.
  static func run(_ script: String, in folder: TemporaryFolder, shell: String = "sh", _ arguments: [String] = []) throws
    -> String
  {
    let command = shell == "busybox" ? ["busybox", "sh"] : [shell]
    return try runTool("env", ["-C", folder.path] + command + ["-c", script, "sh"] + arguments)
  }

  /// Writes an executable script.
  static func program(_ name: String, in folder: TemporaryFolder, _ text: String) throws {
    try Data(("#!/bin/sh\n" + text).utf8).write(to: folder.url.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file(name))
  }
}
