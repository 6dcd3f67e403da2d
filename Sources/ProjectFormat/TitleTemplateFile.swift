import CompositorAPI
import CompositorMediaIO
import CompositorTimeline

/// A title of its own file: a layer tree with variables, which any number of projects use.
///
/// ```json5
/// { version: 2, variables: { name: "Ada Lovelace", accent: "#ffcc00" }, duration: "4s", layer: { … } }
/// ```
struct TitleTemplateFile {
  private let text: SourceText
  private let template: ProjectObject
  /// The duration that the template declares, as it is written.
  private let duration: ProjectValue?

  /// The name of the variable that every template has: the duration of the title.
  static let durationName = "duration"

  /// Reads a template.
  ///
  /// - Parameter path: Resolved against the project's directory.
  /// - Throws: `.fileNotFound`, `.sourceRefused`; `.invalidProject` with `file:line:column` in the template.
  init(contentsOf path: String, notes: ProjectNotes?) throws(CompositorError) {
    text = try SourceText(
      name: path, bytes: try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount))
    let root = ProjectValue.root(of: try JSON5Reader.read(text), text, notes: notes)
    try ProjectReader.checkVersion(root)
    template = try root.object(ProjectSchema.shape("titleTemplate"))
    duration = template["duration"]
    _ = try template.string("description")
    _ = try template.string("$schema")
  }

  /// The template's tree, filled in for one title.
  ///
  /// - Parameters:
  ///   - given: What the title says of the variables.
  ///   - duration: What the title says of its duration, which `${duration}` stands for.
  /// - Returns: The tree, and the duration that counts.
  /// - Throws: `.invalidProject` for a variable that the template doesn't declare, or that is of another type, at its place in the project, and
  ///   for mistakes in the template.
  func filled(
    _ given: [(key: String, value: ProjectValue)], duration titleDuration: ProjectValue?
  ) throws(CompositorError) -> (layer: ProjectValue, duration: ProjectValue?) {
    var variables = try ProjectVariables(declaredIn: template["variables"], text: text)
    for (name, value) in given {
      try value.placing { () throws(CompositorError) in
        if variables.firstUnknown(of: [name]) != nil { throw variables.unknown(name, in: "The template") }
        try variables.set(name, to: value.variable())
      }
    }
    let length = if let titleDuration { titleDuration } else { try declaredDuration(&variables) }
    if let length { try variables.set(TitleTemplateFile.durationName, to: length.variable()) }
    let tree = try template.required("layer")
    return (tree.inner(try variables.fill(tree.node, path: tree.path, shape: .object("titleLayer")), tree.path), length)
  }

  /// The duration that the template declares, which may name variables.
  private func declaredDuration(_ variables: inout ProjectVariables) throws(CompositorError) -> ProjectValue? {
    guard let duration else { return nil }
    return duration.inner(try variables.fill(duration.node, path: duration.path, shape: .time), duration.path)
  }
}
