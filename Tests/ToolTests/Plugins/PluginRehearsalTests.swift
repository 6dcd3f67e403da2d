import Foundation
import Testing

/// Mistakes in graphs of libavfilter, and values that only a plugin rejects, which `validate` finds before a render does.
@Suite(.serialized) struct PluginRehearsalTests {
  struct Mistake: CustomTestStringConvertible {
    var effect: String
    var says: [String]
    /// What ends it: the project is wrong, or what the graph made.
    var status: Int32 = 65
    var code = "invalidParameter"
    /// Where the effect is written.
    var isOnClip = true
    var testDescription: String { effect }
  }

  private func project(_ mistake: Mistake, _ scratch: Scratch) throws -> URL {
    let effects = mistake.isOnClip ? ", effects: [{ \(mistake.effect) }]" : ""
    let stretch = mistake.isOnClip ? "" : ", effects: [{ at: '1s', duration: '1s', \(mistake.effect) }]"
    return try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "128x72", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x64", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "2s"\(effects) }] }]\(stretch) }
      """)
  }

  @Test(arguments: [
    Mistake(effect: "use: 'avfilter.curves', master: 'up and down'", says: ["avfilter.curves", "from 0 s to 2 s"]),
    Mistake(effect: "use: 'avfilter.hue', h: 'sin('", says: ["avfilter.hue", "sin("]),
    Mistake(effect: "use: 'avfilter.graph', graph: 'gblurr=3'", says: ["avfilter.graph", "gblurr"]),
    Mistake(effect: "use: 'avfilter.graph', graph: 'gblur=sgima=3'", says: ["sgima"]),
    Mistake(effect: "use: 'avfilter.graph', graph: 'scale=32:32'", says: ["32x32", "64x64"], status: 69),
    Mistake(effect: "use: 'avfilter.graph', graph: 'crop=100:100'", says: ["crop", "100"]),
    Mistake(effect: "use: 'avfilter.graph', graph: 'reverse'", says: ["returned no frame"], status: 69),
    Mistake(effect: "use: 'avfilter.graph', graph: 'movie=x.mp4'", says: ["opens files"]),
    Mistake(effect: "use: 'avfilter.blend'", says: ["avfilter.blend", "2 frames"]),
    Mistake(
      effect: "use: 'avfilter.graph', graph: 'scale=32:32'", says: ["nstruction 1", "128x72"], status: 69,
      isOnClip: false),
    Mistake(
      effect: "compositor: 'avfilter.xfade', parameters: { transition: 'fade' }", says: ["avfilter.xfade", "2 frames"],
      isOnClip: false),
  ])
  func graphThatCannotWork_isFoundByValidate_asByRender(_ mistake: Mistake) throws {
    let scratch = try Scratch()
    let project = try project(mistake, scratch)
    let output = scratch.folder.appending(path: "o.mkv")
    for arguments in [[], ["--trust-plugin", "libavfilter"]] {
      let result = try ToolRun.compositor(["validate", project.path] + arguments)
      #expect(result.status == mistake.status, "\(result.output)\(result.errors)")
      for word in mistake.says {
        #expect((result.output + result.errors).contains(word), "\(word): \(result.output)\(result.errors)")
      }
      #expect(!result.output.contains(": valid") && result.errors.utf8.count < 1000)
    }
    let render = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
    #expect(render.status != 0)
    let json = try ToolRun.compositor(["validate", project.path, "--json"])
    #expect(json.status == mistake.status, "\(json.output)\(json.errors)")
    #expect(
      (json.output + json.errors).contains(mistake.status == 65 ? mistake.code : "libavfilter"), "\(json.output)\(json.errors)")
  }

  @Test(arguments: [
    Mistake(effect: "use: 'avfilter.gblur', sigma: [{ at: 0, value: 1 }, { at: '1s', value: 9 }]", says: []),
    Mistake(effect: "use: 'avfilter.graph', graph: 'scale=32:32,scale=64:64,tmix=frames=3'", says: []),
    Mistake(effect: "use: 'avfilter.graph', graph: 'tblend=all_mode=average'", says: []),
    Mistake(effect: "use: 'avfilter.hue', h: [{ at: 0, value: 0 }, { at: '1s', value: 90 }]", says: [], isOnClip: false),
  ])
  func graphThatWorks_isValid(_ graph: Mistake) throws {
    let scratch = try Scratch()
    let result = try ToolRun.compositor(["validate", try project(graph, scratch).path])
    #expect(result.status == 0 && result.output.contains(": valid"), "\(result.output)\(result.errors)")
  }

  /// A value that ffmpeg would take for one frame cannot change over time: the error has its location.
  @Test(arguments: [
    ("use: 'avfilter.boxblur', lr: [{ at: 0, value: 1 }]", ".lr:", "the compositor takes it once"),
    ("use: 'avfilter.curves', preset: [{ at: 0, value: 1 }]", ".preset:", "one of several values"),
    ("use: 'avfilter.graph', graph: [{ at: 0, value: 1 }]", ".graph:", "it is a string"),
    ("use: 'avfilter.hue', h: [{ at: 0, value: [1, 2] }]", ".h[0].value:", "a number or an expression"),
    ("use: 'avfilter.gblur', sigma: 2000", ".sigma:", "a number 0.0 … 1024.0"),
    ("use: 'avfilter.gblur', sgima: 2", ".sgima:", "Did you mean \"sigma\"?"),
  ])
  func valuesThatFiltersDoNotTake_areToldWhereTheyAreWritten(_ effect: String, _ path: String, _ says: String) throws {
    let scratch = try Scratch()
    let result = try ToolRun.compositor(["validate", try project(Mistake(effect: effect, says: []), scratch).path])
    #expect(result.status == 65, "\(result.output)\(result.errors)")
    #expect(
      result.errors.contains("p.json5:2:") && result.errors.contains("effects[0]\(path)") && result.errors.contains(says),
      "\(result.errors)")
  }

  /// frei0r's mixers as effects of one layer, wherever effects are written.
  @Test(
    .enabled(if: ForeignPluginTests.hasFrei0r, "needs frei0r-plugins"), arguments: ["divide", "xfade0r", "RGB"], [true, false])
  func mixerOfSeveralFrames_isFoundByValidate_asByRender(_ name: String, _ isOnClip: Bool) throws {
    let scratch = try Scratch()
    let project = try project(Mistake(effect: "use: 'frei0r.\(name)'", says: [], isOnClip: isOnClip), scratch)
    let result = try ToolRun.compositor(["validate", project.path])
    #expect(result.status == 65 && result.output.contains("the instruction has 1 track"), "\(result.output)")
    let render = try scratch.render([project.path, "-o", scratch.folder.appending(path: "o.mkv").path])
    #expect(render.status == 65, "\(render.errors)")
  }

  /// A value that a plugin's description allows and the plugin itself refuses, when it is made or at a frame.
  @Test(arguments: [true, false]) func valueThatAPluginRefuses_isFoundByValidate_asByRender(_ isInCreate: Bool) throws {
    let workshop = try PluginWorkshop()
    var source = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    let refusal = "return fail(error, COMPOSITOR_INVALID_PARAMETER, \"strength 0.9 is too much for me\");"
    source.replace(
      isInCreate ? "  (void)self, (void)context, (void)parameters, (void)count, (void)error;" : "  const int black =",
      with: isInCreate
        ? "  (void)self, (void)context;\n  if (count > 0 && parameters[0]->number == 0.9) \(refusal)"
        : "  if (strength == 0.9) \(refusal)\n  const int black =")
    #expect(source.contains(refusal))
    let plugin = try workshop.compile(workshop.scratch.file("strict.c", source), name: "strict")
    for (strength, status) in [("0.9", Int32(65)), ("0.8", 0)] {
      let project = try workshop.scratch.file(
        "p\(strength).json5",
        """
        { version: 1, plugins: ["\(plugin.path)"], output: { size: "64x64", frameRate: 25 },
          assets: { a: { generate: "bars", size: "64x64", frameRate: 25 } },
          tracks: [{ clips: [{ asset: "a", duration: "3f",
            effects: [{ use: "org.example.dimmer", strength: \(strength) }] }] }] }
        """)
      for options in [[], ["--trust-plugin", plugin.path]] {
        let result = try ToolRun.compositor(["validate", project.path] + options)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        let isTold = (result.output + result.errors).contains("too much for me")
        #expect(isTold == (status != 0), "\(result.output)\(result.errors)")
        let output = workshop.scratch.folder.appending(path: "o\(options.count)\(strength).mkv")
        let render = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"] + options)
        #expect(render.status == status, "\(render.errors)")
      }
    }
  }
}
