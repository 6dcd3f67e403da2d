import CompositorAPI
import Foundation
import Testing

/// What a plugin says for user interfaces, from its description to the report.
@Suite struct PluginHintTests {
  private struct Inspection: Decodable {
    var compositors: [CompositorDescriptor]
  }

  /// The example with hints for its parameter, and with presets.
  private static func plugin(
    _ workshop: PluginWorkshop, presets: String, name: String = "dimmer"
  ) throws -> URL {
    var text = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    text.replace(
      ".unit = \"fraction\",",
      with: ".unit = \"fraction\", .label = \"How dark\\x1b[2J\", .group = \"Light\", .hint = COMPOSITOR_HINT_PERCENT,")
    text.replace(
      ".parameter_count = 1,",
      with: ".parameter_count = 1, .preset_count = sizeof presets / sizeof *presets, .presets = presets,")
    let compositor = try #require(text.range(of: "static const CompositorDescription compositor = {"))
    text.insert(contentsOf: presets + "\n", at: compositor.lowerBound)
    return try workshop.compile(try workshop.scratch.file("\(name).c", text), name: name)
  }

  /// C for a preset with one value.
  private static func preset(
    _ name: String, key: String = "strength", value: String = ".number = 0.25", kind: String = "COMPOSITOR_NUMBER"
  ) -> String {
    """
    static const CompositorParameter value = {
      .struct_size = sizeof(CompositorParameter), .key = "\(key)", .kind = \(kind), \(value)};
    static const CompositorParameter *const values[] = {&value};
    static const CompositorPreset preset = {
      .struct_size = sizeof(CompositorPreset), .name = "\(name)", .summary = "A little.", .parameter_count = 1,
      .parameters = values};
    static const CompositorPreset *const presets[] = {&preset};
    """
  }

  @Test func hints_reachTheReport() throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.plugin(workshop, presets: Self.preset("Soft"))
    let result = try ToolRun.compositor(["plugins", "inspect", plugin.path, "--json"])
    let descriptor = try #require(
      try JSONDecoder().decode(Inspection.self, from: Data(result.output.utf8)).compositors.first)
    let parameter = try #require(descriptor.parameters.first)
    #expect(parameter.label == "How dark?[2J" && parameter.group == "Light" && parameter.hint == .percent)
    #expect(parameter.kind == .number(minimum: 0, maximum: 1, unit: "fraction"))
    #expect(descriptor.presets == [ParameterPreset("Soft", ["strength": .number(0.25)], summary: "A little.")])
    let text = try ToolRun.compositor(["plugins", "inspect", plugin.path]).output
    #expect(text.contains(", as a percentage, shown as “How dark?[2J” under “Light”"), "\(text)")
    #expect(text.contains("  preset “Soft”: strength 0.25; A little."), "\(text)")
  }

  @Test(arguments: [
    (preset("Soft", key: "radius"), "has a value for “radius”"),
    (preset("Soft", value: ".number = 2"), "has 2.0 for “strength”, which is not"),
    (preset(""), "has no name"),
    (preset("So\\nft"), "cannot be displayed"),
    (preset("Soft").replacing("{&preset}", with: "{&preset, &preset}"), "has the preset “Soft” twice"),
  ])
  func presets_thatCannotBe_areFaults(_ presets: String, _ fault: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.plugin(workshop, presets: presets)
    let result = try ToolRun.compositor(["plugins", "inspect", plugin.path])
    #expect(result.status == 69 && result.errors.contains(fault), "\(result.errors)")
  }

  /// Plugins in Swift say the same through the same structs.
  @Test func hintsOfASwiftType_areThoseOfItsDescription() throws {
    let workshop = try PluginWorkshop()
    let source = try workshop.scratch.file(
      "soft.swift",
      """
      import CompositorPluginKit

      struct Soft: VideoCompositor {
        static let descriptor: CompositorDescriptor = {
          var radius = ParameterDescription(
            "radius", .number(minimum: 0, maximum: 9, unit: "px"), default: .number(1), summary: "The radius.")
          (radius.label, radius.group, radius.hint) = ("Blur radius", "Shape", .logarithmic)
          return CompositorDescriptor(id: "org.example.soft", name: "Soft") {
            $0.parameters = [radius]
            $0.presets = [ParameterPreset("Old film", ["radius": .number(3)])]
          }
        }()
        init(parameters: ParameterValues, context: RenderContext) throws {}
        func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame().freeze() }
      }

      @_cdecl("compositor_plugin_v1")
      public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(Soft.self) }
      """)
    let plugin = try workshop.compileSwift(source, name: "soft")
    let result = try ToolRun.compositor(["plugins", "inspect", plugin.path])
    #expect(
      result.output.contains(
        "radius: a number 0.0 … 9.0 px, by default 1, on a logarithmic scale, shown as “Blur radius” under “Shape”"),
      "\(result.output)\(result.errors)")
    #expect(result.output.contains("preset “Old film”: radius 3"), "\(result.output)")
  }
}
