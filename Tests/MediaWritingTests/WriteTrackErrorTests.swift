import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// What tracks say about themselves, and what containers cannot hold of it.
@Suite struct WriteTrackErrorTests {
  private static func video(_ transform: AffineMatrix = .identity, language: String? = nil) -> VideoTrackDescription {
    VideoTrackDescription(
      size: PixelSize(width: 64, height: 48), format: .yuv420p,
      timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)), preferredTransform: transform, language: language)
  }

  static let refused: [(MovieDescription, path: String?, message: String, suggestion: String)] = [
    (MovieDescription(container: .mp4, audioTracks: []), nil, "neither video nor audio", "at least one track"),
    (
      MovieDescription(container: .mp4, audioTracks: .init(repeating: .init(), count: 33)), nil, "33 audio tracks", "at most 32"
    ),
    (
      MovieDescription(container: .mov, audioTracks: .init(repeating: .init(isDefault: true), count: 2)), nil, "default",
      "one of them"
    ),
    (
      MovieDescription(container: .m4a, video: video()), "video", "audio only",
      "Write .mp4, .mov, .m4v or .mkv, or leave the video out."
    ),
    (
      MovieDescription(container: .mka, video: video(), audio: .init()), "video", "audio only",
      "Write .mp4, .mov, .m4v or .mkv, or leave the video out."
    ),
    (
      MovieDescription(container: .m4a, audioTracks: [.init(), .init(encoding: .init(codec: .pcmInt16))]), "audioTracks[1]",
      "cannot hold pcm-s16", "Use aac or alac, or write .mov, .mkv, .mka, .wav or .nut."
    ),
    (
      MovieDescription(container: .mp4, video: video(), audioTracks: [.init(encoding: .init(codec: .pcmInt16))]),
      "audioTracks[0]", "cannot hold pcm-s16", "Use aac, alac, mp3 or opus, or write .mov or .mkv."
    ),
    (
      MovieDescription(container: .mov, audioTracks: [.init(), .init(encoding: .init(sampleRate: 1))]),
      "audioTracks[1].sampleRate", "1 samples a second", "8000"
    ),
    (
      MovieDescription(container: .mkv, video: video(.rotation(radians: .pi / 2))), "video", "rotated or mirrored",
      "Write .mp4, .mov or .m4v, or render the frames upright."
    ),
    (MovieDescription(container: .mp4, video: video(.rotation(radians: 0.3))), "video", "quarter turns", "Orientation"),
    (MovieDescription(container: .mp4, video: video(.scale(x: 2, y: 2))), "video", "quarter turns", "Orientation"),
    (MovieDescription(container: .mp4, video: video(.scale(x: .nan, y: 1))), "video", "quarter turns", "Orientation"),
    (MovieDescription(container: .mp4, video: video(language: "German")), "video", "not a language", "BCP 47"),
    (MovieDescription(container: .mp4, video: video(language: "xx")), "video", "not a language", "BCP 47"),
    (MovieDescription(container: .mp4, video: video(language: "de_DE")), "video", "not a language", "BCP 47"),
    (
      MovieDescription(container: .mov, audioTracks: [.init(language: "gsw")]), "audioTracks[0]", "no code",
      "Write .mp4, .m4v, .mkv, .webm, .m4a, .mka or .nut, or leave the language out."
    ),
    (
      MovieDescription(container: .mkv, audioTracks: [.init(title: "a\nb")]), "audioTracks[0]", "control characters", "one line"
    ),
    (MovieDescription(container: .mp4, audioTracks: [.init(title: "")]), "audioTracks[0]", "empty", "one line"),
    (
      MovieDescription(container: .mp4, audioTracks: [.init(metadata: ["comment": "x"])]), "audioTracks[0]", "“comment”",
      "Use the title, or write .mkv, .webm, .mka or .nut."
    ),
    (
      MovieDescription(container: .mkv, audioTracks: [.init(metadata: ["Title": "x"])]), "audioTracks[0]", "“Title”", "property"
    ),
    (
      MovieDescription(container: .mov, audioTracks: [.init()], metadata: ["composer": "x"]), nil, "“composer”",
      "Use title, artist, album, date, comment, genre, copyright, location, make, model, or write "
        + ".mkv, .webm, .mka, .flac, .mp3, .opus, .ogg or .nut."
    ),
  ]

  @Test(arguments: refused.indices)
  func validate_whatTheContainerCannotHold_isOneClearError(_ index: Int) throws {
    let (description, path, message, suggestion) = Self.refused[index]
    let folder = try TemporaryFolder()
    let error = #expect(throws: CompositorError.self) { _ = try MovieWriter(description, path: folder.file("x")) }
    #expect(error?.code == .unsupportedOutput && error?.location.path == path && error?.location.file == folder.file("x"))
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    // Sentences that list containers are expected whole: a container too many or too few is a mistake.
    let said = error?.recoverySuggestion ?? ""
    #expect(suggestion.hasSuffix(".") ? said == suggestion : said.contains(suggestion), "\(String(describing: error))")
    #expect(try folder.names.isEmpty)
  }

  @Test func append_toTracksThatAreNotThere_isRefused() throws {
    let folder = try TemporaryFolder()
    let block = AudioBlock(channelCount: 2, capacity: 16)
    let audioOnly = try MovieWriter(MovieDescription(container: .m4a, audioTracks: [.init()]), path: folder.file("a.m4a"))
    #expect(audioOnly.missingAudioSampleCount == 0 && audioOnly.missingAudioSampleCount(track: 7) == 0)
    let frame = patternFrame(.yuv420p, PixelSize(width: 64, height: 48), index: 0)
    let noVideo = #expect(throws: CompositorError.self) {
      try audioOnly.append(frame, at: .zero, duration: MediaTime(value: 1, timescale: 25))
    }
    #expect(noVideo?.code == .invalidValue && noVideo?.message.contains("no video") == true)
    audioOnly.abandon()
    let writer = try MovieWriter(MovieDescription(container: .m4a, audioTracks: [.init()]), path: folder.file("b.m4a"))
    let noTrack = #expect(throws: CompositorError.self) { try writer.append(block, count: 16, track: 1) }
    #expect(noTrack?.code == .invalidValue && noTrack?.message.contains("no audio track 1") == true)
    writer.abandon()
    #expect(try folder.names.isEmpty)
  }

  /// Every language of ISO 639-1, as ICU maps it to three letters, through each container and back.
  @Test(arguments: [MovieContainer.mp4, .m4v, .mov, .mkv])
  func write_everyLanguage_isReadBackOrRefused(_ container: MovieContainer) throws {
    let folder = try TemporaryFolder()
    let codes = Locale.LanguageCode.isoLanguageCodes.map(\.identifier).filter { $0.utf8.count == 2 && $0 != "sh" && $0 != "bh" }
    #expect(codes.count > 150)
    var (held, refusedCount) = ([String](), 0)
    for code in codes {
      let description = MovieDescription(container: container, audioTracks: [.init(language: code)])
      do throws(CompositorError) {
        try description.validate()
        held.append(code)
      } catch {
        #expect(error.message.contains("no code"), "\(code): \(error)")
        refusedCount += 1
      }
    }
    #expect(container == .mov ? held.count >= 80 && refusedCount > 0 : refusedCount == 0)
    for start in stride(from: 0, to: held.count, by: 32) {
      let part = held[start..<min(start + 32, held.count)]
      let path = folder.file("languages.\(container.rawValue)")
      let writer = try MovieWriter(
        MovieDescription(container: container, audioTracks: part.map { AudioTrackDescription(language: $0) }), path: path)
      let block = AudioBlock(channelCount: 2, capacity: 2048)
      for track in 0..<part.count { try writer.append(block, count: 2048, track: track) }
      _ = try writer.finish()
      #expect(try MediaProbe.probe(.file(path: path)).audioTracks.map(\.language) == Array(part))
      guard container == .mp4 || container == .m4v else { continue }
      let alpha3 = part.map { Locale.LanguageCode($0).identifier(.alpha3) }
      #expect(try TrackProbe(path).streams.map { $0.tags?["language"] } == alpha3)
    }
  }
}
