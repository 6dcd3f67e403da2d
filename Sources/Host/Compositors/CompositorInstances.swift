import BuiltinCompositors
import CompositorAPI
import CompositorMediaIO
import CompositorPlugins
import CompositorScheduling
import CompositorValidation
import Synchronization

/// An instance of a compositor for one set of parameters and one render context.
struct CompositorInstance: Sendable {
  let descriptor: CompositorDescriptor
  let compositor: any FrameComposer
  /// The parameters that it was created with.
  let parameters: ParameterValues
  /// The conversion of its input and output.
  let conforming: SourceConforming
  /// The placement of sources on the canvas, if the compositor needs it.
  let placing: SourcePlacing?
  private let calling: CallConditions

  init(
    _ factory: CompositorFactory, _ compositor: any FrameComposer, parameters: ParameterValues, conforming: SourceConforming
  ) throws(CompositorError) {
    descriptor = factory.descriptor
    self.compositor = compositor
    self.parameters = parameters
    self.conforming = conforming
    placing = descriptor.placesSources ? try SourcePlacing(conforming.context) : nil
    calling = CallConditions(
      factory, selective: compositor as? any SelectiveComposer,
      gate: factory.descriptor.concurrency == .concurrent ? nil : AsyncMutex())
  }

  /// The origin to attribute errors to.
  var origin: CompositorFactory.Origin { calling.origin }
  /// The compositor, if it is a selective one.
  var selective: (any SelectiveComposer)? { calling.selective }
  /// The device in whose memory it takes sources; `nil` for the host's memory.
  var device: (any FrameDevice)? { calling.device }
  /// Serializes requests; `nil` if any number may run concurrently.
  var gate: AsyncMutex? { calling.gate }

  /// Whether it belongs to this package, whose compositors make no invalid samples.
  var isBuiltIn: Bool { Self.builtInOrigins.contains(origin) }
  private static let builtInOrigins = Set(Builtins.all.map { CompositorFactory($0).origin })
}

/// What a call of an instance needs. It is a class, because instances are kept in the tasks of frames, which have little room.
private final class CallConditions: Sendable {
  let origin: CompositorFactory.Origin
  let device: (any FrameDevice)?
  let selective: (any SelectiveComposer)?
  let gate: AsyncMutex?

  init(_ factory: CompositorFactory, selective: (any SelectiveComposer)?, gate: AsyncMutex?) {
    (origin, device) = (factory.origin, factory.device)
    (self.selective, self.gate) = (selective, gate)
  }
}

/// The compositors of a render: one instance for each combination of ID, parameters and render context, cached while in use.
final class CompositorInstances: Sendable {
  private struct Key: Hashable {
    let id: CompositorID
    let parameters: ParameterValues
    let size: PixelSize
    let format: PixelFormat
    let attributes: FrameAttributes
    let view: StereoView
  }
  /// An instance that is made on first use. Requests that need it wait while it is made; those that need others don't.
  private final class Slot: Sendable {
    private let instance = Mutex<CompositorInstance?>(nil)

    /// - Parameter make: Runs under the slot's own lock, since an initializer may take long: it is foreign code.
    func instance(
      make: () -> Result<CompositorInstance, CompositorError>
    ) -> Result<CompositorInstance, CompositorError> {
      instance.withLock { known in
        if let known { return .success(known) }
        let made = make()
        if case .success(let instance) = made { known = instance }
        return made
      }
    }
  }
  private struct State {
    var slots: [Key: (slot: Slot, lastUse: Int)] = [:]
    var useCount = 0
  }

  /// The number of cached instances beyond the current instruction. A timeline may have as many parameter sets as instructions.
  private static let capacity = 32
  private let registry: CompositorRegistry
  private let state = Mutex(State())

  init(registry: CompositorRegistry) {
    self.registry = registry
  }

  /// The descriptor of a compositor.
  ///
  /// - Throws: `.compositorNotFound`.
  func descriptor(of id: CompositorID) throws(CompositorError) -> CompositorDescriptor { try factory(of: id).descriptor }

  /// The instance for a use of a compositor in a render context.
  ///
  /// - Throws: `.compositorNotFound`; any error of the compositor's initializer.
  func instance(
    for use: EffectReference, in surface: RenderContext
  ) throws(CompositorError) -> CompositorInstance {
    let factory = try factory(of: use.compositor)
    let key = key(use, factory.descriptor, surface)
    let slot = state.withLock { state -> Slot in
      state.useCount += 1
      let slot = state.slots[key]?.slot ?? Slot()
      state.slots[key] = (slot, state.useCount)
      dropOldest(&state)
      return slot
    }
    return try slot.instance { make(factory, parameters: key.parameters, in: surface) }.get()
  }

  /// Drops an instance that is stuck in a call. The next request creates a new one.
  func forget(_ use: EffectReference, in surface: RenderContext) {
    guard let factory = registry[use.compositor] else { return }
    let key = key(use, factory.descriptor, surface)
    state.withLock { $0.slots[key] = nil }
  }

  private func factory(of id: CompositorID) throws(CompositorError) -> CompositorFactory {
    guard let factory = registry[id] else {
      throw CompositorError(.compositorNotFound, "There is no compositor “\(id)”.", recoverySuggestion: "Register it first.")
    }
    return factory
  }

  private func key(_ use: EffectReference, _ descriptor: CompositorDescriptor, _ surface: RenderContext) -> Key {
    let parameters = ParameterSchema.completed(
      use.parameters.completed(with: use.animatedParameters, schema: descriptor.parameters), for: descriptor)
    return Key(
      id: use.compositor, parameters: parameters, size: surface.size, format: surface.outputFormat,
      attributes: surface.outputAttributes, view: surface.view)
  }

  private func make(
    _ factory: CompositorFactory, parameters: ParameterValues, in surface: RenderContext
  ) -> Result<CompositorInstance, CompositorError> {
    let descriptor = factory.descriptor
    let conforming = SourceConforming(descriptor, output: surface)
    do throws(CompositorError) {
      let parameters = try ParameterFiles.reading(parameters, for: descriptor)
      let made = Result { try factory.makeCompositor(parameters: parameters, context: conforming.context) }
      let compositor = try made.mapError {
        CompositorError(compositorFailure: $0, id: descriptor.id, doing: "could not be made")
          .attributed(to: factory.origin, isCanceled: Task.isCancelled)
      }.get()
      return .success(
        try CompositorInstance(factory, compositor, parameters: parameters, conforming: conforming))
    } catch {
      return .failure(error)
    }
  }

  private func dropOldest(_ state: inout State) {
    guard state.slots.count > Self.capacity else { return }
    let oldest = state.slots.min { $0.value.lastUse < $1.value.lastUse }?.key
    if let oldest { state.slots[oldest] = nil }
  }
}

extension CompositorError {
  /// Wraps any error of a compositor in a `CompositorError` that names it.
  init(compositorFailure error: any Error, id: CompositorID, doing what: String) {
    if let known = error as? CompositorError {
      self = known.locating(ErrorLocation(compositor: id))
    } else if error is CancellationError {
      self.init(.cancelled, "The render was canceled.", at: ErrorLocation(compositor: id))
    } else {
      self.init(
        .compositorFailed, "The compositor \(what).", recoverySuggestion: "Ask its author, or use another one.",
        cause: String(describing: error), at: ErrorLocation(compositor: id))
    }
  }
}
