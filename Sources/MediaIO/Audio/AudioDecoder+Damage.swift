import CompositorAPI

/// Samples that are missing: an error, or counted while there is silence.
extension AudioDecoder {
  /// The damage that was met so far.
  var damage: [MediaDamage] {
    var tally = kept
    if let concealed { tally.add(concealed) }
    return tally.all
  }

  /// Accounts for the samples of a range, after it was copied.
  ///
  /// - Throws: With ``DamagePolicy/fail`` `.decodeFailed` or `.truncatedMedia` if some of them are missing.
  func check(_ range: Range<Int64>) throws(CompositorError) {
    for loss in losses where loss.range.overlaps(range) {
      guard policy == .keep else {
        throw CompositorError(
          .decodeFailed, "Audio track \(info.index) cannot be decoded here.", recoverySuggestion: Self.recoverySuggestion,
          cause: loss.reason,
          at: place(loss.range.lowerBound))
      }
      guard countedLosses.insert(loss.range.lowerBound).inserted else { continue }
      kept.add(
        MediaDamage(
          .undecodable, count: loss.count, firstTime: place(loss.range.lowerBound).time, reason: loss.reason))
    }
    guard let missing = missingRange, missing.range.overlaps(range) else { return }
    guard policy == .keep else {
      throw CompositorError(
        .truncatedMedia, "The file has no audio from here on.", recoverySuggestion: Self.recoverySuggestion,
        cause: missing.reason,
        at: place(missing.range.lowerBound))
    }
    guard countedLosses.insert(missing.range.lowerBound).inserted else { return }
    kept.add(MediaDamage(.cutShort, firstTime: place(missing.range.lowerBound).time, reason: missing.reason))
  }

  /// What is promised after the samples that are there.
  private var missingRange: (range: Range<Int64>, reason: String)? {
    guard info.timeRange.end.isNumeric else { return nil }
    let unit = Rational(1, sampleRate)
    let promised = info.timeRange.end.rounded(toUnitsOf: unit)
    if let end = info.readableEnd?.rounded(toUnitsOf: unit), end < promised {
      return (end..<promised, "the file is cut short")
    }
    guard let earlyEnd, earlyEnd.position < promised else { return nil }
    return (earlyEnd.position..<promised, earlyEnd.reason)
  }

  private static var recoverySuggestion: String { "Fetch the file again, use only what is there, or keep damaged media." }
}
