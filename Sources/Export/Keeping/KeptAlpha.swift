package import CompositorAPI
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorValidation

// The alpha of an output that is to have it, and of a composition's only source: kept, or dropped, which is said.

extension ExportSettings {
  /// Lays a composition whose frames have alpha on nothing instead of black, except where a background was chosen.
  ///
  /// - Parameter container: The file; `nil` for images.
  func keepAlpha(_ edit: inout Edit, of composition: ValidatedComposition, in container: MovieContainer?) {
    guard edit.output.alphaMode != .opaque else { return }
    let composed = composition.replacing(edit)
    let format =
      container == nil
      ? RenderFormat(composed).pixelFormat
      : MovieDelivery(of: composed, video: video, in: container).encoded?.pixelFormat
    if format?.hasAlpha == true { edit.layOnNothing() }
  }
}

extension Edit {
  /// Makes the background of instructions transparent that have none.
  fileprivate mutating func layOnNothing() {
    for index in videoComposition.instructions.indices where videoComposition.instructions[index].backgroundColor == nil {
      videoComposition.instructions[index].backgroundColor = .clear
    }
  }
}

extension OutputName {
  /// Whether its images usually have alpha if what they show has it: PNG and WebP, also animated.
  var keepsAlphaByItself: Bool {
    switch self {
    case .images(_, let format): format.holdsAlpha
    case .movie: movieContainer == .webp
    case .audio, .stream: false
    }
  }
}

extension RenderPlan {
  /// A note if alpha was asked for, and the coded frames have none.
  func refusedAlpha(by codec: VideoEncodingSettings.Codec?, in format: PixelFormat) -> [ExportNote] {
    guard composition.edit.output.alphaMode != .opaque, !format.hasAlpha, let codec else { return [] }
    let kept = RecoveryOption(.preset, value: ExportPreset.proRes4444.rawValue)
    return [
      ExportNote(
        .alpha,
        "the output was to have alpha, but \(codec.rawValue) in \(format.name) stores none: transparent parts lie on the background"
          + .advice("; \(kept) (.mov), vp9-alpha (.webm) and archive (.mkv) keep it"))
    ]
  }
}

/// What the output drops of what was asked for, said in the same words before and after it is written.
package enum DroppedOfOutput {
  /// The background's alpha.
  package static let background = "The background is transparent, but the output keeps no alpha: black is behind it."
  /// The alpha that was asked for, behind which a background lies.
  package static let alpha = "The output keeps alpha, but the background is opaque: nothing is transparent."

  /// The format that was asked for, if the codec stores another one. Where alpha is lost, that is said instead.
  package static func format(
    _ wanted: PixelFormat?, as stored: PixelFormat, by codec: VideoEncodingSettings.Codec
  ) -> String? {
    guard let wanted, wanted != stored, !(wanted.hasAlpha && !stored.hasAlpha) else { return nil }
    return "The output is to have \(wanted.name), but \(codec.rawValue) stores \(stored.name): the movie is written in that."
  }
}

extension ImageFileFormat {
  /// Whether images have alpha.
  package var holdsAlpha: Bool { self != .jpeg }
}

extension ValidatedComposition {
  /// The composition whose output has alpha if that was asked for, or if its only source has it; the same for others. Nothing is
  /// behind it, unless a background was chosen.
  package func keepingAlpha() -> ValidatedComposition {
    var edit = edit
    if edit.output.alphaMode == .opaque {
      let isChosen = edit.videoComposition.instructions.contains { $0.backgroundColor != nil }
      guard !isChosen, edit.titles.isEmpty, onlyTransparentSource != nil else { return self }
      edit.output.alphaMode = .straight
    }
    edit.layOnNothing()
    return replacing(edit)
  }

  /// The only source, if its frames have alpha; `nil` for others. In a composition of several, alpha shows what lies below.
  fileprivate var onlyTransparentSource: MediaSource? {
    let tracks = RenderFormat.sourceTracks(of: self)
    guard onlyMedia != nil, tracks.count == 1, let (source, info) = tracks.first, info.attributes.alphaMode != .opaque else {
      return nil
    }
    return source
  }

  /// A note if the output has no alpha, but a background that was chosen, or the only source. A chosen one says it of the source.
  /// The same if the output has alpha, and an opaque background was chosen everywhere.
  package var droppedAlpha: [ExportNote] {
    let instructions = edit.videoComposition.instructions
    let chosen = instructions.compactMap(\.backgroundColor)
    guard edit.output.alphaMode == .opaque else {
      let isOpaque = !chosen.isEmpty && chosen.count == instructions.count && chosen.allSatisfy { $0.alpha >= 1 }
      return isOpaque ? [ExportNote(.alpha, Wording(DroppedOfOutput.alpha))] : []
    }
    if chosen.contains(where: { $0.alpha < 1 }) { return [ExportNote(.alpha, Wording(DroppedOfOutput.background))] }
    guard chosen.isEmpty, let source = onlyTransparentSource else { return [] }
    return [
      ExportNote(
        .alpha, "\(source): its alpha is not kept, it lies on black" + .advice(": \(setting: .alpha) keeps it"), source: source)
    ]
  }
}
