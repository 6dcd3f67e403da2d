import BuiltinCompositors
public import CompositorAPI

/// Compositors by the IDs used in instructions. Built-in compositors are registered like any others.
///
/// ```swift
/// var registry = CompositorRegistry.builtIn
/// try registry.register(MaskMixer.self)
/// ```
public struct CompositorRegistry: Sendable {
  private var factories: [CompositorID: CompositorFactory] = [:]
  private var processors: [AudioProcessorID: AudioProcessorFactory] = [:]

  /// Creates an empty registry.
  public init() {}

  /// A registry of the compositors that come with the package.
  public static let builtIn: CompositorRegistry = {
    var registry = CompositorRegistry()
    for type in Builtins.all { registry.factories[type.descriptor.id] = CompositorFactory(type) }
    return registry
  }()

  /// Adds a compositor under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` if the ID is empty or already taken by another type. Registering a type again has no effect.
  public mutating func register(_ type: any VideoCompositor.Type) throws(CompositorError) {
    try register(CompositorFactory(type))
  }

  /// Adds a closure as a compositor; see `CompositorFactory.init(_:compose:)`.
  ///
  /// ```swift
  /// var registry = CompositorRegistry.builtIn
  /// try registry.register("org.example.first") { request in
  ///   guard let source = request.sources[1] else { throw CompositorError(.noFrame, "Track 1 shows nothing.") }
  ///   return source.frame
  /// }
  /// ```
  ///
  /// - Throws: `.invalidValue` if the ID is empty or taken.
  public mutating func register(
    _ id: CompositorID, compose: @escaping @Sendable (CompositionRequest) async throws -> Frame
  ) throws(CompositorError) {
    try register(CompositorFactory(id, compose: compose))
  }

  /// Adds a factory's compositor, for example a plugin's, under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` if the ID is empty or already taken by another compositor, or if the factory doesn't bring the
  ///   device that the descriptor names. Registering one again has no effect.
  public mutating func register(_ factory: CompositorFactory) throws(CompositorError) {
    let id = factory.descriptor.id
    guard !id.rawValue.isEmpty else {
      throw CompositorError(
        .invalidValue, "\(factory.origin) has an empty ID.",
        recoverySuggestion: "Give its descriptor a name such as “org.example.glow”.")
    }
    if let other = factories[id], other.origin != factory.origin {
      throw CompositorError(
        .invalidValue, "\(other.origin) is already registered as “\(id)”.",
        recoverySuggestion: "Give \(factory.origin) another ID.",
        at: .init(compositor: id))
    }
    guard factory.device?.id == factory.descriptor.device else { throw CompositorError(wrongDeviceOf: factory) }
    factories[id] = factory
  }

  /// Adds an audio processor under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` if the ID is empty or already taken by another type. Registering a type again has no effect.
  public mutating func register(_ type: any AudioProcessor.Type) throws(CompositorError) {
    try register(AudioProcessorFactory(type))
  }

  /// Adds a factory's audio processor, for example a plugin's, under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` if the ID is empty or already taken by another processor. Registering one again has no effect.
  public mutating func register(_ factory: AudioProcessorFactory) throws(CompositorError) {
    let id = factory.descriptor.id
    guard !id.rawValue.isEmpty else {
      throw CompositorError(
        .invalidValue, "\(factory.origin) has an empty ID.",
        recoverySuggestion: "Give its descriptor a name such as “org.example.robot”.")
    }
    if let other = audioProcessor(id), other.origin != factory.origin {
      throw CompositorError(
        .invalidValue, "\(other.origin) is already registered as “\(id)”.",
        recoverySuggestion: "Give \(factory.origin) another ID.", at: .init(compositor: CompositorID(rawValue: id.rawValue)))
    }
    processors[id] = factory
  }

  /// The descriptors of all audio processors, including those of libavfilter if the program is
  /// linked with it; sorted by ID.
  public var audioProcessorDescriptors: [AudioProcessorDescriptor] {
    (processors.values.map(\.descriptor) + LinkedFilters.processors.map(\.descriptor)).sorted {
      $0.id.rawValue < $1.id.rawValue
    }
  }

  /// The compositor with an ID; `nil` if there is none.
  public subscript(id: CompositorID) -> CompositorFactory? { factories[id] }

  /// The allocator of frames in the host's memory that an instruction's compositors prefer: that of the first compositor or
  /// effect called which brings one; `nil` for the heap.
  package func frameAllocator(for instruction: Instruction) -> (any FrameAllocator)? {
    instruction.calls.lazy.compactMap { self[$0.compositor]?.allocator }.first
  }

  /// The allocator for the frames of a render: that of the first instruction whose compositors prefer one; `nil` for the heap.
  ///
  /// One allocator serves a whole render, because decoders go on from one instruction to the next. Frames in other memory than
  /// a compositor prefers are copied for it.
  package func frameAllocator(for instructions: [Instruction]) -> (any FrameAllocator)? {
    instructions.lazy.compactMap(frameAllocator(for:)).first
  }

  /// The descriptors of all compositors, sorted by ID.
  public var descriptors: [CompositorDescriptor] {
    factories.values.map { $0.descriptor }.sorted { $0.id.rawValue < $1.id.rawValue }
  }
}

extension CompositorError {
  fileprivate init(wrongDeviceOf factory: CompositorFactory) {
    let id = factory.descriptor.id
    let wanted = factory.descriptor.device.map { "of the device “\($0)”" } ?? "in the host's memory"
    let brought = factory.device.map { "brings the device “\($0.id)”" } ?? "brings no device"
    self.init(
      .invalidValue, "“\(id)” takes frames \(wanted), but its factory \(brought).",
      recoverySuggestion: "Register CompositorFactory(_:device:) with the device that the descriptor names.",
      at: ErrorLocation(compositor: id))
  }
}

extension CompositorRegistry: AudioProcessorProvider {
  /// The audio processor with an ID; `nil` if there is none. Those of libavfilter need no plugin to be opened.
  public func audioProcessor(_ id: AudioProcessorID) -> AudioProcessorFactory? {
    processors[id] ?? LinkedFilters.processor(id)
  }
}
