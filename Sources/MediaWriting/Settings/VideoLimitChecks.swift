import CompositorAPI

extension VideoEncodingSettings {
  /// The valid numbers of consecutive B-frames.
  static let bFrameCounts = 0...16

  /// Checks profile, level, B-frames and rate limits against the codec.
  ///
  /// - Throws: `.unsupportedOutput`, located at a path such as `video.level`.
  func validateLimits() throws(CompositorError) {
    try validateProfile()
    let settings: [(isSet: Bool, name: String)] = [
      (level != nil, "level"), (maximumBFrameCount != nil, "maximumBFrameCount"), (maximumBitRate != nil, "maximumBitRate"),
      (bufferSize != nil, "bufferSize"),
    ]
    if let stray = settings.first(where: \.isSet), ![.h264, .hevc].contains(codec) || encoder != .software {
      throw refusal(
        "\(stray.name) is for h264 and hevc in software.", "Leave it out, or choose one of these codecs.", at: stray.name)
    }
    if let level, LevelLimits(level, of: codec) == nil {
      throw refusal("\(codec.rawValue) has no level \(level).", "Use one such as 4.1, or leave it out.", at: "level")
    }
    if let maximumBFrameCount, !Self.bFrameCounts.contains(maximumBFrameCount) {
      throw refusal(
        "There cannot be \(maximumBFrameCount) consecutive B-frames.", "Use \(Self.bFrameCounts.readable).",
        at: "maximumBFrameCount")
    }
    try validateRateLimits()
  }

  private func validateProfile() throws(CompositorError) {
    guard let h264Profile else { return }
    guard codec == .h264, encoder == .software else {
      throw refusal("h264Profile is for h264 in software.", "Leave it out, or choose h264.", at: "h264Profile")
    }
    guard quality != .constant(0) else {
      throw refusal(
        "H.264 of quality 0 is lossless, which the profile \(h264Profile.rawValue) isn't.", "Use a quality of 1 or more.",
        at: "h264Profile")
    }
    guard h264Profile != .baseline || (maximumBFrameCount ?? 0) == 0 else {
      throw refusal("The baseline profile has no B-frames.", "Use the main profile, or no B-frames.", at: "h264Profile")
    }
  }

  private func validateRateLimits() throws(CompositorError) {
    guard let maximumBitRate else {
      guard bufferSize == nil else {
        throw refusal("A buffer needs a rate at which it is filled.", "Set maximumBitRate, too.", at: "bufferSize")
      }
      return
    }
    for (value, name) in [(maximumBitRate, "maximumBitRate"), (bufferSize ?? maximumBitRate, "bufferSize")]
    where !Self.bitRates.contains(value) {
      throw refusal("\(name) is \(value).", "Use \(Self.bitRates.readable).", at: name)
    }
    if case .bitRate(let rate) = quality, rate > maximumBitRate {
      throw refusal(
        "The average bit rate of \(rate) exceeds the maximum of \(maximumBitRate).", "Use a lower average.",
        at: "maximumBitRate")
    }
    if let level, let limit = LevelLimits(level, of: codec)?.bitRate, maximumBitRate > limit {
      throw refusal(
        "Level \(level) allows \(limit) bits a second at most, not \(maximumBitRate).", "Use a lower rate, or a higher level.",
        at: "maximumBitRate")
    }
  }

  private func refusal(_ message: String, _ recoverySuggestion: String, at key: String) -> CompositorError {
    CompositorError(
      .unsupportedOutput, message, recoverySuggestion: recoverySuggestion, at: ErrorLocation(path: "video.\(key)"))
  }
}

extension VideoTrackDescription {
  /// Checks that frames of this size and rate keep the limits of the level.
  ///
  /// - Throws: `.unsupportedOutput`.
  func validateLevel() throws(CompositorError) {
    guard let level = encoding.level, let limits = LevelLimits(level, of: encoding.codec),
      !limits.hold(size, at: timing.nominalFrameRate, in: encoding.codec)
    else { return }
    throw CompositorError(
      .unsupportedOutput,
      "Level \(level) of \(encoding.codec.rawValue) doesn't allow \(timing.nominalFrameRate.plain) frames of \(size) a second.",
      recoverySuggestion: "Use a higher level, a smaller size or a lower rate.", at: ErrorLocation(path: "video.level"))
  }
}
