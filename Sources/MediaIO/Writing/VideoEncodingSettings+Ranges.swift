package import CompositorAPI

extension VideoEncodingSettings {
  /// Checks quality, rate, key frame distance and threads against what the codec has.
  ///
  /// - Throws: `.unsupportedOutput` for a number that the codec does not take.
  package func validateRanges() throws(CompositorError) {
    func refuse(_ message: String, _ recoverySuggestion: String) -> CompositorError {
      CompositorError(.unsupportedOutput, message, recoverySuggestion: recoverySuggestion)
    }
    switch (codec, quality) {
    case (_, .automatic): break
    case (.h264, .constant(let factor)), (.hevc, .constant(let factor)):
      guard (0...51).contains(factor) else { throw refuse("There is no quality \(factor).", "Use a rate factor of 0 to 51.") }
    case (.av1, .constant(let factor)):
      guard (0...63).contains(factor) else { throw refuse("There is no quality \(factor).", "Use a rate factor of 0 to 63.") }
    case (.proRes, .constant(let scale)):
      guard (1...31).contains(scale) else { throw refuse("There is no quality \(scale).", "Use a scale of 1 to 31.") }
    case (.h264, .bitRate(let rate)), (.hevc, .bitRate(let rate)), (.av1, .bitRate(let rate)):
      guard (1_000...2_000_000_000).contains(rate) else {
        throw refuse("Pictures cannot be encoded at \(rate) bits a second.", "Use 1000 to 2000000000.")
      }
    case (.ffv1, _): throw refuse("FFV1 is lossless: it has no quality to choose.", "Leave the quality out.")
    case (.proRes, .bitRate): throw refuse("ProRes has no bit rate to choose.", "Choose a profile or a constant quality.")
    }
    if let keyFrameInterval, !(1...100_000).contains(keyFrameInterval) {
      throw refuse("Key frames cannot be \(keyFrameInterval) frames apart.", "Use 1 to 100000.")
    }
    if let threadCount, !(1...64).contains(threadCount) {
      throw refuse("An encoder cannot run on \(threadCount) threads.", "Use 1 to 64.")
    }
  }
}
