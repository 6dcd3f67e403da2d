import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// The gain reduction of ducked tracks, sample by sample: lowered over the attack while triggered, held, and restored over the
/// release. Linear in decibels.
struct DuckingEnvelope {
  /// A run of samples over which the depth changes linearly.
  struct Stretch {
    var count: Int
    /// Depth at the first sample, and the change per sample.
    let first, step: Int64
  }

  /// The depth of the full reduction. Depths are integers, so that blocks of any size give the same ones.
  let full: Int64
  private let attackStep: Int64
  private let releaseStep: Int64
  private let hold: Int64
  private var depth: Int64 = 0
  private var held: Int64 = 0

  init(attack: Int64, hold: Int64, release: Int64) {
    let (attack, release) = (max(1, attack), max(1, release))
    full = attack * release
    (attackStep, releaseStep) = (release, attack)
    self.hold = hold
  }

  /// Advances by `count` samples, triggered or not, and calls `body` for each stretch.
  mutating func advance(_ count: Int64, isTriggered: Bool, _ body: (Stretch) -> Void) {
    var left = count
    while left > 0 {
      let stretch = isTriggered ? attacking(left) : held > 0 ? holding(left) : releasing(left)
      body(stretch)
      left -= Int64(stretch.count)
    }
  }

  private mutating func attacking(_ count: Int64) -> Stretch {
    held = hold
    return move(count, by: attackStep, limit: full)
  }

  private mutating func holding(_ count: Int64) -> Stretch {
    let part = min(count, held)
    held -= part
    return Stretch(count: Int(part), first: depth, step: 0)
  }

  private mutating func releasing(_ count: Int64) -> Stretch { move(count, by: -releaseStep, limit: 0) }

  /// Moves in steps until the limit is near, then in one step to the limit, then stays.
  private mutating func move(_ count: Int64, by step: Int64, limit: Int64) -> Stretch {
    let steps = min(count, (limit - depth) / step)
    guard steps > 0 else {
      let isThere = depth == limit
      depth = limit
      return Stretch(count: isThere ? Int(count) : 1, first: limit, step: 0)
    }
    let first = depth + step
    depth += step * steps
    return Stretch(count: Int(steps), first: first, step: step)
  }
}

/// Lowers tracks while others are audible or play.
final class AudioDucker {
  private enum Trigger {
    case level([LevelDetector], threshold: Double)
    /// The triggered samples, each range including the attack before its segment; and the next range.
    case ranges([Range<Int64>], next: Int)
  }

  private var trigger: Trigger
  private var envelope: DuckingEnvelope
  /// Natural logarithm of the gain per unit of depth.
  private let rate: Double
  private var stretches: [DuckingEnvelope.Stretch] = []
  private var flags: [Bool] = []

  /// - Parameters:
  ///   - triggers: The mixers of the trigger tracks, whose levels are measured.
  ///   - start: The first sample of the mix.
  init(_ ducking: AudioDucking, triggers: [AudioTrackMixer], sampleRate: Int, start: Int64) {
    func samples(_ time: MediaTime) -> Int64 {
      time.isNumeric ? min(max(0, time.rounded(toUnitsOf: Rational(1, sampleRate))), Int64(sampleRate) * 600) : 0
    }
    let attack = samples(ducking.attack)
    envelope = DuckingEnvelope(attack: attack, hold: samples(ducking.hold), release: samples(ducking.release))
    rate = -max(0, ducking.reduction) * log(10) / 20 / Double(envelope.full)
    switch ducking.trigger {
    case .level(let level):
      triggers.forEach { $0.isMeasured = true }
      let detectors = triggers.map { LevelDetector($0.samples, sampleRate: sampleRate) }
      trigger = .level(detectors, threshold: pow(10, level / 10))
    case .segments:
      trigger = .ranges(AudioDucker.union(triggers.flatMap(\.pieces.playingRanges), lead: attack), next: 0)
      skip(to: start)
    }
    stretches.reserveCapacity(64)
    flags = Array(repeating: false, count: AudioChunk.size)
  }

  /// Computes the depths of samples `position` ..< `position + count`. Call it after rendering the trigger tracks.
  func follow(_ count: Int, from position: Int64) throws(CompositorError) {
    stretches.removeAll(keepingCapacity: true)
    switch trigger {
    case .level(let detectors, let threshold):
      for index in 0..<count { flags[index] = false }
      for detector in detectors { try detector.follow(count, threshold: threshold, &flags) }
      var first = 0
      for index in 1...count where index == count || flags[index] != flags[first] {
        advance(Int64(index - first), isTriggered: flags[first])
        first = index
      }
    case .ranges: advance(to: position + Int64(count), from: position)
    }
  }

  /// Applies the depths computed last to the samples.
  func lower(_ channels: [UnsafeMutablePointer<Float>]) {
    var offset = 0
    for stretch in stretches {
      let count = Int32(stretch.count)
      if stretch.step != 0 {
        for channel in channels { cak_apply_exponential(channel + offset, count, rate, stretch.first, stretch.step) }
      } else if stretch.first != 0 {
        let gain = Float(exp(rate * Double(stretch.first)))
        for channel in channels { cak_apply_gain(channel + offset, count, gain) }
      }
      offset += stretch.count
    }
  }

  /// Applies the deepest of several duckers' depths, sample by sample.
  static func lowerDeepest(
    _ duckers: [AudioDucker], _ channels: [UnsafeMutablePointer<Float>], count: Int, gains: inout [Float]
  ) {
    if duckers.count == 1 { return duckers[0].lower(channels) }
    guard !duckers.isEmpty, duckers.contains(where: \.isLowering) else { return }
    var exponents = Array(repeating: 0.0, count: count)
    for ducker in duckers where ducker.isLowering {
      var offset = 0
      for stretch in ducker.stretches {
        for index in 0..<stretch.count {
          let exponent = ducker.rate * Double(stretch.first + stretch.step * Int64(index))
          exponents[offset + index] = min(exponents[offset + index], exponent)
        }
        offset += stretch.count
      }
    }
    for index in 0..<count { gains[index] = Float(exp(exponents[index])) }
    gains.withUnsafeBufferPointer { gains in
      for channel in channels { cak_apply_gains(channel, gains.baseAddress, Int32(count)) }
    }
  }

  private var isLowering: Bool { stretches.contains { $0.first != 0 || $0.step != 0 } }

  private func advance(_ count: Int64, isTriggered: Bool) {
    envelope.advance(count, isTriggered: isTriggered) { stretches.append($0) }
  }

  private func advance(to end: Int64, from start: Int64) {
    guard case .ranges(let ranges, var next) = trigger else { return }
    var position = start
    while position < end {
      while next < ranges.count, ranges[next].upperBound <= position { next += 1 }
      let range = next < ranges.count ? ranges[next] : .max..<(.max)
      let isTriggered = range.lowerBound <= position
      let limit = min(end, isTriggered ? range.upperBound : range.lowerBound)
      advance(limit - position, isTriggered: isTriggered)
      position = limit
    }
    trigger = .ranges(ranges, next: next)
  }

  /// Starts a mix in the middle with the depth of that time.
  private func skip(to start: Int64) {
    guard case .ranges(let ranges, _) = trigger, let first = ranges.first, first.lowerBound < start else { return }
    advance(to: start, from: first.lowerBound)
  }

  /// The sorted ranges, each started earlier by the lead; ranges that touch are merged.
  private static func union(_ ranges: [Range<Int64>], lead: Int64) -> [Range<Int64>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { union, range in
      let early = range.lowerBound - lead..<range.upperBound
      if let last = union.last, last.upperBound >= early.lowerBound {
        union[union.count - 1] = last.lowerBound..<max(last.upperBound, early.upperBound)
      } else {
        union.append(early)
      }
    }
  }
}

/// Detects where a track is louder than a threshold, by the mean square of its loudest channel over 10 ms.
private final class LevelDetector {
  private let samples: AudioBlock
  private let size: Int
  private var handle: OpaquePointer?
  private let pointers: [UnsafePointer<Float>?]

  init(_ samples: AudioBlock, sampleRate: Int) {
    self.samples = samples
    size = max(1, sampleRate / 100)
    pointers = samples.channels.map { UnsafePointer($0) }
  }

  deinit { cak_level_destroy(handle) }

  func follow(_ count: Int, threshold: Double, _ flags: inout [Bool]) throws(CompositorError) {
    if handle == nil { handle = cak_level_create(Int32(size)) }
    guard let handle else { throw CompositorError(.resourceExhausted, "There is no memory for measuring a level.") }
    cak_level_follow(handle, pointers, Int32(pointers.count), Int32(count), threshold, &flags)
  }
}
