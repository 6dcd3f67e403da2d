import CCompositorPluginProcess
import CompositorAPI
import Synchronization

/// One instance of a plugin's compositor, created in each worker on its first use there.
final class IsolatedInstance: Sendable {
  private let descriptor: CompositorDescriptor
  private let pools: IsolatedPools
  private let id: UInt64
  private let making: [UInt8]
  /// The error if a worker ended while it was asked for a frame's needs; thrown when the frame is rendered.
  private let failure = Mutex<CompositorError?>(nil)
  private static let lastID = Atomic<UInt64>(0)

  /// - Throws: An error if a value cannot be sent.
  init(
    _ descriptor: CompositorDescriptor, _ pools: IsolatedPools, parameters: ParameterValues, context: RenderContext
  ) throws(CompositorError) {
    self.descriptor = descriptor
    self.pools = pools
    id = IsolatedInstance.lastID.add(1, ordering: .relaxed).newValue
    let instance = WireInstance(compositor: descriptor.id, parameters: parameters, context: WireContext(context))
    making = try WorkerProcess.message(.make, instance, key: id)
  }

  deinit { pools.dropped.withLock { $0.append(id) } }

  func compose(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    if let failure = failure.withLock({ $0 }) { throw failure }
    return try await pools.pool(for: descriptor).withWorker { worker throws(CompositorError) in
      try self.render(request, in: worker)
    }
  }

  /// The regions of interest of a frame. Everything if the call fails, in which case nothing more is rendered.
  ///
  /// Waits for a worker, since a frame must not depend on whether one is free: sources that the compositor doesn't need are absent,
  /// and a track that it names as identical is shown without rendering.
  func needs(_ request: CompositionRequest) async throws(CompositorError) -> RegionsOfInterest {
    let pool = pools.pool(for: descriptor)
    guard !descriptor.needsOtherTimes else {
      return try await pool.withWorker { worker throws(CompositorError) in try self.ask(worker, whatIsNeeded: request) }
    }
    do throws(CompositorError) {
      return try await pool.withWorker { worker throws(CompositorError) in try self.ask(worker, whatIsNeeded: request) }
    } catch {
      // A cancellation that no one requested is the plugin's failure.
      if error.code != .cancelled || !Task.isCancelled { failure.withLock { $0 = $0 ?? error } }
      return .everything
    }
  }

  private func ask(
    _ worker: WorkerProcess, whatIsNeeded request: CompositionRequest
  ) throws(CompositorError) -> RegionsOfInterest {
    try make(in: worker)
    let call = WorkerCall(worker)
    try prepare(call, request)
    let message = WireRequest.needs(request, instance: id, attributes: try attributes(of: request, call))
    return try call.ask(message) { reader in try WireNeeds.read(&reader, of: request) }
  }

  private func render(_ request: CompositionRequest, in worker: WorkerProcess) throws(CompositorError) -> Frame {
    try make(in: worker)
    let call = WorkerCall(worker)
    try prepare(call, request)
    let context = request.context
    let output = try output(for: context, in: call)
    let canary = OutputCanary(output, format: context.outputFormat, size: context.size)
    var sources: WireRequest.Shared = [:]
    for source in request.allSources where sources[source.frame.memoryID] == nil {
      sources[source.frame.memoryID] = try SharedFrame(source.frame, pool: pools.frames, repeated: pools.repeated)
    }
    let copied = sources.values.count(where: \.isCopy)
    pools.sourcesCopied.add(copied, ordering: .relaxed)
    pools.sourcesInPlace.add(sources.count - copied, ordering: .relaxed)
    for source in sources.values { try introduce(source.segment, to: call) }
    let message = WireRequest.render(
      request, instance: id, sources: sources, output: output.id,
      attributes: try attributes(of: request, call))
    worker.memory.withLock { $0.lend(sources.values) }
    let answer = try call.ask(message) { reader in try WireAnswer(&reader) }
    let keptByteCount = worker.memory.withLock { $0.takeBack(except: answer.kept) }
    if keptByteCount > Int(clamping: worker.isolation.memoryLimit) {
      throw worker.end(
        "The plugin keeps \(keptByteCount >> 20) MiB of source frames; its limit is \(worker.isolation.memoryLimit >> 20) MiB.")
    }
    if let violation = canary.isBroken ? "The plugin wrote beside its output." : answer.violation {
      throw worker.end(violation)
    }
    guard let need = answer.source else { return try canary.frame(in: context, pool: pools.frames) }
    guard let source = request.source(need.trackID, at: need.time) else {
      let time = need.time == request.time ? "" : " at \(need.time)"
      throw worker.end("The plugin returned track \(need.trackID)\(time), which the request does not have.")
    }
    return source.frame
  }

  // MARK: Data that a worker needs first

  /// Creates the instance in a worker that hasn't got it. That is a request of its own: it may read a large model.
  private func make(in worker: WorkerProcess) throws(CompositorError) {
    let call = WorkerCall(worker)
    let (isNew, gone) = worker.memory.withLock { memory in
      (memory.instances.insert(id).inserted, pools.dropped.withLock { memory.drop($0) })
    }
    for id in gone { try call.send(WireWriter.message(.drop) { $0.put(id) }) }
    guard isNew else { return }
    do throws(CompositorError) {
      try call.ask(making) { _ in }
    } catch {
      _ = worker.memory.withLock { $0.instances.remove(id) }
      throw error
    }
  }

  private func prepare(_ call: WorkerCall, _ request: CompositionRequest) throws(CompositorError) {
    var instruction = request.instruction
    instruction.parameters = [:]
    let parameters = request.instruction.parameters
    let changes = call.worker.memory.withLock { memory in
      let result = (memory.instruction != instruction, memory.parameters != parameters)
      (memory.instruction, memory.parameters) = (instruction, parameters)
      return result
    }
    if changes.0 { try call.send(try WorkerProcess.message(.instruction, instruction, key: 0)) }
    if changes.1 { try call.send(try WorkerProcess.message(.instruction, parameters, key: 1)) }
  }

  private func introduce(_ segment: SharedSegment, to call: WorkerCall) throws(CompositorError) {
    let (isNew, gone) = call.worker.memory.withLock { ($0.isNew(segment), $0.sweep()) }
    if isNew {
      let descriptor = segment.readOnlyDescriptor
      try withExtendedLifetime(descriptor) { () throws(CompositorError) in
        try send(call, of: descriptor.number, segment.id, segment.byteCount, as: .source)
      }
    }
    for id in gone { try call.send(WireWriter.message(.forget) { $0.put(id) }) }
  }

  /// The output for the next frame: alternates between segments, so that writes to an earlier one are detected.
  private func output(for context: RenderContext, in call: WorkerCall) throws(CompositorError) -> OutputSegment {
    let byteCount = FrameMemory.layout(format: context.outputFormat, size: context.size).byteCount
    let (known, gone) = call.worker.memory.withLock { $0.nextOutput(byteCount: byteCount) }
    for id in gone { try call.send(WireWriter.message(.forget) { $0.put(id) }) }
    if let known { return known }
    guard let segment = OutputSegment(byteCount: byteCount) else { throw SharedFrame.noMemory }
    call.worker.memory.withLock { $0.add(segment) }
    try withExtendedLifetime(segment) { () throws(CompositorError) in
      try send(call, of: segment.descriptor, segment.id, byteCount, as: .output)
    }
    return segment
  }

  private func send(
    _ call: WorkerCall, of descriptor: Int32, _ id: UInt64, _ byteCount: Int, as use: WireSegmentUse
  ) throws(CompositorError) {
    let message = WireWriter.message(.segment) { writer in
      writer.put(id)
      writer.put(UInt64(byteCount))
      writer.put(use.rawValue)
    }
    try call.send(message, descriptors: [descriptor])
  }

  /// Indices that represent the sources' attributes.
  private func attributes(
    of request: CompositionRequest, _ call: WorkerCall
  ) throws(CompositorError) -> [FrameAttributes: UInt32] {
    for source in request.allSources {
      let attributes = source.frame.attributes
      let key = call.worker.memory.withLock { memory -> UInt32? in
        guard memory.attributes[attributes] == nil else { return nil }
        let key = UInt32(memory.attributes.count)
        memory.attributes[attributes] = key
        return key
      }
      if let key { try call.send(try WorkerProcess.message(.attributes, attributes, key: UInt64(key))) }
    }
    return call.worker.memory.withLock { $0.attributes }
  }
}
