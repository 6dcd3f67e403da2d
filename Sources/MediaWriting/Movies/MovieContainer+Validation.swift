package import CompositorAPI
package import CompositorMediaIO

extension MovieContainer {
  /// - Parameters:
  ///   - video: The codec of the video; `nil` without video.
  ///   - audio: The codec of an audio track; `nil` without one.
  /// - Throws: `.unsupportedOutput` if the container cannot hold one of the codecs.
  package func validate(
    _ video: VideoEncodingSettings.Codec?, _ audio: AudioEncodingSettings.Codec?
  ) throws(CompositorError) {
    if video != nil, videoCodecs.isEmpty {
      throw CompositorError(
        .unsupportedOutput, "A .\(rawValue) file holds audio only.",
        recoverySuggestion: "Write \(Self.names { $0.canHold(video, audio) }), or leave the video out.")
    }
    if audio != nil, audioCodecs.isEmpty {
      throw CompositorError(
        .unsupportedOutput, "A .\(rawValue) file holds no audio.",
        recoverySuggestion: "Leave the audio out, or write \(Self.names { $0.canHold(nil, audio) && !$0.isAudioOnly }).")
    }
    func refuse(_ codec: String, _ others: [String]) -> CompositorError {
      CompositorError(
        .unsupportedOutput, "A .\(rawValue) file cannot hold \(codec).",
        recoverySuggestion: "Use \(alternatives(others)), or write \(Self.names { $0.canHold(video, audio) }).")
    }
    if let video, !videoCodecs.contains(video) { throw refuse(video.rawValue, videoCodecs.map(\.rawValue)) }
    if let audio, !audioCodecs.contains(audio) { throw refuse(audio.rawValue, audioCodecs.map(\.rawValue)) }
  }

  /// - Throws: `.unsupportedOutput` if the container has no such rate of the codec: in the MPEG-4 family MP3 begins at 16,000.
  func validate(rateOf audio: AudioEncodingSettings) throws(CompositorError) {
    guard audio.codec == .mp3, audio.sampleRate < 16_000, holdsFastStart else { return }
    throw CompositorError(
      .unsupportedOutput, "A .\(rawValue) file cannot hold mp3 of \(audio.sampleRate) samples a second.",
      recoverySuggestion: "Use 16000 or more, or aac, or write .mkv or .mp3.", at: ErrorLocation(path: "audio.sampleRate"))
  }

  private func canHold(_ video: VideoEncodingSettings.Codec?, _ audio: AudioEncodingSettings.Codec?) -> Bool {
    (video.map(videoCodecs.contains) ?? true) && (audio.map(audioCodecs.contains) ?? true)
  }

  static func names(_ isFit: (MovieContainer) -> Bool) -> String {
    alternatives(allCases.filter(isFit).map { ".\($0.rawValue)" })
  }

  /// - Throws: `.unsupportedOutput` if the container has no display matrix and the frames need one.
  func validate(orientation: Orientation) throws(CompositorError) {
    guard orientation != .upright, !holdsTransforms else { return }
    throw CompositorError(
      .unsupportedOutput, "A .\(rawValue) file cannot state that frames are rotated or mirrored.",
      recoverySuggestion: "Write \(Self.names { $0.holdsTransforms && !$0.videoCodecs.isEmpty }), or render the frames upright."
    )
  }

  /// Checks the language, title and metadata of a track.
  ///
  /// - Throws: `.unsupportedOutput` for a value that the container cannot hold.
  func validate(language: String?, title: String?, metadata: [String: String]) throws(CompositorError) {
    if let language { try validate(language: language) }
    if let title {
      guard !isSingleTrack else {
        throw CompositorError(
          .unsupportedOutput, "A .\(rawValue) file has no place for a track's title.",
          recoverySuggestion: "Give the file a title, or write \(Self.names { !$0.isSingleTrack }).")
      }
      try validate(text: title, of: "title", maximumByteCount: 1000)
    }
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      guard holdsAnyTrackMetadata else {
        throw CompositorError(
          .unsupportedOutput, "A .\(rawValue) file has no place for a track's “\(key)”.",
          recoverySuggestion: "Use the title, or write \(Self.names(\.holdsAnyTrackMetadata)).")
      }
      guard !["title", "language"].contains(key.lowercased()) else {
        throw CompositorError(
          .unsupportedOutput, "“\(key)” is not an additional entry of a track.",
          recoverySuggestion: "Set the track's property of this name.")
      }
      try validate(text: key, of: "key", maximumByteCount: 100)
      try validate(text: value, of: key, maximumByteCount: 100_000)
    }
  }

  /// Whether a track can state a language.
  package func holds(language: String) -> Bool { LanguageTag(language)?.code(in: self) != nil }

  /// Whether a file states the range of a codec's frames. Neither QuickTime's color atom nor ProRes can.
  package func statesRange(of codec: VideoEncodingSettings.Codec) -> Bool {
    ![.proRes, .dnxhr].contains(codec) && (codec != .ffv1 || self == .mkv)
  }

  /// Whether a track can have a title.
  package var holdsTrackTitles: Bool { !isSingleTrack && !isAnimation }

  /// Checks that a text is a language.
  ///
  /// - Throws: `.unsupportedOutput`.
  @discardableResult
  package static func validate(language: String) throws(CompositorError) -> LanguageTag {
    if let known = LanguageTag(language) { return known }
    throw CompositorError(
      .unsupportedOutput, "“\(language)” is not a language.",
      recoverySuggestion: "Use a BCP 47 tag such as en, de or pt-BR, or a code of ISO 639 such as deu.")
  }

  private func validate(language: String) throws(CompositorError) {
    let known = try Self.validate(language: language)
    guard known.code(in: self) == nil else { return }
    throw CompositorError(
      .unsupportedOutput, "A .\(rawValue) file has no code for the language “\(language)”.",
      recoverySuggestion: "Write \(Self.names { known.code(in: $0) != nil }), or leave the language out.")
  }

  private func validate(text: String, of name: String, maximumByteCount: Int) throws(CompositorError) {
    guard text.utf8.count <= maximumByteCount, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), !text.isEmpty else {
      throw CompositorError(
        .unsupportedOutput, "The \(name) of a track is empty, longer than \(maximumByteCount) bytes or has control characters.",
        recoverySuggestion: "Use one line of text.")
    }
  }
}

extension LanguageTag {
  /// The container's code for the language; `nil` if it has none.
  func code(in container: MovieContainer) -> String? {
    switch container {
    case .mp4, .m4v, .m4a, .nut: code
    case .mkv, .mka, .webm: bibliographicCode
    case .wav, .flac, .mp3, .opus, .ogg, .gif, .webp, .y4m: nil
    case .mov: quickTimeCode
    }
  }
}
