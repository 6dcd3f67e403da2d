import Foundation
import Testing

/// `compositor fonts`.
@Suite struct FontsCommandTests {
  private static func object(_ arguments: [String]) throws -> [String: Any] {
    let result = try ToolRun.compositor(["fonts"] + arguments + ["--json"])
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private static func faces(_ object: [String: Any]) -> [[String: Any]] {
    (object["families"] as? [[String: Any]] ?? []).flatMap { $0["faces"] as? [[String: Any]] ?? [] }
  }

  /// The files are those that Fontconfig's own tool lists.
  @Test func list_hasTheFilesOfFontconfig() throws {
    let listed = try ToolRun.program("fc-list", ":scalable=true", "file")
    guard listed.status == 0 else { return }
    let expected = Set(
      listed.output.split(separator: "\n").map { line in String(line.prefix { $0 != ":" }) })
    let files = Set(Self.faces(try Self.object([])).compactMap { $0["file"] as? String })
    #expect(files == expected)
  }

  @Test func list_forPeople_hasFamiliesWithTheirStyles() throws {
    let result = try ToolRun.compositor(["fonts", "DejaVu Sans"])
    #expect(result.status == 0 && result.output.hasPrefix("DejaVu Sans\n"), "\(result)")
    #expect(
      result.output.contains("Bold") && result.output.contains("700") && result.output.contains(".ttf"), "\(result.output)")
    let all = try ToolRun.compositor(["fonts"])
    #expect(all.status == 0 && all.output.contains("\nDejaVu Sans\n") || all.output.hasPrefix("DejaVu Sans\n"), "\(all.output)")
  }

  @Test func name_ofAnotherSpelling_saysWhatItIs() throws {
    let generic = try ToolRun.compositor(["fonts", "sans-serif"])
    #expect(generic.status == 0 && generic.output.hasPrefix("\"sans-serif\" is \""), "\(generic)")
    let missing = try ToolRun.compositor(["fonts", "DejaVu Sanz"])
    #expect(
      missing.status == 0 && missing.output.contains("There is no font family \"DejaVu Sanz\": titles refuse it"), "\(missing)")
    #expect(missing.output.contains("Similar names: DejaVu Sans"), "\(missing.output)")
    let object = try Self.object(["dejavu sans"])
    #expect(object["family"] as? String == "DejaVu Sans" && object["isSubstitute"] as? Bool == false, "\(object)")
    #expect(!Self.faces(object).isEmpty)
  }

  @Test func text_saysWhichFontsDrawIt() throws {
    let object = try Self.object(["DejaVu Sans", "--text", "Grüße"])
    let fonts = try #require(object["fonts"] as? [[String: String]])
    #expect(fonts.map { $0["family"] } == ["DejaVu Sans"] && object["missingCharacters"] as? Int == 0, "\(object)")
    let missing = try ToolRun.compositor(["fonts", "--text", "a\u{10FFFD}"])
    #expect(
      missing.status == 0 && missing.output.contains("No font has 1 of the characters, the first is U+10FFFD"), "\(missing)")
  }

  @Test(arguments: [["fonts", ""], ["fonts", "--text", ""]]) func emptyArgument_isRefused(_ arguments: [String]) throws {
    #expect(try ToolRun.compositor(arguments).status == 64)
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completions_offerTheCommand(_ shell: String) throws {
    let script = try ToolRun.compositor(["--generate-completion-script", shell])
    #expect(script.status == 0 && script.output.contains("fonts"), "\(script.errors)")
  }
}
