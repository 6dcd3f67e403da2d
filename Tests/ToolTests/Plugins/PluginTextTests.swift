import Foundation
import Testing

/// Nothing that a plugin's author wrote reaches a terminal or a report as anything but letters in its place.
@Suite(.serialized) struct PluginTextTests {
  /// Escape sequences, a line that looks like one of the tool's own, and letters that turn the text around or are not seen.
  private static let label =
    #"a\033]0;owned\007\033[2Jb\r\n  ok       forged   passed\n\302\205\302\2331mc\342\200\256d\342\201\246e\330\234f\363\240\201\201g"#

  private func check(_ text: String, _ what: String) {
    let bad = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 10: false
      case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xe0000...0xe0fff: true
      default: false
      }
    }
    #expect(bad.isEmpty, "\(what): \(bad.map { String($0.value, radix: 16) })")
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("  ok       forged") }, "\(what): \(text)")
  }

  @Test(arguments: [[], ["-DFAILS"], ["-DLOGS"]]) func labels_withControlCharacters_areShownWithoutThem(_ flags: [String])
    throws
  {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "early.c"), flags: ["-DLABEL=\"\(Self.label)\""] + flags, name: "early")
    let project = try workshop.project(plugin, compositor: "org.example.early")
    let output = workshop.scratch.folder.appending(path: "out.mp4").path
    let commands = [
      ["plugins", "inspect", plugin.path], ["plugins", "inspect", plugin.path, "--trust-plugin", plugin.path],
      ["plugins", "list"], ["plugins", "list", "--trust-plugin", plugin.path], ["plugins", "check", plugin.path],
      ["render", project.path, "-o", output, "--overwrite", "--progress", "none"],
      ["render", project.path, "-o", output, "--overwrite", "--progress", "none", "--trust-plugin", plugin.path],
      ["compositors"],
    ]
    for command in commands {
      let result = try ToolRun.compositor(command, environment: ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path])
      check(result.output, "\(command)")
      check(result.errors, "\(command)")
    }
  }

  /// In JSON they are escape sequences, so that programs get the names as they are.
  @Test func fileName_withControlCharacters_isEscapedInJSON() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "early.c"), name: "early")
    let name = "a\u{1b}[2J\u{9b}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}b"
    for suffix in [".so", "-broken.so"] {
      let other = workshop.scratch.folder.appending(path: name + suffix)
      if suffix == ".so" {
        try FileManager.default.moveItem(at: plugin, to: other)
      } else {
        try Data("no library".utf8).write(to: other)
      }
    }
    let environment = ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path]
    let id = "org.example.early"
    for command in [["list"], ["inspect", id], ["check", id]] {
      let result = try ToolRun.compositor(["plugins"] + command + ["--json"], environment: environment)
      check(result.output, "\(command)")
      let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      let rows = (report?["compositors"] as? [[String: Any]])?.filter { $0["id"] as? String == id }
      let file = rows?.first?["plugin"] as? String ?? report?["plugin"] as? String
      #expect(file?.hasSuffix("/" + name + ".so") == true, "\(command): \(result.output)")
    }
  }

  /// A name that isn't UTF-8 can't be given to the tool; it says so.
  @Test func fileName_thatIsNotUTF8_isRefusedInClearWords() throws {
    let workshop = try PluginWorkshop()
    _ = try workshop.compile(PluginWorkshop.fixtures.appending(path: "early.c"), name: "early")
    let commands = ["plugins list --json", "plugins inspect *.so", "plugins check *.so", "plugins bench *.so"]
    for command in commands {
      let result = try ToolRun.run(
        URL(filePath: "/bin/sh"),
        ["-c", "test ! -e early.so || mv early.so \"$(printf 'a\\377b').so\"; \"$0\" \(command)", ToolRun.tool.path],
        in: workshop.scratch.folder, environment: ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path])
      let text = result.output + result.errors
      #expect(text.contains("or its path isn't UTF-8"), "\(command): \(text.suffix(2000))")
    }
  }

  @Test func fileName_withControlCharacters_isShownWithoutThem() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "early.c"), name: "early")
    let other = workshop.scratch.folder.appending(path: "a\u{1b}]0;x\u{7}\n  ok       forged.so")
    try FileManager.default.moveItem(at: plugin, to: other)
    let broken = workshop.scratch.folder.appending(path: "b\u{1b}[2J.so")
    try Data("no library".utf8).write(to: broken)
    let environment = ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path]
    let id = "org.example.early"
    for command in [["plugins", "list"], ["plugins", "inspect", id], ["plugins", "check", id]] {
      let result = try ToolRun.compositor(command, environment: environment)
      #expect(result.output.contains("org.example.early"), "\(result.output)\(result.errors)")
      check(result.output, "\(command)")
    }
  }
}
