import CompositorAPI
import CompositorMediaIO
import CompositorTimeline

/// A title template in a separate file: a layer tree with variables that any number of projects can use.
///
/// ```json5
/// { version: 1, variables: { name: "Ada Lovelace", accent: "#ffcc00" }, duration: "4s", layer: { … } }
/// ```
struct TitleTemplateFile {
  private let text: SourceText
  private let template: ProjectObject
  /// The directory of the project, which paths in the template are relative to.
  private let directory: String
  /// The duration that the template declares, as written.
  private let duration: ProjectValue?

  /// A template's tree for one title.
  struct Filled {
    let layer: ProjectValue
    /// The title's duration, if it or the template has one.
    let duration: ProjectValue?
    /// The parts that keep their speed, and the duration that the template declares; `nil` if no time is stretched.
    var protected: (parts: ProjectObject, duration: ProjectValue)?
  }

  /// The name of a variable that every template has: the title's duration.
  static let durationName = "duration"

  /// Reads a template.
  ///
  /// - Parameters:
  ///   - path: The path, resolved against the project's directory.
  ///   - directory: The project's directory: empty, or ending in a slash.
  /// - Throws: `.fileNotFound`, `.sourceRefused`; `.invalidProject` with `file:line:column` in the template.
  init(contentsOf path: String, directory: String, notes: ProjectNotes?) throws(CompositorError) {
    self.directory = directory
    text = try SourceText(
      name: path, bytes: try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount))
    let root = ProjectValue.root(of: try JSON5Reader.read(text), text, notes: notes)
    try ProjectReader.checkVersion(root, of: "template")
    template = try root.object(ProjectSchema.shape("titleTemplate"))
    duration = template["duration"]
    _ = try template.string("description")
    _ = try template.string("$schema")
  }

  /// The names of the variables that the template uses.
  var usedNames: Set<String> {
    var names: Set<String> = []
    for part in [template["layer"], template["protect"], duration] {
      part?.node.visitStrings { string, _ in names.formUnion(ProjectVariables.names(in: string)) }
    }
    return names
  }

  /// Fills in the template's tree for one title.
  ///
  /// - Parameters:
  ///   - given: The title's values of the variables.
  ///   - titleDuration: The title's duration, which `${duration}` refers to unless the template has protected parts.
  ///   - end: How long the title is shown if neither it nor the template has a duration, in seconds; `nil` if that is unknown.
  /// - Throws: `.invalidProject`, located in the project, if a variable isn't declared by the template or has another type,
  ///   and, located in the template, for mistakes in it.
  func filled(
    _ given: [(key: String, value: ProjectValue)], duration titleDuration: ProjectValue?, end: Double? = nil
  ) throws(CompositorError) -> Filled {
    var variables = try ProjectVariables(declaredIn: template["variables"], text: text, directory: directory)
    for (name, value) in given {
      try value.placing { () throws(CompositorError) in
        if variables.isUnknown(name) { throw variables.unknown(name, in: "The template") }
        try variables.set(name, to: value.variable().fromElsewhere)
      }
    }
    try variables.readFiles()
    let protected = try protectedParts(&variables)
    let length = if let titleDuration { titleDuration } else { try declaredDuration(&variables) }
    if let length = protected?.duration ?? length {
      try variables.set(TitleTemplateFile.durationName, to: length.evaluatedTime().variable())
    } else if let end {
      try variables.set(TitleTemplateFile.durationName, to: .string("\(end.plain)s"))
    }
    let tree = try template.required("layer")
    let layer = tree.inner(try variables.fill(tree.node, path: tree.path, shape: .object("titleLayer")), tree.path)
    return Filled(layer: layer, duration: length, protected: protected)
  }

  /// The parts that keep their speed, with the duration that the template declares for it; `nil` if there are none.
  private func protectedParts(
    _ variables: inout ProjectVariables
  ) throws(CompositorError) -> (parts: ProjectObject, duration: ProjectValue)? {
    guard let protect = template["protect"] else { return nil }
    let filled = try variables.fill(protect.node, path: protect.path, shape: .object("protectedParts"))
    let parts = try protect.inner(filled, protect.path).object(ProjectSchema.shape("protectedParts"))
    guard let duration = try declaredDuration(&variables) else {
      throw protect.error(
        "A template with protected parts has a duration of its own.",
        recoverySuggestion: "Write the duration that its animations are made for, such as duration: \"4s\".")
    }
    return (parts, duration)
  }

  /// The duration that the template declares, which may contain variables.
  private func declaredDuration(_ variables: inout ProjectVariables) throws(CompositorError) -> ProjectValue? {
    guard let duration else { return nil }
    return duration.inner(try variables.fill(duration.node, path: duration.path, shape: .time), duration.path)
  }
}

extension ProjectValue {
  /// An expression in seconds as the time that it is; other values are unchanged.
  fileprivate func evaluatedTime() throws(CompositorError) -> ProjectValue {
    guard try expression(.time) != nil, case .seconds(let seconds) = try time() else { return self }
    return holding(.string(ProjectTime.written(seconds)))
  }
}
