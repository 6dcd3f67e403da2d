internal import Foundation

// Keys of times, ranges and mappings in dictionaries.

/// The value of a time.
public nonisolated(unsafe) let kCMTimeValueKey: CFString = "value"
/// The timescale of a time.
public nonisolated(unsafe) let kCMTimeScaleKey: CFString = "timescale"
/// The epoch of a time.
public nonisolated(unsafe) let kCMTimeEpochKey: CFString = "epoch"
/// The flags of a time.
public nonisolated(unsafe) let kCMTimeFlagsKey: CFString = "flags"
/// The start of a range.
public nonisolated(unsafe) let kCMTimeRangeStartKey: CFString = "start"
/// The duration of a range.
public nonisolated(unsafe) let kCMTimeRangeDurationKey: CFString = "duration"
/// The source of a mapping.
public nonisolated(unsafe) let kCMTimeMappingSourceKey: CFString = "source"
/// The target of a mapping.
public nonisolated(unsafe) let kCMTimeMappingTargetKey: CFString = "target"

/// A time as a dictionary.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? { dictionary(of: time) }

/// The time of a dictionary; invalid if there is none in it.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
  func number(_ key: CFString) -> NSNumber? { dictionaryRepresentation?.object(forKey: key) as? NSNumber }
  guard let value = number(kCMTimeValueKey), let timescale = number(kCMTimeScaleKey), let flags = number(kCMTimeFlagsKey) else {
    return .invalid
  }
  return CMTime(
    value: value.int64Value, timescale: timescale.int32Value, flags: CMTimeFlags(rawValue: flags.uint32Value),
    epoch: number(kCMTimeEpochKey)?.int64Value ?? 0)
}

/// A range as a dictionary.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
  dictionary(of: range)
}

/// The range of a dictionary; invalid if there is none in it.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
  CMTimeRange(
    start: CMTimeMakeFromDictionary(dictionaryRepresentation.object(forKey: kCMTimeRangeStartKey) as? NSDictionary),
    duration: CMTimeMakeFromDictionary(dictionaryRepresentation.object(forKey: kCMTimeRangeDurationKey) as? NSDictionary))
}

/// A mapping as a dictionary.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> CFDictionary? {
  [kCMTimeMappingSourceKey: dictionary(of: mapping.source), kCMTimeMappingTargetKey: dictionary(of: mapping.target)]
}

/// The mapping of a dictionary; invalid if there is none in it.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeMapping {
  func range(_ key: CFString) -> CMTimeRange {
    (dictionaryRepresentation.object(forKey: key) as? NSDictionary).map(CMTimeRangeMakeFromDictionary) ?? .invalid
  }
  return CMTimeMapping(source: range(kCMTimeMappingSourceKey), target: range(kCMTimeMappingTargetKey))
}

private func dictionary(of time: CMTime) -> NSDictionary {
  [
    kCMTimeValueKey: NSNumber(value: time.value), kCMTimeScaleKey: NSNumber(value: time.timescale),
    kCMTimeEpochKey: NSNumber(value: time.epoch), kCMTimeFlagsKey: NSNumber(value: time.flags.rawValue),
  ]
}

private func dictionary(of range: CMTimeRange) -> NSDictionary {
  [kCMTimeRangeStartKey: dictionary(of: range.start), kCMTimeRangeDurationKey: dictionary(of: range.duration)]
}
