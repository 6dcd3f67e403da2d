import CompositorAPI
import CompositorTimeline

/// Titles and captions.
extension ProjectWriter {
  /// - Parameter tree: The tree of a title that has one, in the notation of projects.
  func title(_ title: TimelineTitle, tree: JSON5Node?, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("title")
    guard title.stretch == nil else {
      throw ProjectWriter.unsupported(
        "a tree that is stretched to another duration", at: "\(path).stretch",
        "Name its template in a project, or give the title the duration that the tree was made for.")
    }
    if case .template(let template, let style) = title.content {
      set(template, in: &object)
      set(style, in: &object)
    }
    object.set("start", title.start, default: .zero) { .time($0) }
    object.set("duration", title.duration.map { .time($0) })
    object.set("layer", tree)
    return object.node
  }

  private func set(_ template: TitleTemplate, in object: inout WrittenObject) {
    switch template {
    case .title(let text): object.set("text", .text(text))
    case .lowerThird(let text, let role):
      object.set("kind", TitleName.lowerThird)
      object.set("text", .text(text))
      object.set("role", role, default: "") { .text($0) }
    case .creditsRoll(let text):
      object.set("kind", TitleName.credits)
      object.set("text", .text(text))
    case .caption(let text):
      object.set("kind", TitleName.caption)
      object.set("text", .text(text))
    }
  }

  private func set(_ style: TitleStyle, in object: inout WrittenObject) {
    let standard = TitleStyle()
    object.set("font", style.family, default: standard.family) { .text($0) }
    object.set("weight", style.weight.map { .integer($0) })
    object.set("size", style.size.map { .percent($0) })
    object.set("color", style.color, default: standard.color) { .color($0) }
    object.set("outlineColor", style.outlineColor, default: standard.outlineColor) { .color($0) }
    object.set("outlineWidth", style.outlineWidth, default: standard.outlineWidth) { .percent($0) }
    object.set("boxColor", style.boxColor.map { .color($0) })
    object.set("position", style.position.map { .list([.percent($0.x), .percent($0.y)]) })
    object.set("fade", style.fade, default: standard.fade) { .time(seconds: $0) }
    object.set("direction", style.direction, default: standard.direction)
    object.set("substituteFont", ifTrue: style.allowsFontSubstitution)
  }

  func captions(_ captions: TimelineCaptions, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("captions")
    guard case .file(let file, let track, let encoding) = captions.content else {
      throw ProjectWriter.unsupported(
        "captions without a file", at: "\(path).content", "Write the cues to a caption file, and name it here.")
    }
    object.set("file", .text(self.path(file)))
    object.set("track", track, default: 0) { .integer($0) }
    object.set("as", captions.presentation, default: .burnedIn)
    object.set("language", captions.language.map { .text($0) })
    object.set("title", captions.title.map { .text($0) })
    object.set("offset", captions.offset, default: .zero) { .time($0) }
    object.set("encoding", encoding.map { .text($0) })
    object.set("default", ifTrue: captions.isDefault)
    object.set("forced", ifTrue: captions.isForced)
    object.set("style", captions.style.map(captionStyle))
    return object.node
  }

  private func captionStyle(_ style: CaptionStyle) -> JSON5Node {
    let standard = CaptionStyle()
    var object = WrittenObject("captionStyle")
    object.set("font", style.family, default: standard.family) { .text($0) }
    object.set("weight", style.weight, default: standard.weight) { .integer($0) }
    object.set("size", style.size.map { .percent($0) })
    object.set("color", style.color, default: standard.color) { .color($0) }
    object.set("outlineColor", style.outlineColor, default: standard.outlineColor) { .color($0) }
    object.set("outlineWidth", style.outlineWidth, default: standard.outlineWidth) { .number($0) }
    object.set("boxColor", style.boxColor, default: standard.boxColor) { .color($0) }
    object.set("position", style.vertical, default: standard.vertical)
    object.set("align", style.horizontal, default: standard.horizontal)
    object.set("marginX", style.horizontalMargin, default: standard.horizontalMargin) { .percent($0) }
    object.set("marginY", style.verticalMargin, default: standard.verticalMargin) { .percent($0) }
    object.set("width", style.maximumWidth.map { .percent($0) })
    object.set("lines", style.maximumLineCount, default: standard.maximumLineCount) { .integer($0) }
    object.set("direction", style.direction, default: standard.direction)
    object.set("substituteFont", ifTrue: style.allowsFontSubstitution)
    object.set("speakers", style.namesSpeakers ? nil : .bool(false))
    return object.node
  }
}
