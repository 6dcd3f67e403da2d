import CompositorAPI
import Synchronization

/// A compositor of a shared library.
struct BinaryCompositor: FrameComposer {
  let instance: BinaryInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
}

/// A compositor of a shared library that declares its regions of interest.
struct SelectiveBinaryCompositor: SelectiveComposer {
  let instance: BinaryInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
  func regionsOfInterest(for request: CompositionRequest) throws -> RegionsOfInterest { try instance.needs(request) }
}

extension BinaryInstance {
  /// Renders on the calling thread; the task's cancellation reaches the library through the request.
  fileprivate func compose(_ request: CompositionRequest) async throws -> Frame {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try render(request, cancellation: flag)
    } onCancel: {
      flag.set()
    }
  }
}

/// Whether a frame is canceled; thread-safe.
final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
