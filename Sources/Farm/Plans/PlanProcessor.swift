package import CompositorMediaWriting

extension SegmentPlan {
  /// The processor that a machine needs to make the bytes of the plan.
  public struct Processor: Hashable, Sendable, Codable {
    /// The architecture, such as `x86-64`: encoders make other bytes on another one.
    public var architecture: String
    /// Instruction sets that encoders use if the processor has them, such as `avx2`.
    public var instructionSets: [String]
  }
}

extension SegmentPlan.Processor {
  /// What an encoding needs, whether or not this machine's processor has it.
  ///
  /// - Parameter video: The encoding; nil if no video is encoded.
  package init(for video: VideoEncodingSettings?) {
    architecture = ProcessorFeatures.current.architecture.rawValue
    instructionSets = video.map { EncoderPinning.instructionSets(for: $0) } ?? []
  }

  /// Adds what another encoding needs.
  mutating func add(_ other: Self) {
    instructionSets += other.instructionSets.filter { !instructionSets.contains($0) }
  }

  /// The same with only those instruction sets that an encoding needs.
  func limited(to video: VideoEncodingSettings?) -> Self {
    let needed = Self(for: video).instructionSets
    var copy = self
    copy.instructionSets.removeAll { !needed.contains($0) }
    return copy
  }

  /// What a processor lacks, one sentence each without a full stop.
  func differences(on processor: ProcessorFeatures) -> [String] {
    guard processor.architecture.rawValue == architecture else {
      return ["the processor is \(processor.architecture.rawValue), and \(architecture) in the plan"]
    }
    let missing = instructionSets.filter { !processor.instructionSets.contains($0) }
    let names = missing.map { $0.uppercased() }.joined(separator: ", ")
    return missing.isEmpty ? [] : ["the plan needs \(names), which the processor does not have"]
  }
}
