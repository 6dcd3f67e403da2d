import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// One audio processor of a library: its descriptor and its functions.
struct BinaryProcessorDescription {
  let descriptor: AudioProcessorDescriptor
  let functions: BinaryProcessorFunctions

  /// Reads and checks a description.
  ///
  /// - Throws: `.pluginFailed` with the reason if it is invalid.
  init(_ pointer: UnsafePointer<CompositorAudioDescription>) throws(CompositorError) {
    let description = try sizedStruct(pointer, zero: CompositorAudioDescription(), "CompositorAudioDescription")
    let text = { (text: UnsafePointer<CChar>?) in text.map { String(cString: $0) } ?? "" }
    let id = text(description.id)
    guard !id.isEmpty else { throw Self.fault("An audio processor has no ID.") }
    guard let create = description.create, let destroy = description.destroy, let process = description.process else {
      throw Self.fault("The audio processor “\(id)” lacks one of create, destroy and process.")
    }
    functions = BinaryProcessorFunctions(
      description: pointer, create: create, destroy: destroy, process: process, reset: description.reset,
      latency: description.latency, tail: description.tail)
    var parameters: [ParameterDescription] = []
    for parameter in readList(description.parameters, count: description.parameter_count) {
      parameters.append(try BinaryDescription.parameter(parameter, of: id))
    }
    descriptor = DescriptionRules.cleaned(
      AudioProcessorDescriptor(
        id: AudioProcessorID(rawValue: id), name: text(description.name), version: text(description.version),
        summary: text(description.summary), parameters: parameters))
  }

  func factory(plugin: String) -> AudioProcessorFactory {
    AudioProcessorFactory(descriptor, plugin: plugin) { [descriptor, functions] parameters, context in
      try BinaryProcessor(descriptor, functions, parameters: parameters, context: context)
    }
  }

  private static func fault(_ message: String) -> CompositorError {
    CompositorError(
      .pluginFailed, DescriptionRules.shown(message), recoverySuggestion: "Its author must fix the description.")
  }
}

/// The functions of one audio processor: code of a library that is never unloaded.
struct BinaryProcessorFunctions: Sendable {
  /// The argument of `create`; valid until the process ends.
  nonisolated(unsafe) let description: UnsafePointer<CompositorAudioDescription>
  let create:
    @convention(c) (
      UnsafePointer<CompositorAudioDescription>?, UnsafePointer<CompositorAudioContext>?,
      UnsafePointer<UnsafePointer<CompositorParameter>?>?, Int32, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      UnsafeMutablePointer<CompositorErrorText>?
    ) -> Int32
  let destroy: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let process:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<UnsafeMutablePointer<Float>?>?, Int32, Int64,
      UnsafeMutablePointer<CompositorErrorText>?
    ) -> Int32
  let reset: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  let latency: (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?
  let tail: (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?
}

/// An instance of a library's audio processor.
final class BinaryProcessor: AudioBlockProcessor {
  private let functions: BinaryProcessorFunctions
  private let handle: UnsafeMutableRawPointer?
  private let id: CompositorID
  private let arena = StructArena()
  private let error: ErrorText
  let latency: Int
  let tail: Int

  /// - Throws: The library's error if it rejects the parameters.
  init(
    _ descriptor: AudioProcessorDescriptor, _ functions: BinaryProcessorFunctions, parameters: ParameterValues,
    context: AudioProcessingContext
  ) throws(CompositorError) {
    id = CompositorID(rawValue: descriptor.id.rawValue)
    error = ErrorText(arena)
    let list = CompositorParameter.list(parameters, schema: descriptor.parameters, arena)
    var structure = CompositorAudioContext()
    structure.struct_size = MemoryLayout<CompositorAudioContext>.size
    structure.sample_rate = Int32(clamping: context.sampleRate)
    structure.channel_count = Int32(clamping: context.channelCount)
    structure.maximum_count = Int32(clamping: context.maximumCount)
    var made: UnsafeMutableRawPointer?
    let code = functions.create(
      functions.description, arena.make(structure), arena.list(list), Int32(list.count), &made, error.pointer)
    if let failure = error.failure(code, id) { throw failure }
    (self.functions, handle) = (functions, made)
    latency = Int(functions.latency?(made) ?? 0)
    tail = Int(functions.tail?(made) ?? 0)
  }

  deinit { functions.destroy(handle) }

  /// What the library says now, which must be what it said when the instance was made.
  var presentDelays: (latency: Int, tail: Int) {
    (Int(functions.latency?(handle) ?? 0), Int(functions.tail?(handle) ?? 0))
  }

  func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) throws(CompositorError) {
    var code = Int32(COMPOSITOR_OK)
    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: channels.count) { pointers in
      for (index, channel) in channels.enumerated() { pointers.initializeElement(at: index, to: channel) }
      code = functions.process(handle, pointers.baseAddress, Int32(count), position, error.pointer)
    }
    if let failure = error.failure(code, id) { throw failure }
  }

  func reset() { functions.reset?(handle) }
}
