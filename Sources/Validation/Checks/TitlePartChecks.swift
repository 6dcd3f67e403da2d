package import CompositorAPI
package import CompositorOverlay

/// Diagnostics about parts of a title that are never seen: layers, words and letters, and animations that never begin.
package struct TitlePartChecks {
  let title: Layer
  /// The key path of the title in the edit.
  let path: String
  /// The time of the movie at which the title is shown.
  let range: TimeRange
  let canvas: PixelSize
  /// What the title is called in messages.
  var name = "title"
  /// Whether clips or other titles lie below it.
  package var isOverMovie = true

  /// The most diagnostics about one title.
  private static let most = 6

  /// - Parameters:
  ///   - path: The key path of the title in the edit.
  ///   - range: The time of the movie at which the title is shown.
  package init(title: Layer, path: String, range: TimeRange, canvas: PixelSize) {
    (self.title, self.path, self.range, self.canvas) = (title, path, range, canvas)
  }

  /// The warnings about parts that are never seen, animations that never begin, and settings that change nothing.
  package func diagnostics(of parts: TitleParts) -> [ValidationDiagnostic] {
    let found =
      parts.late.map(diagnostic) + parts.units.map(diagnostic) + parts.typing.map(diagnostic) + parts.layers.map(diagnostic)
    return Array((found + parts.ranges.map(diagnostic) + idle).prefix(Self.most))
  }

  /// The warnings about parts, after one about the whole title if it shows nothing for another reason than they have.
  ///
  /// - Parameter visibility: That of the title.
  package func diagnostics(of parts: TitleParts, _ visibility: TitleVisibility) -> [ValidationDiagnostic] {
    let found = diagnostics(of: parts)
    // Settings without an effect are no reason for it.
    guard visibility == .empty, !parts.showsSomething, found.allSatisfy({ $0.code == .effectUnchanging }) else { return found }
    let nothing = ValidationDiagnostic(
      .titleNotSeen, severity: .warning, "The title shows nothing.",
      recoverySuggestion: "Give it text, a shape, an image or a color that isn't transparent, or remove it.", path: path)
    return [nothing] + found
  }

  /// The warning about text that is too small.
  ///
  /// - Parameter scale: The scale at which the title is shown on the canvas of the movie, where it is largest.
  package func diagnostic(
    of text: TitleLegibility, shownAt scale: Double = 1, on movie: PixelSize
  ) -> ValidationDiagnostic {
    let pixels = (text.height * scale * 10).rounded() / 10
    return ValidationDiagnostic(
      .titleTextTooSmall, severity: .warning,
      "The text “\(text.name)” is too long for its place: it is shrunk to \(Int((text.scale * 100).rounded())) % of its size, and its capitals are "
        + "\(pixels.plainText) pixels high on the canvas of \(movie).",
      cause: "The title was made for a shorter text.",
      recoverySuggestion: "Shorten the text, give it more room, or let it wrap.",
      path: path, timeRange: range)
  }

  /// The warning about text that is written too small to be seen.
  package func diagnostic(ofInvisible text: TitleLegibility, on movie: PixelSize) -> ValidationDiagnostic {
    let pixels = ((text.height * 100).rounded() / 100).plainText
    return ValidationDiagnostic(
      .titleTextTooSmall, severity: .warning,
      "The text “\(text.name)” cannot be read: its capitals are \(pixels) pixels high on the canvas of \(movie).",
      cause: "Its size is in another unit: 0.5% is half a percent of the canvas's height.",
      recoverySuggestion: "Make it larger, such as size: \"5%\".", path: path, timeRange: range)
  }

  /// The warnings about settings that change nothing at any time.
  private var idle: [ValidationDiagnostic] {
    (title.idleSettings + IdleGlass(in: title, isOverMovie: isOverMovie).found).map {
      warning(.effectUnchanging, $0.message, cause: nil, Advice($0.suggestion), path: $0.path)
    }
  }

  var start: Double { title.timing.beginTime }
  var length: Double { title.timing.duration > 0 ? title.timing.duration : range.end.seconds - start }
  var end: String { "the \(name), which lasts \(Self.text(length))" }

  func warning(
    _ code: ValidationDiagnostic.Code, _ message: String, cause: String?, _ suggestion: Advice, path inner: String
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      code, severity: .warning, message, cause: cause, path: inner.isEmpty ? path : "\(path).\(inner)", timeRange: range
    ).advising(suggestion)
  }

  // MARK: Times

  private func diagnostic(of part: LatePart) -> ValidationDiagnostic {
    let earlier = earlier([part.written], before: part.written + (length - part.begin) * part.speed)
    let suggestion =
      earlier.map { Advice.write(.string(Self.written($0[0])), key: "beginTime") }
      ?? "Let it begin before \(Self.text(part.written + (length - part.begin) * part.speed)), or let the \(name) last longer."
    switch part.kind {
    case .layer:
      return warning(
        .titleNotSeen,
        "\(part.name.capitalizedName) of the \(name) is never visible: it begins at \(Self.text(part.begin)) of \(end).",
        cause: cause(earlier != nil), suggestion, path: part.path)
    case .animation(let property):
      return warning(
        .rampOutsideRange,
        "The \(property.map { "animation of \($0.rawValue)" } ?? "transition") in \(part.name) begins at \(Self.text(part.begin)) of \(end): "
          + "the change never happens.",
        cause: cause(earlier != nil), suggestion, path: part.path)
    }
  }

  func cause(_ isOfMovie: Bool) -> String {
    isOfMovie
      ? "The times are those of the movie. In a title, times count from its start."
      : "The \(name) became shorter, or the times count from elsewhere."
  }

  /// The same times counted from the title's start, if they are in the title then; `nil` for other times.
  func earlier(_ times: [Double], before end: Double) -> [Double]? {
    guard start > 0 else { return nil }
    // Times that were rounded to a frame are a little before its start.
    let moved = times.map { max($0 - start, 0) }
    return times.allSatisfy { !$0.isBefore(start) } && moved.allSatisfy { $0.isBefore(end) } ? moved : nil
  }

  // MARK: Layers

  private func diagnostic(of found: UnseenLayer) -> ValidationDiagnostic {
    let who = found.path.isEmpty ? "The \(name)" : "\(found.name.capitalizedName) of the \(name)"
    let (reason, suggestion) = text(of: found.reason)
    return warning(
      .titleNotSeen, "\(who) is never visible: \(found.path.isEmpty && !found.name.isEmpty ? "\(found.name): " : "")\(reason).",
      cause: nil,
      suggestion, path: found.reason == .unrevealed ? found.path + ".content.text.reveal" : found.path)
  }

  private func text(of reason: UnseenLayer.Reason) -> (String, Advice) {
    switch reason {
    case .outside: ("it lies outside of the canvas of \(canvas)", "Move it onto the canvas, or remove it.")
    case .withoutBounds:
      (
        "it has no bounds, and only text has a size of its own",
        "Give it bounds: [\(canvas.width / 2), \(canvas.height / 2)], in pixels, or a layout with a width and a height."
      )
    case .flat(let hasNoWidth, let hasNoHeight): Self.text(ofFlatness: hasNoWidth, hasNoHeight)
    case .withoutFontSize: ("the size of its font is 0", "Give the font a size above 0, or remove the text.")
    case .withoutInstances:
      ("the replicator around it makes no copies: its instanceCount is 0", "Give the replicator an instanceCount above 0.")
    case .outsideMask:
      (
        "it lies outside of its mask",
        "Move the mask: its position counts from the corner of its layer, not of the canvas. Or remove it."
      )
    case .cutByBounds:
      (
        "a layer around it has masksToBounds, and cuts it off",
        "Give that layer bounds around it, move it inside of them, or leave masksToBounds out."
      )
    case .turnedAway:
      ("its back is toward the viewer, and its backfaceVisibility is hidden", "Turn it, or remove backfaceVisibility.")
    case .masked: ("its mask shows nothing", "Give the mask a backgroundColor: \"white\", text or a shape, or remove it.")
    case .unrevealed: ("its reveal is 0", .write(.word("1"), key: "reveal", ", or animate text.reveal."))
    case .emitterWithoutCell: ("an emitter emits its first sublayer, and has none", "Give it sublayers with the layer to emit.")
    case .emitterWithoutBirths: ("its birthRate is 0", "Give it a birthRate above 0.")
    case .transparent:
      (
        "it is transparent or hidden in every frame of the \(name)",
        "Give it an opacity above 0 and a color that isn't transparent for a frame or more, or remove it."
      )
    }
  }

  private static func text(ofFlatness hasNoWidth: Bool, _ hasNoHeight: Bool) -> (String, Advice) {
    let (reason, missing) =
      switch (hasNoWidth, hasNoHeight) {
      case (true, true): ("its width and height are 0", "a width and a height")
      case (true, false): ("its width is 0", "a width")
      default: ("its height is 0", "a height")
      }
    return (reason, "Give its layout \(missing). What grows or stretches takes the room that the layer around it has.")
  }

  static func text(_ seconds: Double) -> String { MediaTime.seconds((seconds * 1e6).rounded() / 1e6).readable }
  static func written(_ seconds: Double) -> String { text(seconds).replacing(" ", with: "") }
}
