import Compositor
import CompositorAPI
import CompositorMedia
import CompositorTimeline
import Testing

/// A timeline has the same diagnostics as a value and as a project, including those about what its edit doesn't contain.
@Suite struct TimelineCheckTests {
  /// One timeline, written twice.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// What follows the assets of the project.
    let project: String
    /// The same as a value.
    let timeline: @Sendable (inout Timeline) -> Void
    /// The expected codes and key paths.
    let expected: [String]

    var testDescription: String { name }
  }

  private static func source(_ pattern: GeneratedSource.Pattern, tone: Double?) -> MediaSource {
    .generated(
      GeneratedSource(pattern: pattern, size: PixelSize(width: 64, height: 36), frameRate: 25, toneFrequency: tone))
  }

  /// Two seconds with a tone, and without audio.
  static let heard = TimelineClip(source(.clock, tone: 440), duration: .seconds(2))
  static let silent = TimelineClip(source(.bars, tone: nil), duration: .seconds(2))

  static let cases = [
    Case(
      name: "keyframes after the end",
      project: """
        tracks: [{ clips: [{ asset: 'a', duration: '2s', opacity: [{ at: '5s', value: 1 }, { at: '9s', value: 0.5 }] }] }]
        """,
      timeline: { timeline in
        var clip = heard
        clip.opacity = .keyframes([Keyframe(time: .seconds(5), value: 1), Keyframe(time: .seconds(9), value: 0.5)])
        timeline.tracks = [TimelineTrack(clips: [clip])]
      },
      expected: ["rampOutsideRange tracks[0].clips[0].opacity[0].at"]),
    Case(
      name: "ducking of nothing", project: "tracks: [{ clips: [{ asset: 'a', duration: '2s' }], duck: {} }]",
      timeline: { timeline in
        timeline.tracks = [TimelineTrack(clips: [heard])]
        timeline.tracks[0].audio.ducking = TrackDucking()
      },
      expected: ["invalidVolume tracks[0].duck"]),
    Case(
      name: "audio that no output plays",
      project: """
        output: { audioTracks: [{ tracks: ['A'] }] },
        tracks: [{ name: 'A', clips: [{ asset: 'a', duration: '2s' }] },
          { name: 'B', clips: [{ asset: 'a', duration: '2s', video: false }] }]
        """,
      timeline: { timeline in
        var clip = heard
        clip.showsVideo = false
        timeline.tracks = [TimelineTrack(name: "A", clips: [heard]), TimelineTrack(name: "B", clips: [clip])]
        timeline.audioTracks = [TimelineAudioTrack(tracks: [0])]
      },
      expected: ["unusedTrack tracks[1]"]),
    Case(
      name: "settings of audio without audio",
      project: "tracks: [{ clips: [{ asset: 'mute', duration: '2s', fadeIn: '1s', pan: 0.5 }] }]",
      timeline: { timeline in
        var clip = silent
        (clip.fadeIn, clip.pan) = (AudioFade(.seconds(1)), .constant(0.5))
        timeline.tracks = [TimelineTrack(clips: [clip])]
      },
      expected: ["effectUnchanging tracks[0].clips[0].fadeIn", "effectUnchanging tracks[0].clips[0].pan"]),
    Case(
      name: "settings of video without video",
      project: """
        tracks: [{ clips: [{ asset: 'a', duration: '2s' }] }, { clips: [{ asset: 'a', duration: '2s', video: false, opacity: 0.5 }] }]
        """,
      timeline: { timeline in
        var clip = heard
        (clip.showsVideo, clip.opacity) = (false, .constant(0.5))
        timeline.tracks = [TimelineTrack(clips: [heard]), TimelineTrack(clips: [clip])]
      },
      expected: ["effectUnchanging tracks[1].clips[0].opacity"]),
    Case(
      name: "times shorter than a frame",
      project: """
        tracks: [{ clips: [{ asset: 'a', duration: '2s' }] }],
        effects: [{ use: 'gaussian-blur', radius: 2, at: '0.01s', duration: '0.01s' }]
        """,
      timeline: { timeline in
        timeline.tracks = [TimelineTrack(clips: [heard])]
        let blur = TimelineEffectUse("builtin.gaussian-blur", parameters: ["radius": .number(2)])
        let range = TimeRange(start: .seconds(0.01), duration: .seconds(0.01))
        timeline.effects = [TimelineEffect(timeRange: range, effect: blur)]
      },
      expected: ["shorterThanFrame effects[0]"]),
  ]

  @Test(arguments: cases)
  func timeline_hasTheDiagnosticsOfTheProject(_ example: Case) async throws {
    let text = """
      { version: 1, assets: { a: { generate: 'clock', size: '64x36', frameRate: 25, tone: 440 },
          mute: { generate: 'bars', size: '64x36', frameRate: 25 } },
        \(example.project) }
      """
    let loaded = ProjectLoader(catalog: MediaCatalog()).load(try ProjectFile(text))
    #expect(loaded.editFailure == nil)
    let ofProject = loaded.diagnostics.map { "\($0.diagnostic.code) \($0.diagnostic.path ?? "")" }
    var timeline = Timeline()
    example.timeline(&timeline)
    let ofValue = await timeline.validate()
    #expect(ofValue.map { "\($0.code) \($0.path ?? "")" } == example.expected)
    #expect(ofProject == example.expected)
    #expect(ofValue.map(\.message) == loaded.diagnostics.map(\.diagnostic.message))
  }
}
