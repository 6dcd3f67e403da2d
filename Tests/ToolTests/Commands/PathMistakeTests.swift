import CompositorAPI
import CompositorHost
import Foundation
import Testing

/// Paths that a shell or Windows would understand are answered with those to write.
@Suite struct PathMistakeTests {
  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.folder.appending(path: "clips"), withIntermediateDirectories: true)
    _ = try scratch.clip("clips/a.mkv", seconds: 0.4, sound: false)
    return scratch
  }

  private static let home =
    "Only shells replace ~, and not within quotes: write the whole path, such as \"/home/ada/clips/a.mkv\"."
  private static let slash = "Write \"clips/a.mkv\", with / between the folders."

  static let arguments: [(arguments: [String], says: String)] = [
    (["render", "~/clips/a.mkv", "-o", "x.mkv"], home), (["join", "clips/a.mkv", "~/clips/a.mkv", "-o", "x.mkv"], home),
    (["frame", "~/clips/a.mkv", "--at", "0", "-o", "x.png"], home), (["probe", "~/clips/a.mkv"], home),
    (["render", "clips/a.mkv", "-o", "~/clips/a.mkv"], home), (["render", "clips\\a.mkv", "-o", "x.mkv"], slash),
    (["join", "clips\\a.mkv", "-o", "x.mkv"], slash), (["probe", "clips\\a.mkv"], slash),
    (["render", "clips\\b.mkv", "-o", "x.mkv"], "with / between the folders, and check that the file is there."),
    (["render", "C:\\clips\\b.mkv", "-o", "x.mkv"], "Paths of Windows don't exist here"),
  ]

  @Test(arguments: arguments.indices) func argument_ofAShellOrWindows_isExplained(_ index: Int) throws {
    let (arguments, says) = Self.arguments[index]
    let scratch = try scratch()
    let result = try ToolRun.compositor(arguments, in: scratch.folder, environment: ["HOME": "/home/ada"])
    #expect(result.status != 0 && result.errors.contains(says), "\(arguments): \(result.errors)")
    #expect(try scratch.names() == ["clips"])
  }

  /// As written in JSON5, where a single backslash is lost.
  static let assets: [(written: String, says: String)] = [
    ("~/clips/a.mkv", home), ("clips\\\\a.mkv", "clips/a.mkv\", with / between the folders."),
    ("clips\\a.mkv", "A backslash starts an escape in JSON5. Write "),
    ("C:\\Users\\me\\a.mp4", "A backslash starts an escape in JSON5. Paths of Windows don't exist here"),
    ("clips/aa.mkv", "Did you mean \"clips/a.mkv\"?"),
  ]

  @Test(arguments: assets.indices, [["validate", "p.json5"], ["render", "p.json5", "-o", "x.mkv"]])
  func asset_ofAShellOrWindows_isExplained(_ index: Int, _ command: [String]) throws {
    let (written, says) = Self.assets[index]
    let scratch = try scratch()
    _ = try scratch.file("p.json5", "{ version: 1, assets: { a: '\(written)' }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    let result = try ToolRun.compositor(command, in: scratch.folder, environment: ["HOME": "/home/ada"])
    #expect(result.status == 66 && result.errors.contains(says), "\(result.output)\(result.errors)")
  }
}
