extension MediaTime: Hashable, Comparable {
  /// Whether both are the same point in time: 1/2 equals 2/4, and all invalid times are equal.
  public static func == (left: MediaTime, right: MediaTime) -> Bool {
    let kind = left.kind
    guard kind == right.kind else { return false }
    guard kind == .finite else { return true }
    guard left.epoch == right.epoch else { return false }
    return left.timescale == right.timescale ? left.value == right.value : scaled(left, right) == scaled(right, left)
  }

  /// The total order: −∞ < finite < indefinite < +∞ < invalid; of two finite times the epoch counts first.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    let (leftKind, rightKind) = (left.kind, right.kind)
    guard leftKind == rightKind else { return leftKind.rawValue < rightKind.rawValue }
    guard leftKind == .finite else { return false }
    guard left.epoch == right.epoch else { return left.epoch < right.epoch }
    return left.timescale == right.timescale ? left.value < right.value : scaled(left, right) < scaled(right, left)
  }

  /// `left` in units of `1 / (left.timescale · right.timescale)` seconds.
  private static func scaled(_ left: MediaTime, _ right: MediaTime) -> Int128 {
    Int128(left.value) * Int128(right.timescale)
  }

  /// Hashes so that equal times hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    guard isNumeric else { return }
    let common = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    hasher.combine(epoch)
    hasher.combine(value < 0)
    hasher.combine(value.magnitude / common)
    hasher.combine(UInt64(timescale) / common)
  }

  /// This time, or the nearest end of `range` where it is outside. An invalid time or range gives invalid.
  public func clamped(to range: TimeRange) -> MediaTime {
    guard isValid, range.isValid else { return .invalid }
    return min(max(self, range.start), range.end)
  }
}
