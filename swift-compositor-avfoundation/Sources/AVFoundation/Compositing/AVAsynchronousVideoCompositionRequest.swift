internal import Compositor
public import Foundation

/// A frame that a program's compositor is to make.
///
/// One of the three `finish` methods ends it; only the first call counts. A request that is released before has failed.
open class AVAsynchronousVideoCompositionRequest: NSObject, NSCopying, @unchecked Sendable {
  /// What the frame is rendered into.
  public let renderContext: AVVideoCompositionRenderContext
  /// The time of the frame.
  public let compositionTime: CMTime
  /// The instruction at that time: the program's own object, unless it is an `AVVideoCompositionInstruction`, which was copied.
  public let videoCompositionInstruction: any AVVideoCompositionInstructionProtocol
  /// The tracks that have a frame at that time, in the order of the instruction.
  public let sourceTrackIDs: [NSNumber]
  private let sources: [CMPersistentTrackID: Source]
  private let answer: RequestAnswer

  /// A source frame, with its memory before any write.
  struct Source {
    let buffer: CVPixelBuffer
    let memory: PixelMemory

    init(_ buffer: CVPixelBuffer) { (self.buffer, memory) = (buffer, buffer.memory) }
  }

  init(
    _ request: CompositionRequest, instruction: any AVVideoCompositionInstructionProtocol,
    sources: [CMPersistentTrackID: Source], in renderContext: AVVideoCompositionRenderContext, answer: RequestAnswer
  ) {
    self.renderContext = renderContext
    compositionTime = CMTime(request.time)
    videoCompositionInstruction = instruction
    sourceTrackIDs = request.instruction.requiredTrackIDs.filter { sources[$0] != nil }.map { NSNumber(value: $0) }
    self.sources = sources
    self.answer = answer
    super.init()
  }

  deinit {
    answer.give(
      .failed(
        AVError(
          .compositorFailed, "The compositor released the request for \(compositionTime.seconds) s without finishing it.",
          suggestion: "Call finish(withComposedVideoFrame:), finish(with:) or finishCancelledRequest() for every request.")))
  }

  /// The same request.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The frame of a track; `nil` if it has none at the time of the request.
  ///
  /// The frame is not copied, unless it is locked for writing.
  open func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? { sources[trackID]?.buffer }

  /// Ends the request with a frame of the render context's size: a new one, or a source frame, changed or unchanged.
  ///
  /// What is written to the buffer later does not change the frame.
  open func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) {
    let memory = composedVideoFrame.memory
    if let source = sources.first(where: { $0.value.memory === memory }) { return answer.give(.source(source.key)) }
    answer.give(.made(FrozenPixelBuffer(composedVideoFrame, memory)))
  }

  /// Ends the request, and the export, with an error.
  open func finish(with error: any Error) { answer.give(.failed(error)) }

  /// Ends the request because the frame is no longer wanted.
  open func finishCancelledRequest() { answer.give(.canceled) }
}
