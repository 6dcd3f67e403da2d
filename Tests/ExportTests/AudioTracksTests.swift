import CompositorAPI
import CompositorAudio
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import CompositorTestMedia
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Mixes of chosen tracks, for movies with several audio tracks.
@Suite struct AudioTracksTests {
  private static func source(tone: Double) -> MediaSource {
    .generated(
      GeneratedSource(
        pattern: .clock, size: PixelSize(width: 64, height: 48), frameRate: 25, duration: .seconds(2), toneFrequency: tone))
  }

  /// A movie whose audio is a tone of 440 Hz, with a disabled track of 1000 Hz beside it.
  private static func composition() throws -> (ValidatedComposition, first: TrackID, second: TrackID) {
    let catalog = MediaCatalog()
    var movie = Timeline()
    movie.append(source(tone: 440))
    var edit = try movie.edit(catalog: catalog)
    let first = try #require(edit.composition.tracks(.audio).first?.trackID)
    let second = edit.composition.addTrack(.audio)
    let whole = TimeRange(start: .zero, end: .seconds(2))
    try edit.composition.setSegments(
      [CompositionTrackSegment(source: source(tone: 1000), timeMapping: TimeMapping(source: whole, target: whole))],
      ofTrack: second)
    try edit.composition.setEnabled(false, ofTrack: second)
    return (try CompositionValidator.validate(edit, catalog: catalog, registry: .builtIn).get(), first, second)
  }

  private static func samples(_ mixer: AudioMixer, _ count: Int, portion: Int) throws -> [Float] {
    let block = AudioBlock(channelCount: 2, capacity: portion)
    var found: [Float] = []
    while found.count < count {
      let step = min(portion, count - found.count)
      try mixer.mix(step, into: block)
      found += UnsafeBufferPointer(start: block.channels[0], count: step)
    }
    return found
  }

  @Test func audio_ofChosenTracks_isEachTrackAlone_andTheirSum() throws {
    let (composition, first, second) = try Self.composition()
    let mix = try #require(composition.audio())
    let (a, b) = (try composition.audio(tracks: [first]), try composition.audio(tracks: [second]))
    let both = try composition.audio(tracks: [first, second])
    let alone = try Self.samples(a, 48_000, portion: 4096)
    let other = try Self.samples(b, 48_000, portion: 1000)
    #expect(try Self.samples(mix, 48_000, portion: 333) == alone)
    #expect(try Self.samples(both, 48_000, portion: 4096) == zip(alone, other).map(+))
    #expect(alone != other && alone.contains { $0 != 0 } && other.contains { $0 != 0 })
    #expect(try Self.samples(composition.audio(tracks: []), 100, portion: 100).allSatisfy { $0 == 0 })
  }

  @Test func audio_pulledInAnyOrder_dependsOnNoOtherMixer() async throws {
    let (composition, first, second) = try Self.composition()
    let expected = try [first, second].map {
      try Self.samples(composition.audio(tracks: [$0]), 48_000, portion: 48_000)
    }
    // In turns, one ahead of the other by half a second.
    let (a, b) = (try composition.audio(tracks: [first]), try composition.audio(tracks: [second]))
    var found = [try Self.samples(a, 24_000, portion: 24_000), []]
    for _ in 0..<24 {
      found[1] += try Self.samples(b, 2000, portion: 777)
      found[0] += try Self.samples(a, 1000, portion: 1000)
    }
    #expect(found == expected)
    // At the same time.
    let parallel = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
      for (index, track) in [first, second].enumerated() {
        group.addTask { (index, try Self.samples(composition.audio(tracks: [track]), 48_000, portion: 480)) }
      }
      return try await group.reduce(into: [[Float]](repeating: [], count: 2)) { $0[$1.0] = $1.1 }
    }
    #expect(parallel == expected)
  }

  @Test func audio_ofATrackThatIsNone_isRefused() throws {
    let (composition, first, _) = try Self.composition()
    let video = try #require(composition.edit.composition.tracks(.video).first?.trackID)
    for wrong in [video, 4711] {
      let error = #expect(throws: CompositorError.self) { _ = try composition.audio(tracks: [first, wrong]) }
      #expect(error?.code == .invalidTrackID && error?.location.track == wrong)
    }
  }

  @Test(.enabled(if: hasFFmpeg)) func sink_twoMixers_writeTwoTracks() async throws {
    let folder = try TemporaryFolder()
    let (composition, first, second) = try Self.composition()
    let frames = try composition.frames()
    let description = frames.movie(
      .mov,
      audioTracks: [first, second].enumerated().map {
        AudioTrackDescription(encoding: AudioEncodingSettings(codec: .pcmFloat32), language: ["en", "de"][$0.offset])
      })
    let writer = try MovieWriter(description, path: folder.file("two.mov"))
    let mixers = [try composition.audio(tracks: [first]), try composition.audio(tracks: [second])]
    let block = AudioBlock(channelCount: 2, capacity: 1000)
    for try await rendered in frames {
      try writer.append(rendered.frame, at: rendered.time, duration: rendered.duration)
      for (track, mixer) in mixers.enumerated() {
        while writer.missingAudioSampleCount(track: track) > 0 {
          let count = Int(min(1000, writer.missingAudioSampleCount(track: track)))
          try mixer.mix(count, into: block)
          try writer.append(block, count: count, track: track)
        }
      }
    }
    #expect(try writer.finish().audioSampleCounts == [96_000, 96_000])
    for (index, track) in [first, second].enumerated() {
      let read = AudioBlock(channelCount: 2, capacity: 96_000)
      try MediaOpener.openAudio(.file(path: folder.file("two.mov")), trackIndex: index)
        .read(frameCount: 96_000, at: 0, into: read.channels)
      let expected = try Self.samples(composition.audio(tracks: [track]), 96_000, portion: 96_000)
      #expect(Array(UnsafeBufferPointer(start: read.channels[0], count: 96_000)) == expected)
    }
    #expect(try MediaProbe.probe(.file(path: folder.file("two.mov"))).audioTracks.map(\.language) == ["en", "de"])
  }
}
