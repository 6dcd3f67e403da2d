import CompositorAPI
import CompositorMediaIO
import CompositorOverlay

extension EditExplanation: CustomStringConvertible {
  /// A multi-line description for people.
  public var description: String {
    let rate = frameDuration.value > 0 ? Double(frameDuration.timescale) / Double(frameDuration.value) : 0
    var lines = ["output    \(format), \(rate.short) frames/s, \(frameCount) frames, \(duration.short)"]
    lines.append("            frame rate \(frameRateReason)")
    lines.append("            color \(colorReason); mastering display and light levels: \(hdrMetadata)")
    lines.append("            as \(delivery.codec) in \(delivery.format), \(delivery.reason)")
    for (index, source) in sources.enumerated() {
      let parts = [source.video, source.audio].compactMap { $0 }
      lines.append("\(index == 0 ? "sources   " : "          ")\(source.name): \(parts.joined(separator: "; "))")
      lines += [source.color, source.conversion].compactMap { $0 }.map { "            \($0)" }
      lines += source.warnings.map { "            warning: \($0)" }
    }
    for track in tracks {
      lines.append("track \(track.id)   \(track.mediaType.rawValue)")
      lines += track.segments.map { "            \($0.text)" }
    }
    for (index, instruction) in instructions.enumerated() {
      lines.append(
        "instruction \(index)  \(instruction.start.short) to \(instruction.end.short), \(instruction.frameCount) frames")
      lines.append("            \(instruction.compositor), route \(instruction.route.rawValue): \(instruction.reason)")
      let parameters = instruction.parameterTexts
      if !parameters.isEmpty { lines.append("            with \(parameters.joined(separator: ", "))") }
      lines += instruction.layers.map { "            \($0.text)" }
      lines += instruction.effects.map { "            then \($0)" }
      lines += instruction.residencyTexts.map { "            residency: \($0)" }
    }
    for (index, title) in titles.enumerated() {
      let end = title.end.flatMap { $0 < duration.seconds ? "\($0.short) s" : nil } ?? "the end"
      lines.append("title \(index)   \(title.summary), \(title.start.short) s to \(end), \(title.layerCount) layers")
    }
    for (index, track) in captions.enumerated() {
      lines.append("captions \(index)  \(track.text)")
    }
    for volume in volumes {
      lines.append("volume of track \(volume.track)   \(volume.points.explanation)")
    }
    for (index, track) in audioTracks.enumerated() { lines.append("audio track \(index) of the output   \(track.text)") }
    lines += audio.lines
    return lines.joined(separator: "\n")
  }
}

extension EditExplanation.Captions {
  fileprivate var text: String {
    let name = [language, title.map { "“\($0)”" }].compactMap { $0 }.joined(separator: ", ")
    let times = start.flatMap { start in end.map { ", \(start.short) to \($0.short)" } } ?? ""
    let style = isScript && presentation.isBurnedIn ? ", drawn by libass in their own styles" : ""
    return (name.isEmpty ? "" : name + ": ") + "\(cueCount) cues\(times), \(presentation.rawValue)\(style)"
  }
}

extension EditExplanation.Segment {
  fileprivate var text: String {
    guard let source, let sourceStart, let sourceEnd else { return "\(start.short) to \(end.short): nothing" }
    return
      "\(start.short) to \(end.short): \(source)\(sourceTrackName.map { ", \($0)," } ?? "") from \(sourceStart.short) to \(sourceEnd.short)"
      + (retiming.map { " (\($0))" } ?? "")
  }
}

extension EditExplanation.Layer {
  fileprivate var text: String {
    var parts = ["track \(track)"]
    if opacity != 1 { parts.append("opacity \(opacity.short)") }
    if transform != [1, 0, 0, 1, 0, 0] { parts.append("transform [\(transform.map(\.short).joined(separator: " "))]") }
    if let crop { parts.append("crop [\(crop.map(\.short).joined(separator: " "))]") }
    if !animatedProperties.isEmpty { parts.append("animates \(animatedProperties.joined(separator: ", "))") }
    if let motionBlur { parts.append("motion blur of \(motionBlur.short) s") }
    return ([parts.joined(separator: ", ")] + effects.map { "after \($0)" }).joined(separator: ", ")
  }
}

extension EditExplanation.Title {
  init(_ layer: Layer) {
    start = layer.timing.beginTime
    let duration = layer.timing.duration
    end = duration > 0 && duration.isFinite ? start + duration : nil
    summary = layer.firstText.map { "“\($0)”" } ?? layer.firstName ?? layer.firstKind ?? "a box"
    layerCount = layer.count
  }
}

extension Layer {
  /// The first string in the tree, on one line.
  fileprivate var firstText: String? {
    if case .text(let text) = content { return text.string.split(whereSeparator: \.isNewline).joined(separator: " / ") }
    return sublayers.lazy.compactMap(\.firstText).first
  }

  /// The first kind of content of the tree.
  fileprivate var firstKind: String? { content.kind ?? sublayers.lazy.compactMap(\.firstKind).first }

  fileprivate var firstName: String? {
    name.isEmpty ? sublayers.lazy.compactMap(\.firstName).first : name
  }

  fileprivate var count: Int { 1 + sublayers.reduce(0) { $0 + $1.count } }
}

extension LayerContent {
  fileprivate var kind: String? {
    switch self {
    case .none: nil
    case .text: "text"
    case .shape: "a shape"
    case .gradient: "a gradient"
    case .image: "an image"
    case .movie(let movie): "the movie \(movie.asset)"
    case .replicator: "copies"
    case .emitter: "particles"
    case .video: "the video"
    }
  }
}
