import Foundation
import Testing

/// Files whose bytes the host passes to plugins.
@Suite(.serialized) struct FileParameterTests {
  /// A plugin that fills the luma of its frame with the sum of a file's bytes, modulo 200.
  private static func plugin(
    _ workshop: PluginWorkshop, maximum: Int = 1_000_000, value: String = "", default: String = "&no_file"
  ) throws -> URL {
    var source = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    source.replace(
      "static const CompositorDescription compositor = {",
      with: """
        static const CompositorParameter no_file = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_FILE\(value)};
        static const CompositorParameterDescription table = {
          .struct_size = sizeof(CompositorParameterDescription), .key = "table", .summary = "A table.", .kind = COMPOSITOR_FILE,
          .maximum = \(maximum), .default_value = \(`default`)};
        static const CompositorParameterDescription *const both[] = {&strength, &table};
        static const CompositorDescription compositor = {
        """)
    source.replace(".parameter_count = 1,", with: ".parameter_count = 2,")
    source.replace(".parameters = parameters,", with: ".parameters = both,")
    source.replace(
      "  return COMPOSITOR_OK;\n}\n\nstatic const CompositorParameter default_strength",
      with: """
          uint32_t sum = 0;
          for (int32_t i = 0; i < request->parameter_count; i++) {
            const CompositorParameter *parameter = request->parameters[i];
            if (!COMPOSITOR_HAS(parameter, byte_count) || strcmp(parameter->key, "table") != 0) continue;
            for (size_t j = 0; j < parameter->byte_count; j++) sum += ((const uint8_t *)parameter->data)[j];
          }
          for (int32_t y = 0; y < output->planes[0].height; y++)
            memset((char *)output->planes[0].data + y * output->planes[0].stride, (int)(16 + sum % 200), (size_t)output->width);
          return COMPOSITOR_OK;
        }

        static const CompositorParameter default_strength
        """)
    #expect(source.contains("sum % 200"))
    return try workshop.compile(workshop.scratch.file("table.c", source), name: "table")
  }

  private static func project(_ workshop: PluginWorkshop, _ plugin: URL, _ parameters: String) throws -> URL {
    try workshop.scratch.file(
      "table.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"],
        output: { size: "64x64", frameRate: 25, video: { codec: "ffv1" }, audio: false },
        assets: { a: { generate: "bars", size: "64x64", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "3f", effects: [{ use: "org.example.dimmer"\(parameters) }] }] }] }
      """)
  }

  /// None by default, without a value that says so.
  @Test func file_withoutADefault_isNone() throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.plugin(workshop, default: "0 ? &no_file : NULL")
    let project = try Self.project(workshop, plugin, "")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", workshop.scratch.folder.appending(path: "o.mkv").path, "--progress", "none"])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [0, 1, 4096, 1_000_000]) func bytes_ofAFile_reachThePlugin(_ count: Int) throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.plugin(workshop)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
    try Data(bytes).write(to: workshop.scratch.folder.appending(path: "table.bin"))
    let project = try Self.project(workshop, plugin, count == 0 ? "" : ", table: \"table.bin\"")
    for options in [[], ["--trust-plugin", plugin.path]] {
      let movie = workshop.scratch.folder.appending(path: "o.mkv")
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"] + options)
      try #require(result.status == 0, "\(result.errors)")
      let raw = workshop.scratch.folder.appending(path: "o.raw")
      _ = try ToolRun.program("ffmpeg", "-v", "error", "-y", "-i", movie.path, "-f", "rawvideo", raw.path)
      let luma = try Data(contentsOf: raw).prefix(64 * 64)
      let expected = UInt8(16 + bytes.reduce(0) { $0 + Int($1) } % 200)
      #expect(luma.count == 64 * 64 && luma.allSatisfy { $0 == expected })
    }
  }

  @Test func files_thatAreNotThereOrTooLarge_areSaidSo() throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.plugin(workshop, maximum: 100)
    try Data(repeating: 1, count: 101).write(to: workshop.scratch.folder.appending(path: "large.bin"))
    for name in ["missing.bin", "large.bin"] {
      let project = try Self.project(workshop, plugin, ", table: \"\(name)\"")
      let result = try ToolRun.compositor(["validate", project.path])
      #expect(result.status != 0, "\(name)")
      #expect(
        (result.output + result.errors).contains("table.json5:4:98: error: The file "), "\(result.output)\(result.errors)")
    }
  }

  @Test func descriptions_thatChooseAFile_areFaults() throws {
    let workshop = try PluginWorkshop()
    let own = try Self.plugin(workshop, value: ", .data = \"abc\", .byte_count = 3")
    let chosen = try ToolRun.compositor(["plugins", "inspect", own.path])
    #expect(chosen.status == 69 && chosen.errors.contains("a default file, which is not allowed"), "\(chosen.errors)")
    let large = try ToolRun.compositor(["plugins", "inspect", Self.plugin(workshop, maximum: 1 << 30).path])
    #expect(large.status == 69 && large.errors.contains("a maximum size of"), "\(large.errors)")
    let good = try ToolRun.compositor(["plugins", "inspect", Self.plugin(workshop).path])
    #expect(good.output.contains("table: a file of at most 1000000 bytes"), "\(good.output)")
  }
}
