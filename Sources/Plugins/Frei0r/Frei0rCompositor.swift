import CompositorAPI
import Synchronization

/// A frei0r plugin as a compositor or an effect.
final class Frei0rCompositor: FrameComposer {
  /// The same plugin used for another layer has a history of its own.
  private struct Past: Hashable {
    let range: TimeRange
    let tracks: [TrackID]
  }
  private struct Instances {
    var idle: [Frei0rInstance] = []
    var ordered: [(past: Past, instance: Frei0rInstance)] = []
  }

  private static let orderedCapacity = 16
  private let plugin: Frei0rPlugin
  private let context: RenderContext
  private let sources: PlacedSources
  private let instances = Mutex(Instances())

  init(_ plugin: Frei0rPlugin, context: RenderContext) throws(CompositorError) {
    self.plugin = plugin
    self.context = context
    sources = try PlacedSources(context)
  }

  func compose(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    do throws(CompositorError) {
      let frames = try sources.frames(request, count: plugin.library.kind.inputCount)
      let seconds = (request.time - request.instruction.timeRange.start).seconds
      let instance = try await instance(for: request, seconds: seconds)
      let frame = try await instance.picture(
        frames, seconds: seconds, values: plugin.parameters.values(request.instruction.parameters),
        attributes: context.outputAttributes, pool: request.context.pool)
      if !plugin.isTemporal { instances.withLock { $0.idle.append(instance) } }
      return frame
    } catch {
      throw error.locating(
        ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: plugin.descriptor.id))
    }
  }

  /// An instance with the history that the request continues, or a new one.
  private func instance(
    for request: CompositionRequest, seconds: Double
  ) async throws(CompositorError) -> Frei0rInstance {
    guard plugin.isTemporal else {
      if let idle = instances.withLock({ $0.idle.popLast() }) { return idle }
      return try Frei0rInstance(plugin.library, size: context.size, values: plugin.parameters.defaults)
    }
    let past = Past(range: request.instruction.timeRange, tracks: request.instruction.requiredTrackIDs)
    let known = instances.withLock { instances in
      instances.ordered.firstIndex { $0.past == past }.map { instances.ordered.remove(at: $0).instance }
    }
    let used: Frei0rInstance
    if let known, await known.continues(to: seconds) {
      used = known
    } else {
      used = try Frei0rInstance(plugin.library, size: context.size, values: plugin.parameters.defaults)
    }
    instances.withLock { instances in
      instances.ordered.append((past, used))
      if instances.ordered.count > Self.orderedCapacity { instances.ordered.removeFirst() }
    }
    return used
  }
}
