import CompositorAPI
import CompositorTimeline

/// Names of template titles.
package enum TitleName: String, CaseIterable, Sendable {
  case title, lowerThird = "lower-third", credits, caption

  /// Keys that only other kinds accept.
  fileprivate var unusedKeys: [String] {
    switch self {
    case .title: ["role", "boxColor"]
    case .lowerThird: []
    case .credits: ["role", "boxColor", "fade"]
    case .caption: ["role"]
    }
  }
}

/// Reads the titles of a project. Pure; every mistake is reported at its location.
struct TitleReader {
  /// Frames per second; `nil` if unknown, in which case times in frames are only checked for their syntax.
  let frameRate: Rational?
  /// The canvas that percentages refer to; `nil` if unknown.
  let canvas: PixelSize?
  /// The end of the timeline under the titles, if known.
  var end: MediaTime?
  /// Resolves the paths of templates.
  let project: ProjectReader

  /// The titles of a project, or of one of its assets, back to front; `nil` if there are none.
  func titles(_ object: ProjectObject) throws(CompositorError) -> [TimelineTitle]? { try object.list("titles", title) }

  private func title(_ value: ProjectValue) throws(CompositorError) -> TimelineTitle {
    let object = try value.object(ProjectSchema.shape("title"))
    let start = try object.read("start", time) ?? .zero
    if object["template"] != nil { return try templateTitle(object, start: start) }
    if let variables = object["variables"] {
      throw variables.error(
        "Variables of a title are those of its template.",
        recoverySuggestion: "Give the title a template, or the project variables.")
    }
    let duration = try object.read("duration", length)
    if let tree = object["layer"] {
      try object.exclude("layer", "text")
      let own = ["layer", "start", "duration"]
      try refuse(object.shape.keys.map(\.key).filter { !own.contains($0) }, in: object, "a layer")
      return TimelineTitle(try layer(tree, lasting: duration), start: start, duration: duration)
    }
    let text = try object.required("text").string()
    let kind = try object.choice("kind", TitleName.self) ?? .title
    try refuse(kind.unusedKeys, in: object, "titles of the kind \(quoted(kind.rawValue))")
    let template: TitleTemplate =
      switch kind {
      case .title: .title(text)
      case .lowerThird: .lowerThird(text, role: try object.string("role") ?? "")
      case .credits: try credits(text, object, duration)
      case .caption: .caption(text)
      }
    return TimelineTitle(template, style: try style(object), start: start, duration: duration)
  }

  /// A title whose tree is in a separate file.
  private func templateTitle(_ object: ProjectObject, start: MediaTime) throws(CompositorError) -> TimelineTitle {
    try object.exclude("template", "layer", "text")
    let own = ["template", "variables", "start", "duration"]
    try refuse(object.shape.keys.map(\.key).filter { !own.contains($0) }, in: object, "a title with a template")
    let path = try object.required("template")
    let file: TitleTemplateFile
    do throws(CompositorError) {
      file = try TitleTemplateFile(
        contentsOf: try project.path(path), directory: project.directory, notes: path.notes)
    } catch {
      // Mistakes inside the template have their own location. A template that cannot be read is a mistake of the project.
      guard error.code != .invalidProject else { throw error }
      throw try project.error(
        error, reading: "template", at: path,
        otherwise:
          "Write the path of a title template, a file such as { version: 1, layer: { … } }, from the folder of the project.")
    }
    let filled = try file.filled(
      try object["variables"]?.map() ?? [], duration: object["duration"], end: lengthToTheEnd(from: start))
    let duration = try filled.duration.map(length)
    let natural = try filled.protected.map { protected throws(CompositorError) in try length(protected.duration) }
    var title = TimelineTitle(try layer(filled.layer, lasting: natural ?? duration), start: start, duration: duration)
    if let parts = filled.protected?.parts, let natural, natural > .zero {
      title.stretch = try stretch(parts, of: natural, to: duration)
    }
    return title
  }

  /// How a template that was made for a duration fills another one; `nil` if they are equal.
  private func stretch(
    _ parts: ProjectObject, of own: MediaTime, to duration: MediaTime?
  ) throws(CompositorError) -> TimeStretch? {
    let (start, end) = (try parts.read("start", time) ?? .zero, try parts.read("end", time) ?? .zero)
    guard start + end <= own else {
      throw parts.value.error(
        "The protected parts last \((start + end).readable), longer than the template, which lasts \(own.readable).",
        recoverySuggestion: "Shorten them, or lengthen the template's duration.")
    }
    guard duration != own else { return nil }
    return TimeStretch(start: start.seconds, end: end.seconds, duration: own.seconds)
  }

  /// How long a title without a duration is shown, in seconds; `nil` if the end is unknown.
  private func lengthToTheEnd(from start: MediaTime) -> Double? {
    guard let end, end.isNumeric, end > start else { return nil }
    return (end - start).seconds
  }

  /// Checks that none of the keys is present.
  private func refuse(_ keys: [String], in object: ProjectObject, _ what: String) throws(CompositorError) {
    guard let member = object.members.first(where: { keys.contains($0.key) }) else { return }
    throw object.value.text.error(
      "The key \(quoted(member.key)) means nothing in \(what).".ending(with: object.value.node.variableOrigin ?? ""),
      recoverySuggestion: "Remove it.", atByte: member.keyOffset, path: NodePath.key(object.value.path, member.key).description)
  }

  private func length(_ value: ProjectValue) throws(CompositorError) -> MediaTime {
    guard let length = try value.time(atKnownFrameRate: frameRate) else { return .zero }
    guard length > .zero else {
      throw value.error("A title of no duration is never seen.", recoverySuggestion: "Give it a longer one, or none.")
    }
    return length
  }

  private func credits(
    _ text: String, _ object: ProjectObject, _ duration: MediaTime?
  ) throws(CompositorError) -> TitleTemplate {
    guard duration != nil || end?.isNumeric ?? true else {
      throw object.value.error(
        "Rolling credits need a duration.", recoverySuggestion: "Give them, or the asset, a duration.")
    }
    return .creditsRoll(text)
  }

  private func time(_ value: ProjectValue) throws(CompositorError) -> MediaTime {
    try value.time(atKnownFrameRate: frameRate) ?? .zero
  }

  private func style(_ object: ProjectObject) throws(CompositorError) -> TitleStyle {
    var style = TitleStyle()
    style.family = try object.string("font") ?? style.family
    style.weight = try object.integer("weight")
    style.size = try object["size"]?.fraction(.height, of: canvas, TitleStyle.sizes)
    style.color = try object.color("color") ?? style.color
    style.outlineColor = try object.color("outlineColor") ?? style.outlineColor
    style.outlineWidth =
      try object["outlineWidth"]?.fraction(.height, of: canvas, TitleStyle.outlineWidths) ?? style.outlineWidth
    style.boxColor = try object.color("boxColor")
    style.fade = try object.read("fade", time)?.seconds ?? style.fade
    style.direction = try object.choice("direction", TextDirection.self) ?? style.direction
    style.allowsFontSubstitution = try object.bool("substituteFont") ?? false
    style.position = try object.read("position") { value throws(CompositorError) in
      guard !value.isText else {
        throw value.mismatch(
          "a list", advice: "Write where its middle is, from the left and from the top: [\"50%\", \"80%\"].")
      }
      let parts = try value.list(ofCount: 2, "two positions on the frame")
      return Point(
        x: try parts[0].fraction(.width, of: canvas, TitleStyle.positions),
        y: try parts[1].fraction(.height, of: canvas, TitleStyle.positions))
    }
    return style
  }

  /// A whole tree, in pixels of the canvas.
  private func layer(_ value: ProjectValue, lasting duration: MediaTime?) throws(CompositorError) -> Layer {
    guard value.isObject else { throw value.error("A layer is an object.") }
    let layer = try LayerTranslation(frameRate: frameRate, canvas: canvas ?? OutputDefaults.defaultCanvas).layer(value).decoded(
      as: Layer.self)
    do throws(CompositorError) {
      // The end of a movie isn't known yet, but there is one.
      _ = try layer.anchored(until: duration?.seconds ?? end?.seconds ?? 0)
    } catch {
      let key = error.location.path ?? ""
      throw value.text.error(
        error.message.ending(with: value.node.variableOrigin ?? ""), recoverySuggestion: error.recoverySuggestion ?? "",
        atByte: value.node.node(atPath: key)?.offset ?? value.node.offset, path: "\(value.path.description).\(key)")
    }
    return layer
  }
}
