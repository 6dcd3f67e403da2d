import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// An instance of a compositor behind the C interface.
final class ExportedInstance: Sendable {
  let composer: any FrameComposer
  let descriptor: CompositorDescriptor
  let context: RenderContext

  init(
    _ exported: ExportedType, _ context: UnsafePointer<CompositorContext>,
    _ parameters: UnsafePointer<UnsafePointer<CompositorParameter>?>?, _ count: Int32
  ) throws {
    self.descriptor = exported.descriptor
    self.context = try RenderContext(readStruct(context, zero: CompositorContext()))
    self.composer = try exported.make(ParameterValues(parameters, count: count), self.context)
  }

  func render(_ pointer: UnsafePointer<CompositorRequest>, _ answer: UnsafeMutablePointer<CompositorAnswer>) throws {
    let structure = readStruct(pointer, zero: CompositorRequest())
    guard let output = structure.output.map({ readStruct($0, zero: CompositorFrame()) }) else {
      throw CompositorError(.pluginFailed, "The host provided no output.")
    }
    let memory = OutputMemory(output)
    var request = try CompositionRequest(structure, context: context, id: descriptor.id)
    request.context.pool = FramePool(allocator: memory.lent)
    let frame = try compose(request, cancellation: HostCancellation(structure))
    if let source = request.need(showing: frame) {
      (answer.pointee.kind, answer.pointee.track) = (Int32(COMPOSITOR_ANSWER_SOURCE), source.trackID)
      if source.time != request.time { answer.pointee.time = CompositorTime(source.time) }
    } else {
      try memory.accept(frame)
    }
  }

  private func compose(_ request: CompositionRequest, cancellation: HostCancellation) throws -> Frame {
    var watch: Task<Void, Never>?
    defer {
      watch?.cancel()
      cancellation.end()
    }
    return try CallerExecutor.run { [composer] in
      try await composer.compose(request)
    } started: { cancel in
      watch = cancellation.watch(cancel)
    }
  }

  /// Runs work, converting errors to a code and a message.
  static func reporting(_ error: UnsafeMutablePointer<CompositorErrorText>?, _ work: () throws -> Void) -> Int32 {
    do {
      try work()
      return Int32(COMPOSITOR_OK)
    } catch let failure as CompositorError {
      write([failure.message, failure.cause, failure.recoverySuggestion].compactMap { $0 }.joined(separator: " "), to: error)
      switch failure.code {
      case .invalidParameter: return Int32(COMPOSITOR_INVALID_PARAMETER)
      case .invalidCompositorOutput: return Int32(COMPOSITOR_WRONG_OUTPUT)
      case .conversionNotPossible: return Int32(COMPOSITOR_UNSUPPORTED)
      case .resourceExhausted, .framePoolExhausted: return Int32(COMPOSITOR_OUT_OF_MEMORY)
      case .cancelled: return Int32(COMPOSITOR_CANCELLED)
      default: return Int32(COMPOSITOR_FAILED)
      }
    } catch is CancellationError {
      return Int32(COMPOSITOR_CANCELLED)
    } catch let failure {
      write(String(describing: failure), to: error)
      return Int32(COMPOSITOR_FAILED)
    }
  }

  private static func write(_ message: String, to error: UnsafeMutablePointer<CompositorErrorText>?) {
    guard let error, let text = error.pointee.text, error.pointee.capacity > 0 else { return }
    let bytes = message.utf8.prefix(error.pointee.capacity - 1)
    for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
    text[bytes.count] = 0
  }
}
