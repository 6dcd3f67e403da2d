package import CompositorAPI

extension VideoEncodingSettings.Codec {
  /// Whether the codec has settings for bit rate, speed and two passes.
  public var hasRateControl: Bool { [.h264, .hevc, .av1, .vp9].contains(self) }

  /// Whether the codec encodes animated images: R, G, B without audio.
  public var isAnimation: Bool { self == .gif || self == .webp }

  /// Whether the encoder has threads of its own.
  package var hasThreads: Bool { ![.gif, .webp, .raw].contains(self) }

  /// Names of the codecs with rate control, for messages.
  package static var namesWithRateControl: String {
    allCases.filter(\.hasRateControl).map(\.rawValue).joined(separator: ", ")
  }

  /// The range of constant quality; `nil` if the codec has no such setting.
  package var qualityRange: ClosedRange<Double>? {
    switch self {
    case .h264, .hevc: 0...51
    case .av1, .vp9: 0...63
    case .proRes: 1...31
    case .webp: 0...100
    case .ffv1, .dnxhr, .gif, .raw: nil
    }
  }
}

extension VideoEncodingSettings {
  /// Checks quality, rate, key frame interval, passes, animation, threads and encoder against the codec.
  ///
  /// - Throws: `.unsupportedOutput` for settings that the codec does not support.
  package func validateRanges() throws(CompositorError) {
    try validateQuality()
    try validateKeyFrames()
    try validatePasses()
    try validateLimits()
    try animation.validate()
    if let threadCount, !Self.threadCounts.contains(threadCount) {
      throw refusal("An encoder cannot run on \(threadCount) threads.", "Use \(Self.threadCounts.readable).")
    }
    if encoder != .software, encoderName == nil {
      throw refusal(
        "No encoder of \(encoder.rawValue) makes \(codec.rawValue).", "Use h264, hevc or av1, or the software encoder.",
        at: "video.encoder")
    }
  }

  /// Checks that the settings of animated images are those of this codec. An encoder would ignore the others.
  ///
  /// - Throws: `.unsupportedOutput`, located at a path such as `video.lossless`.
  package func validateAnimation() throws(CompositorError) {
    if animation.isLossless, codec != .webp {
      throw refusal(
        "lossless is for webp, but the codec is \(codec.rawValue).", "Leave it out, or choose webp, or ffv1 for a movie.",
        at: "video.lossless")
    }
    let usual = AnimationSettings()
    let stray = animation.palette != usual.palette ? "palette" : animation.dithering != usual.dithering ? "dithering" : nil
    if let stray, codec != .gif {
      throw refusal(
        "\(stray) is for gif, but the codec is \(codec.rawValue).", "Leave it out, or choose gif.", at: "video.\(stray)")
    }
    if animation.playCount != nil, !codec.isAnimation {
      throw refusal(
        "playCount is for gif and webp, but the codec is \(codec.rawValue).", "Leave it out, or choose gif or webp.",
        at: "video.playCount")
    }
  }

  private func validateQuality() throws(CompositorError) {
    switch quality {
    case .automatic: break
    case .constant(let value):
      guard let range = codec.qualityRange else {
        throw refusal(
          "\(codec.rawValue) has no quality to choose.", "Leave the quality out\(codec.advice).", at: "video.quality")
      }
      guard range.contains(value) else {
        let shown = Int(exactly: value).map(String.init) ?? "\(value)"
        throw refusal(
          "There is no quality \(shown) of \(codec.rawValue).",
          "Use \(Int(range.lowerBound)) to \(Int(range.upperBound)); \(codec == .webp ? "larger" : "smaller") is better.",
          at: "video.quality")
      }
    case .bitRate(let rate):
      guard codec.hasRateControl else {
        throw refusal(
          "\(codec.rawValue) has no bit rate to choose.", "Leave the bit rate out\(codec.advice).", at: "video.bitRate")
      }
      guard Self.bitRates.contains(rate) else {
        throw refusal(
          "Video cannot be encoded at \(rate) bits a second.", "Use \(Self.bitRates.readable).", at: "video.bitRate")
      }
    }
  }

  private func validateKeyFrames() throws(CompositorError) {
    if let keyFrameInterval, !Self.keyFrameIntervals.contains(keyFrameInterval) {
      throw refusal(
        "Key frames cannot be \(keyFrameInterval) frames apart.", "Use \(Self.keyFrameIntervals.readable).",
        at: "video.keyFrameInterval")
    }
    if let keyFrameDuration, !keyFrameDuration.isNumeric || keyFrameDuration.timescale <= 0 || keyFrameDuration <= .zero {
      throw refusal(
        "Key frames cannot be \(keyFrameDuration.readable) apart.", "Use a positive time, such as 2 s.",
        at: "video.keyFrameInterval")
    }
  }

  private func validatePasses() throws(CompositorError) {
    guard isTwoPass else { return }
    guard codec.hasRateControl, encoder == .software else {
      throw refusal(
        "Two passes are for \(Codec.namesWithRateControl) in software.", "Leave the two passes out, or choose another codec.",
        at: "video.twoPass")
    }
    guard case .bitRate = quality else {
      throw refusal(
        "Two passes need a bit rate to reach.", "Give a bit rate, or leave the two passes out.", at: "video.twoPass")
    }
  }

  private func refusal(_ message: String, _ recoverySuggestion: String, at path: String? = nil) -> CompositorError {
    CompositorError(
      .unsupportedOutput, message, recoverySuggestion: recoverySuggestion, at: ErrorLocation(path: path))
  }
}

extension VideoEncodingSettings.Codec {
  /// What to do instead of choosing a quality or a rate.
  fileprivate var advice: String {
    switch self {
    case .proRes, .dnxhr: ", and choose a profile"
    case .ffv1, .raw: ": it is lossless"
    case .gif: ", and choose palette and dithering"
    case .h264, .hevc, .av1, .vp9, .webp: ""
    }
  }
}
