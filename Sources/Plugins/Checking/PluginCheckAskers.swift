import CompositorAPI
import CompositorPluginBridge
import Synchronization

/// Instances that are asked which sources they need at other times, by their parameters.
final class PluginCheckAskers: Sendable {
  private let composers = Mutex<[ParameterValues: any SelectiveComposer]>([:])

  subscript(parameters: ParameterValues) -> (any SelectiveComposer)? { composers.withLock { $0[parameters] } }

  /// Notes an instance; the first of some parameters stays.
  func note(_ composer: any FrameComposer, of scene: PluginCheckScene) {
    guard scene.descriptor.needsOtherTimes, let composer = composer as? any SelectiveComposer else { return }
    composers.withLock { $0[scene.parameters] = $0[scene.parameters] ?? composer }
  }
}

extension SelectiveComposer {
  /// What the frame for a request needs.
  func needs(of request: CompositionRequest) throws -> RegionsOfInterest {
    try CallerExecutor.run {
      try await self.regionsOfInterest(for: request)
    } started: { _ in
    }
  }
}
