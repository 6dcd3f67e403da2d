/// Creates the instances of one compositor, which is a Swift type or comes from a plugin loaded at run time.
///
/// ```swift
/// let factory = CompositorFactory(MaskMixer.self)
/// let compositor = try factory.makeCompositor(parameters: [:], context: context)
/// ```
public struct CompositorFactory: Sendable {
  /// The origin of a compositor.
  public enum Origin: Hashable, Sendable {
    /// A Swift type of the program.
    case type(ObjectIdentifier, name: String)
    /// A file, library or collection loaded at run time, by the name that users know.
    case plugin(String)
  }

  /// The identity and capabilities of the compositor.
  public let descriptor: CompositorDescriptor
  /// The origin of the compositor. Compositors with equal origins and equal IDs are the same.
  public let origin: Origin
  /// The device in whose memory the compositors take frames; `nil` for the host's memory. Its ID is the descriptor's
  /// ``CompositorDescriptor/device``.
  public let device: (any FrameDevice)?
  /// The preferred allocator of frames in the host's memory for a render that uses these compositors; `nil` for the heap.
  package let allocator: (any FrameAllocator)?
  /// Whether the instances run in a process of their plugin, whose time is not this process's.
  package let isIsolated: Bool
  /// Whether the instances are ``SelectiveComposer``s.
  package let isSelective: Bool
  private let make: @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer

  /// Creates a factory for a Swift type.
  public init(_ type: any VideoCompositor.Type) { self.init(type, of: nil) }

  /// Creates a factory for a Swift type that takes frames in a device's memory.
  ///
  /// Source frames come converted as the descriptor asks, in the memory of the device: see ``Frame/deviceImage``. The compositor
  /// returns a frame of a new image of the device (``Frame/init(_:format:size:attributes:)``), a frame in the host's memory, or a
  /// source as it is.
  public init(_ type: any VideoCompositor.Type, device: any FrameDevice) { self.init(type, of: device) }

  private init(_ type: any VideoCompositor.Type, of device: (any FrameDevice)?) {
    self.device = device
    descriptor = type.descriptor
    origin = .type(ObjectIdentifier(type), name: String(describing: type))
    allocator = nil
    isIsolated = false
    isSelective = type is any SelectiveComposer.Type
    make = { parameters, context in try type.init(parameters: parameters, context: context) }
  }

  /// Creates a factory for compositors that call a closure for each frame, such as a compositor for a single render.
  ///
  /// ```swift
  /// let plain = CompositorFactory("org.example.plain") { request in
  ///   try request.context.makeFrame(filledWith: .black)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identifier that instructions use.
  ///   - compose: Returns the frame for a request: a frame of the context's size and output format, or one of the source frames
  ///     unchanged. Called on any thread, for several frames at a time.
  public init(
    _ id: CompositorID, compose: @escaping @Sendable (CompositionRequest) async throws -> Frame
  ) {
    let composer = ClosureComposer(body: compose)
    descriptor = CompositorDescriptor(id: id, name: id.rawValue, summary: "A closure of the program.")
    origin = .type(ObjectIdentifier(composer), name: "a closure")
    (device, allocator) = (nil, nil)
    (isIsolated, isSelective) = (false, false)
    make = { _, _ in composer }
  }

  /// Creates a factory for the compositors of a plugin.
  ///
  /// - Parameters:
  ///   - plugin: The plugin as users know it: its path, or the name of a collection.
  ///   - make: Creates an instance. Called on any thread, possibly concurrently.
  public init(
    _ descriptor: CompositorDescriptor, plugin: String,
    make: @escaping @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer
  ) {
    self.init(descriptor, plugin: plugin, isSelective: false, make: make)
  }

  /// Creates a factory for compositors of a plugin.
  ///
  /// - Parameters:
  ///   - isSelective: Whether the instances are ``SelectiveComposer``s.
  ///   - isIsolated: Whether the instances run in a process of the plugin.
  ///   - allocator: The preferred allocator of their frames, such as memory that processes share; `nil` for the heap.
  package init(
    _ descriptor: CompositorDescriptor, plugin: String, isSelective: Bool, isIsolated: Bool = false,
    allocator: (any FrameAllocator)? = nil,
    make: @escaping @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer
  ) {
    self.descriptor = descriptor
    self.origin = .plugin(plugin)
    self.device = nil
    self.allocator = allocator
    (self.isIsolated, self.isSelective) = (isIsolated, isSelective)
    self.make = make
  }

  /// A factory that wraps each instance, for example to measure its time. Wrapped selective instances must stay selective.
  package func wrapping(_ wrap: @escaping @Sendable (any FrameComposer) -> any FrameComposer) -> CompositorFactory {
    CompositorFactory(self) { [make] parameters, context in wrap(try make(parameters, context)) }
  }

  /// The same compositor under another ID, for example beside another build of it.
  package func renamed(_ id: CompositorID) -> CompositorFactory {
    var descriptor = descriptor
    descriptor.id = id
    return CompositorFactory(self, descriptor: descriptor, make: make)
  }

  /// The same compositor with other defaults of its parameters.
  package func withDefaults(_ values: ParameterValues) -> CompositorFactory {
    var descriptor = descriptor
    for index in descriptor.parameters.indices {
      guard let value = values[descriptor.parameters[index].key] else { continue }
      descriptor.parameters[index].defaultValue = value
    }
    return CompositorFactory(self, descriptor: descriptor, make: make)
  }

  private init(
    _ other: CompositorFactory, descriptor: CompositorDescriptor? = nil,
    make: @escaping @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer
  ) {
    self.descriptor = descriptor ?? other.descriptor
    (origin, device, allocator) = (other.origin, other.device, other.allocator)
    (isIsolated, isSelective) = (other.isIsolated, other.isSelective)
    self.make = make
  }

  /// Creates an instance for one set of parameters and one render context.
  ///
  /// - Throws: The error that the compositor throws for unusable parameters.
  public func makeCompositor(parameters: ParameterValues, context: RenderContext) throws -> any FrameComposer {
    try make(parameters, context)
  }
}

extension CompositorFactory.Origin: CustomStringConvertible {
  /// The name of the type or plugin.
  public var description: String {
    switch self {
    case .type(_, let name): name
    case .plugin(let name): name
    }
  }
}

/// A compositor that calls a closure. It is a class, so that each closure has an identity.
private final class ClosureComposer: FrameComposer {
  let body: @Sendable (CompositionRequest) async throws -> Frame

  init(body: @escaping @Sendable (CompositionRequest) async throws -> Frame) { self.body = body }

  func compose(_ request: CompositionRequest) async throws -> Frame { try await body(request) }
}

/// The identifier of a compositor, in reverse domain order: `org.example.glow`.
public struct CompositorID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The identifier.
  public var rawValue: String
  /// Creates an identifier from any string.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates an identifier from any string.
  public init(stringLiteral value: String) { self.rawValue = value }
  /// The identifier.
  public var description: String { rawValue }
  /// The built-in compositor that applies opacity, transform and crop of layers.
  public static let layer: CompositorID = "builtin.layer"
}
