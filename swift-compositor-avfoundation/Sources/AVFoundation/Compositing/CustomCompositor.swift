package import Compositor
internal import Foundation
internal import Synchronization

/// A compositor of a program during one export, reader or image generator.
package final class CustomCompositor: Sendable {
  /// The identifier under which instructions name it.
  static let id: CompositorID = "avfoundation.custom"

  /// The time that a frame may take: a year, because a program may stop in a debugger.
  static let deadline = Duration.seconds(31_536_000)

  /// The video composition as it was when this was made.
  nonisolated(unsafe) let videoComposition: AVVideoComposition
  private nonisolated(unsafe) let object: any AVVideoCompositing
  /// The formats that it takes, preferred one first.
  let sourceFormats: [PixelBufferFormat]
  /// The format of the frames that it makes.
  let outputFormat: PixelBufferFormat
  /// Held while the object is called: programs expect one call after another.
  private let calls = NSLock()
  private let state = Mutex(State())

  private struct State {
    var failure: (any Error)?
    var isCanceled = false
  }

  /// The compositor of a video composition; `nil` if it has none of its own.
  ///
  /// - Throws: Why no object can be made, or which format is not known here.
  package init?(of videoComposition: AVVideoComposition) throws(AVError) {
    guard let type = videoComposition.customVideoCompositorClass,
      let copy = videoComposition.copy() as? AVVideoComposition
    else { return nil }
    self.videoComposition = copy
    let object = try AVFoundationFacade.make(type)
    self.object = object
    let wanted = try PixelBufferFormat.all(in: object.requiredPixelBufferAttributesForRenderContext, of: type)
    outputFormat = wanted.first ?? .bgra
    let taken = try PixelBufferFormat.all(in: object.sourcePixelBufferAttributes ?? [:], of: type)
    sourceFormats = taken.isEmpty ? PixelBufferFormat.decoded(deep: object.supportsHDRSourceFrames) : taken
  }

  /// The first error with which a request was finished.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// What instructions are rendered with: the built-in compositors and this one.
  var registry: CompositorRegistry {
    get throws(CompositorError) {
      var registry = CompositorRegistry.builtIn
      try registry.register(factory)
      return registry
    }
  }

  private var factory: CompositorFactory {
    let name = "\(type(of: object))"
    let descriptor = CompositorDescriptor(id: Self.id, name: name) {
      $0.sourceFormats = .oneOf(sourceFormats.map(\.format))
      $0.outputFormats = [outputFormat.format]
      $0.colorHandling =
        object.canConformColorOfSourceFrames
        ? .conformsItself : object.supportsHDRSourceFrames ? .hdr : object.supportsWideColorSourceFrames ? .wide : .sdrOnly
    }
    return CompositorFactory(descriptor, plugin: name) { [self] _, context in composer(in: context) }
  }

  /// What makes frames for a context, which the object receives.
  package func composer(in context: RenderContext) -> any FrameComposer {
    let rendering = AVVideoCompositionRenderContext(context, format: outputFormat, videoComposition: videoComposition)
    calls.withLock { object.renderContextChanged(rendering) }
    return CustomFrameComposer(self, in: rendering)
  }

  func start(_ request: AVAsynchronousVideoCompositionRequest) { calls.withLock { object.startRequest(request) } }

  /// Tells the object once that frames are no longer wanted. It may wait for its requests, so it does so on a thread of its own.
  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isCanceled = true }
      return !state.isCanceled
    }
    if isFirst { Thread.detachNewThread { [self] in object.cancelAllPendingVideoCompositionRequests() } }
  }

  /// Remembers the first error, which the export is to end with.
  func note(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }
}

extension Optional where Wrapped == CustomCompositor {
  /// The error of a render that used this compositor: that which the program gave, unless the render was canceled.
  func explain(_ error: CompositorError) -> any Error {
    error.code == .cancelled ? AVError(error) : self?.failure ?? AVError(error)
  }
}

/// Makes frames for one render context by asking a program's compositor.
struct CustomFrameComposer: FrameComposer {
  private let compositor: CustomCompositor
  private let renderContext: AVVideoCompositionRenderContext
  private let converter: FrameConverter

  init(_ compositor: CustomCompositor, in renderContext: AVVideoCompositionRenderContext) {
    (self.compositor, self.renderContext) = (compositor, renderContext)
    converter = FrameConverter(policy: renderContext.context.colorConversion)
  }

  func compose(_ request: CompositionRequest) async throws -> Frame {
    let answer = RequestAnswer()
    do {
      return try await withTaskCancellationHandler {
        try start(request, answer)
        return try frame(await answer.wait(), for: request)
      } onCancel: {
        compositor.cancel()
      }
    } catch {
      if !(error is CancellationError) { compositor.note(error) }
      throw error
    }
  }

  /// Calls the program. Nothing here keeps the request, so that one which the program releases is noticed.
  private func start(_ request: CompositionRequest, _ answer: RequestAnswer) throws {
    guard let index = request.instruction.tag.flatMap({ Int($0) }) else {
      throw AVError(.unknown, "An instruction of the video composition was not found again.")
    }
    var sources: [CMPersistentTrackID: AVAsynchronousVideoCompositionRequest.Source] = [:]
    for (trackID, source) in request.sources {
      let format = PixelBufferFormat.best(of: compositor.sourceFormats, for: source.frame)
      let buffer = try format.buffer(of: source.frame, by: converter, pool: request.context.pool)
      sources[trackID] = AVAsynchronousVideoCompositionRequest.Source(buffer)
    }
    compositor.start(
      AVAsynchronousVideoCompositionRequest(
        request, instruction: compositor.videoComposition.instructions[index], sources: sources, in: renderContext,
        answer: answer))
  }

  private func frame(_ answer: ComposedAnswer, for request: CompositionRequest) throws -> Frame {
    switch answer {
    case .source(let trackID):
      guard let source = request.sources[trackID] else { throw AVError(.noSuchTrack, "There is no track \(trackID).") }
      return source.frame
    case .made(let buffer):
      return try buffer.frame(for: request.context, by: converter)
    case .failed(let error):
      throw error
    case .canceled:
      guard Task.isCancelled else {
        throw AVError(.compositorFailed, "The compositor canceled a request that was still wanted.")
      }
      throw CancellationError()
    }
  }
}
