internal import CompositorAPI
internal import Foundation

/// The invalid time.
public let kCMTimeInvalid = CMTime.invalid
/// The indefinite time.
public let kCMTimeIndefinite = CMTime.indefinite
/// After every finite time.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// Before every finite time.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// 0 seconds.
public let kCMTimeZero = CMTime.zero

/// A time of `value / timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// A time of `value / timescale` seconds in an epoch.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// The time nearest to a number of seconds at a timescale.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// The seconds of a time.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { time.seconds }

/// The time at another timescale.
public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
  time.convertScale(newTimescale, method: method)
}

/// The sum of two times.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// The difference of two times.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// The product of a time and an integer.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime { CMTime(time.media * Int(multiplier)) }

/// The product of a time and a number.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime { CMTime(time.media * multiplier) }

/// `time · multiplier / divisor`, exact if a timescale can represent it; ±∞ if the divisor is 0, invalid if the time
/// is, too.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  CMTime(time.media.multiplied(by: Int64(multiplier), over: Int64(divisor)))
}

/// −1, 0 or 1: the first time is before, at or after the second one.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  let (left, right) = (time1.media, time2.media)
  return left < right ? -1 : left == right ? 0 : 1
}

/// The earlier of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { CMTimeCompare(time1, time2) <= 0 ? time1 : time2 }

/// The later of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { CMTimeCompare(time1, time2) >= 0 ? time1 : time2 }

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { CMTime(time.media.magnitude) }

/// Prints a time to the standard error stream.
public func CMTimeShow(_ time: CMTime) { show(time.text) }

/// A time as text: `{1001/30000 = 0.033}`.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? { NSString(string: time.text) }

/// Whether it is not the invalid time.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// Whether it is the invalid time.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// Whether it is +∞.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// Whether it is −∞.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// Whether it is the indefinite time.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// Whether it is a number of seconds.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// Whether precision was lost.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

extension CMTime {
  var text: String {
    guard isValid else { return "{INVALID}" }
    if isPositiveInfinity { return "{+INFINITY}" }
    if isNegativeInfinity { return "{-INFINITY}" }
    if isIndefinite { return "{INDEFINITE}" }
    let rounded = hasBeenRounded ? ", rounded" : ""
    let ofEpoch = epoch == 0 ? "" : ", epoch \(epoch)"
    return "{\(value)/\(timescale) = \(String(format: "%.3f", seconds))\(rounded)\(ofEpoch)}"
  }
}

/// Prints a line to the standard error stream.
func show(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
