import CompositorAPI
import Synchronization

/// A library's compositor at work.
struct BinaryCompositor: FrameComposer {
  let instance: BinaryInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
}

/// A library's compositor that says what it needs.
struct SelectiveBinaryCompositor: SelectiveComposer {
  let instance: BinaryInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
  func regionsOfInterest(for request: CompositionRequest) throws -> RegionsOfInterest { try instance.needs(request) }
}

extension BinaryInstance {
  /// Renders on the thread that calls; the task's cancellation reaches the library through the request.
  fileprivate func compose(_ request: CompositionRequest) async throws -> Frame {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try render(request, cancellation: flag)
    } onCancel: {
      flag.set()
    }
  }
}

/// Whether nobody wants a frame any more; any thread may ask.
final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
