import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Audio at other speeds, backward and along ramps: heard by numbers.
@Suite struct RetimedAudioTests {
  static let rate = 48_000

  /// A composition that plays a range of an audio source.
  static func composition(
    from start: Double = 1, media: Double, over duration: Double, at target: Double = 0, _ retiming: SegmentRetiming
  ) throws -> Composition {
    var composition = Composition()
    let track = composition.addTrack(.audio)
    func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 48_000) }
    var segments: [CompositionTrackSegment] = []
    if target > 0 { segments.append(CompositionTrackSegment(empty: TimeRange(start: .zero, duration: time(target)))) }
    segments.append(
      CompositionTrackSegment(
        source: .custom(name: "sound"),
        timeMapping: TimeMapping(
          source: TimeRange(start: time(start), duration: time(media)),
          target: TimeRange(start: time(target), duration: time(duration))), retiming: retiming))
    try composition.setSegments(segments, ofTrack: track)
    return composition
  }

  static func mix(
    _ composition: Composition, of sound: MemorySound, from start: Double = 0, seconds: Double, block: Int = 4096
  ) throws -> [Float] {
    let catalog = MediaCatalog()
    catalog.provide(sound, as: "sound")
    let mixer = AudioMixer(
      composition, sources: catalog, sampleRate: rate, channelCount: 2,
      start: MediaTime(seconds: start, preferredTimescale: 48_000))
    let samples = AudioBlock(channelCount: 2, capacity: block)
    var result: [Float] = []
    var left = Int(seconds * Double(rate))
    while left > 0 {
      let count = min(left, block)
      try mixer.mix(count, into: samples)
      result.append(contentsOf: UnsafeBufferPointer(start: samples.channels[0], count: count))
      left -= count
    }
    return result
  }

  static func sine(_ frequency: Double, amplitude: Float = 0.5) -> MemorySound {
    MemorySound { sample, _ in amplitude * Float(sin(2 * .pi * frequency * Double(sample % 48_000) / 48_000)) }
  }

  /// Clicks every half second, one sample long.
  static let clicks = MemorySound { sample, _ in sample % 24_000 == 0 ? 0.9 : 0 }

  static func level(_ samples: ArraySlice<Float>) -> Double {
    10 * log10(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count) * 2)
  }

  /// The frequency by the phase's advance between two halves, near an expected one.
  static func frequency(_ samples: ArraySlice<Float>, near expected: Double) -> Double {
    func phase(_ part: ArraySlice<Float>, _ offset: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, value) in part.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(part.count))
        let angle = 2 * .pi * expected * Double(index + offset) / Double(rate)
        real += window * Double(value) * cos(angle)
        imaginary -= window * Double(value) * sin(angle)
      }
      return atan2(imaginary, real)
    }
    let half = samples.count / 2
    let difference = phase(samples.suffix(half), samples.count - half) - phase(samples.prefix(half), 0)
    let wrapped = difference - 2 * .pi * (difference / (2 * .pi)).rounded()
    return expected + wrapped / (2 * .pi) * Double(rate) / Double(samples.count - half)
  }

  static func onsets(_ samples: [Float], above threshold: Float = 0.08, apart: Int = 6000) -> [Int] {
    var found: [Int] = []
    for (index, value) in samples.enumerated() where abs(value) > threshold {
      if let last = found.last, index - last < apart { continue }
      found.append(index)
    }
    return found
  }

  // MARK: constant speeds

  @Test(arguments: [0.5, 2, 0.8, 1.5], [PitchAlgorithm.spectral, .timeDomain])
  func tone_atAnotherSpeedWithItsPitchKept_keepsFrequencyAndLevel(_ speed: Double, _ pitch: PitchAlgorithm) throws {
    let composition = try Self.composition(media: 4 * speed, over: 4, SegmentRetiming(pitch: pitch))
    let samples = try Self.mix(composition, of: Self.sine(1000), seconds: 4)
    let frequency = Self.frequency(samples[24_000..<168_000], near: 1000)
    #expect(abs(frequency - 1000) < 1, "\(pitch) at \(speed): \(frequency) Hz")
    for second in 0..<8 {
      let part = samples[second * 24_000..<(second + 1) * 24_000]
      let level = Self.level(part) - 20 * log10(0.5)
      #expect(abs(level) < 0.5, "\(pitch) at \(speed), half second \(second): \(level) dB")
    }
  }

  @Test(arguments: [0.5, 2]) func tone_withVarispeed_followsTheSpeed(_ speed: Double) throws {
    let composition = try Self.composition(media: 4 * speed, over: 4, SegmentRetiming(pitch: .varispeed))
    let sound = MemorySound { sample, _ in 0.5 * Float(sin(2 * .pi * 1000 * Double(sample) * speed / 48_000)) }
    // The reader in memory knows no speed of its own: it is asked for it, as a file's is.
    let samples = try Self.mix(composition, of: sound, seconds: 4)
    #expect(abs(Self.frequency(samples[24_000..<168_000], near: 1000 * speed) - 1000 * speed) < 1)
  }

  @Test(arguments: [0.25, 0.5, 0.75, 1.25, 2, 4]) func clicks_stretched_comeInPlace(_ speed: Double) throws {
    let composition = try Self.composition(from: 0.75, media: 4 * speed, over: 4, at: 0.5, SegmentRetiming())
    let samples = try Self.mix(composition, of: Self.clicks, seconds: 4.5)
    let peak = samples.map(abs).max() ?? 0
    let apart = Int(0.3 / speed * 48_000)
    let found = Self.onsets(samples, above: peak / 4, apart: apart)
    let expected = stride(from: 1.0, to: 0.75 + 4 * speed, by: 0.5).map { ((($0 - 0.75) / speed + 0.5) * 48_000) }
    #expect(found.count >= expected.count - 1)
    for (onset, click) in zip(found, expected) {
      // Lengthened media repeats a click: the middle of the copies is in place, not the first one.
      let place = speed < 1 ? Self.center(samples, from: onset - apart / 4, to: onset + apart / 2) : Double(onset)
      #expect(abs(place - click) < 240, "at \(speed): \(place), \(click)")
    }
  }

  /// The center of the energy of a range.
  static func center(_ samples: [Float], from low: Int, to high: Int) -> Double {
    let range = max(0, low)..<min(samples.count, high)
    let powers = range.map { Double(samples[$0]) * Double(samples[$0]) }
    return zip(range, powers).reduce(0) { $0 + Double($1.0) * $1.1 } / max(powers.reduce(0, +), 1e-30)
  }

  // MARK: backward

  @Test func reversedSound_isTheForwardSamplesTheLastOneFirst() throws {
    let noise = MemorySound { sample, channel in Float((sample &* 7919 &+ Int64(channel)) % 1009) / 1009 - 0.5 }
    let forward = try Self.mix(Self.composition(media: 5, over: 5, SegmentRetiming()), of: noise, seconds: 5)
    let reversed = try Self.mix(
      Self.composition(media: 5, over: 5, SegmentRetiming(isReversed: true)), of: noise, seconds: 5, block: 1000)
    #expect(reversed == forward.reversed())
    let middle = try Self.mix(
      Self.composition(media: 5, over: 5, SegmentRetiming(isReversed: true)), of: noise, from: 2, seconds: 3)
    #expect(middle == Array(reversed[96_000...]))
  }

  @Test func reversedSoundOfAFile_isWhatFFmpegReverses() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("noise.flac")
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=5:a=0.5", "-ac", "1", "-sample_fmt", "s16", path])
    let other = folder.file("reversed.wav")
    try runProgram("ffmpeg", ["-v", "error", "-i", path, "-af", "areverse", "-c:a", "pcm_f32le", other])
    var composition = Composition()
    let track = composition.addTrack(.audio)
    let range = TimeRange(start: .zero, duration: .seconds(4))
    try composition.setSegments(
      [
        CompositionTrackSegment(
          source: .file(path: path), timeMapping: TimeMapping(source: range, target: range),
          retiming: SegmentRetiming(isReversed: true))
      ], ofTrack: track)
    let mixer = AudioMixer(composition, sources: MediaCatalog(), sampleRate: 48_000, channelCount: 1)
    let reader = try MediaOpener.openAudio(.file(path: other), options: AudioReaderOptions(sampleRate: 48_000, channelCount: 1))
    let (ours, theirs) = (AudioBlock(channelCount: 1, capacity: 192_000), AudioBlock(channelCount: 1, capacity: 192_000))
    try mixer.mix(192_000, into: ours)
    try reader.read(frameCount: 192_000, at: 0, into: theirs.channels)
    let difference = (0..<192_000).map { abs(ours[0, $0] - theirs[0, $0]) }.max() ?? 1
    #expect(difference < 1e-6)
  }

  // MARK: ramps

  static let ramp: [SpeedCurve.Point] = [
    .init(time: 0.5, speed: 1, easing: .easeInOut), .init(time: 2, speed: 0.4, easing: .linear), .init(time: 3, speed: 1.5),
  ]

  @Test func varispeedRamp_isContinuousAndInPlace() throws {
    let curve = try SpeedCurve(Self.ramp, duration: 4)
    let composition = try Self.composition(
      media: curve.mediaDuration, over: 4, SegmentRetiming(curve: curve, pitch: .varispeed))
    let samples = try Self.mix(composition, of: Self.sine(220), seconds: 4)
    // The sine at the place that the curve says, everywhere.
    let worst =
      (100..<191_900).map { index -> Double in
        let media = 1 + curve.distance(at: Double(index) / 48_000)
        return abs(Double(samples[index]) - 0.5 * sin(2 * .pi * 220 * media))
      }.max() ?? 1
    #expect(worst < 2e-3, "\(worst)")
    let clicked = try Self.mix(composition, of: Self.clicks, seconds: 4)
    let clicks = Self.onsets(clicked, above: 0.3).map { onset in
      (onset..<min(onset + 20, clicked.count)).max { abs(clicked[$0]) < abs(clicked[$1]) } ?? onset
    }
    for (place, click) in zip(clicks, [1.0, 1.5, 2, 2.5, 3].dropFirst(clicks.first.map { $0 < 100 ? 0 : 1 } ?? 0)) {
      #expect(abs(Double(place) - curve.time(atDistance: click - 1) * 48_000) <= 1.5, "\(place) \(click)")
    }
    #expect(clicks.count >= 4)
  }

  @Test func reversedVarispeedRamp_isInPlace() throws {
    let curve = try SpeedCurve(Self.ramp, duration: 4)
    let composition = try Self.composition(
      media: curve.mediaDuration, over: 4, SegmentRetiming(isReversed: true, curve: curve, pitch: .varispeed))
    let samples = try Self.mix(composition, of: Self.sine(220), seconds: 4)
    let end = (48_000 * (1 + curve.mediaDuration)).rounded() / 48_000
    let worst =
      (100..<191_900).map { index -> Double in
        let media = end - curve.distance(at: Double(index) / 48_000) - 1.0 / 48_000
        return abs(Double(samples[index]) - 0.5 * sin(2 * .pi * 220 * media))
      }.max() ?? 1
    #expect(worst < 2e-2, "\(worst)")
  }

  @Test func rampWithItsPitchKept_keepsFrequencyAndPlaceWithoutSteps() throws {
    let curve = try SpeedCurve(Self.ramp, duration: 4)
    let composition = try Self.composition(media: curve.mediaDuration, over: 4, SegmentRetiming(curve: curve))
    let samples = try Self.mix(composition, of: Self.sine(1000), seconds: 4)
    for part in 1..<7 {
      let range = part * 24_000..<(part + 1) * 24_000
      let frequency = Self.frequency(samples[range], near: 1000)
      #expect(abs(frequency - 1000) < 10, "half second \(part): \(frequency) Hz")
      let level = Self.level(samples[range]) - 20 * log10(0.5)
      #expect(abs(level) < 1, "half second \(part): \(level) dB")
    }
    // A sine of 1 kHz changes by 0.066 a sample at most; a click would change by more.
    let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
    #expect((steps[4800...].max() ?? 1) < 0.12, "\(steps[4800...].max() ?? 1)")
    let clicks = try Self.mix(composition, of: Self.clicks, seconds: 4)
    let peak = clicks[2400...].map(abs).max() ?? 0
    let found = Self.onsets(clicks, above: peak / 4, apart: 9000).filter { $0 > 2400 }
    let expected = [1.5, 2, 2.5, 3, 3.5, 4].map { curve.time(atDistance: $0 - 1) * 48_000 }.filter { $0 < 190_000 }
    for (place, click) in zip(found, expected) { #expect(abs(Double(place) - click) < 400, "\(place) \(click)") }
    #expect(found.count >= expected.count - 1)
  }

  /// What a stretcher rounds at each change of its tempo must not add up.
  @Test func longCurveWithItsPitchKept_staysInPlace() throws {
    let curve = try SpeedCurve((0...20).map { SpeedCurve.Point(time: Double($0), speed: $0 % 2 == 0 ? 2 : 0.5) }, duration: 20)
    let composition = try Self.composition(media: curve.mediaDuration, over: 20, SegmentRetiming(curve: curve))
    let clicks = try Self.mix(composition, of: Self.clicks, seconds: 20)
    let expected = (3...48).map { curve.time(atDistance: Double($0) / 2 - 1) * 48_000 }.filter { (4800..<950_000).contains($0) }
    for click in expected {
      let part = Int(click) - 2400..<Int(click) + 2400
      let peak = clicks[part].map(abs).max() ?? 0
      let place = part.first { abs(clicks[$0]) > peak / 4 } ?? 0
      #expect(peak > 0.02 && abs(Double(place) - click) < 960, "\(place) \(click) \(peak)")
    }
    #expect(expected.count > 35)
    let tone = try Self.mix(composition, of: Self.sine(1000), seconds: 20)
    for part in 1..<39 {
      let level = Self.level(tone[part * 24_000..<(part + 1) * 24_000]) - 20 * log10(0.5)
      #expect(abs(level) < 1, "half second \(part): \(level) dB")
    }
  }

  // MARK: blocks and seeks

  static let ways: [SegmentRetiming] =
    [.spectral, .timeDomain, .varispeed].flatMap { pitch in
      [false, true].map { SegmentRetiming(isReversed: $0, pitch: pitch) }
    } + [PitchAlgorithm.spectral, .varispeed].map { SegmentRetiming(curve: try? SpeedCurve(ramp, duration: 2), pitch: $0) }

  @Test(arguments: ways) func anyBlockSizeAndStart_givesTheSameSamples(_ way: SegmentRetiming) throws {
    let noise = MemorySound { sample, channel in
      Float((sample &* 7919 &+ Int64(channel)) % 1009) / 2018 - 0.25
    }
    let composition = try Self.composition(media: 3, over: 2, at: 0.25, way)
    let whole = try Self.mix(composition, of: noise, seconds: 2.5)
    #expect(try Self.mix(composition, of: noise, seconds: 2.5, block: 333) == whole)
    #expect(try Self.mix(composition, of: noise, from: 1.25, seconds: 1.25, block: 1024) == Array(whole[60_000...]))
    #expect(whole[..<12_000].allSatisfy { $0 == 0 } && whole[108_000...].allSatisfy { $0 == 0 })
    #expect(whole[12_000..<108_000].contains { abs($0) > 0.05 })
  }

  @Test func speedsAtWhichNothingIsHeard_areSilent() throws {
    for (media, pitch) in [(40.0, PitchAlgorithm.spectral), (40, .varispeed), (0.02, .timeDomain)] {
      let composition = try Self.composition(media: media, over: 1, SegmentRetiming(pitch: pitch))
      let samples = try Self.mix(composition, of: Self.clicks, seconds: 1)
      #expect(samples.allSatisfy { $0 == 0 })
    }
  }

  @Test func aTimeDomainStretch_alongACurve_isAnError() throws {
    let curve = try SpeedCurve(Self.ramp, duration: 2)
    let composition = try Self.composition(media: 2, over: 2, SegmentRetiming(curve: curve, pitch: .timeDomain))
    let error = #expect(throws: CompositorError.self) { try Self.mix(composition, of: Self.clicks, seconds: 1) }
    #expect(error?.recoverySuggestion?.contains("varispeed") == true)
  }
}
