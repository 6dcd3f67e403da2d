import CCompositorPlugin
import CompositorAPI
import PluginBridge

/// An instance of a compositor behind the C interface.
final class ExportedInstance: Sendable {
  private let composer: any FrameComposer
  private let descriptor: CompositorDescriptor
  private let context: RenderContext

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
      throw CompositorError(.moduleFailed, "The host gave no output.")
    }
    let memory = OutputMemory(output)
    var request = try CompositionRequest(structure, context: context, id: descriptor.id)
    request.context.pool = FramePool(allocator: memory.lent)
    let frame = try compose(request, cancellation: HostCancellation(structure))
    if let source = request.sources.first(where: { $0.value.frame.isSameMemory(as: frame) }) {
      (answer.pointee.kind, answer.pointee.track) = (Int32(COMPOSITOR_ANSWER_SOURCE), source.key)
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

  func needs(_ pointer: UnsafePointer<CompositorRequest>, _ needs: UnsafeMutablePointer<CompositorNeeds>) {
    guard let selective = composer as? any SelectiveComposer,
      let request = try? CompositionRequest(
        readStruct(pointer, zero: CompositorRequest()), context: context, id: descriptor.id)
    else { return }
    switch selective.needs(for: request) {
    case .everything: break
    case .identical(let trackID): needs.pointee.identical_track = trackID
    case .parts(let parts):
      needs.pointee.is_partial = 1
      for (trackID, part) in parts {
        let index = Int(needs.pointee.part_count)
        guard index < needs.pointee.part_capacity, let entry = needs.pointee.parts?[index] else { break }
        entry.pointee.track = trackID
        entry.pointee.is_whole = part.isInfinite ? 1 : 0
        entry.pointee.part = (part.minX, part.minY, part.size.width, part.size.height)
        needs.pointee.part_count += 1
      }
    }
  }

  /// Runs work whose errors become a code and a text.
  static func reporting(_ error: UnsafeMutablePointer<CompositorErrorText>?, _ work: () throws -> Void) -> Int32 {
    do {
      try work()
      return Int32(COMPOSITOR_OK)
    } catch let failure as CompositorError {
      write([failure.message, failure.cause, failure.remedy].compactMap { $0 }.joined(separator: " "), to: error)
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
