import CompositorAPI
import CompositorHost
import CompositorTimeline
import CompositorTestMedia
import Foundation
import Testing

/// What a timeline says of its audio, as volumes of composition tracks.
@Suite struct TimelineAudioTests {
  typealias Support = ProjectTimelineTests

  /// Audio of 100 s without pictures.
  static let sound = ClipMedia(picture: nil, hasAudio: true, audioEnd: .seconds(100))

  static func clip(_ seconds: Double, _ change: (inout TimelineClip) -> Void = { _ in }) -> TimelineClip {
    var clip = TimelineClip(.file(path: "a"), duration: .seconds(seconds))
    change(&clip)
    return clip
  }

  static func edit(_ tracks: [TimelineTrack], _ audio: TimelineAudio = TimelineAudio()) throws -> Edit {
    var timeline = Support.timeline(tracks)
    timeline.audio = audio
    return try timeline.edit { _ in Self.sound }
  }

  private func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

  // MARK: Curves

  struct Curve: Sendable, CustomTestStringConvertible {
    let name: String
    let curve: AudioFadeCurve
    let exact: @Sendable (Double) -> Double
    var testDescription: String { name }
  }

  static let curves = [
    Curve(name: "linear", curve: .linear) { $0 },
    Curve(name: "equal power", curve: .equalPower) { sin($0 * .pi / 2) },
    Curve(name: "ease-in", curve: .easing(.easeIn)) { Easing.easeIn.value(at: $0) },
    Curve(name: "ease-in-out", curve: .easing(.easeInOut)) { Easing.easeInOut.value(at: $0) },
    Curve(name: "steep", curve: .easing(.cubicBezier(x1: 0, y1: 1, x2: 0, y2: 1))) {
      Easing.cubicBezier(x1: 0, y1: 1, x2: 0, y2: 1).value(at: $0)
    },
    Curve(name: "overshooting", curve: .easing(.cubicBezier(x1: 0.3, y1: 1.6, x2: 0.6, y2: 1))) {
      min(Easing.cubicBezier(x1: 0.3, y1: 1.6, x2: 0.6, y2: 1).value(at: $0), 1)
    },
  ]

  /// Every millisecond of fades of any length, which multiply with a volume that changes at the same time.
  @Test(arguments: curves, [0.04, 2.0, 30.0])
  func fades_everyCurve_areWithinAHundredthOfADecibel(_ curve: Curve, _ length: Double) throws {
    let clip = Self.clip(2 * length) {
      $0.fadeIn = AudioFade(.seconds(length), curve: curve.curve)
      $0.fadeOut = AudioFade(.seconds(length), curve: curve.curve)
      $0.volume = .keyframes([Keyframe(time: .zero, value: 0.5), Keyframe(time: .seconds(2 * length), value: 1.5)])
    }
    let mix = try Self.edit([TimelineTrack(clips: [clip])]).audioMix
    let volume = try #require(mix.inputParameters.first).volume
    #expect(volume.ramps.count < 400, "\(volume.ramps.count) ramps")
    for step in 1..<1000 {
      let fraction = Double(step) / 500
      let rising = fraction <= 1
      // On the way out equal power is a cosine, and any easing is that of keyframes from 1 to 0.
      let fade =
        rising
        ? curve.exact(fraction)
        : curve.curve == .equalPower ? cos((fraction - 1) * .pi / 2) : 1 - curve.exact(fraction - 1)
      let exact = fade * (0.5 + fraction / 2)
      let found = volume.value(at: MediaTime(seconds: fraction * length, preferredTimescale: 1_000_000))
      // A hundredth of a decibel.
      if abs(found - exact) > exact * 0.00115 + 1e-6 {
        Issue.record("\(found) for \(exact) at \(fraction)")
        return
      }
    }
  }

  /// Curves with corners and jumps, which pass the end and are limited there.
  @Test(arguments: [
    "bounce-in", "bounce-out", "bounce-in-out", "elastic-in", "elastic-out", "elastic-in-out", "back-in", "back-out",
    "back-in-out", "linear(0, 1.5 30%, 0.6, 1)", "linear(0, 0.5 25% 75%, 0.2 75%, 1)", "linear(-0.5, 1.5)",
  ]) func fades_thatSwing_areLimitedAndExactAtTheirCorners(_ text: String) throws {
    let easing = try #require(Easing(text))
    let clip = Self.clip(4) { $0.fadeIn = AudioFade(.seconds(2), curve: .easing(easing)) }
    let mix = try Self.edit([TimelineTrack(clips: [clip])]).audioMix
    let volume = try #require(mix.inputParameters.first).volume
    #expect(volume.ramps.count < 2000, "\(volume.ramps.count) ramps")
    for step in 1..<2000 {
      // Not at 25 %, 50 % or 75 %, where lines may jump.
      let fraction = (Double(step) + 0.3) / 2000
      let exact = min(max(easing.value(at: fraction), 0), 1)
      let found = volume.value(at: MediaTime(seconds: fraction * 2, preferredTimescale: 1_000_000))
      #expect(abs(found - exact) <= exact * 0.00115 + 2e-6, "\(found) for \(exact) at \(fraction)")
    }
  }

  @Test func volumes_ofClipTrackFadesAndCrossFade_multiply() throws {
    let first = Self.clip(6) { $0.volume = .constant(0.8) }
    let second = Self.clip(6) {
      $0.transition = Transition.dissolve(.seconds(2))
      $0.volume = .keyframes([Keyframe(time: .zero, value: 1), Keyframe(time: .seconds(4), value: 0.5)])
      $0.fadeOut = AudioFade(.seconds(1))
    }
    var track = TimelineTrack(clips: [first, second])
    track.audio.volume = .keyframes([Keyframe(time: .seconds(2), value: 0.5), Keyframe(time: .seconds(8), value: 1)])
    track.audio.fadeIn = AudioFade(.seconds(1), curve: .equalPower)
    let edit = try Self.edit([track])
    let lanes = edit.composition.tracks(.audio).map(\.trackID)
    try #require(lanes.count == 2)
    for step in 0..<200 {
      let time = Double(step) / 20
      let ofTrack = min(max(0.5 + (time - 2) / 12, 0.5), 1) * (time < 1 ? sin(time * .pi / 2) : 1)
      let angle = min(max((time - 4) / 2, 0), 1) * .pi / 2
      let expected = [
        time < 6 ? ofTrack * 0.8 * cos(angle) : nil,
        time >= 4 ? ofTrack * max(1 - (time - 4) / 8, 0.5) * sin(angle) * (time < 9 ? 1 : 10 - time) : nil,
      ]
      for (lane, expected) in zip(lanes, expected) {
        guard let expected, expected > 1e-3 else { continue }
        let found = edit.audioMix.volume(ofTrack: lane, at: .seconds(time))
        #expect(abs(decibels(found / expected)) < 0.01, "\(found) for \(expected) at \(time)")
      }
    }
  }

  @Test(arguments: AudioCrossFade.allCases, ["dissolve", "push-up", "iris-circle", "dip-to-black"])
  func transition_ofEveryKind_crossFadesAudio(_ kind: AudioCrossFade, _ name: String) throws {
    var transition = try Transition.named(name, .seconds(2))
    transition.audio = kind
    let clips = [Support.clip("a"), Support.clip("b", transition: transition)]
    let edit = try Support.timeline([TimelineTrack(clips: clips)]).edit { _ in Support.media() }
    let lanes = edit.composition.tracks(.audio).map(\.trackID)
    try #require(lanes.count == 2)
    #expect(edit.audioMix.inputParameters.isEmpty == (kind == .none))
    for step in 0...40 {
      let (time, fraction) = (MediaTime(value: Int64(60 + step), timescale: 20), Double(step) / 40)
      let (old, new) = (edit.audioMix.volume(ofTrack: lanes[0], at: time), edit.audioMix.volume(ofTrack: lanes[1], at: time))
      switch kind {
      case .equalPower: #expect(abs(old * old + new * new - 1) < 0.003 && abs(new - sin(fraction * .pi / 2)) < 0.002)
      case .linear: #expect(abs(old + new - 1) < 1e-9 && abs(new - fraction) < 1e-9)
      case .none: #expect(old == 1 && new == 1)
      }
    }
  }

  @Test func steps_ofAnEasing_jumpWhereTheyJump() throws {
    let clip = Self.clip(4) {
      $0.volume = .keyframes([
        Keyframe(time: .zero, value: 0, easing: .steps(4, .end)), Keyframe(time: .seconds(4), value: 1),
      ])
    }
    let volume = try #require(try Self.edit([TimelineTrack(clips: [clip])]).audioMix.inputParameters.first).volume
    for (time, value) in [(0, 0.0), (0.999, 0), (1, 0.25), (1.999, 0.25), (2, 0.5), (3.5, 0.75)] {
      #expect(volume.value(at: .seconds(time)) == value, "at \(time)")
    }
    #expect(volume.ramps.allSatisfy { $0.timeRange.duration == .zero })
  }

  // MARK: Position, effects, mute

  @Test func pan_ofClipAndTrack_isAddedForEachLane() throws {
    let clip = Self.clip(2) {
      $0.pan = .keyframes([Keyframe(time: .zero, value: -1), Keyframe(time: .seconds(2), value: 0.5)])
    }
    var track = TimelineTrack(clips: [clip, Self.clip(2)])
    track.audio.pan = .constant(0.75)
    let pan = try #require(try Self.edit([track]).audioMix.inputParameters.first).pan
    for (time, value) in [(0, -0.25), (1, 0.5), (1.5, 0.875), (1.9, 1), (3, 0.75)] {
      #expect(abs(pan.value(at: .seconds(time)) - value) < 1e-3, "\(pan.value(at: .seconds(time))) at \(time)")
    }
  }

  @Test func effects_ofClips_areKeptToTheirTimeAndComeBeforeTheTracks() throws {
    let echo: AudioProcessorUse = .init("avfilter.aecho", parameters: ["delays": .string("60")])
    var track = TimelineTrack(clips: [Self.clip(2), Self.clip(3) { $0.audioEffects = [echo] }])
    track.audio.effects = [.init("avfilter.highpass")]
    let processors = try #require(try Self.edit([track]).audioMix.inputParameters.first).processors
    #expect(processors.map(\.processor) == ["avfilter.aecho", "avfilter.highpass"])
    #expect(processors[0].timeRange == .seconds(2) ..< .seconds(5) && processors[0].parameters == echo.parameters)
    #expect(processors[1].timeRange == nil)
  }

  @Test func mute_ofClipAndTrack_keepsPlacesAndLeavesSilence() throws {
    let muted = Self.clip(2) { $0.audio = .muted }
    let edit = try Self.edit([TimelineTrack(clips: [muted, Self.clip(3)])])
    let segments = edit.composition.tracks(.audio)[0].segments
    #expect(segments.map(\.isSilent) == [true, false] && segments[1].timeMapping.target == .seconds(2) ..< .seconds(5))
    #expect(segments[0].isMuted && segments[0].timeMapping.target == .zero ..< .seconds(2))
    var track = TimelineTrack(clips: [Self.clip(2)])
    track.audio.isMuted = true
    track.audio.effects = [.init("avfilter.highpass")]
    let both = try Self.edit([track, TimelineTrack(clips: [Self.clip(1)])])
    #expect(both.composition.tracks(.audio).map { $0.segments.map(\.isMuted) } == [[true], [false]])
    #expect(both.composition.duration == .seconds(2) && both.audioMix == AudioMix())
    var audio = TimelineAudio()
    audio.isMuted = true
    #expect(try Self.edit([TimelineTrack(clips: [Self.clip(2)])], audio).audioMix.volume.value(at: .seconds(1)) == 0)
  }

  /// A volume of 0 and muting, of clips or of the track, by what else is there.
  static let silences: [(name: String, tracks: @Sendable (_ isMuted: Bool) -> [TimelineTrack])] = [
    ("alone", { [TimelineTrack(clips: [silent(4, $0)])] }),
    ("beside a shorter one", { [TimelineTrack(clips: [silent(6, $0)]), TimelineTrack(clips: [clip(2)])] }),
    ("after", { [TimelineTrack(clips: [clip(2), silent(6, $0)])] }),
    ("before", { [TimelineTrack(clips: [silent(6, $0), clip(2)])] }),
    (
      "between, looped",
      { isMuted in
        [
          TimelineTrack(clips: [clip(2), silent(6, isMuted) { ($0.sourceStart, $0.loop) = (.seconds(98), .count(3)) }, clip(1)])
        ]
      }
    ),
    (
      "in a transition",
      { isMuted in
        [TimelineTrack(clips: [clip(4), silent(4, isMuted) { $0.transition = .dissolve(.seconds(1)) }])]
      }
    ),
    ("a track", { isMuted in [silentTrack([clip(5), clip(2)], isMuted), TimelineTrack(clips: [clip(2)])] }),
  ]

  static func silent(_ seconds: Double, _ isMuted: Bool, _ change: (inout TimelineClip) -> Void = { _ in }) -> TimelineClip {
    clip(seconds) { clip in
      if isMuted { clip.audio = .muted } else { clip.volume = .constant(0) }
      change(&clip)
    }
  }

  static func silentTrack(_ clips: [TimelineClip], _ isMuted: Bool) -> TimelineTrack {
    var track = TimelineTrack(clips: clips)
    if isMuted { track.audio.isMuted = true } else { track.audio.volume = .constant(0) }
    return track
  }

  @Test(arguments: silences.indices) func mute_anywhere_takesTheTimeOfAVolumeOfZero(_ index: Int) throws {
    let muted = try Self.edit(Self.silences[index].tracks(true))
    let quiet = try Self.edit(Self.silences[index].tracks(false))
    #expect(muted.composition.duration == quiet.composition.duration)
    #expect(muted.videoComposition.instructions.map(\.timeRange) == quiet.videoComposition.instructions.map(\.timeRange))
    let (one, other) = (muted.composition.tracks, quiet.composition.tracks)
    #expect(one.map { $0.segments.map(\.timeMapping) } == other.map { $0.segments.map(\.timeMapping) })
    #expect(muted.composition.tracks.contains { $0.segments.contains(where: \.isMuted) })
    let copy = try JSONDecoder().decode(Edit.self, from: try JSONEncoder().encode(muted))
    #expect(copy.composition == muted.composition)
  }

  /// The echo of what is heard before a muted clip is silent in it, too; a track that is muted has no processors at all.
  @Test func mute_onATrackWithProcessors_isAVolumeOfZeroThere() throws {
    var track = TimelineTrack(clips: [Self.clip(2), Self.silent(2, true), Self.clip(2)])
    track.audio.effects = [.init("avfilter.aecho")]
    let volume = try #require(try Self.edit([track]).audioMix.inputParameters.first).volume
    #expect([1.0, 3, 5].map { volume.value(at: .seconds($0)) } == [1, 0, 1])
    track.audio.effects = []
    #expect(try Self.edit([track]).audioMix == AudioMix())
  }

  @Test func ducking_byTracksOfWhichSomeAreMuted_namesTheOthers() throws {
    var speech = TimelineTrack(name: "speech", clips: [Self.clip(2)])
    speech.audio.ducking = TrackDucking()
    let tracks = [speech, TimelineTrack(clips: [Self.silent(3, true)]), TimelineTrack(clips: [Self.clip(1)])]
    let ducking = try #require(try Self.edit(tracks).audioMix.ducking.first)
    #expect(ducking.triggerTracks.count == 1 && ducking.loweredTracks.count == 1)
    speech.audio.isMuted = true
    #expect(try Self.edit([speech, tracks[2]]).audioMix.ducking.isEmpty)
  }

  // MARK: The whole

  @Test func timelineAudio_becomesTheMix() throws {
    var audio = TimelineAudio()
    audio.volume = .constant(0.5)
    audio.fadeIn = AudioFade(.seconds(1))
    audio.fadeOut = AudioFade(.seconds(2), curve: .equalPower)
    audio.effects = [.init("avfilter.acompressor")]
    audio.loudness = LoudnessTarget(integrated: -14)
    audio.limiting = .on(ceiling: -2)
    audio.downmix = .normalized
    let mix = try Self.edit([TimelineTrack(clips: [Self.clip(10)])], audio).audioMix
    #expect(mix.volume.value(at: .seconds(0.5)) == 0.25 && mix.volume.value(at: .seconds(5)) == 0.5)
    #expect(abs(mix.volume.value(at: .seconds(9)) - 0.5 * cos(.pi / 4)) < 5e-4)
    #expect(mix.processors == audio.effects && mix.loudness == audio.loudness)
    #expect(mix.limiting == .on(ceiling: -2) && mix.downmix == .normalized)
    #expect(try Self.edit([TimelineTrack(clips: [Self.clip(1)])]).audioMix == AudioMix())
  }

  @Test func ducking_lowersEveryLaneOfTheOthers() throws {
    let overlapping = [Self.clip(4), Self.clip(4) { $0.transition = .dissolve(.seconds(1)) }]
    var speech = TimelineTrack(name: "speech", clips: overlapping)
    let tracks = [
      TimelineTrack(name: "movie", clips: [Self.clip(9)]), TimelineTrack(name: "music", clips: overlapping),
    ]
    speech.audio.ducking = TrackDucking()
    var edit = try Self.edit([speech] + tracks)
    let ids = edit.composition.tracks(.audio).map(\.trackID)
    try #require(ids.count == 5)
    let all = try #require(edit.audioMix.ducking.first)
    #expect(all.triggerTracks == Set(ids[0...1]) && all.loweredTracks == Set(ids[2...4]) && all.reduction == 12)
    speech.audio.ducking?.tracks = ["music"]
    speech.audio.ducking?.trigger = .segments
    speech.audio.ducking?.reduction = 20
    speech.audio.ducking?.release = .seconds(2)
    edit = try Self.edit([speech] + tracks)
    let music = try #require(edit.audioMix.ducking.first)
    #expect(music.loweredTracks == Set(ids[3...4]) && music.trigger == .segments)
    #expect(music.reduction == 20 && music.release == .seconds(2))
  }

  // MARK: Mistakes

  static let mistakes: [(path: String, reason: String, change: @Sendable (inout Timeline) -> Void)] = [
    ("tracks[0].clips[0].fadeIn", "only 4", { $0.tracks[0].clips[0].fadeIn = AudioFade(.seconds(5)) }),
    ("tracks[0].clips[0].fadeIn", "not possible", { $0.tracks[0].clips[0].fadeIn = AudioFade(.seconds(-1)) }),
    ("tracks[0].clips[0].fadeOut", "not a finite", { $0.tracks[0].clips[0].fadeOut = AudioFade(.positiveInfinity) }),
    (
      "tracks[0].clips[0].fadeOut", "not a finite",
      { $0.tracks[0].clips[0].fadeOut = AudioFade(MediaTime(value: 1, timescale: 0)) }
    ),
    (
      "tracks[0].clips[0].fadeOut", "together",
      {
        $0.tracks[0].clips[0].fadeIn = AudioFade(.seconds(3))
        $0.tracks[0].clips[0].fadeOut = AudioFade(.seconds(2))
      }
    ),
    ("tracks[0].fadeOut", "the track only 8", { $0.tracks[0].audio.fadeOut = AudioFade(.seconds(9)) }),
    ("audio.fadeIn", "the timeline only 8", { $0.audio.fadeIn = AudioFade(.seconds(9)) }),
    ("tracks[0].clips[1].volume", "nan", { $0.tracks[0].clips[1].volume = .constant(.nan) }),
    ("tracks[0].clips[1].volume", "-0.5", { $0.tracks[0].clips[1].volume = .constant(-0.5) }),
    ("tracks[0].volume", "inf", { $0.tracks[0].audio.volume = .constant(.infinity) }),
    ("tracks[0].pan", "1.5", { $0.tracks[0].audio.pan = .constant(1.5) }),
    ("audio.volume", "1e+300", { $0.audio.volume = .constant(1e300) }),
    ("tracks[0].clips[0].pan", "rising", { $0.tracks[0].clips[0].pan = .keyframes([]) }),
    ("audio.loudness", "3.0 LUFS", { $0.audio.loudness = LoudnessTarget(integrated: 3) }),
    ("audio.loudness", "nan", { $0.audio.loudness = LoudnessTarget(integrated: .nan) }),
    ("audio.limiter", "dBTP", { $0.audio.limiting = .on(ceiling: 1) }),
    ("tracks[0].duck.by", "-3", { $0.tracks[0].audio.ducking = with(TrackDucking()) { $0.reduction = -3 } }),
    (
      "tracks[0].duck.attack", "not possible",
      { $0.tracks[0].audio.ducking = with(TrackDucking()) { $0.attack = .seconds(-1) } }
    ),
    ("tracks[0].duck.release", "not possible", { $0.tracks[0].audio.ducking = with(TrackDucking()) { $0.release = .invalid } }),
    (
      "tracks[0].duck.threshold", "not possible",
      { $0.tracks[0].audio.ducking = with(TrackDucking()) { $0.trigger = .level(3) } }
    ),
    ("tracks[0].duck.tracks[0]", "no track", { $0.tracks[0].audio.ducking = with(TrackDucking()) { $0.tracks = ["musik"] } }),
    ("tracks[0].duck.tracks[0]", "itself", { $0.tracks[0].audio.ducking = with(TrackDucking()) { $0.tracks = ["main"] } }),
  ]

  private static func with<T>(_ value: T, _ change: (inout T) -> Void) -> T {
    var value = value
    change(&value)
    return value
  }

  @Test(arguments: mistakes.indices) func edit_impossibleAudio_isRefusedWithItsPlace(_ index: Int) throws {
    let mistake = Self.mistakes[index]
    var timeline = Support.timeline([
      TimelineTrack(name: "main", clips: [Self.clip(4), Self.clip(4)]), TimelineTrack(name: "music", clips: [Self.clip(2)]),
    ])
    mistake.change(&timeline)
    let error = try #require(throws: CompositorError.self) { _ = try timeline.edit { _ in Self.sound } }
    #expect(error.location.path == mistake.path && error.message.contains(mistake.reason), "\(error)")
    #expect(
      error.code == .invalidValue && error.recoverySuggestion != nil || mistake.reason == "not a finite"
        || mistake.reason == "rising")
  }
}
