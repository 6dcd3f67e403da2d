import CCompositorFFmpeg
package import CompositorAPI

/// The features of a processor that affect an encoder's output.
package struct ProcessorFeatures: Hashable, Sendable, Codable {
  /// The processor architecture that this program is compiled for.
  package enum Architecture: String, Hashable, Sendable, Codable {
    case x86_64 = "x86-64"
    case aarch64
    case other
  }

  /// The processor architecture.
  package var architecture: Architecture
  /// The members of ``pinnedInstructionSets`` that the processor has, in their order; empty on other architectures.
  package var instructionSets: [String]

  /// Creates features, by default all that encoders are pinned to on `architecture`.
  package init(_ architecture: Architecture, instructionSets: [String]? = nil) {
    self.architecture = architecture
    self.instructionSets = instructionSets ?? (architecture == .x86_64 ? Self.pinnedInstructionSets : [])
  }

  /// The instruction sets of x86-64 that libx264 may use, in its notation. Its AVX-512 code makes different frames, and reads
  /// uninitialized memory if the number of macroblocks in a row is not a multiple of 8 (seen in build 164): the bytes would
  /// differ from run to run.
  package static let pinnedInstructionSets = ["avx2", "fma3", "bmi1", "bmi2", "lzcnt"]

  /// The features of this machine.
  package static let current: ProcessorFeatures = {
    #if arch(x86_64)
      let cpu = cff_cpu()
      let found = [cpu.avx2, cpu.fma3, cpu.bmi1, cpu.bmi2, cpu.lzcnt]
      return ProcessorFeatures(.x86_64, instructionSets: zip(pinnedInstructionSets, found).filter(\.1).map(\.0))
    #elseif arch(arm64)
      return ProcessorFeatures(.aarch64)
    #else
      return ProcessorFeatures(.other)
    #endif
  }()

  /// The members of ``pinnedInstructionSets`` that an x86-64 machine lacks; empty on other architectures.
  package var missingInstructionSets: [String] {
    architecture == .x86_64 ? Self.pinnedInstructionSets.filter { !instructionSets.contains($0) } : []
  }

  /// libx264's parameters that pin it to ``pinnedInstructionSets``; empty if the machine lacks any of them, because libx264
  /// would use it anyway and crash.
  package var x264Parameters: [String] {
    guard architecture == .x86_64, missingInstructionSets.isEmpty else { return [] }
    return ["asm=" + Self.pinnedInstructionSets.joined(separator: ",")]
  }
}

/// Everything that keeps the bytes of a track's encoder the same on every machine, and what a machine must support for it.
///
/// Two machines with the same library versions make the same bytes from the same frames if their pinnings are equal and
/// ``validate(on:)`` doesn't throw on either. Only ``architecture`` depends on the machine.
package struct EncoderPinning: Hashable, Sendable, Codable {
  /// libavcodec's name of the encoder.
  package let encoder: String
  /// Number of threads that the encoder is opened with.
  package let threadCount: Int
  /// The encoder's private options as `key=value`, in the order in which they are set, including thread counts and instruction
  /// sets.
  package let options: [String]
  /// The processor architecture. The bytes of an encoder depend on it.
  package let architecture: ProcessorFeatures.Architecture
  /// Instruction sets that the processor must have.
  package let instructionSets: [String]

  /// The pinning of a track, whether or not this machine supports it; `nil` for devices, whose bytes depend on device
  /// and driver, and for encoders that use every instruction set.
  ///
  /// - Parameter architecture: The architecture to encode on, by default that of this machine.
  package init?(
    _ video: VideoTrackDescription, architecture: ProcessorFeatures.Architecture = ProcessorFeatures.current.architecture
  ) {
    guard video.encoding.encoder == .software, !video.encoding.usesEveryInstructionSet, let name = video.encoding.encoderName
    else { return nil }
    let ideal = ProcessorFeatures(architecture)
    encoder = name
    threadCount = EncoderThreads(video.encoding, size: video.size).count
    options = EncoderOptions(video, on: ideal).lines
    self.architecture = architecture
    instructionSets = Self.instructionSets(for: video.encoding, on: architecture)
  }

  /// Instruction sets that a processor must have for the bytes that others make.
  package static func instructionSets(
    for encoding: VideoEncodingSettings,
    on architecture: ProcessorFeatures.Architecture = ProcessorFeatures.current.architecture
  ) -> [String] {
    guard encoding.codec == .h264, encoding.encoder == .software, !encoding.usesEveryInstructionSet else { return [] }
    return ProcessorFeatures(architecture).instructionSets
  }

  /// Checks that a processor can make the pinned bytes.
  ///
  /// - Parameter processor: The processor to check, by default this machine's.
  /// - Throws: `.encoderNotFound`, with what is missing.
  package func validate(on processor: ProcessorFeatures = .current) throws(CompositorError) {
    guard processor.architecture == architecture else {
      throw CompositorError(
        .encoderNotFound,
        "\(encoder) makes other bytes on \(processor.architecture.rawValue) than on \(architecture.rawValue).",
        recoverySuggestion: "Use a machine of \(architecture.rawValue).")
    }
    let missing = instructionSets.filter { !processor.instructionSets.contains($0) }
    guard missing.isEmpty else {
      throw CompositorError(
        .encoderNotFound,
        "This machine cannot make the bytes of \(encoder) that others make: its processor has no \(missing.spelledOut).",
        recoverySuggestion: "Use a machine whose processor has AVX2 (Intel since 2013, AMD since 2015).")
    }
  }

  /// A note for people if a processor lacks what the pinned bytes need; `nil` if it doesn't.
  ///
  /// - Parameter processor: The processor to check, by default this machine's.
  package static func note(
    for encoding: VideoEncodingSettings, on processor: ProcessorFeatures = .current
  ) -> String? {
    let missing = processor.missingInstructionSets
    guard encoding.codec == .h264, encoding.encoder == .software, !encoding.usesEveryInstructionSet, !missing.isEmpty else {
      return nil
    }
    return "this processor has no \(missing.spelledOut): the video may differ from what other machines encode"
  }
}

extension [String] {
  /// Names of instruction sets for messages.
  fileprivate var spelledOut: String { map { $0.uppercased() }.joined(separator: ", ") }
}
