import CompositorMediaWriting

extension SegmentPlan {
  /// The processor that a machine needs to make the bytes of the plan.
  public struct Processor: Hashable, Sendable, Codable {
    /// The architecture, such as `x86-64`: some encoders make other bytes on another one.
    public var architecture: String
  }
}

extension SegmentPlan.Processor {
  /// This machine's.
  package static var current: Self { Self(architecture: ProcessorArchitecture.current.rawValue) }

  /// What is different on another processor, one sentence each without a full stop.
  func differences(on processor: ProcessorArchitecture) -> [String] {
    processor.rawValue == architecture ? [] : ["the processor is \(processor.rawValue), and \(architecture) in the plan"]
  }
}
