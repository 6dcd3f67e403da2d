import CCompositorFFmpeg
import CompositorAPI

/// Presentation times of frames and samples, from the packets' timestamps.
extension FFmpegProbe {
  /// Timestamps of a video stream's packets, shifted by the delay between packets and frames.
  func stamps(of index: Int, _ extent: cff_extent, firstTime: Int64) -> [Int64] {
    let delay = Self.delay(of: extent, firstTime: firstTime)
    let stamps = demuxer.stamps(index).map { Timebase.clamped($0) + delay }
    // No frame comes of those that refer to a group of which the file has no key frame.
    return extent.states_delay ? stamps.filter { $0 >= firstTime } : stamps
  }

  /// The cadence of a video stream, and what is known of the end of its last frame.
  static func cadence(
    of stream: cff_stream, _ extent: cff_extent, _ stamps: [Int64], _ timebase: Timebase
  ) -> (cadence: FrameCadence?, lastFrame: LastFrameEnd?) {
    let guessed = Rational(Int(stream.guessed_rate_numerator), Int(stream.guessed_rate_denominator))
    let stated = [rate(stream), guessed].filter { $0.isPositive && $0.value < highestRate }
    // Of a file that is cut short, another frame is the last one.
    let isKnown = extent.slide_end != Int64.min && (extent.states_durations || !extent.is_truncated)
    let estimator = CadenceEstimator(stamps: stamps, timebase: timebase, stated: stated)
    let measured = estimator.measure(
      endingAt: isKnown ? Timebase.clamped(extent.slide_end) : nil, statesDurations: extent.states_durations)
    let (cadence, isStated) = (measured?.cadence, measured?.isStated ?? estimator.isSlideshow)
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    return (cadence, LastFrameEnd(stamps.max(), extent, isStated: isStated, cadence, clock))
  }

  /// The shortest time from one frame to the next. Of a large file, whose frames are not all known, the period of a regular track.
  func minimumFrameDuration(_ stamps: [Int64], _ cadence: FrameCadence?, _ clock: FrameStampClock) -> MediaTime? {
    guard demuxer.isReadCompletely else { return cadence.flatMap { $0.isRegular ? $0.rate.frameDuration : nil } }
    let times = stamps.sorted().map(clock.time)
    return zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > .zero }.min()
  }

  /// The delay between packets' times and frames' times, in ticks. Where it is stated, a first frame that is later follows packets
  /// that cannot be decoded: a part of a disc begins within a group of frames.
  private static func delay(of extent: cff_extent, firstTime: Int64) -> Int64 {
    guard extent.lacks_presentation_times, !extent.states_delay, extent.start != Int64.min else { return 0 }
    return max(0, firstTime - Timebase.clamped(extent.start))
  }

  mutating func timeRange(
    _ extent: cff_extent, _ clock: FrameStampClock, firstTime: Int64, lastFrame: LastFrameEnd? = nil, kind: String
  ) -> (range: TimeRange, readableEnd: MediaTime?) {
    let start = clock.time(of: firstTime)
    let delay = Self.delay(of: extent, firstTime: firstTime)
    let stated = extent.end == Int64.min ? start : clock.time(of: Timebase.clamped(extent.end) + delay)
    let end =
      switch lastFrame {
      case .exact(let time): max(start, time)
      // Some containers state a meaningless duration for the last frame.
      case .atLeast(let time): max(start, stated, time)
      case nil: max(start, stated)
      }
    let promised = extent.promised_end == Int64.min ? nil : clock.time(of: Timebase.clamped(extent.promised_end))
    if extent.is_truncated {
      let until = promised.map { $0 > end ? $0 : end } ?? end
      let promise = until > end ? "the header promises them until \(until.inSeconds)" : "more should follow"
      warnings.append(
        MediaWarning(.truncated, "The file is cut short: its \(kind) end at \(end.inSeconds), but \(promise)."))
      return (TimeRange(start: start, end: until), end)
    }
    // The last frame may be held as long as a header wrongly says.
    let isHeld = extent.own_end != Int64.min && extent.own_end < extent.end
    let shown = isHeld ? min(clock.time(of: Timebase.clamped(extent.own_end) + delay), end) : end
    let longest = isHeld ? 10 * shown.seconds + 60 : 2 * end.seconds + 10
    if let promised, extent.was_cut || promised.seconds > longest {
      warnings.append(
        MediaWarning(.implausibleDuration, "The header promises \(promised.inSeconds); the \(kind) end at \(shown.inSeconds)."))
    }
    return (TimeRange(start: start, end: end), nil)
  }

  /// The range of an audio track's samples, exact where they were counted: an encoder's delay and padding, which the file states,
  /// don't belong to it. `nil` if times count samples anyway.
  static func countedRange(_ extent: cff_extent, sampleRate: Int32) -> TimeRange? {
    guard extent.end_sample != Int64.min, extent.first_sample < extent.end_sample else { return nil }
    return TimeRange(
      start: MediaTime(value: extent.first_sample, timescale: sampleRate),
      end: MediaTime(value: extent.end_sample, timescale: sampleRate))
  }

  /// Reports frames whose times lie before those of earlier packets by more than reordering explains: the frames of a second recording that
  /// was appended byte by byte, in containers that state no parts.
  mutating func noteRepeatedTimes(of index: Int, _ stamps: [Int64], _ timebase: Timebase) {
    guard timebase.seconds > 0, let first = stamps.first else { return }
    // Frames of a slide show are far apart.
    let sorted = stamps.sorted()
    let steps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.sorted()
    let step = steps.isEmpty ? 0 : steps[steps.count / 2]
    // In frames, not in time: a codec's frames may be reordered across a pause.
    let reordering = max(step > 0 ? Int64(Self.longestReordering / timebase.seconds) / step : 0, Self.mostReordered)
    let order = Dictionary(zip(sorted, 0..<Int64.max)) { first, _ in first }
    var (newest, count, end) = (first, 0, Int64?.none)
    for stamp in stamps {
      if let place = order[stamp], let last = order[newest], place < last - reordering { end = end ?? newest }
      if let end, stamp <= end { count += 1 }
      newest = max(newest, stamp)
    }
    guard count > 0, let end else { return }
    warnings.append(
      MediaWarning(
        .repeatedTimes,
        "The times of video track \(index) start again after \(timebase.time(end).inSeconds): \(count) frame\(count == 1 ? "" : "s") of a "
          + "second recording that was appended \(count == 1 ? "is" : "are") not shown, or shown in place of earlier ones."))
  }

  /// Reports holes in a track that is regular otherwise. Recorders that omit frames of what stands still leave many.
  mutating func noteMissingFrames(of index: Int, _ stamps: [Int64], _ cadence: FrameCadence, _ timebase: Timebase) {
    guard demuxer.isReadCompletely, cadence.isRegular, cadence.hasGaps, timebase.seconds > 0 else { return }
    let step = 1 / (cadence.rate.value * timebase.seconds)
    let sorted = stamps.sorted()
    let holes = zip(sorted, sorted.dropFirst()).filter { Double($1 - $0) > 1.5 * step }
    guard (1...Self.mostHoles).contains(holes.count), holes.count * Self.fewestFrames < stamps.count else { return }
    let listed = holes.filter { Double($1 - $0) - step > Self.shortestHole / timebase.seconds }.map { before, after in
      let start = before + Int64(step.rounded())
      return "\(timebase.time(after - start).inSeconds) at \(timebase.time(start).inSeconds)"
    }
    guard !listed.isEmpty else { return }
    warnings.append(
      MediaWarning(
        .missingFrames,
        "Video track \(index) has no frames for \(listed.joined(separator: " and for ")), although it is regular otherwise: the frame "
          + "before is shown meanwhile."))
  }

  /// Reports packets of which parts were lost in transmission.
  mutating func noteIncompletePackets(of type: MediaType, _ index: Int, _ extent: cff_extent, _ timebase: Timebase) {
    let count = Int(extent.incomplete_count)
    guard count > 0 else { return }
    let isOne = count == 1
    let (what, effect) =
      type == .video
      ? (
        "\(count) of its packets \(isOne ? "is" : "are") incomplete, the first",
        "frames from there to the next key frame are missing or wrong."
      )
      : (
        isOne ? "in one place" : "in \(count) places, the first",
        "what is heard there is missing or wrong, and a render ends there if it cannot be decoded, unless damage is kept."
      )
    warnings.append(
      MediaWarning(
        .incompletePackets,
        "Parts of \(type.rawValue) track \(index) were lost: \(what) at "
          + "\(timebase.time(Timebase.clamped(extent.first_incomplete)).inSeconds); \(effect)"))
  }

  /// Reports packets that the index of an AVI lists and that are not where it says.
  mutating func noteLostPackets(of type: MediaType, _ index: Int, _ extent: cff_extent, _ timebase: Timebase) {
    guard extent.lost_count > 0 else { return }
    let effect = type == .video ? "frames from there to the next key frame are missing or wrong" : "their samples are silent"
    let verb = extent.lost_count == 1 ? "is" : "are"
    warnings.append(
      MediaWarning(
        .incompletePackets,
        "Parts of \(type.rawValue) track \(index) were lost: \(extent.lost_count) of the packets that the file's index lists \(verb) missing, "
          + "the first at \(timebase.time(Timebase.clamped(extent.first_lost)).inSeconds); \(effect)."))
  }

  /// More holes than a damaged recording has.
  private static let mostHoles = 3
  /// Frames for each hole, at least, in a track that is regular otherwise.
  private static let fewestFrames = 20
  /// Seconds of a hole that is worth a word.
  private static let shortestHole = 0.3

  /// Reports a recording that was appended to another one byte by byte in a container whose demuxer ends with the first one.
  ///
  /// - Parameter start: Where it begins, in bytes; `nil` if there is none.
  mutating func noteAppendedRecording(at start: Int?) {
    guard let start else { return }
    warnings.append(
      MediaWarning(
        .repeatedTimes,
        "A second recording was appended to the file after \(start) bytes and is not read: `head -c \(start)` and `tail -c +\(start + 1)` "
          + "separate them."))
  }

  /// Reports zeros in place of the end of a file. Transport streams and Ogg files don't state how much there should be.
  mutating func noteEmptyEnd() {
    guard extents.contains(where: \.ends_in_zeros) else { return }
    warnings.append(
      MediaWarning(
        .incompletePackets,
        "The end of the file is empty: it consists of zeros, as after a copy that failed. What was there is missing."))
  }

  /// Frames by which a codec's frames are at most stored out of order.
  private static let mostReordered: Int64 = 16
  /// Seconds by which a codec's frames are at most stored out of order.
  private static let longestReordering = 0.9

  /// Streams concatenated byte by byte play one after another, as does an interrupted recording. Gaps in time are then closed.
  mutating func noteRestarts() {
    let sections = demuxer.sections
    guard sections.count > 1, let origin = sections.first?.start else { return }
    let restarts = sections.dropFirst().map { MediaTime(value: $0.start - origin, timescale: 90_000).inSeconds }
    let listed = restarts.prefix(8).joined(separator: ", ") + (restarts.count > 8 ? " and \(restarts.count - 8) more" : "")
    warnings.append(
      MediaWarning(
        .restartedClock,
        "The timestamps restart at \(listed): the file is played as \(restarts.count + 1) parts that follow one another."))
  }
}

extension FFmpegProbe {
  /// Reports a header of uncompressed audio whose size is not that of the samples.
  mutating func noteSize() {
    let size = cff_demuxer_stated_size(demuxer.handle)
    let stated = size.stated < 0 ? "all ones" : "\(size.stated) bytes"
    switch size.kind {
    case CFF_SIZE_OPEN:
      warnings.append(
        MediaWarning(
          .openSize, "The header leaves the size of the samples open (\(stated)): they go on to the end of the file."))
    case CFF_SIZE_WRONG:
      warnings.append(
        MediaWarning(
          .openSize, "The header states \(stated) of samples, but there are \(size.present), all of which are read."))
    case CFF_SIZE_FOLLOWED:
      warnings.append(
        MediaWarning(
          .unreadBytes,
          "The samples end where the header states, after \(size.stated) bytes; \(size.following) bytes follow that belong to nothing and "
            + "are not read."))
    default: break
    }
  }
}

extension MediaTime {
  /// Seconds to the millisecond, for messages.
  fileprivate var inSeconds: String {
    guard isNumeric, abs(seconds) < 1e12 else { return description }
    let (whole, rest) = Int64((abs(seconds) * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
    return "\(seconds < 0 ? "-" : "")\(whole).\(String(rest + 1000).dropFirst()) s"
  }
}
