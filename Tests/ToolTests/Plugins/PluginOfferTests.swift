import Foundation
import Testing

/// What the host offers plugins beside frames as they are: sources on the canvas, parameters that change over time.
@Suite(.serialized) struct PluginOfferTests {
  private static let lossless = #"size: "128x72", frameRate: 25, video: { codec: "ffv1" }, audio: false"#

  private func plugin(_ workshop: PluginWorkshop, _ flags: [String] = [], name: String = "placed") throws -> URL {
    try workshop.compile(PluginWorkshop.fixtures.appending(path: "placed.c"), flags: flags, name: name)
  }

  private func render(_ project: URL, in workshop: PluginWorkshop) throws -> ToolRun.Result {
    let output = workshop.scratch.folder.appending(path: "out.mkv")
    return try ToolRun.compositor(["render", project.path, "-o", output.path, "--overwrite", "--progress", "none"])
  }

  /// The bytes of the luma planes, one after another.
  private func luma(_ movie: URL, in workshop: PluginWorkshop) throws -> [UInt8] {
    let raw = workshop.scratch.folder.appending(path: "luma.raw")
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-i", movie.path, "-map", "0:v", "-vf", "extractplanes=y", "-f", "rawvideo", raw.path)
    try #require(result.status == 0, "\(result.errors)")
    return [UInt8](try Data(contentsOf: raw))
  }

  private func twoTracks(_ compositor: String, _ plugin: URL, layers: String, in workshop: PluginWorkshop) throws -> URL {
    try workshop.scratch.file(
      "two.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], output: { \(Self.lossless) },
        assets: { a: { generate: "bars", size: "64x64", frameRate: 25 }, b: { generate: "clock", size: "200x50", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "5f" }] }, { clips: [{ asset: "b", duration: "5f" }] }],
        instructions: [{ at: 0, duration: "5f", compositor: "\(compositor)", layers: [\(layers)] }] }
      """)
  }

  /// A track that a plugin names as identical is shown in every frame, whether or not a worker is free when it is asked; its own frame
  /// would be white.
  @Test(arguments: [1, 4]) func identicalTrack_isShownWhateverWorkersDo(_ threads: Int) throws {
    let workshop = try PluginWorkshop()
    var source = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    source.replace(
      "static const CompositorDescription compositor = {",
      with: """
        static int32_t needs(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error) {
          (void)instance, (void)error;
          needs->identity_track = request->sources[0]->track;
          return COMPOSITOR_OK;
        }
        static const CompositorDescription compositor = {
          .needs = needs,
        """)
    source.replace(
      "  return COMPOSITOR_OK;\n}\n\nstatic const CompositorParameter default_strength",
      with: """
          for (int32_t y = 0; y < output->planes[0].height; y++)
            memset((char *)output->planes[0].data + y * output->planes[0].stride, 235, (size_t)output->width);
          return COMPOSITOR_OK;
        }

        static const CompositorParameter default_strength
        """)
    #expect(source.contains("235, (size_t)"))
    let plugin = try workshop.compile(workshop.scratch.file("same.c", source), name: "same")
    let asset = #"generate: "clock", size: "128x72", frameRate: 25"#
    var planes: [[UInt8]] = []
    for compositor in ["builtin.layer", "org.example.dimmer"] {
      let project = try workshop.project(plugin, compositor: compositor, output: Self.lossless, asset: asset)
      let output = workshop.scratch.folder.appending(path: "out.mkv")
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", output.path, "--overwrite", "--progress", "none", "--threads", "\(threads)"])
      try #require(result.status == 0, "\(result.errors)")
      planes.append(try luma(output, in: workshop))
    }
    #expect(planes[0] == planes[1] && planes[0].count == 75 * 128 * 72)
  }

  /// Clips of two sizes, one of them scaled and half transparent: what the plugin gets is what the layer compositor makes of each.
  @Test func placedSources_areWhatTheLayerCompositorMakesOfEach() throws {
    let workshop = try PluginWorkshop()
    let plugin = try plugin(workshop)
    let (first, second) = ("{ track: 0 }", "{ track: 1, opacity: 0.5, fit: \"fill\" }")
    var planes: [[UInt8]] = []
    for (compositor, layers) in [
      ("builtin.layer", first), ("builtin.layer", second), ("org.example.second", "\(first), \(second)"),
      ("org.example.average", "\(first), \(second)"),
    ] {
      let result = try render(try twoTracks(compositor, plugin, layers: layers, in: workshop), in: workshop)
      try #require(result.status == 0, "\(result.errors)")
      planes.append(try luma(workshop.scratch.folder.appending(path: "out.mkv"), in: workshop))
    }
    #expect(planes[2] == planes[1])
    let mean = zip(planes[0], planes[1]).map { UInt8((Int($0) + Int($1) + 1) / 2) }
    #expect(planes[3] == mean)
    // Without the choice clips come in their own sizes.
    let plain = try self.plugin(workshop, ["-DPLACES=0"], name: "plain")
    let refused = try render(
      try twoTracks("org.example.average", plain, layers: "\(first), \(second)", in: workshop), in: workshop)
    #expect(refused.status == 69, "\(refused.errors)")
  }

  /// Keyframes in a transition, in an effect by a compositor, and in an explicit instruction: the same ramp, frame by frame.
  @Test(arguments: ["transition", "compositor", "instruction"])
  func keyframes_whereverParametersAreWritten_changeOverTime(_ place: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try plugin(workshop)
    let parameters = #"{ level: [{ at: "0s", value: 20 }, { at: "1s", value: 120 }] }"#
    let clip = #"{ asset: "a", duration: "2s" }"#
    let body =
      switch place {
      case "transition":
        #"""
        tracks: [{ clips: [{ asset: "a", duration: "2s" },
          { asset: "a", duration: "2s", transition: { compositor: "org.example.level", parameters: \#(parameters), duration: "1s" } }] }]
        """#
      case "compositor":
        #"""
        tracks: [{ clips: [\#(clip)] }],
        effects: [{ at: "1s", duration: "1s", compositor: "org.example.level", parameters: \#(parameters) }]
        """#
      default:
        #"""
        tracks: [{ clips: [\#(clip)] }],
        instructions: [{ at: 0, duration: "1s", layers: [{ track: 0 }] },
          { duration: "1s", compositor: "org.example.level", parameters: \#(parameters), layers: [{ track: 0 }] }]
        """#
      }
    let project = try workshop.scratch.file(
      "ramp.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], output: { \(Self.lossless) },
        assets: { a: { generate: "bars", size: "128x72", frameRate: 25 } }, \(body) }
      """)
    let result = try render(project, in: workshop)
    try #require(result.status == 0, "\(result.errors)")
    let luma = try luma(workshop.scratch.folder.appending(path: "out.mkv"), in: workshop)
    // The ramp begins at 1 s: 20 + 100 · n / 25.
    for number in 0..<25 {
      let expected = 20 + 4 * number
      #expect(Int(luma[(25 + number) * 128 * 72]) == expected, "frame \(number)")
    }
  }

  @Test func optionsOfLibavfilter_haveTheirShortNames() throws {
    let workshop = try PluginWorkshop()
    var frames: [[UInt8]] = []
    for options in [
      "x: '8', y: '8', width: '40', height: '20', color: 'red', thickness: '3'",
      "x: '8', y: '8', w: '40', h: '20', c: 'red', t: '3'",
    ] {
      let project = try workshop.scratch.file(
        "box.json5",
        """
        { version: 1, output: { \(Self.lossless) }, assets: { a: { generate: "bars", size: "128x72", frameRate: 25 } },
          tracks: [{ clips: [{ asset: "a", duration: "2f", effects: [{ use: "avfilter.drawbox", \(options) }] }] }] }
        """)
      let result = try render(project, in: workshop)
      try #require(result.status == 0, "\(result.errors)")
      frames.append(try luma(workshop.scratch.folder.appending(path: "out.mkv"), in: workshop))
    }
    #expect(frames[0] == frames[1])
  }

  /// Two files that never come back from being opened: one deadline for both, and none the next time.
  @Test func hangingFilesOfTheSearchPath_costOneDeadlineOnce() throws {
    let workshop = try PluginWorkshop()
    _ = try plugin(workshop, ["-DHANGS"], name: "hang-one")
    _ = try plugin(workshop, ["-DHANGS"], name: "hang-two")
    _ = try plugin(workshop)
    let environment = [
      "COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path, "FREI0R_PATH": workshop.scratch.folder.appending(path: "no").path,
      "COMPOSITOR_CACHE": workshop.scratch.folder.appending(path: "cache").path,
    ]
    let start = ContinuousClock.now
    let first = try ToolRun.compositor(["plugins", "list", "--plugin-deadline", "8"], environment: environment)
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(first.output.components(separatedBy: "did not answer within").count == 3, "\(first.output)")
    #expect(first.output.contains("org.example.average"))
    let second = try ToolRun.compositor(["plugins", "list", "--plugin-deadline", "8"], environment: environment)
    #expect(second.output.components(separatedBy: "when it was last tried").count == 3, "\(second.output)")
    #expect(second.output.contains("org.example.average"))
  }

  @Test func fileThatIsCutShort_isRefusedInWords() throws {
    let workshop = try PluginWorkshop()
    let plugin = try plugin(workshop)
    let whole = try Data(contentsOf: plugin)
    for count in [100, whole.count / 4, whole.count / 2] {
      let file = workshop.scratch.folder.appending(path: "cut.so")
      try whole.prefix(count).write(to: file)
      let result = try ToolRun.compositor(["plugins", "inspect", file.path])
      #expect(result.status == 69 && result.errors.contains("cut short"), "\(count): \(result.errors)")
    }
  }
}
