import CCompositorPluginProcess
import CCompositorPluginSupervisor
import CompositorAPI
import Foundation
import CompositorPluginBridge
import Synchronization

/// A running worker: opens one plugin and serves the host's messages in order, until the host disconnects.
///
/// This process is accountable for everything that the plugin does: it is sandboxed before the plugin's first instruction
/// runs.
struct PluginWorker {
  private let channel = WireChannel(descriptor: Int32(MODULE_CHANNEL))
  private var specification: PluginSpecification?
  private var factories: [CompositorID: CompositorFactory] = [:]
  private var processors: [AudioProcessorID: AudioProcessorFactory] = [:]
  private var corrections: [String: [String]] = [:]
  private var composers: [UInt64: (composer: any FrameComposer, context: RenderContext)] = [:]
  private var benches: [CompositorID: IsolationBench] = [:]
  private var segments: [UInt64: MappedMemory] = [:]
  private let leases = SegmentLeases()
  private var windows: [UInt64: OutputWindow] = [:]
  private var attributes: [UInt64: FrameAttributes] = [:]
  private var instruction = Instruction(timeRange: .zero)
  private var contract = ContractCheck()
  private let cancellation = WorkerCancellation()
  /// The failure of a message that has no reply.
  private var failure: (any Error)?
  /// Why memory that the host sent is not there. All requests that use such memory fail with it, whichever is answered first.
  private var missingMemory: (any Error)?

  /// Serves the host.
  ///
  /// - Returns: The process's exit status.
  static func serve(sandbox: Int32) -> Int32 {
    var worker = PluginWorker()
    do throws(WireChannel.Failure) {
      while true { try worker.answer(try worker.channel.receive(takesDescriptors: true), sandbox: sandbox) }
    } catch {
      // The host is gone, or sends invalid messages.
      return 0
    }
  }

  private mutating func answer(_ message: WireChannel.Message, sandbox: Int32) throws(WireChannel.Failure) {
    var reply: [UInt8]?
    do {
      if message.kind.isAnswered { try begin(message.number) }
      reply = try handle(message, sandbox: sandbox)
    } catch {
      // For a message without a reply, the next reply reports the error.
      if message.kind.isAnswered { reply = Self.failed(error) } else { failure = failure ?? error }
    }
    if let reply { try channel.send(WireWriter.numbered(reply, message.number)) }
  }

  private static func failed(_ error: any Error) -> [UInt8] {
    let data = (try? WireJSON.encode(WireError(error))) ?? Data()
    return WireWriter.message(.failed) { $0.put(data) }
  }

  /// Begins the next request that has a reply.
  private mutating func begin(_ number: UInt64) throws {
    cancellation.begin(number)
    defer { failure = nil }
    if let failure { throw failure }
  }

  /// - Returns: The reply; `nil` for messages that have none.
  private mutating func handle(_ message: WireChannel.Message, sandbox: Int32) throws -> [UInt8]? {
    var reader = WireReader(message.payload)
    switch message.kind {
    case .confine: return try confine(try WireJSON.decode(WireOpening.self, from: reader.data()), sandbox: sandbox)
    case .open: return try open(message.descriptors.first)
    case .make: return try make(&reader)
    case .drop: composers[try reader.integer(UInt64.self)] = nil
    case .segment:
      do {
        try map(&reader, message.descriptors)
      } catch {
        missingMemory = missingMemory ?? error
        throw error
      }
    case .forget: forget(try reader.integer(UInt64.self))
    case .attributes:
      attributes[try reader.integer(UInt64.self)] = try WireJSON.decode(FrameAttributes.self, from: reader.data())
    case .instruction: try setInstruction(&reader)
    case .needs: return try needs(&reader)
    case .render: return try render(&reader)
    case .check: return try check(try WireJSON.decode(WireCheck.self, from: reader.data()))
    case .measure: return try measure(try WireJSON.decode(WireMeasurement.self, from: reader.data()))
    case .done, .failed: throw WireReader.Short()
    }
    return nil
  }

  // MARK: The plugin

  /// Sets up the sandbox and reports its effective parts in a separate reply, because the plugin could influence every later
  /// one.
  private mutating func confine(_ opening: WireOpening, sandbox: Int32) throws -> [UInt8] {
    guard let specification = PluginSpecification(opening.specification) else { throw WireReader.Short() }
    _ = module_worker_guard(opening.memoryLimit)
    let denied = sandbox | WorkerFiles.confine(for: specification)
    module_worker_limit_descriptors()
    cancellation.start()
    contract = ContractCheck(memoryLimit: opening.memoryLimit)
    module_signals_note()
    module_state_note()
    self.specification = specification
    let data = try WireJSON.encode(SandboxPolicy(bits: denied))
    return WireWriter.message(.done) { $0.put(data) }
  }

  /// - Parameter image: The bytes of the plugin's file, as the host read them; `nil` for a collection.
  private mutating func open(_ image: Descriptor?) throws -> [UInt8] {
    guard let specification, (image == nil) == (specification.file == nil) else { throw WireReader.Short() }
    let plugin = try specification.open(bytes: image.map(PluginImage.loadingPath))
    for factory in plugin.factories { factories[factory.descriptor.id] = factory }
    for factory in plugin.processors { processors[factory.descriptor.id] = factory }
    corrections = plugin.corrections
    if let violation = contract.violation() {
      throw CompositorError(.pluginFailed, violation.text, recoverySuggestion: "Its author must fix that.")
    }
    let value = WirePlugin(
      compositors: plugin.factories.map { .init(descriptor: $0.descriptor, isSelective: $0.isSelective) },
      processors: plugin.processors.map(\.descriptor), notes: plugin.notes)
    let data = try WireJSON.encode(value)
    return WireWriter.message(.done) { $0.put(data) }
  }

  private mutating func make(_ reader: inout WireReader) throws -> [UInt8] {
    let id = try reader.integer(UInt64.self)
    let instance = try WireJSON.decode(WireInstance.self, from: reader.data())
    guard let factory = factories[instance.compositor] else {
      throw CompositorError(.compositorNotFound, "The plugin has no compositor “\(instance.compositor)”.")
    }
    let context = instance.context.context(pool: FramePool())
    let composer = try factory.makeCompositor(parameters: instance.parameters, context: context)
    if let violation = contract.violation() {
      throw CompositorError(.pluginFailed, violation.text, recoverySuggestion: "Its author must fix that.")
    }
    composers[id] = (composer, context)
    return WireWriter.message(.done)
  }

  private mutating func setInstruction(_ reader: inout WireReader) throws {
    if try reader.integer(UInt64.self) == 0 {
      let parameters = instruction.parameters
      instruction = try WireJSON.decode(Instruction.self, from: reader.data())
      instruction.parameters = parameters
    } else {
      instruction.parameters = try WireJSON.decode(ParameterValues.self, from: reader.data())
    }
  }

  private func check(_ check: WireCheck) throws -> [UInt8] {
    var result: PluginCheckResult
    if let factory = factories[check.compositor] {
      let factory = check.step == .description ? factory : factory.withDefaults(check.known.values)
      result = try PluginCheckBench(factory: factory, known: check.known).run(check.step)
    } else if let factory = processors[AudioProcessorID(rawValue: check.compositor.rawValue)] {
      result = try ProcessorCheckBench(factory: factory, known: check.known).run(check.step)
    } else {
      throw WireReader.Short()
    }
    // As the program of a trusted plugin does at its end.
    if check.step == .exit { exit(EXIT_SUCCESS) }
    if check.step == .description, let faults = corrections[check.compositor.rawValue] { result = result.adding(faults) }
    if let violation = contract.violation() { result = PluginCheckResult(.violation(violation), violation.text) }
    let data = try WireJSON.encode(result)
    return WireWriter.message(.done) { $0.put(data) }
  }

  /// Makes frames for a benchmark as a host without isolation would, in this process.
  private mutating func measure(_ measurement: WireMeasurement) throws -> [UInt8] {
    let key = measurement.compositor
    guard let factory = factories[key] else { throw WireReader.Short() }
    let bench = try benches[key] ?? IsolationBench(factory)
    benches[key] = bench
    let result = try bench.run(measurement)
    return WireWriter.message(.done) { writer in
      writer.put(result.nanoseconds)
      writer.put(result.hash)
    }
  }

  // MARK: Memory

  private mutating func map(_ reader: inout WireReader, _ descriptors: [Descriptor]) throws {
    let id = try reader.integer(UInt64.self)
    let byteCount = Int(clamping: try reader.integer(UInt64.self))
    guard let use = WireSegmentUse(rawValue: try reader.integer(UInt8.self)) else { throw WireReader.Short() }
    guard let descriptor = descriptors.first else { throw PluginWorker.noDescriptor }
    switch use {
    case .source:
      guard let segment = MappedMemory(descriptor, byteCount: byteCount, access: .read) else {
        throw PluginWorker.notMapped
      }
      module_worker_note(segment.base, byteCount, 1)
      segments[id] = segment
    case .output:
      guard let window = OutputWindow(descriptor, byteCount: byteCount) else { throw PluginWorker.notMapped }
      module_worker_note(window.base, byteCount, 2)
      windows[id] = window
    }
  }

  private mutating func forget(_ id: UInt64) {
    if let segment = segments.removeValue(forKey: id) { module_worker_note(segment.base, segment.byteCount, 0) }
    if let window = windows.removeValue(forKey: id) { module_worker_note(window.base, window.byteCount, 0) }
  }

  private static let notMapped = CompositorError(.resourceExhausted, "A frame's memory could not be mapped.")
  private static var noDescriptor: CompositorError {
    // Counting takes a descriptor itself, so it fails if there is none left.
    let count = module_descriptor_count()
    return CompositorError(
      .resourceExhausted,
      "The plugin has \(count < 0 ? "too many" : "\(count)") open files, so it can receive no frame; its limit is \(MODULE_DESCRIPTOR_LIMIT)."
    )
  }

  // MARK: Frames

  private func read(
    _ reader: inout WireReader, instance: UInt64
  ) throws -> (request: CompositionRequest, composer: any FrameComposer) {
    guard let (composer, context) = composers[instance] else { throw WireReader.Short() }
    let request = try WireRequest.read(&reader, instruction: instruction, context: context) {
      segment, key, format, size, planes in
      try frame(segment, format, size, planes, attributes[UInt64(key)] ?? FrameAttributes())
    }
    return (request, composer)
  }

  /// The frame in a segment of shared memory. If `id` is 0, a frame without pixels, whose addresses must not be read.
  private func frame(
    _ id: UInt64, _ format: PixelFormat, _ size: PixelSize, _ planes: [PlaneLayout], _ attributes: FrameAttributes
  ) throws -> Frame {
    guard id != 0 else {
      return Frame(
        wrapping: Array(repeating: WorkerFiles.nowhere, count: format.planeCount),
        strides: Array(repeating: 0, count: format.planeCount), format: format, size: size, attributes: attributes,
        release: {})
    }
    guard let segment = segments[id], segment.holds(planes, format: format, size: size) else {
      throw missingMemory ?? WireReader.Short()
    }
    let leases = leases
    leases.begin(id)
    return Frame(
      wrapping: planes.map { segment.base + $0.offset }, strides: planes.map(\.stride), format: format, size: size,
      attributes: attributes, release: { leases.end(id) })
  }

  private mutating func needs(_ reader: inout WireReader) throws -> [UInt8] {
    let (request, composer) = try read(&reader, instance: try reader.integer(UInt64.self))
    guard let selective = composer as? any SelectiveComposer else { return WireNeeds.message(.everything) }
    return WireNeeds.message(
      try CallerExecutor.run {
        try await selective.regionsOfInterest(for: request)
      } started: { _ in
      })
  }

  /// Renders and replies with the memory that is still in use after the request was released, which is what the plugin
  /// retains.
  private mutating func render(_ reader: inout WireReader) throws -> [UInt8] {
    var answer = try frame(&reader)
    answer.kept = leases.current
    return answer.message
  }

  private mutating func frame(_ reader: inout WireReader) throws -> WireAnswer {
    let instance = try reader.integer(UInt64.self)
    let output = windows[try reader.integer(UInt64.self)]
    let (request, composer) = try read(&reader, instance: instance)
    let context = request.context
    guard let output,
      output.byteCount >= FrameMemory.layout(format: context.outputFormat, size: context.size).byteCount
    else { throw missingMemory ?? WireReader.Short() }
    // Only this frame is writable, and only now.
    try output.open()
    let answer = Result { try compose(request, with: composer, in: output) }
    do {
      try output.close()
    } catch {
      // Only the plugin maps memory here.
      throw CompositorError(
        .pluginFailed, "The plugin changed the mapping of its frame, or mapped so much that its frame cannot be closed.",
        recoverySuggestion: "Its author must fix that.", cause: error.cause)
    }
    return try answer.get()
  }

  private func compose(
    _ request: CompositionRequest, with composer: any FrameComposer, in output: OutputWindow
  ) throws -> WireAnswer {
    let context = request.context
    var request = request
    let memory = LentMemory(output.base, format: context.outputFormat, size: context.size)
    request.context.pool = FramePool(allocator: memory)
    let frame = try CallerExecutor.run { [request] in
      try await composer.compose(request)
    } started: { cancel in
      cancellation.set(cancel)
    }
    cancellation.set(nil)
    let source = request.need(showing: frame)
    if source == nil, !memory.holds(frame) { try copy(frame, to: output.base, context) }
    return WireAnswer(source: source, violation: contract.violation()?.text)
  }

  /// Copies a frame from elsewhere to the place where the host expects it.
  private func copy(_ frame: Frame, to base: UnsafeMutableRawPointer, _ context: RenderContext) throws(CompositorError) {
    guard frame.format == context.outputFormat, frame.size == context.size else {
      throw CompositorError(
        .invalidCompositorOutput,
        "The compositor returned a frame of \(frame.size) \(frame.format) instead of \(context.size) \(context.outputFormat).",
        recoverySuggestion: "Make frames with the request's context, or return an unchanged source frame.")
    }
    let layout = FrameMemory.layout(format: frame.format, size: frame.size).planes
    frame.withUnsafePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        for y in 0..<plane.height {
          (base + layout[index].offset + y * layout[index].stride).copyMemory(
            from: plane.base + y * plane.stride, byteCount: frame.format.rowBytes(plane: index, of: frame.size))
        }
      }
    }
  }
}
