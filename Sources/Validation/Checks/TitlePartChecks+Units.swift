import CompositorAPI
import CompositorOverlay

/// Words and letters that are never seen or animated.
extension TitlePartChecks {
  func diagnostic(of found: UnseenUnits) -> ValidationDiagnostic {
    let unit = found.unit == .character ? "letter" : found.unit.rawValue
    let isAll = found.count == found.total
    let subject = "\(isAll ? "No \(unit)" : "\(found.count) of the \(found.total) \(unit)s") of \(found.name)"
    let (verb, never) = (found.count == 1 || isAll ? "is" : "are", isAll ? "ever" : "never")
    let fate =
      switch found.fate {
      case .unseen, .transparent: "\(verb) \(never) seen"
      case .faint: isAll ? "is seen for more than a moment" : "\(verb) hardly seen"
      case .unchanged: "\(verb) \(never) animated"
      case .unsettled: "\(isAll ? "ever settles" : "never \(found.count == 1 ? "settles" : "settle")")"
      }
    let isOfMovie = !found.times.isEmpty && earlier(found.times, before: found.end) != nil
    return warning(
      found.fate == .unchanged || found.fate == .unsettled ? .rampOutsideRange : .titleNotSeen,
      "\(subject) \(fate): \(turn(of: found)).",
      cause: found.fate == .transparent
        ? nil : isOfMovie ? cause(true) : "The text is longer than it was, or the \(name) shorter.",
      advice(on: found, unit: unit), path: found.path + (found.times.isEmpty || found.fate == .transparent ? "" : ".times"))
  }

  /// When units that are never seen or animated would be.
  private func turn(of found: UnseenUnits) -> String {
    let begin = "“\(found.first)” begins at \(Self.text(found.begin))"
    switch found.fate {
    case .transparent: return "their animator keeps their opacity at 0"
    case .unsettled: return "“\(found.first)” would settle at \(Self.text(found.begin)) of \(end(ofLayerUntil: found.layerEnd))"
    case .faint where isShort(found.layerEnd):
      return "\(begin) of the \(name), in which its layer fades or moves away until \(Self.text(found.layerEnd))"
    case .faint: return "\(begin) of the \(name), which fades or moves away until its end at \(Self.text(length))"
    case .unseen, .unchanged: return "\(begin) of \(end(ofLayerUntil: found.layerEnd))"
    }
  }

  /// Whether a layer ends before the title does.
  private func isShort(_ layerEnd: Double) -> Bool { layerEnd.isBefore(length) }

  /// What ends first, for messages: the title, or the layer in it.
  private func end(ofLayerUntil layerEnd: Double) -> String {
    isShort(layerEnd) ? "the \(name), in which its layer is shown until \(Self.text(layerEnd))" : end
  }

  /// What must last longer, and how long.
  ///
  /// - Parameter isPast: Whether it must last longer than the time, not as long.
  private func extending(until needed: Double, isPast: Bool, layerEnd: Double) -> String {
    let time = Self.text((needed * 10 - 1e-6).rounded(.up) / 10)
    guard isShort(layerEnd) else {
      return isPast ? "the \(name) last longer than \(time)" : "the \(name) last \(time) or longer"
    }
    let isBoth = length.isBefore(needed)
    return "its layer last until \(isPast ? "after " : "")\(time) of the \(name), by its timing.duration or that of a layer "
      + "around it\(isBoth ? ", and the \(name) as well" : "")"
  }

  private func advice(on found: UnseenUnits, unit: String) -> Advice {
    if found.fate == .transparent {
      return "Animate opacity from 0 to 1, or give the animator a selector, which chooses the \(unit)s that it applies to."
    }
    if !found.times.isEmpty, let times = earlier(found.times, before: found.end) {
      return times.count <= 12
        ? "Write times: [\(times.map { quoted(Self.written($0)) }.joined(separator: ", "))]."
        : "Subtract \(Self.text(start)) from each of the times."
    }
    return found.fate == .unsettled
      ? "Let \(extending(until: found.neededLength, isPast: true, layerEnd: found.layerEnd)), or shorten the scramble's duration or the animator's delay."
      : "Let \(extending(until: found.neededLength, isPast: false, layerEnd: found.layerEnd)), or use fewer \(unit)s or earlier times."
  }

  func diagnostic(of found: IdleRange) -> ValidationDiagnostic {
    let unit = found.unit == .character ? "letter" : found.unit.rawValue
    return warning(
      .effectUnchanging,
      "The animator changes nothing: its range begins at \(found.range.lowerBound), but \(found.name) has \(found.total) "
        + "\(unit)\(found.total == 1 ? "" : "s"), numbered from 0.",
      cause: nil, "Write the first, from 0, and how many: range: [0, \(found.total)]. Or leave it out for all.",
      path: found.path + ".range")
  }

  func diagnostic(of found: UnfinishedTyping) -> ValidationDiagnostic {
    let earlier = earlier([found.begin], before: found.end - found.duration + 1e-6)
    let rest = Self.text((max(found.end - found.begin, 0) * 10 + 1e-6).rounded(.down) / 10)
    let longer =
      "Let the animation last \(rest) or less, or let \(extending(until: found.neededLength, isPast: false, layerEnd: found.layerEnd))."
    return warning(
      .titleNotSeen,
      "Only \(found.count) of the \(found.total) characters of \(found.name) are seen: its animation of text.reveal would end at "
        + "\(Self.text(found.neededLength)) of \(end(ofLayerUntil: found.layerEnd)).",
      cause: cause(earlier != nil),
      earlier.map { .write(.string(Self.written($0[0])), key: "beginTime") } ?? Advice(longer), path: found.path)
  }
}
