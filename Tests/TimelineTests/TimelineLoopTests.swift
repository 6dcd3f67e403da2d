import CompositorAPI
import CompositorHost
import CompositorTimeline
import CompositorTestMedia
import Testing

/// Clips that play again and again, and clips that last as long as everything else.
@Suite struct TimelineLoopTests {
  typealias Support = ProjectTimelineTests

  /// 2.5 s of audio from 0.25 s on.
  private static let song = ClipMedia(
    picture: nil, hasAudio: true, audioStart: .seconds(0.25), audioEnd: MediaTime(value: 11, timescale: 4))

  private func edit(_ song: TimelineClip, _ others: [TimelineClip] = []) throws -> Edit {
    try Support.timeline([TimelineTrack(clips: others), TimelineTrack(name: "music", clips: [song])])
      .edit { $0.source == .file(path: "song") ? Self.song : Support.media() }
  }

  private func song(_ loop: ClipLoop?, _ change: (inout TimelineClip) -> Void = { _ in }) -> TimelineClip {
    var clip = TimelineClip(.file(path: "song"))
    clip.loop = loop
    change(&clip)
    return clip
  }

  /// Segments as source and target times in seconds.
  private func segments(_ edit: Edit, _ type: MediaType = .audio) throws -> [[Double]] {
    try #require(edit.composition.tracks(type).last).segments.map {
      let mapping = $0.timeMapping
      return [mapping.source.start, mapping.source.end, mapping.target.start, mapping.target.end].map(\.seconds)
    }
  }

  @Test func count_playsThatOftenWithoutAGap() throws {
    let edit = try edit(song(.count(3)))
    #expect(try segments(edit) == [[0.25, 2.75, 0, 2.5], [0.25, 2.75, 2.5, 5], [0.25, 2.75, 5, 7.5]])
    #expect(edit.composition.duration == .seconds(7.5))
  }

  @Test func untilEnd_isCutWhereTheDurationIsOver() throws {
    let edit = try edit(song(.untilEnd) { ($0.duration, $0.sourceStart) = (.seconds(4), .seconds(1)) })
    #expect(try segments(edit) == [[1, 2.75, 0, 1.75], [1, 2.75, 1.75, 3.5], [1, 1.5, 3.5, 4]])
    let fast = try self.edit(song(.untilEnd) { ($0.duration, $0.speed) = (.seconds(2), .constant(Rational(2, 1))) })
    #expect(try segments(fast) == [[0.25, 2.75, 0, 1.25], [0.25, 1.75, 1.25, 2]])
  }

  @Test func fill_lastsAsLongAsTheOthers() throws {
    let movie = [Support.clip("a"), Support.clip("b", transition: .dissolve(.seconds(1)))]
    let looped = try edit(song(.untilEnd) { $0.length = .fill }, movie)
    #expect(looped.composition.duration == .seconds(9))
    #expect(try segments(looped).last == [0.25, 1.75, 7.5, 9] && segments(looped).count == 4)
    // Media that ends earlier ends the clip.
    let once = try edit(song(nil) { ($0.length, $0.start) = (.fill, .seconds(1)) }, movie)
    #expect(try segments(once).last == [0.25, 2.75, 1, 3.5])
    // So does a number of times, or the timeline's end before it.
    let twice = try edit(song(.count(2)) { ($0.length, $0.start) = (.fill, .seconds(6)) }, movie)
    #expect(try segments(twice).last == [0.25, 0.75, 8.5, 9])
  }

  @Test func fill_ofAStill_liesBehindEverything() throws {
    var still = TimelineClip(.file(path: "still"))
    still.length = .fill
    let edit = try Support.timeline([TimelineTrack(clips: [still]), TimelineTrack(clips: [Support.clip("a")])]).edit {
      $0.source == .file(path: "still")
        ? ClipMedia(picture: .init(shape: SourcePlacement(size: Support.canvas), end: nil)) : Support.media()
    }
    #expect(edit.composition.tracks(.video)[0].segments[0].timeMapping.target == .zero ..< .seconds(5))
  }

  /// Pictures and audio of one pass start together, whatever their ends are.
  @Test func loop_ofAMovie_repeatsPicturesAndAudioTogether() throws {
    var clip = Support.clip("a")
    clip.loop = .count(2)
    let edit = try Support.timeline([TimelineTrack(clips: [clip])]).edit { _ in
      ClipMedia(
        picture: .init(shape: SourcePlacement(size: Support.canvas), end: .seconds(2)), hasAudio: true,
        audioEnd: MediaTime(value: 199, timescale: 100))
    }
    #expect(try segments(edit, .video) == [[0, 2, 0, 2], [0, 2, 2, 4]])
    let audio = edit.composition.tracks(.audio)[0].segments
    #expect(audio.map(\.isEmpty) == [false, true, false])
    #expect(audio[2].timeMapping.target == .seconds(2) ..< .seconds(3.99))
  }

  /// Ten minutes of a loop whose length is no multiple of anything: the last pass starts where arithmetic says.
  @Test func loop_ofAnOddLength_doesNotDrift() throws {
    var clip = TimelineClip(.file(path: "a"), duration: .seconds(600))
    clip.loop = .untilEnd
    let length = MediaTime(value: 44_099, timescale: 44_100)
    let edit = try Support.timeline([TimelineTrack(clips: [clip])]).edit { _ in
      ClipMedia(picture: nil, hasAudio: true, audioEnd: length)
    }
    let segments = edit.composition.tracks(.audio)[0].segments
    #expect(segments.count == 601)
    for (index, segment) in segments.enumerated() { #expect(segment.timeMapping.target.start == length * index) }
  }

  @Test(arguments: [
    ("no end", "tracks[0].clips[0]", "needs to know"), ("zero", "tracks[0].clips[0]", "0 times"),
    ("many", "tracks[0].clips[0]", "more than"), ("still", "tracks[0].clips[0]", "A still frame"),
    ("too long", "tracks[0].clips[0]", "has 7.5 s left"),
    ("alone", "tracks[0].clips[0]", "nothing else on the timeline has a length"),
  ])
  func impossible_isRefusedWithItsPlace(_ kind: String, _ path: String, _ reason: String) throws {
    var clip = song(.untilEnd)
    switch kind {
    case "zero": clip.loop = .count(0)
    case "many": (clip.duration, clip.sourceStart) = (.seconds(3000), MediaTime(value: 2749, timescale: 1000))
    case "still": (clip.speed, clip.duration) = (.constant(Rational(0, 1)), .seconds(2))
    case "too long": (clip.loop, clip.duration) = (.count(3), .seconds(9))
    case "alone": clip.length = .fill
    default: break
    }
    let error = try #require(throws: CompositorError.self) {
      _ = try Support.timeline([TimelineTrack(clips: [clip])]).edit { _ in Self.song }
    }
    #expect(error.location.path == path && error.message.contains(reason), "\(error)")
  }

  @Test func fill_beforeAnotherClip_isRefused() throws {
    let filling = song(.untilEnd) { $0.length = .fill }
    let error = try #require(throws: CompositorError.self) { _ = try edit(song(nil), [filling, Support.clip("a")]) }
    #expect(error.location.path == "tracks[0].clips[0]" && error.recoverySuggestion?.contains("last clip") == true, "\(error)")
  }
}
