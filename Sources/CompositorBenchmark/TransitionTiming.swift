public import CompositorAPI

/// The cost of a transition: only composing, on one thread, with sources in memory.
public struct TransitionTiming: Sendable {
  /// The name given by the caller.
  public let name: String
  /// Processor time per frame in milliseconds: the best of three passes, each over the whole transition.
  public let milliseconds: Double

  /// A transition to measure.
  public struct Case: Sendable {
    let name: String
    let factory: CompositorFactory
    let instruction: Instruction

    /// Creates a case from an instruction with two tracks.
    public init(_ name: String, _ factory: CompositorFactory, _ instruction: Instruction) {
      self.name = name
      self.factory = factory
      self.instruction = instruction
    }
  }

  /// Measures transitions of one second between noisy frames of the canvas's size, more of them than fit a cache.
  ///
  /// - Throws: Errors of a transition.
  public static func run(
    _ cases: [Case], size: PixelSize, format: PixelFormat, frameCount: Int = 120
  ) async throws -> [TransitionTiming] {
    let attributes = FrameAttributes()
    let noise = NoiseFrames.make(trackIDs: [1, 2], format: format, size: size, attributes: attributes)
    let pictures = [noise[1] ?? [], noise[2] ?? []]
    let context = RenderContext(size: size, outputFormat: format, outputAttributes: attributes)
    var timings: [TransitionTiming] = []
    for test in cases {
      let compositor = try test.factory.makeCompositor(parameters: test.instruction.parameters, context: context)
      var best = Double.infinity
      for _ in 0..<3 {
        let start = Measurement.processorMilliseconds()
        for index in 0..<frameCount {
          _ = try await compositor.compose(request(test.instruction, index, of: frameCount, pictures, context))
        }
        best = min(best, (Measurement.processorMilliseconds() - start) / Double(frameCount))
      }
      timings.append(TransitionTiming(name: test.name, milliseconds: best))
    }
    return timings
  }

  private static func request(
    _ instruction: Instruction, _ index: Int, of count: Int, _ pictures: [[Frame]], _ context: RenderContext
  ) -> CompositionRequest {
    let time = instruction.timeRange.start + MediaTime(value: Int64(2 * index + 1), timescale: Int32(2 * count))
    var sources: [TrackID: SourceFrame] = [:]
    for (trackID, frames) in zip(instruction.requiredTrackIDs, pictures) where !frames.isEmpty {
      sources[trackID] = SourceFrame(
        trackID: trackID, frame: frames[index % frames.count], presentationTime: .zero, duration: .indefinite,
        requestedTime: .zero)
    }
    return CompositionRequest(time: time, instruction: instruction, sources: sources, context: context)
  }
}
