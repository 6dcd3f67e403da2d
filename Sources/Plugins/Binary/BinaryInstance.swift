import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// The functions of one compositor: code of a library that is never unloaded.
struct BinaryFunctions: Sendable {
  typealias Create =
    @convention(c) (
      UnsafePointer<CompositorDescription>?, UnsafePointer<CompositorContext>?,
      UnsafePointer<UnsafePointer<CompositorParameter>?>?, Int32,
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutablePointer<CompositorErrorText>?
    ) -> Int32
  typealias Render =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CompositorRequest>?, UnsafeMutablePointer<CompositorAnswer>?,
      UnsafeMutablePointer<CompositorErrorText>?
    ) -> Int32
  typealias Needs =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CompositorRequest>?, UnsafeMutablePointer<CompositorNeeds>?,
      UnsafeMutablePointer<CompositorErrorText>?
    ) -> Int32
  typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The argument of `create`; valid until the process ends.
  nonisolated(unsafe) let description: UnsafePointer<CompositorDescription>
  let create: Create
  let destroy: Destroy
  let render: Render
  let needs: Needs?
}

/// An instance of a library's compositor; destroyed with its last reference.
final class BinaryInstance: Sendable {
  private let descriptor: CompositorDescriptor
  private let functions: BinaryFunctions
  /// The library's handle. The header allows calls from any thread, within the concurrency of the descriptor, which the host
  /// respects.
  nonisolated(unsafe) private let handle: UnsafeMutableRawPointer?

  /// - Throws: The library's error if it rejects the parameters or the context.
  init(
    _ descriptor: CompositorDescriptor, _ functions: BinaryFunctions, parameters: ParameterValues, context: RenderContext
  ) throws(CompositorError) {
    let arena = StructArena()
    let list = CompositorParameter.list(parameters, schema: descriptor.parameters, arena)
    let structure = arena.make(CompositorContext(context, arena))
    let error = ErrorText(arena)
    var handle: UnsafeMutableRawPointer?
    let code = withExtendedLifetime(arena) {
      functions.create(functions.description, structure, arena.list(list), Int32(list.count), &handle, error.pointer)
    }
    if let failure = error.failure(code, descriptor.id) { throw failure }
    (self.descriptor, self.functions, self.handle) = (descriptor, functions, handle)
  }

  deinit { functions.destroy(handle) }

  /// - Throws: The library's error; `.pluginFailed` if its result is invalid.
  func render(_ request: CompositionRequest, cancellation: CancellationFlag) throws(CompositorError) -> Frame {
    var output = try request.context.makeFrame()
    let arena = StructArena()
    let error = ErrorText(arena)
    var answer = CompositorAnswer()
    answer.struct_size = MemoryLayout<CompositorAnswer>.size
    var structure = CompositorRequest(request, schema: descriptor.parameters, arena, withPixels: true)
    structure.setCancellation(cancellation)
    structure.output = UnsafePointer(arena.make(output.structure(arena)))
    let pointer = arena.make(structure)
    // The arena's pointers point into the request's frames.
    let code = withExtendedLifetime((arena, request, cancellation)) {
      functions.render(handle, pointer, &answer, error.pointer)
    }
    if let failure = error.failure(code, descriptor.id) { throw failure }
    switch Int(answer.kind) {
    case COMPOSITOR_ANSWER_OUTPUT: return output.freeze()
    case COMPOSITOR_ANSWER_SOURCE:
      let time = answer.time.timescale > 0 ? answer.time.time : request.time
      if let source = request.source(answer.track, at: time) { return source.frame }
      let place = time == request.time ? "" : " at \(time)"
      throw fault("It returned track \(answer.track)\(place), which the request does not have.")
    case COMPOSITOR_ANSWER_FRAME:
      guard let frame = answer.frame else { throw fault("It announced a frame of its own, but returned none.") }
      return try copy(readStruct(frame, zero: CompositorFrame()), to: output)
    default: throw fault("It returned the unknown kind of answer \(answer.kind).")
    }
  }

  /// - Throws: The library's error; `.pluginFailed` if the needs are invalid.
  func needs(_ request: CompositionRequest) throws(CompositorError) -> RegionsOfInterest {
    guard let function = functions.needs else { return .everything }
    let arena = StructArena()
    let capacity = request.sources.count + RegionsOfInterest.maximumOtherCount
    let entries = (0..<capacity).map { _ in Optional(arena.make(CompositorNeed())) }
    for entry in entries { entry?.pointee.struct_size = MemoryLayout<CompositorNeed>.size }
    let error = ErrorText(arena)
    var answer = CompositorNeeds()
    answer.struct_size = MemoryLayout<CompositorNeeds>.size
    answer.part_capacity = Int32(entries.count)
    answer.parts = arena.list(entries).map { UnsafePointer($0) }
    let structure = arena.make(
      CompositorRequest(request, schema: descriptor.parameters, arena, withPixels: false))
    let code = withExtendedLifetime((arena, request)) { function(handle, structure, &answer, error.pointer) }
    if let failure = error.failure(code, descriptor.id) { throw failure }
    if answer.identity_track != 0 { return .identity(answer.identity_track) }
    guard answer.is_partial != 0 else { return .everything }
    guard (0...capacity).contains(Int(answer.part_count)) else {
      throw fault("It claims to have filled \(answer.part_count) needs; there is room for \(capacity).")
    }
    let needs = entries.prefix(max(0, Int(answer.part_count))).compactMap {
      $0.map { RegionOfInterest($0.pointee, of: request) }
    }
    // The host reports an error to a plugin that asks for other times without declaring it.
    if descriptor.needsOtherTimes || needs.contains(where: { $0.time != request.time }) { return .sources(needs) }
    return .regions(Dictionary(needs.map { ($0.trackID, $0.region) }, uniquingKeysWith: { $0.union($1) }))
  }

  private func copy(_ frame: CompositorFrame, to output: consuming MutableFrame) throws(CompositorError) -> Frame {
    let planes = frame.planeList
    func refused(_ what: String) -> CompositorError {
      CompositorError(
        .invalidCompositorOutput, what,
        recoverySuggestion: "Its author must make frames with the size and format of the request's output.",
        at: ErrorLocation(compositor: descriptor.id))
    }
    guard let picture = PictureDescription(frame), picture.format == output.format, picture.size == output.size else {
      let name = frame.format.map { String(cString: $0) } ?? "no format"
      throw refused(
        "The compositor returned a frame of \(frame.width)x\(frame.height) \(name) instead of \(output.size) \(output.format).")
    }
    let own = PictureDescription(format: output.format, size: output.size, attributes: output.attributes)
    if let fault = frame.faultInPlanes(of: own) ?? frame.faultInColor(of: own, picture) { throw refused(fault) }
    let (format, size) = (output.format, output.size)
    output.withUnsafeMutablePlanes { target in
      for index in 0..<target.count {
        let plane = target[index]
        guard let base = planes[index].data else { continue }
        for y in 0..<plane.height {
          (plane.base + y * plane.stride).copyMemory(
            from: base + y * planes[index].stride, byteCount: format.rowBytes(plane: index, of: size))
        }
      }
    }
    return output.freeze()
  }

  private func fault(_ message: String) -> CompositorError {
    CompositorError(
      .pluginFailed, message, recoverySuggestion: "Its author must fix it.", at: ErrorLocation(compositor: descriptor.id))
  }
}

extension RegionOfInterest {
  /// An entry filled in by a library.
  fileprivate init(_ need: CompositorNeed, of request: CompositionRequest) {
    let (x, y, width, height) = need.part
    self.init(
      need.track, at: need.time.timescale == 0 ? request.time : need.time.time,
      region: need.is_whole != 0 ? .infinite : Rect(x: x, y: y, width: width, height: height))
  }
}

/// A buffer for a library's error message.
struct ErrorText {
  let pointer: UnsafeMutablePointer<CompositorErrorText>
  private static let capacity = 1024

  init(_ arena: StructArena) {
    var error = CompositorErrorText()
    error.struct_size = MemoryLayout<CompositorErrorText>.size
    error.capacity = ErrorText.capacity
    error.text = arena.list([CChar](repeating: 0, count: ErrorText.capacity))
    pointer = arena.make(error)
  }

  /// The error of a call that returned `code`; `nil` on success.
  func failure(_ code: Int32, _ id: CompositorID) -> CompositorError? {
    guard code != COMPOSITOR_OK else { return nil }
    // The library may have omitted the terminating zero.
    pointer.pointee.text[ErrorText.capacity - 1] = 0
    let text = DescriptionRules.shown(String(cString: pointer.pointee.text))
    let cause = text.isEmpty ? "error \(code)" : text
    let place = ErrorLocation(compositor: id)
    return switch Int(code) {
    case COMPOSITOR_INVALID_PARAMETER:
      CompositorError(
        .invalidParameter, "The compositor cannot use a parameter.", recoverySuggestion: "Give another value.", cause: cause,
        at: place)
    case COMPOSITOR_UNSUPPORTED:
      CompositorError(
        .compositorFailed, "The compositor does not support this size, format or color.",
        recoverySuggestion:
          "Use it where its sources have what it supports. If it sets places_sources, they have the output's size.",
        cause: cause, at: place)
    case COMPOSITOR_OUT_OF_MEMORY:
      CompositorError(
        .resourceExhausted, "The compositor ran out of memory.",
        recoverySuggestion: "Raise its memory limit, or render a smaller canvas.",
        cause: cause, at: place)
    case COMPOSITOR_WRONG_OUTPUT:
      CompositorError(
        .invalidCompositorOutput, "The compositor made a frame of the wrong format or size.",
        recoverySuggestion: "Its author must make frames with the request's context.", cause: cause, at: place)
    case COMPOSITOR_CANCELLED: CompositorError(.cancelled, "The render was canceled.", at: place)
    default: CompositorError(.compositorFailed, "The compositor failed.", cause: cause, at: place)
    }
  }
}
