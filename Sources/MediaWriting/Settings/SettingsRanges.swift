// The valid values of settings, shared by everything that checks, reads or lists them.

extension AudioEncodingSettings {
  /// The valid sample rates, in Hz. A codec may take fewer.
  package static let sampleRates = 8000...192_000
  /// The valid numbers of channels. A codec may take fewer.
  package static let channelCounts = 1...8
  /// The valid bit rates of lossy codecs, in bits per second.
  package static let bitRates = 8000...1_024_000
}

extension VideoEncodingSettings {
  /// The valid average bit rates, in bits per second.
  package static let bitRates = 1000...2_000_000_000
  /// The valid distances of key frames, in frames.
  package static let keyFrameIntervals = 1...100_000
  /// The valid numbers of threads of an encoder.
  package static let threadCounts = 1...64
}

extension VideoEncodingSettings.AnimationSettings {
  /// How often an animated image can play; 0 is without end.
  package static let playCounts = 0...65_535
}
