internal import CompositorAPI
internal import Foundation

/// The empty range at 0.
public let kCMTimeRangeZero = CMTimeRange.zero
/// The invalid range.
public let kCMTimeRangeInvalid = CMTimeRange.invalid
/// The invalid mapping.
public let kCMTimeMappingInvalid = CMTimeMapping()

/// A range from its start and duration.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange { CMTimeRange(start: start, duration: duration) }

/// A range from its start and end.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange { CMTimeRange(start: start, end: end) }

/// The range from the earlier start to the later end.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange { range.union(otherRange) }

/// What both ranges contain.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  range.intersection(otherRange)
}

/// Whether starts and durations are equal times.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Whether a time is inside.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

/// Whether another range is inside as a whole.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
  range.containsTimeRange(otherRange)
}

/// The first time after the range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// The time of another range that corresponds to a time of a range; the time need not be inside.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
  CMTime(t.media.mapped(from: fromRange.media, to: toRange.media))
}

/// A duration, scaled as one range is to another.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
  let from = TimeRange(start: .zero, duration: fromRange.duration.media)
  let to = TimeRange(start: .zero, duration: toRange.duration.media)
  return CMTime(dur.media.mapped(from: from, to: to))
}

/// The time of a range that is nearest to a time; invalid if the time is, or if the range is empty or invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  range.isEmpty ? .invalid : CMTime(time.media.clamped(to: range.media))
}

/// The time within a range that is repeated before and after itself: `start + (time − start) mod duration`.
///
/// Invalid unless all are numbers and the duration is above 0.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
  let range = foldRange.media
  guard time.isNumeric, range.isNumeric, !range.isEmpty else { return .invalid }
  let offset = time.media - range.start
  guard let passes = floor(offset, over: range.duration) else { return .invalid }
  return CMTime(range.start + (offset - range.duration * passes))
}

/// The largest integer of which the product with `divisor` is at most `time`; `nil` if it does not fit.
private func floor(_ time: MediaTime, over divisor: MediaTime) -> Int? {
  let numerator = Int128(time.value) * Int128(divisor.timescale)
  let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: Int128(divisor.value) * Int128(time.timescale))
  return Int(exactly: rest < 0 ? quotient - 1 : quotient)
}

/// A range as text: `{{0/1 = 0.000}, {5/1 = 5.000}}`.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
  NSString(string: range.text)
}

/// Prints a range to the standard error stream.
public func CMTimeRangeShow(_ range: CMTimeRange) { show(range.text) }

/// A mapping of two ranges.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: source, target: target)
}

/// A mapping that shows nothing in a range.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping { CMTimeMapping(source: .invalid, target: target) }

/// A mapping as text.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> CFString? {
  NSString(string: mapping.text)
}

/// Prints a mapping to the standard error stream.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) { show(mapping.text) }

/// Whether start and duration are valid.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }
/// Whether start or duration is not valid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }
/// Whether start or duration is indefinite.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }
/// Whether the range contains no time.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

extension CMTimeRange {
  var text: String { "{\(start.text), \(duration.text)}" }
}

extension CMTimeMapping {
  var text: String { "{\(source.text), \(target.text)}" }
}
