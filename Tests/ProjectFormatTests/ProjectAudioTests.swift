import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Foundation
import Testing

/// The keys of audio in projects.
@Suite struct ProjectAudioTests {
  /// A project of two tracks with a clip each; `#` stands for more keys of the first clip, `%` of its track, `&` of `output.audio`.
  private static func text(clip: String = "", track: String = "", output: String = "") -> String {
    """
    { version: 1,
      output: { size: "640x360", frameRate: 25, audio: { \(output) } },
      assets: { a: { generate: "bars", tone: 440 } },
      tracks: [
        { name: "main", \(track) clips: [{ asset: "a", duration: "10s", \(clip) }] },
        { name: "music", clips: [{ asset: "a", duration: "10s" }] },
      ] }
    """
  }

  private func timeline(clip: String = "", track: String = "", output: String = "") throws -> Timeline {
    try ProjectFile(Self.text(clip: clip, track: track, output: output)).timeline(catalog: MediaCatalog())
  }

  @Test(arguments: [
    ("1", 1.0), ("0", 0), ("'-6dB'", 0.501187), ("'6dB'", 1.995262), ("'+3.5dB'", 1.496236), ("'0dB'", 1), ("16", 16),
    ("'-120dB'", 0.000001), ("'24dB'", 15.848932),
  ])
  func volume_everyForm_isALinearGain(_ text: String, _ gain: Double) throws {
    guard case .constant(let found) = try timeline(clip: "volume: \(text)").tracks[0].clips[0].volume else {
      Issue.record("not constant")
      return
    }
    #expect(abs(found - gain) < 1e-6 * max(gain, 1e-5))
  }

  @Test func clip_everyKey_isRead() throws {
    let clip = try timeline(
      clip: """
        volume: [{ at: 0, value: "-20dB", easing: "ease-in" }, { at: "2s", value: 1 }], fadeIn: "12f",
        fadeOut: { duration: "2s", easing: "equal-power" }, pan: [{ at: 0, value: -1 }, { at: "1s", value: 1 }], mute: true,
        audioEffects: [{ use: "avfilter.aecho", delays: "60|80" }, { use: "org.example.x", parameters: { gain: 2 } }]
        """
    ).tracks[0].clips[0]
    #expect(
      clip.volume
        == .keyframes([
          Keyframe(time: .zero, value: 0.1, easing: .easeIn), Keyframe(time: .seconds(2), value: 1),
        ]))
    #expect(clip.fadeIn == AudioFade(MediaTime(value: 12, timescale: 25)))
    #expect(clip.fadeOut == AudioFade(.seconds(2), curve: .equalPower))
    #expect(clip.pan == .keyframes([Keyframe(time: .zero, value: -1), Keyframe(time: .seconds(1), value: 1)]))
    #expect(clip.audio == .muted && clip.loop == nil)
    #expect(clip.audioEffects.map(\.processor) == ["avfilter.aecho", "org.example.x"])
    #expect(clip.audioEffects.map(\.parameters) == [["delays": .string("60|80")], ["gain": .integer(2)]])
  }

  @Test func loopAndFill_areRead() throws {
    func clip(_ keys: String) throws -> TimelineClip {
      let text = """
        { version: 1, assets: { a: { generate: "bars", tone: 440, duration: "2s" } },
          tracks: [{ clips: [{ asset: "a", \(keys) }] }, { clips: [{ asset: "a" }] }] }
        """
      return try ProjectFile(text).timeline(catalog: MediaCatalog()).tracks[0].clips[0]
    }
    #expect(try clip("loop: 3").loop == .count(3))
    #expect(try clip("loop: true, duration: '7s'").loop == .untilEnd)
    #expect(try clip("loop: false").loop == nil)
    let fill = try clip("loop: true, duration: 'fill'")
    #expect(fill.length == .fill && fill.loop == .untilEnd)
  }

  @Test func track_everyKey_isRead() throws {
    let audio = try timeline(
      track: """
        volume: "-6dB", fadeIn: "1s", fadeOut: { duration: "2s" }, pan: 0.5, mute: true, audioEffects: [{ use: "avfilter.highpass" }],
        duck: { tracks: ["music"], by: "15dB", threshold: "-30dB", attack: "100ms", hold: "1s", release: "5f" },
        """
    ).tracks[0].audio
    #expect(audio.fadeIn == AudioFade(.seconds(1)) && audio.fadeOut == AudioFade(.seconds(2)))
    #expect(audio.pan == .constant(0.5) && audio.isMuted && audio.effects == [.init("avfilter.highpass")])
    let ducking = try #require(audio.ducking)
    #expect(ducking.tracks == ["music"] && ducking.reduction == 15 && ducking.trigger == .level(-30))
    #expect(ducking.attack == .seconds(0.1) && ducking.hold == .seconds(1) && ducking.release == .seconds(0.2))
    #expect(try timeline(track: "duck: {},").tracks[0].audio.ducking == TrackDucking())
    #expect(try timeline(track: "duck: { while: 'clips' },").tracks[0].audio.ducking?.trigger == .segments)
  }

  @Test func output_everyKey_isRead() throws {
    let audio = try timeline(
      output: """
        codec: "pcm-s16", volume: 0.5, fadeIn: "1s", fadeOut: "2s", mute: true, effects: [{ use: "avfilter.acompressor" }],
        loudness: "-14LUFS", limiter: { ceiling: "-2dB" }, downmix: "normalized"
        """
    ).audio
    #expect(audio.volume == .constant(0.5) && audio.isMuted && audio.effects == [.init("avfilter.acompressor")])
    #expect(audio.fadeIn == AudioFade(.seconds(1)) && audio.fadeOut == AudioFade(.seconds(2)))
    #expect(audio.loudness == LoudnessTarget(integrated: -14) && audio.limiting == .on(ceiling: -2))
    #expect(audio.downmix == .normalized)
    #expect(try timeline(output: "loudness: -23, limiter: false").audio.limiting == .off)
    #expect(try timeline(output: "limiter: true").audio.limiting == .on(ceiling: -1))
    #expect(try timeline().audio == TimelineAudio())
    let silent = try ProjectFile(Self.text().replacing("audio: {  }", with: "audio: false"))
    #expect(try silent.timeline(catalog: MediaCatalog()).audio == TimelineAudio())
  }

  @Test(arguments: ["dissolve", "wipe-left"], AudioCrossFade.allCases)
  func transition_audio_isRead(_ type: String, _ audio: AudioCrossFade) throws {
    let text = """
      { version: 1, assets: { a: { generate: "bars", tone: 440 } }, tracks: [{ clips: [{ asset: "a", duration: "2s" },
        { asset: "a", duration: "2s", transition: { type: "\(type)", duration: "1s", audio: "\(audio.rawValue)" } }] }] }
      """
    #expect(try ProjectFile(text).timeline(catalog: MediaCatalog()).tracks[0].clips[1].transition?.audio == audio)
  }

  /// Key, value, what the message says. Each is reported with line, column and key path.
  static let mistakes: [(where: String, key: String, value: String, message: String)] = [
    ("clip", "volume", "NaN", "finite"), ("clip", "volume", "-1", "outside"), ("clip", "volume", "1e300", "outside"),
    ("clip", "volume", "'-6db'", "not a volume"), ("clip", "volume", "'-6'", "not a volume"),
    ("clip", "volume", "'-infdB'", "not a volume"), ("clip", "volume", "'99dB'", "outside"),
    ("clip", "volume", "'nandB'", "not a volume"), ("clip", "volume", "'1e999dB'", "not a volume"),
    ("clip", "volume", "[]", "needs one"), ("clip", "volume", "true", "Expected"), ("clip", "pan", "1.01", "outside"),
    ("clip", "pan", "Infinity", "finite"), ("clip", "pan", "'left'", "Expected"),
    ("clip", "fadeIn", "'-1s'", "negative time"), ("clip", "fadeIn", "2", "no unit"), ("clip", "fadeIn", "'11s'", "only 10"),
    ("clip", "fadeOut", "'99999999999s'", "only 10"), ("clip", "fadeOut", "'1/0'", "not a time"),
    ("clip", "mute", "1", "true or false"), ("clip", "loop", "0", "outside"), ("clip", "loop", "'yes'", "Expected"),
    ("clip", "audioEffects", "[{ use: 'x', a: 1, parameters: { a: 1 } }]", "twice"),
    ("clip", "audioEffects", "[{}]", "missing"), ("track", "volume", "-0.1", "outside"),
    ("track", "fadeIn", "'11s'", "only 10"),
    ("track", "duck", "{ by: 12 }", "has a unit"), ("track", "duck", "{ by: '-12dB' }", "outside"),
    ("track", "duck", "{ tracks: [] }", "empty"), ("track", "duck", "{ tracks: ['musik'] }", "no track"),
    ("track", "duck", "{ while: 'speaking' }", "not possible"),
    ("track", "duck", "{ while: 'clips', threshold: '-40dB' }", "nothing"),
    ("track", "duck", "{ attack: '2h' }", "not a time"), ("track", "duck", "{ release: '999999s' }", "not possible"),
    ("output", "loudness", "0", "outside"), ("output", "loudness", "'-14dB'", "not a loudness"),
    ("output", "loudness", "NaN", "finite"), ("output", "limiter", "{ ceiling: '1dB' }", "outside"),
    ("output", "limiter", "{ ceiling: -1 }", "has a unit"), ("output", "downmix", "'full'", "not possible"),
    ("output", "fadeOut", "'11s'", "only 10"), ("output", "volume", "'loud'", "not a volume"),
  ]

  @Test(arguments: mistakes.indices) func mistake_isToldAtItsPlace(_ index: Int) throws {
    let mistake = Self.mistakes[index]
    let key = "\(mistake.key): \(mistake.value)"
    let (text, path) =
      switch mistake.where {
      case "clip": (Self.text(clip: key), "tracks[0].clips[0].\(mistake.key)")
      case "track": (Self.text(track: key + ","), "tracks[0].\(mistake.key)")
      default: (Self.text(output: key), "output.audio.\(mistake.key)")
      }
    let error = try #require(throws: CompositorError.self) {
      _ = try ProjectFile(text, name: "p.json5").edit(catalog: MediaCatalog())
    }
    #expect(error.location.path?.hasPrefix(path) == true && error.message.contains(mistake.message), "\(error)")
    #expect(error.location.place?.hasPrefix("p.json5:") == true, "\(error)")
  }

  /// A number without its unit is meant as it is: what is advised is the author's own number, with the sign that the key needs.
  @Test(arguments: [
    ("by", "12", "12dB"), ("by", "6.5", "6.5dB"), ("by", "'-12dB'", "12dB"), ("threshold", "-40", "-40dB"),
    ("threshold", "40", "-40dB"), ("threshold", "'30dB'", "-30dB"),
  ])
  func level_withoutUnitOrSign_isAdvisedWithBoth(_ key: String, _ written: String, _ level: String) throws {
    func edit(_ value: String) throws -> Edit {
      let track = "duck: { tracks: ['music'], \(key): \(value) },"
      return try ProjectFile(Self.text(track: track), name: "p.json5").edit(catalog: MediaCatalog())
    }
    let error = try #require(throws: CompositorError.self) { _ = try edit(written) }
    #expect(error.recoverySuggestion == "Write \"\(level)\".", "\(error)")
    #expect(try !edit("'\(level)'").audioMix.ducking.isEmpty)
  }

  /// Times that no movie has are no reason to fall over.
  @Test func hugeTimes_areLaidOut() throws {
    let far = "99999999999999s"
    for easing in ["steps(4)", "ease-in", "linear"] {
      let clip = "volume: [{ at: 0, value: 0, easing: '\(easing)' }, { at: '\(far)', value: 1 }]"
      _ = try ProjectFile(Self.text(clip: clip)).edit(catalog: MediaCatalog())
      let long = Self.text(clip: clip + ", fadeOut: { duration: '1s', easing: 'equal-power' }").replacing(
        "\"10s\"", with: "\"\(far)\"")
      let edit = try ProjectFile(long).edit(catalog: MediaCatalog())
      #expect(try #require(edit.audioMix.inputParameters.first).volume.ramps.count < 1000)
    }
  }

  @Test func audioAlone_isAProject() throws {
    let text = """
      { version: 1, assets: { a: { generate: "bars", tone: 440, duration: "10s" } },
        tracks: [{ clips: [{ asset: "a", video: false, duration: "2s" }, { asset: "a", video: false, transition: { duration: "1s" } }] }] }
      """
    let catalog = MediaCatalog()
    let project = try ProjectFile(text)
    let edit = try project.edit(catalog: catalog)
    #expect(edit.composition.tracks(.video).isEmpty && edit.composition.duration == .seconds(11))
    #expect(edit.videoComposition.renderSize == PixelSize(width: 1920, height: 1080))
    let lanes = edit.composition.tracks(.audio)
    #expect(lanes.count == 2 && edit.audioMix.inputParameters.map(\.trackID) == lanes.map(\.trackID))
    // Without pictures nothing is rounded to frames.
    #expect(lanes[1].segments[1].timeMapping.target.start == .seconds(1))
  }

  @Test func explanation_saysWhatBecomesOfTheAudio() throws {
    let text = Self.text(
      clip:
        "fadeIn: { duration: '2s', easing: 'equal-power' }, volume: '-6dB', pan: -0.5, audioEffects: [{ use: 'avfilter.aecho', delays: 60 }]",
      track: "duck: { tracks: ['music'] },", output: "volume: 0.5, loudness: -14, limiter: { ceiling: '-2dB' }, fadeOut: '1s'")
    let catalog = MediaCatalog()
    let edit = try ProjectFile(text).edit(catalog: catalog)
    var plain = edit
    // Whether there is such an effect is not what this is about.
    for index in plain.audioMix.inputParameters.indices { plain.audioMix.inputParameters[index].processors = [] }
    var explanation = try EditExplanation(try CompositionValidator.validate(plain, catalog: catalog).get())
    explanation.audio = AudioExplanation(edit.audioMix)
    for line in [
      "volume of track 3   silent at 0 s, -6 dB at 2 s", "pan of track 3   -0.5 at 0 s",
      "audio of track 3   through avfilter.aecho (delays: 60), 0 s to 10 s",
      "ducking   track 4 12 dB lower while track 3 is above -40 dBFS",
      "in 0.2 s, held for 0.5 s, back in 0.8 s", "volume of the mix   -6 dB at 0 s, -6 dB at 9 s, silent at 10 s",
      "loudness   brought to -14 LUFS", "limiter   on, true peaks stay below -2 dBTP",
    ] { #expect(explanation.description.contains(line), "\(line)\n\(explanation)") }
    let json = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
    #expect(json.contains("\"loudness\":-14") && json.contains("\"reduction\":12"))
  }
}
