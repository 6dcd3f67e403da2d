import Foundation
import Testing

/// Effects that change nothing are found before rendering, and no others; the schema refuses parameters that an effect doesn't have.
@Suite struct IdentityEffectTests {
  private static func project(_ effects: String, whole: String = "") -> String {
    """
    { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "clock", size: "64x36", frameRate: 25 } },
      \(whole)
      tracks: [{ clips: [{ asset: "a", duration: "2s", effects: [\(effects)] }] },
        { clips: [{ asset: "a", at: "1s", duration: "1s", opacity: 0.5 }] }] }
    """
  }

  private static let cube = "LUT_3D_SIZE 2\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n1 1 1\n1 1 1\n1 1 1\n1 1 1\n"

  /// Effects of the first clip, or of the project, and the paths of the diagnostics.
  static let rows: [(effects: String, whole: String, found: [String])] = [
    ("{ use: \"gaussian-blur\", radius: 0 }", "", ["tracks[0].clips[0].effects[0]"]),
    ("{ use: \"gaussian-blur\" }", "", []),
    ("{ use: \"gaussian-blur\", radius: 3 }", "", []),
    (
      "{ use: \"gaussian-blur\", radius: [{ at: 0, value: 0 }, { at: \"1s\", value: 0 }] }", "",
      ["tracks[0].clips[0].effects[0]"]
    ),
    // The first instruction ends at 1 s, where the radius is 0 still.
    (
      "{ use: \"gaussian-blur\", radius: [{ at: 0, value: 0 }, { at: \"1s\", value: 0 }, { at: \"2s\", value: 8 }] }", "", []
    ),
    ("{ use: \"color\" }", "", ["tracks[0].clips[0].effects[0]"]),
    ("{ use: \"color\", saturation: 1, contrast: 1 }", "", ["tracks[0].clips[0].effects[0]"]),
    ("{ use: \"color\", saturation: 1, hue: 20 }", "", []),
    ("{ use: \"lut\", file: \"look.cube\", intensity: 0 }", "", ["tracks[0].clips[0].effects[0]"]),
    ("{ use: \"lut\", file: \"look.cube\" }", "", []),
    ("{ use: \"chroma-key\" }", "", []),
    ("{ use: \"gaussian-blur\" }, { use: \"color\", brightness: 0 }", "", ["tracks[0].clips[0].effects[1]"]),
    ("", "effects: [{ at: 0, duration: \"1s\", use: \"color\" }],", ["effects[0]"]),
    ("", "effects: [{ at: 0, duration: \"1s\", use: \"color\", tint: 0.2 }],", []),
  ]

  @Test(arguments: rows.indices) func effect_withoutEffect_isFound(_ index: Int) throws {
    let (effects, whole, found) = Self.rows[index]
    let scratch = try Scratch()
    _ = try scratch.file("look.cube", Self.cube)
    _ = try scratch.file("p.json5", Self.project(effects, whole: whole))
    let result = try ToolRun.compositor(["validate", "--format", "json", "p.json5"], in: scratch.folder)
    let diagnostics = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let paths = diagnostics.filter { $0["code"] as? String == "effectUnchanging" }.compactMap { $0["path"] as? String }
    #expect(paths == found, "\(effects) \(whole): \(result.output)")
    #expect(diagnostics.allSatisfy { $0["severity"] as? String == "warning" }, "\(result.output)")
  }

  /// The effect that changes nothing and the clip without it give the same frames.
  @Test func effects_thatAreFound_changeNoFrame() throws {
    let scratch = try Scratch()
    _ = try scratch.file("look.cube", Self.cube)
    func frame(_ effects: String) throws -> Data {
      _ = try scratch.file("p.json5", Self.project(effects))
      let result = try ToolRun.compositor(
        ["frame", "p.json5", "--at", "0.4s", "-o", "x.png", "--overwrite"], in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: scratch.file("x.png"))
    }
    let plain = try frame("")
    for row in Self.rows where row.found.contains("tracks[0].clips[0].effects[0]") {
      #expect(try frame(row.effects) == plain, "\(row.effects)")
    }
    #expect(try frame("{ use: \"color\", brightness: 0.2 }") != plain)
  }

  @Test func schema_refusesOtherKeys_ofBuiltInEffects() throws {
    let result = try ToolRun.compositor(["schema"])
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let shapes = try #require(schema["$defs"] as? [String: [String: Any]])
    for (shape, own) in [
      ("effectUse", ["use", "mask"]), ("effect", ["at", "duration", "compositor", "use", "mask", "parameters"]),
    ] {
      let conditions = try #require(shapes[shape]?["allOf"] as? [[String: Any]])
      var allowed: [String: Set<String>] = [:]
      for condition in conditions {
        let used = (condition["if"] as? [String: Any])?["properties"] as? [String: [String: Any]]
        let keys = ((condition["then"] as? [String: Any])?["propertyNames"] as? [String: Any])?["enum"] as? [String]
        for name in used?["use"]?["enum"] as? [String] ?? [] { allowed[name] = Set(keys ?? []) }
      }
      #expect(allowed["gaussian-blur"] == Set(own + ["radius"]) && allowed["builtin.gaussian-blur"] == allowed["gaussian-blur"])
      #expect(allowed["lut"] == Set(own + ["file", "intensity"]))
      #expect(allowed["color"]?.isSuperset(of: ["brightness", "contrast", "saturation", "hue", "temperature", "tint"]) == true)
      #expect(allowed["chroma-key"]?.contains("similarity") == true)
    }
    #expect(shapes["audioEffectUse"]?["allOf"] == nil)
  }
}
