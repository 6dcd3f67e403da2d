import CompositorAPI

/// A fade-in and a fade-out at the ends of a clip, a track or the mix.
struct Fades {
  private let fadeIn: AudioFade?
  private let fadeOut: AudioFade?
  private let range: ExactRange
  private let writtenLength: ExactTime?
  private let name: String
  private let path: String

  /// - Parameters:
  ///   - writtenLength: The specified duration, if alignment to frames made `range` shorter.
  ///   - name: The name of what is faded, for messages.
  ///   - path: The key path; empty for the root.
  init(
    _ fadeIn: AudioFade?, _ fadeOut: AudioFade?, over range: ExactRange, writtenLength: ExactTime? = nil, of name: String,
    path: String
  ) {
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.range = range
    self.writtenLength = writtenLength
    self.name = name
    self.path = path
  }

  /// - Throws: `.invalidValue`, located at the fade, if a fade is negative, is longer than what it fades, or overlaps the
  ///   other.
  func curves() throws(CompositorError) -> [AutomationCurve] {
    let (first, last) = (try length(fadeIn, "fadeIn"), try length(fadeOut, "fadeOut"))
    let actual = try range.end - range.start
    let whole = max(actual, writtenLength ?? actual)
    if let first, let last, try first + last > whole {
      throw error(
        "fadeOut",
        "The fades take \(try (first + last).mediaTime.readable) together, the \(name) only \(whole.mediaTime.readable).",
        "Shorten one of them: they may touch, but not overlap.")
    }
    var curves: [AutomationCurve] = []
    if let fadeIn, let first, first > .zero {
      let part = ExactRange(range.start, try range.start + min(first, actual))
      curves.append(try curve(fadeIn, rising: true, part, "fadeIn"))
    }
    if let fadeOut, let last, last > .zero {
      let part = ExactRange(try range.end - min(last, actual), range.end)
      curves.append(try curve(fadeOut, rising: false, part, "fadeOut"))
    }
    return curves
  }

  private func curve(
    _ fade: AudioFade, rising: Bool, _ part: ExactRange, _ key: String
  ) throws(CompositorError) -> AutomationCurve {
    try Automation.located(place(key)) { () throws(CompositorError) in
      try AutomationCurve(fade.curve, rising: rising, over: part)
    }
  }

  private func length(_ fade: AudioFade?, _ key: String) throws(CompositorError) -> ExactTime? {
    guard let fade else { return nil }
    let length = try Automation.located(place(key)) { () throws(CompositorError) in try ExactTime(fade.duration) }
    guard length >= .zero else {
      throw error(key, "A fade of \(fade.duration.readable) is not possible.", "Give it a length of 0 or more.")
    }
    let actual = try range.end - range.start
    let whole = max(actual, writtenLength ?? actual)
    guard length <= whole else {
      throw error(
        key, "The fade takes \(length.mediaTime.readable), the \(name) only \(whole.mediaTime.readable).", "Shorten the fade.")
    }
    return length
  }

  private func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  private func error(_ key: String, _ message: String, _ suggestion: String) -> CompositorError {
    CompositorError(.invalidValue, message, recoverySuggestion: suggestion, at: ErrorLocation(path: place(key)))
  }
}
