import BuiltinCompositors
public import CompositorAPI

/// Compositors by the ID that instructions name. The built-in ones go through the same door as everybody's.
///
/// ```swift
/// var registry = CompositorRegistry.builtIn
/// try registry.register(MaskMixer.self)
/// ```
public struct CompositorRegistry: Sendable {
  private var factories: [CompositorID: CompositorFactory] = [:]
  private var processors: [AudioProcessorID: AudioProcessorFactory] = [:]

  /// A registry that knows no compositor at all.
  public init() {}

  /// The compositors that come with the package.
  public static let builtIn: CompositorRegistry = {
    var registry = CompositorRegistry()
    for type in Builtins.all { registry.factories[type.descriptor.id] = CompositorFactory(type) }
    return registry
  }()

  /// Adds a compositor under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` where the ID is empty or taken by another type. Registering a type again is no error.
  public mutating func register(_ type: any VideoCompositor.Type) throws(CompositorError) {
    try register(CompositorFactory(type))
  }

  /// Adds a closure as a compositor: see ``CompositorAPI/CompositorFactory/init(_:compose:)``.
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
  /// - Throws: `.invalidValue` where the ID is empty or taken by a compositor from elsewhere. Registering one again is no
  ///   error.
  public mutating func register(_ factory: CompositorFactory) throws(CompositorError) {
    let id = factory.descriptor.id
    guard !id.rawValue.isEmpty else {
      throw CompositorError(
        .invalidValue, "\(factory.origin) has an empty ID.",
        recoverySuggestion: "Give its descriptor a name such as “org.example.glow”.")
    }
    if let other = factories[id], other.origin != factory.origin {
      throw CompositorError(
        .invalidValue, "\(other.origin) is registered as “\(id)” already.",
        recoverySuggestion: "Give \(factory.origin) another ID.",
        at: .init(compositor: id))
    }
    factories[id] = factory
  }

  /// Adds an audio processor under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` where the ID is empty or taken by another type. Registering a type again is no error.
  public mutating func register(_ type: any AudioProcessor.Type) throws(CompositorError) {
    try register(AudioProcessorFactory(type))
  }

  /// Adds a factory's audio processor, for example a plugin's, under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` where the ID is empty or taken by a processor from elsewhere. Registering one again is no error.
  public mutating func register(_ factory: AudioProcessorFactory) throws(CompositorError) {
    let id = factory.descriptor.id
    guard !id.rawValue.isEmpty else {
      throw CompositorError(
        .invalidValue, "\(factory.origin) has an empty ID.",
        recoverySuggestion: "Give its descriptor a name such as “org.example.robot”.")
    }
    if let other = audioProcessor(id), other.origin != factory.origin {
      throw CompositorError(
        .invalidValue, "\(other.origin) is registered as “\(id)” already.",
        recoverySuggestion: "Give \(factory.origin) another ID.", at: .init(compositor: CompositorID(rawValue: id.rawValue)))
    }
    processors[id] = factory
  }

  /// What can be set on every audio processor, those of libavfilter among them; sorted by ID.
  public var audioProcessorDescriptors: [AudioProcessorDescriptor] {
    (processors.values.map(\.descriptor) + AVFilterProcessors.factories.map(\.descriptor)).sorted {
      $0.id.rawValue < $1.id.rawValue
    }
  }

  /// The compositor with an ID; nil where there is none.
  public subscript(id: CompositorID) -> CompositorFactory? { factories[id] }

  /// Where a render had best get its frames; nil for the heap.
  package var frameAllocator: (any FrameAllocator)? { factories.values.lazy.compactMap(\.allocator).first }

  /// What every compositor can do, sorted by ID.
  public var descriptors: [CompositorDescriptor] {
    factories.values.map { $0.descriptor }.sorted { $0.id.rawValue < $1.id.rawValue }
  }
}

extension CompositorRegistry: AudioProcessorProvider {
  /// The audio processor with an ID; nil where there is none. Those of libavfilter are always there.
  public func audioProcessor(_ id: AudioProcessorID) -> AudioProcessorFactory? {
    processors[id] ?? AVFilterProcessors.factory(id)
  }
}
