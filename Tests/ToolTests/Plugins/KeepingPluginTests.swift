import CompositorTestSupport
import Foundation
import Testing

/// What `plugins check` says of plugins that keep something from a call, and that it says nothing of their careful twins.
@Suite struct KeepingPluginTests {
  /// A compositor of `keeping.c`, and what is said of it: the line's title and part of its text; empty for a careful one.
  struct Form: CustomTestStringConvertible {
    var id: String
    var check = ""
    var says = ""
    var testDescription: String { id }
    /// Whether the check counts calls by the time that they take: then it runs alone.
    var isCounted: Bool { id.hasPrefix("left.") || id.hasPrefix("closed.") }
  }

  private static func check(_ ids: [String]) throws -> [String: ToolRun.Result] {
    try PluginWorkshop.checks(of: "keeping.c", ids)
  }

  /// The reports of all others, by ID.
  private static let uncounted = Result { try check(run.filter { !$0.isCounted }.map(\.id)) }

  static let forms = [
    Form(id: "left.file-frame", check: "leaks", says: "10 instances and 40 frames left 40 open files"),
    Form(id: "left.file-instance", check: "leaks", says: "10 instances and 40 frames left 10 open files"),
    Form(id: "left.file-twice", check: "leaks", says: "10 instances and 40 frames left 80 open files"),
    Form(id: "left.file-rarely", check: "leaks", says: " open files"),
    Form(id: "left.pipe-frame", check: "leaks", says: "10 instances and 40 frames left 80 open files"),
    Form(id: "left.pipe-instance", check: "leaks", says: "10 instances and 40 frames left 20 open files"),
    Form(id: "left.pipe-twice", check: "leaks", says: "10 instances and 40 frames left 160 open files"),
    Form(id: "left.pipe-rarely", check: "leaks", says: " open files"),
    Form(id: "left.file-slow", check: "leaks", says: "4 instances and 4 frames left 4 open files"),
    Form(id: "closed.slow"),
    Form(id: "closed.files"),
    Form(id: "closed.one"),
    Form(id: "kept.static", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "kept.thread", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "kept.instance", check: "values", says: "An instance keeps the value of its first frame"),
    Form(id: "kept.create", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "kept.fixed-static", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "kept.fixed-thread", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "kept.fixed-create", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "kept.second", check: "values", says: "“strength” keeps the value that came first in the process"),
    Form(id: "fresh.static"),
    Form(id: "fresh.thread"),
    Form(id: "fresh.instance"),
    Form(id: "fresh.create"),
    Form(id: "fresh.second"),
    Form(id: "signal.handler", check: "signals", says: "changed how SIGUSR1 is handled"),
    Form(id: "signal.restored"),
    Form(id: "invariant.index", check: "determinism", says: "gave another frame in another instruction"),
    Form(id: "invariant.start", check: "determinism", says: "gave another frame in another instruction"),
    Form(id: "invariant.source"),
    Form(id: "key.use", check: "description", says: "projects cannot set “use”"),
    Form(id: "key.mask", check: "description", says: "projects cannot set “mask”"),
    Form(id: "key.at", check: "description", says: "projects cannot set “at”"),
    Form(id: "key.duration", check: "description", says: "projects cannot set “duration”"),
    Form(id: "key.compositor", check: "description", says: "projects cannot set “compositor”"),
    Form(id: "key.parameters", check: "description", says: "projects cannot set “parameters”"),
    Form(id: "key.radius"),
    Form(id: "key.transition"),
  ]

  /// `make test` leaves out what others do at another time or with files of another kind.
  private static let repeated: Set = [
    "left.file-instance", "left.file-rarely", "left.pipe-frame", "left.pipe-twice", "kept.fixed-static", "kept.fixed-create",
    "kept.thread",
  ]

  private static let run = forms.filter { TableSelection.isWhole || !repeated.contains($0.id) }

  @Test(arguments: run) func whatIsKept_isFound_andNothingElse(_ form: Form) throws {
    let reports = try form.isCounted ? Self.check([form.id]) : Self.uncounted.get()
    let result = try #require(reports[form.id])
    let lines = try JSONDecoder().decode(PluginCheckReport.self, from: Data(result.output.utf8)).compositors.flatMap(\.lines)
    let failures = lines.filter { $0.outcome == "failed" }
    #expect(failures.map(\.check) == (form.check.isEmpty ? [] : [form.check]), "\(failures)")
    #expect(failures.allSatisfy { $0.detail.contains(form.says) }, "\(failures)")
    #expect(result.status == (form.check.isEmpty ? 0 : 65))
    if form.id.hasPrefix("fresh.") {
      let values = lines.first { $0.check == "values" }
      #expect(values?.detail.contains("gave the same frames in two new processes") == true, "\(lines)")
    }
  }

  // MARK: Projects

  private func validate(_ effect: String, place: String) throws -> ToolRun.Result {
    let workshop = try PluginWorkshop()
    _ = try workshop.compile(PluginWorkshop.fixtures.appending(path: "keeping.c"), name: "keeping")
    let clip = place == "clip" ? ", effects: [{ \(effect) }]" : ""
    let whole = place == "clip" ? "" : ", effects: [{ at: 0, duration: \"2f\", \(effect) }]"
    let project = try workshop.scratch.file(
      "p.json5",
      """
      { version: 1, plugins: ["keeping.so"], output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "a", duration: "4f"\(clip) }] }]\(whole) }
      """)
    return try ToolRun.compositor(["validate", project.path])
  }

  /// A parameter that has the name of a key of the project is set in `parameters`, or an error.
  @Test(arguments: [
    ("use: \"key.duration\"", "\"duration\" is that of the effect, not the parameter of the same name"),
    ("use: \"key.at\"", "parameters: { at: 0.5 }"),
    ("use: \"key.duration\", parameters: { duration: 0.25 }", ""),
    ("use: \"key.at\", parameters: { at: 0.25 }", ""),
    ("use: \"key.mask\", parameters: { mask: 0.25 }", ""),
    ("use: \"key.use\", parameters: { use: 0.25 }", ""),
    ("use: \"key.mask\"", ""),
    ("use: \"key.radius\", radius: 0.25", ""),
    ("use: \"key.radius\", parameters: { radius: 0.25 }", ""),
    ("use: \"key.radius\", radius: 0.5, parameters: { radius: 0.25 }", "appears twice"),
    ("use: \"key.radius\", parameters: { raduis: 0.25 }", "there is no parameter"),
    ("compositor: \"key.duration\", parameters: { duration: 0.25 }", ""),
  ])
  func parametersNamedAsKeys_areNeverIgnored(_ effect: String, _ says: String) throws {
    let result = try validate(effect, place: "project")
    #expect(result.status == (says.isEmpty ? 0 : 65), "\(result.output)\(result.errors)")
    #expect(says.isEmpty || (result.output + result.errors).contains(says), "\(result.output)\(result.errors)")
  }

  @Test(arguments: [
    ("use: \"key.duration\", duration: 0.25", 0), ("use: \"key.at\", at: 0.25", 0), ("use: \"key.mask\", mask: 0.25", 65),
    ("use: \"key.radius\", radius: 0.25", 0),
  ])
  func effectsOfClips_haveFewerKeys(_ effect: String, _ status: Int32) throws {
    let result = try validate(effect, place: "clip")
    #expect(result.status == status, "\(result.output)\(result.errors)")
  }
}
