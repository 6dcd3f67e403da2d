/// A processor architecture.
package enum ProcessorArchitecture: String, Hashable, Sendable, Codable {
  case x86_64 = "x86-64"
  case aarch64
  case other

  /// The architecture that this program is compiled for.
  package static var current: ProcessorArchitecture {
    #if arch(x86_64)
      .x86_64
    #elseif arch(arm64)
      .aarch64
    #else
      .other
    #endif
  }
}

/// Everything that keeps the bytes of a track's encoder the same on every machine.
///
/// Two machines of one architecture with the same library versions make the same bytes from the same frames if their pinnings are
/// equal.
package struct EncoderPinning: Hashable, Sendable, Codable {
  /// libx264's parameter for one result of every instruction set. Without it, its macroblock tree calculates in the precision of
  /// the instructions, and its AVX-512 code reads uninitialized memory if the number of macroblocks in a row is not a multiple of
  /// 8 (seen in build 164): the bytes would differ from run to run.
  package static let x264Parameter = "cpu-independent=1"

  /// libavcodec's name of the encoder.
  package let encoder: String
  /// Number of threads that the encoder is opened with.
  package let threadCount: Int
  /// The encoder's private options as `key=value`, in the order in which they are set, including thread counts.
  package let options: [String]
  /// The processor architecture, on which the bytes of some encoders depend.
  package let architecture: ProcessorArchitecture

  /// The pinning of a track; `nil` for devices, whose bytes depend on device and driver.
  ///
  /// - Parameter architecture: The architecture to encode on, by default that of this machine.
  package init?(_ video: VideoTrackDescription, architecture: ProcessorArchitecture = .current) {
    guard video.encoding.encoder == .software, let name = video.encoding.encoderName else { return nil }
    encoder = name
    threadCount = EncoderThreads(video.encoding, size: video.size).count
    options = EncoderOptions(video).lines
    self.architecture = architecture
  }
}
