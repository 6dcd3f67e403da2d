import CModuleProcess
import CompositorAPI
import Synchronization

/// One instance of a module's compositor: made in each helper that serves it, when that first does.
final class IsolatedInstance: Sendable {
  private let descriptor: CompositorDescriptor
  private let pools: IsolatedPools
  private let id: UInt64
  private let making: [UInt8]
  /// Why a helper ended while it was asked what a frame needs: the frame's own error, as soon as it is rendered.
  private let failure = Mutex<CompositorError?>(nil)
  private static let lastID = Atomic<UInt64>(0)

  /// - Throws: What a message cannot carry.
  init(
    _ descriptor: CompositorDescriptor, _ pools: IsolatedPools, parameters: ParameterValues, context: RenderContext
  ) throws(CompositorError) {
    self.descriptor = descriptor
    self.pools = pools
    id = IsolatedInstance.lastID.add(1, ordering: .relaxed).newValue
    let instance = WireInstance(compositor: descriptor.id, parameters: parameters, context: WireContext(context))
    making = try HelperProcess.message(.make, instance, key: id)
  }

  deinit { pools.dropped.withLock { $0.append(id) } }

  func compose(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    if let failure = failure.withLock({ $0 }) { throw failure }
    return try await pools.pool(for: descriptor).withHelper { helper throws(CompositorError) in
      try self.render(request, in: helper)
    }
  }

  /// What a frame needs; everything where no helper is free to say, or where it fails: then nothing is rendered any more.
  func needs(_ request: CompositionRequest) -> SourceNeeds {
    do throws(CompositorError) {
      return try pools.pool(for: descriptor).tryWithHelper { helper throws(CompositorError) in
        try self.prepare(helper, request)
        let message = WireRequest.needs(request, instance: id, attributes: try self.attributes(of: request, helper))
        return try helper.ask(message) { reader in try WireNeeds.read(&reader, of: request) }
      } ?? .everything
    } catch {
      if error.code != .cancelled { failure.withLock { $0 = $0 ?? error } }
      return .everything
    }
  }

  private func render(_ request: CompositionRequest, in helper: HelperProcess) throws(CompositorError) -> Frame {
    try prepare(helper, request)
    let context = request.context
    let output = try pools.frames.makeFrame(
      format: context.outputFormat, size: context.size, attributes: context.outputAttributes)
    let canary = try OutputCanary(output)
    var sources: [TrackID: SharedFrame] = [:]
    for (trackID, source) in request.sources {
      sources[trackID] = try SharedFrame(source.frame, pool: pools.frames, repeated: pools.repeated)
    }
    let copied = sources.values.count(where: \.isCopy)
    pools.sourcesCopied.add(copied, ordering: .relaxed)
    pools.sourcesInPlace.add(sources.count - copied, ordering: .relaxed)
    for source in sources.values { try introduce(source.segment, as: .source, to: helper) }
    try introduce(canary.segment, as: .output, to: helper)
    let message = WireRequest.render(
      request, instance: id, sources: sources, output: canary.segment.id,
      attributes: try attributes(of: request, helper))
    let answer = try helper.ask(message) { reader in try WireAnswer(&reader) }
    if let misconduct = canary.isBroken ? "The module wrote past the end of its output." : answer.misconduct {
      throw helper.end(misconduct)
    }
    guard let trackID = answer.sourceTrack else { return output.freeze() }
    guard let source = request.sources[trackID] else {
      throw helper.end("The module answered with track \(trackID), which the request does not have.")
    }
    return source.frame
  }

  // MARK: What a helper has to know first

  private func prepare(_ helper: HelperProcess, _ request: CompositionRequest) throws(CompositorError) {
    let (isNew, gone) = helper.memory.withLock { memory in
      (memory.instances.insert(id).inserted, pools.dropped.withLock { memory.drop($0) })
    }
    for id in gone { try helper.tell(WireWriter.message(.drop) { $0.put(id) }) }
    if isNew {
      do throws(CompositorError) {
        try helper.ask(making) { _ in }
      } catch {
        _ = helper.memory.withLock { $0.instances.remove(id) }
        throw error
      }
    }
    var instruction = request.instruction
    instruction.parameters = [:]
    let parameters = request.instruction.parameters
    let changes = helper.memory.withLock { memory in
      let result = (memory.instruction != instruction, memory.parameters != parameters)
      (memory.instruction, memory.parameters) = (instruction, parameters)
      return result
    }
    if changes.0 { try helper.tell(try HelperProcess.message(.instruction, instruction, key: 0)) }
    if changes.1 { try helper.tell(try HelperProcess.message(.instruction, parameters, key: 1)) }
  }

  private func introduce(
    _ segment: SharedSegment, as use: WireSegmentUse, to helper: HelperProcess
  ) throws(CompositorError) {
    let (isNew, gone) = helper.memory.withLock { ($0.isNew(segment, as: use), $0.sweep()) }
    if isNew {
      let message = WireWriter.message(.segment) { writer in
        writer.put(segment.id)
        writer.put(UInt64(segment.byteCount))
        writer.put(use.rawValue)
      }
      let descriptor = use == .source ? segment.readOnlyDescriptor : segment.descriptor
      try withExtendedLifetime(descriptor) { () throws(CompositorError) in
        try helper.tell(message, descriptors: [descriptor.number])
      }
    }
    for id in gone { try helper.tell(WireWriter.message(.forget) { $0.put(id) }) }
  }

  /// Numbers that stand for the sources' attributes.
  private func attributes(
    of request: CompositionRequest, _ helper: HelperProcess
  ) throws(CompositorError) -> [FrameAttributes: UInt32] {
    for source in request.sources.values {
      let attributes = source.frame.attributes
      let key = helper.memory.withLock { memory -> UInt32? in
        guard memory.attributes[attributes] == nil else { return nil }
        let key = UInt32(memory.attributes.count)
        memory.attributes[attributes] = key
        return key
      }
      if let key { try helper.tell(try HelperProcess.message(.attributes, attributes, key: UInt64(key))) }
    }
    return helper.memory.withLock { $0.attributes }
  }
}
