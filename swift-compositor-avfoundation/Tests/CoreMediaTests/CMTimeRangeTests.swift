import CoreMedia
import Testing

@Suite struct CMTimeRangeTests {
  private static func time(_ value: Int64, _ timescale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: timescale) }
  private static func range(_ start: Int64, _ end: Int64) -> CMTimeRange { CMTimeRange(start: time(start), end: time(end)) }
  private let five = range(0, 5)

  @Test func range_containsItsStart_notItsEnd() {
    #expect(five.containsTime(.zero) && !five.containsTime(Self.time(5)) && !five.containsTime(five.end))
    #expect(CMTimeRangeContainsTime(five, time: Self.time(49, 10)))
    #expect(!five.containsTime(.invalid) && !CMTimeRange.invalid.containsTime(.zero) && !CMTimeRange.zero.containsTime(.zero))
    #expect(five.containsTimeRange(Self.range(4, 5)) && !five.containsTimeRange(Self.range(4, 6)))
    #expect(CMTimeRangeContainsTimeRange(five, otherRange: five))
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).containsTime(Self.time(1_000_000)))
  }

  @Test func unionAndIntersection_areThoseOfSets() {
    #expect(five.intersection(Self.range(3, 9)) == Self.range(3, 5))
    #expect(five.union(Self.range(7, 9)) == Self.range(0, 9))
    #expect(CMTimeRangeGetIntersection(five, otherRange: Self.range(6, 9)) == .zero)
    #expect(CMTimeRangeGetUnion(five, otherRange: .invalid) == .invalid)
    #expect(five.intersection(CMTimeRange(start: .zero, duration: .positiveInfinity)) == five)
  }

  @Test func validity_andEmptiness() {
    #expect(!Self.range(5, 0).isValid && CMTIMERANGE_IS_INVALID(Self.range(5, 0)))
    #expect(CMTimeRange.zero.isEmpty && CMTIMERANGE_IS_EMPTY(.zero) && !five.isEmpty && !CMTimeRange.invalid.isEmpty)
    #expect(CMTIMERANGE_IS_INDEFINITE(CMTimeRange(start: .zero, duration: .indefinite)))
    #expect(CMTimeRangeMake(start: .zero, duration: Self.time(5)) == CMTimeRangeFromTimeToTime(start: .zero, end: Self.time(5)))
    #expect(CMTimeRangeEqual(five, CMTimeRange(start: .zero, duration: Self.time(3000, 600))))
    #expect(CMTimeRangeGetEnd(CMTimeRange(start: Self.time(2), duration: .positiveInfinity)) == .positiveInfinity)
  }

  @Test func mapping_scalesAndMoves() {
    let double = Self.range(10, 20)
    #expect(CMTimeMapTimeFromRangeToRange(Self.time(2), fromRange: five, toRange: double) == Self.time(14))
    #expect(CMTimeMapTimeFromRangeToRange(Self.time(-1), fromRange: five, toRange: double) == Self.time(8))
    #expect(CMTimeMapDurationFromRangeToRange(Self.time(2), fromRange: five, toRange: double) == Self.time(4))
    #expect(CMTimeMapTimeFromRangeToRange(Self.time(2), fromRange: .invalid, toRange: double) == .invalid)
    #expect(CMTimeMappingMakeEmpty(target: five).source == .invalid)
    #expect(CMTimeMappingMake(source: five, target: double) == CMTimeMapping(source: five, target: double))
  }

  @Test func clampedTime_isTheNearest_invalidInAnEmptyRange() {
    #expect(CMTimeClampToRange(Self.time(-3), range: five) == .zero)
    #expect(CMTimeClampToRange(Self.time(7), range: five) == Self.time(5))
    #expect(CMTimeClampToRange(Self.time(7, 2), range: five) == Self.time(7, 2))
    #expect(CMTimeClampToRange(.zero, range: .zero) == .invalid)
    #expect(CMTimeClampToRange(.invalid, range: five) == .invalid)
  }

  /// A time and where it lies in a range from 1/3 that lasts 2/5.
  @Test(arguments: [(time(0), time(2, 5)), (time(1, 2), time(1, 2)), (time(7, 3), time(1, 3)), (time(-7, 11), time(93, 165))])
  func foldedTime_liesInTheRange(time: CMTime, expected: CMTime) {
    let range = CMTimeRange(start: Self.time(1, 3), duration: Self.time(2, 5))
    let folded = CMTimeFoldIntoRange(time, foldRange: range)
    #expect(folded == expected, "\(folded)")
    #expect(range.containsTime(folded))
    #expect(CMTimeFoldIntoRange(time, foldRange: .zero) == .invalid)
  }

  @Test func dictionaries_giveBackWhatTheyHold() throws {
    let time = CMTime(value: .max, timescale: 90000, flags: [.valid, .hasBeenRounded], epoch: 3)
    let back = CMTimeMakeFromDictionary(CMTimeCopyAsDictionary(time, allocator: nil))
    #expect(back.value == .max && back.timescale == 90000 && back.flags == time.flags && back.epoch == 3)
    #expect(CMTimeMakeFromDictionary([:]) == .invalid && CMTimeMakeFromDictionary(nil) == .invalid)
    let dictionary = try #require(CMTimeCopyAsDictionary(.zero, allocator: kCFAllocatorDefault) as? [String: Any])
    #expect(dictionary["timescale"] as? Int == 1)
    let ofRange = try #require(CMTimeRangeCopyAsDictionary(five, allocator: nil))
    #expect(CMTimeRangeMakeFromDictionary(ofRange) == five)
    let mapping = CMTimeMappingMakeEmpty(target: five)
    let ofMapping = try #require(CMTimeMappingCopyAsDictionary(mapping, allocator: nil))
    #expect(CMTimeMappingMakeFromDictionary(ofMapping) == mapping)
  }

  @Test func text_namesStartAndDuration() {
    #expect(CMTimeRangeCopyDescription(allocator: nil, range: five) as String? == "{{0/1 = 0.000}, {5/1 = 5.000}}")
    #expect(
      CMTimeMappingCopyDescription(allocator: nil, mapping: CMTimeMapping(source: .invalid, target: five)) as String?
        == "{{{INVALID}, {INVALID}}, {{0/1 = 0.000}, {5/1 = 5.000}}}")
  }
}
