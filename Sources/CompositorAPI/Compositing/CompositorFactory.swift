/// Makes the instances of one compositor, whatever it comes from: a Swift type, or a plugin that was loaded at run time.
///
/// ```swift
/// let factory = CompositorFactory(MaskMixer.self)
/// let compositor = try factory.makeCompositor(parameters: [:], context: context)
/// ```
public struct CompositorFactory: Sendable {
  /// Where a compositor comes from.
  public enum Origin: Hashable, Sendable {
    /// A Swift type of the program.
    case type(ObjectIdentifier, name: String)
    /// A file, library or collection loaded at run time, as people name it.
    case plugin(String)
  }

  /// What its compositors can do.
  public let descriptor: CompositorDescriptor
  /// Where its compositors come from. Equal origins with equal IDs are the same compositor.
  public let origin: Origin
  /// Where a render that uses these compositors had best get its frames; nil for the heap.
  package let allocator: (any FrameAllocator)?
  /// Whether what it makes are ``SelectiveComposer``s.
  package let isSelective: Bool
  private let make: @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer

  /// A factory of a Swift type's instances.
  public init(_ type: any VideoCompositor.Type) {
    descriptor = type.descriptor
    origin = .type(ObjectIdentifier(type), name: String(describing: type))
    allocator = nil
    isSelective = type is any SelectiveComposer.Type
    make = { parameters, context in try type.init(parameters: parameters, context: context) }
  }

  /// A factory of compositors that call a closure for each frame: for a compositor of one render.
  ///
  /// ```swift
  /// let plain = CompositorFactory("org.example.plain") { request in
  ///   try request.context.makeFrame().freeze()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: What instructions call it.
  ///   - compose: Makes the frame for a request: of the context's size and output format, or one of the source frames as it is. It is
  ///     called on any thread, for several frames at a time.
  public init(
    _ id: CompositorID, compose: @escaping @Sendable (CompositionRequest) async throws -> Frame
  ) {
    let composer = ClosureComposer(body: compose)
    descriptor = CompositorDescriptor(id: id, name: id.rawValue, summary: "A closure of the program.")
    origin = .type(ObjectIdentifier(composer), name: "a closure")
    allocator = nil
    isSelective = false
    make = { _, _ in composer }
  }

  /// A factory of a plugin's compositors.
  ///
  /// - Parameters:
  ///   - plugin: The plugin, as people name it: a path, or a collection's name.
  ///   - make: Makes an instance; called on any thread, possibly several at a time.
  public init(
    _ descriptor: CompositorDescriptor, plugin: String,
    make: @escaping @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer
  ) {
    self.init(descriptor, plugin: plugin, isSelective: false, allocator: nil, make: make)
  }

  /// A factory of a plugin's compositors that are served best by frames from `allocator`.
  package init(
    _ descriptor: CompositorDescriptor, plugin: String, isSelective: Bool, allocator: (any FrameAllocator)? = nil,
    make: @escaping @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer
  ) {
    self.descriptor = descriptor
    self.origin = .plugin(plugin)
    self.allocator = allocator
    self.isSelective = isSelective
    self.make = make
  }

  /// The same factory with something around each of its instances, such as a clock. Selective instances have to stay selective.
  package func wrapping(_ wrap: @escaping @Sendable (any FrameComposer) -> any FrameComposer) -> CompositorFactory {
    CompositorFactory(self) { [make] parameters, context in wrap(try make(parameters, context)) }
  }

  private init(
    _ other: CompositorFactory, make: @escaping @Sendable (ParameterValues, RenderContext) throws -> any FrameComposer
  ) {
    (descriptor, origin, allocator, isSelective) = (other.descriptor, other.origin, other.allocator, other.isSelective)
    self.make = make
  }

  /// Makes an instance for one set of parameters and one render context.
  ///
  /// - Throws: Whatever the compositor throws for parameters it cannot use.
  public func makeCompositor(parameters: ParameterValues, context: RenderContext) throws -> any FrameComposer {
    try make(parameters, context)
  }
}

extension CompositorFactory.Origin: CustomStringConvertible {
  /// The type's name or the plugin's.
  public var description: String {
    switch self {
    case .type(_, let name): name
    case .plugin(let name): name
    }
  }
}

/// A closure as a compositor. An object, so that each closure has an identity.
private final class ClosureComposer: FrameComposer {
  let body: @Sendable (CompositionRequest) async throws -> Frame

  init(body: @escaping @Sendable (CompositionRequest) async throws -> Frame) { self.body = body }

  func compose(_ request: CompositionRequest) async throws -> Frame { try await body(request) }
}

/// A compositor's name, in reverse domain order: `org.example.glow`.
public struct CompositorID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public var rawValue: String
  /// Takes any name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Takes any name.
  public init(stringLiteral value: String) { self.rawValue = value }
  /// The name.
  public var description: String { rawValue }
  /// The built-in compositor: opacity, transform and crop.
  public static let layer: CompositorID = "builtin.layer"
}
