import BuiltinCompositors
public import CompositorAPI

/// Compositors by the ID that instructions name. The built-in ones go through the same door as everybody's.
///
/// ```swift
/// var registry = CompositorRegistry.builtIn
/// try registry.register(MaskMixer.self)
/// ```
public struct CompositorRegistry: Sendable {
  private var types: [CompositorID: any VideoCompositor.Type] = [:]

  /// A registry that knows no compositor at all.
  public init() {}

  /// The compositors that come with the package.
  public static let builtIn: CompositorRegistry = {
    var registry = CompositorRegistry()
    registry.types[LayerCompositor.descriptor.id] = LayerCompositor.self
    return registry
  }()

  /// Adds a compositor under its descriptor's ID.
  ///
  /// - Throws: `.invalidValue` where the ID is empty or taken by another type. Registering a type again is no error.
  public mutating func register(_ type: any VideoCompositor.Type) throws(CompositorError) {
    let id = type.descriptor.id
    guard !id.rawValue.isEmpty else {
      throw CompositorError(
        .invalidValue, "\(type) has an empty ID.", remedy: "Give its descriptor a name such as “org.example.glow”.")
    }
    if let other = types[id], ObjectIdentifier(other) != ObjectIdentifier(type) {
      throw CompositorError(
        .invalidValue, "\(other) is registered as “\(id)” already.", remedy: "Give \(type) another ID.",
        at: .init(compositor: id))
    }
    types[id] = type
  }

  /// The compositor with an ID; nil where there is none.
  public subscript(id: CompositorID) -> (any VideoCompositor.Type)? { types[id] }

  /// What every compositor can do, sorted by ID.
  public var descriptors: [CompositorDescriptor] {
    types.values.map { $0.descriptor }.sorted { $0.id.rawValue < $1.id.rawValue }
  }
}
