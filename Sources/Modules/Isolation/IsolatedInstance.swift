import CCompositorModuleProcess
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

  /// What a frame needs; everything where no helper is free to say, or where it fails: then nothing is rendered any more. A compositor
  /// that needs other times is waited for.
  func needs(_ request: CompositionRequest) async throws(CompositorError) -> SourceNeeds {
    let pool = pools.pool(for: descriptor)
    guard !descriptor.needsOtherTimes else {
      return try await pool.withHelper { helper throws(CompositorError) in try self.ask(helper, whatIsNeeded: request) }
    }
    do throws(CompositorError) {
      return try pool.tryWithHelper { helper throws(CompositorError) in
        try self.ask(helper, whatIsNeeded: request)
      } ?? .everything
    } catch {
      if error.code != .cancelled { failure.withLock { $0 = $0 ?? error } }
      return .everything
    }
  }

  private func ask(
    _ helper: HelperProcess, whatIsNeeded request: CompositionRequest
  ) throws(CompositorError) -> SourceNeeds {
    try prepare(helper, request)
    let message = WireRequest.needs(request, instance: id, attributes: try attributes(of: request, helper))
    return try helper.ask(message) { reader in try WireNeeds.read(&reader, of: request) }
  }

  private func render(_ request: CompositionRequest, in helper: HelperProcess) throws(CompositorError) -> Frame {
    try prepare(helper, request)
    let context = request.context
    let output = try output(for: context, in: helper)
    let canary = OutputCanary(output, format: context.outputFormat, size: context.size)
    var sources: WireRequest.Shared = [:]
    for source in request.allSources where sources[source.frame.memoryID] == nil {
      sources[source.frame.memoryID] = try SharedFrame(source.frame, pool: pools.frames, repeated: pools.repeated)
    }
    let copied = sources.values.count(where: \.isCopy)
    pools.sourcesCopied.add(copied, ordering: .relaxed)
    pools.sourcesInPlace.add(sources.count - copied, ordering: .relaxed)
    for source in sources.values { try introduce(source.segment, to: helper) }
    let message = WireRequest.render(
      request, instance: id, sources: sources, output: output.id,
      attributes: try attributes(of: request, helper))
    helper.memory.withLock { $0.lend(sources.values) }
    let answer = try helper.ask(message) { reader in try WireAnswer(&reader) }
    let keptByteCount = helper.memory.withLock { $0.takeBack(except: answer.kept) }
    if keptByteCount > Int(clamping: helper.isolation.memoryLimit) {
      throw helper.end(
        "The module keeps \(keptByteCount >> 20) MiB of source frames; its limit is \(helper.isolation.memoryLimit >> 20) MiB.")
    }
    if let violation = canary.isBroken ? "The module wrote beside its output." : answer.violation {
      throw helper.end(violation)
    }
    guard let need = answer.source else { return try canary.frame(in: context, pool: pools.frames) }
    guard let source = request.source(need.trackID, at: need.time) else {
      let time = need.time == request.time ? "" : " at \(need.time)"
      throw helper.end("The module answered with track \(need.trackID)\(time), which the request does not have.")
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

  private func introduce(_ segment: SharedSegment, to helper: HelperProcess) throws(CompositorError) {
    let (isNew, gone) = helper.memory.withLock { ($0.isNew(segment), $0.sweep()) }
    if isNew {
      let descriptor = segment.readOnlyDescriptor
      try withExtendedLifetime(descriptor) { () throws(CompositorError) in
        try tell(helper, of: descriptor.number, segment.id, segment.byteCount, as: .source)
      }
    }
    for id in gone { try helper.tell(WireWriter.message(.forget) { $0.put(id) }) }
  }

  /// Where the helper writes its next answer: by turns, so that a module that writes to an earlier one is found out.
  private func output(for context: RenderContext, in helper: HelperProcess) throws(CompositorError) -> OutputSegment {
    let byteCount = FrameMemory.layout(format: context.outputFormat, size: context.size).byteCount
    let (known, gone) = helper.memory.withLock { $0.nextOutput(byteCount: byteCount) }
    for id in gone { try helper.tell(WireWriter.message(.forget) { $0.put(id) }) }
    if let known { return known }
    guard let segment = OutputSegment(byteCount: byteCount) else { throw SharedFrame.noMemory }
    helper.memory.withLock { $0.add(segment) }
    try withExtendedLifetime(segment) { () throws(CompositorError) in
      try tell(helper, of: segment.descriptor, segment.id, byteCount, as: .output)
    }
    return segment
  }

  private func tell(
    _ helper: HelperProcess, of descriptor: Int32, _ id: UInt64, _ byteCount: Int, as use: WireSegmentUse
  ) throws(CompositorError) {
    let message = WireWriter.message(.segment) { writer in
      writer.put(id)
      writer.put(UInt64(byteCount))
      writer.put(use.rawValue)
    }
    try helper.tell(message, descriptors: [descriptor])
  }

  /// Numbers that stand for the sources' attributes.
  private func attributes(
    of request: CompositionRequest, _ helper: HelperProcess
  ) throws(CompositorError) -> [FrameAttributes: UInt32] {
    for source in request.allSources {
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
