import CompositorAPI
import CompositorMediaIO

extension EditExplanation: CustomStringConvertible {
  /// The explanation for people, over several lines.
  public var description: String {
    let rate = frameDuration.value > 0 ? Double(frameDuration.timescale) / Double(frameDuration.value) : 0
    var lines = ["output    \(format), \(rate.short) frames/s, \(frameCount) frames, \(duration.short)"]
    lines.append("            frame rate \(frameRateReason)")
    lines.append("            colour \(colorReason); mastering display and light levels: \(hdrMetadata)")
    lines.append("            as \(delivery.codec.rawValue) in \(delivery.format), \(delivery.reason)")
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
      if !instruction.parameters.isEmpty { lines.append("            with \(instruction.parameters.joined(separator: ", "))") }
      lines += instruction.layers.map { "            \($0.text)" }
      lines += instruction.effects.map { "            then \($0)" }
    }
    for (index, title) in titles.enumerated() {
      let end = title.end.flatMap { $0 < duration.seconds ? "\($0.short) s" : nil } ?? "the end"
      lines.append("title \(index)   \(title.summary), \(title.start.short) s to \(end), \(title.layerCount) layers")
    }
    for volume in volumes {
      let points = volume.points.map { "\($0.gain.short) at \($0.time.short)" }
      lines.append("volume of track \(volume.track)   \(points.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }
}

extension EditExplanation.Segment {
  fileprivate var text: String {
    guard let source, let sourceStart, let sourceEnd else { return "\(start.short) to \(end.short): nothing" }
    return "\(start.short) to \(end.short): \(source) from \(sourceStart.short) to \(sourceEnd.short)"
  }
}

extension EditExplanation.Layer {
  fileprivate var text: String {
    var parts = ["track \(track)"]
    if opacity != 1 { parts.append("opacity \(opacity.short)") }
    if transform != [1, 0, 0, 1, 0, 0] { parts.append("transform [\(transform.map(\.short).joined(separator: " "))]") }
    if let crop { parts.append("crop [\(crop.map(\.short).joined(separator: " "))]") }
    if !animates.isEmpty { parts.append("animates \(animates.joined(separator: ", "))") }
    return ([parts.joined(separator: ", ")] + effects.map { "after \($0)" }).joined(separator: ", ")
  }
}

extension Double {
  /// At most three decimals, without trailing zeros.
  fileprivate var short: String {
    guard isFinite, abs(self) < 1e12 else { return "\(self)" }
    let rounded = (self * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension MediaTime {
  /// Seconds with at most three decimals.
  fileprivate var short: String { "\(seconds.short) s" }
}
