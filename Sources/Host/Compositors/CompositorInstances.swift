import CompositorAPI
import Synchronization

/// A compositor made for one set of parameters and one render context.
struct CompositorInstance: Sendable {
  let descriptor: CompositorDescriptor
  let compositor: any VideoCompositor
  /// What is converted on the way in and out.
  let conforming: SourceConforming
  /// Nil where requests may come in any number.
  let gate: SerialGate?
}

/// The compositors of a render: one instance for each name and set of parameters, kept while it is in use.
final class CompositorInstances: Sendable {
  private struct Key: Hashable {
    let id: CompositorID
    let parameters: ParameterValues
  }
  private struct State {
    var instances: [Key: (instance: CompositorInstance, lastUse: Int)] = [:]
    var useCount = 0
  }

  /// Instances kept beyond the current instruction: a timeline may have as many parameter sets as instructions.
  private static let capacity = 32
  private let registry: CompositorRegistry
  private let output: RenderContext
  private let state = Mutex(State())

  init(registry: CompositorRegistry, output: RenderContext) {
    self.registry = registry
    self.output = output
  }

  /// The instance that serves an instruction.
  ///
  /// - Throws: `.compositorNotFound`; whatever the compositor's initialiser throws.
  func instance(for instruction: Instruction) throws(CompositorError) -> CompositorInstance {
    guard let type = registry[instruction.compositor] else {
      throw CompositorError(
        .compositorNotFound, "There is no compositor “\(instruction.compositor)”.", remedy: "Register it first.")
    }
    let parameters = ParameterSchema.completed(instruction.parameters, for: type.descriptor)
    let key = Key(id: instruction.compositor, parameters: parameters)
    let result = state.withLock { state -> Result<CompositorInstance, CompositorError> in
      state.useCount += 1
      if let known = state.instances[key]?.instance {
        state.instances[key]?.lastUse = state.useCount
        return .success(known)
      }
      let made = make(type, parameters: parameters)
      if case .success(let instance) = made {
        state.instances[key] = (instance, state.useCount)
        dropOldest(&state)
      }
      return made
    }
    return try result.get()
  }

  /// Forgets the instance that serves an instruction: it is lost in a call that does not end, and the next request gets a
  /// new one.
  func forget(_ instruction: Instruction) {
    guard let type = registry[instruction.compositor] else { return }
    let parameters = ParameterSchema.completed(instruction.parameters, for: type.descriptor)
    state.withLock { $0.instances[Key(id: instruction.compositor, parameters: parameters)] = nil }
  }

  private func make(
    _ type: any VideoCompositor.Type, parameters: ParameterValues
  ) -> Result<CompositorInstance, CompositorError> {
    let descriptor = type.descriptor
    let conforming = SourceConforming(descriptor, output: output)
    return Result { try type.init(parameters: parameters, context: conforming.context) }
      .mapError { CompositorError(compositorFailure: $0, id: descriptor.id, doing: "could not be made") }
      .map { compositor in
        CompositorInstance(
          descriptor: descriptor, compositor: compositor, conforming: conforming,
          gate: descriptor.concurrency == .serial ? SerialGate() : nil)
      }
  }

  private func dropOldest(_ state: inout State) {
    guard state.instances.count > Self.capacity else { return }
    let oldest = state.instances.min { $0.value.lastUse < $1.value.lastUse }?.key
    if let oldest { state.instances[oldest] = nil }
  }
}

extension CompositorError {
  /// Whatever a compositor threw, as an error of ours that names it.
  init(compositorFailure error: any Error, id: CompositorID, doing what: String) {
    if let known = error as? CompositorError {
      self = known.locating(ErrorLocation(compositor: id))
    } else if error is CancellationError {
      self.init(.cancelled, "The render was cancelled.", at: ErrorLocation(compositor: id))
    } else {
      self.init(
        .compositorFailed, "The compositor \(what).", remedy: "Ask its author, or use another one.",
        cause: String(describing: error), at: ErrorLocation(compositor: id))
    }
  }
}
