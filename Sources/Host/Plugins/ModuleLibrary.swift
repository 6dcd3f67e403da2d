public import CompositorAPI
package import Modules

/// Modules that were opened: in helper processes, or in this one where they are trusted.
///
/// ```swift
/// var library = ModuleLibrary()
/// try library.open("/opt/modules/glow.so")
/// let registry = try library.registry
/// ```
///
/// A program that is not the tool `compositor` names it as ``ModuleIsolation/program``, or calls
/// ``ModuleHelper/runIfAsked()`` first thing in its own `main`.
public struct ModuleLibrary: Sendable {
  /// A module that could not be opened.
  public struct Failure: Sendable {
    /// The module's file or collection.
    public let module: String
    /// Why.
    public let error: CompositorError
  }

  /// How modules are found and run.
  public let options: ModuleOptions
  /// Modules that could not be opened, in the order they were tried.
  public private(set) var failures: [Failure] = []
  package private(set) var modules: [any CompositorModule] = []

  /// A library without modules.
  public init(_ options: ModuleOptions = ModuleOptions()) { self.options = options }

  /// Opens a module's file.
  ///
  /// - Throws: `.fileNotFound`; `.moduleFailed`, `.compositorTimedOut`: why it cannot be opened.
  public mutating func open(_ path: String) throws(CompositorError) {
    try open(.binary(path: path))
  }

  /// Opens what brings `ids`: libavfilter, frei0r modules, and modules of the search path until each is there; those that cannot be opened are ``failures``.
  public mutating func find(_ ids: Set<CompositorID>) {
    findForeign(ids)
    for specification in options.searchPath.specifications {
      guard !ids.isSubset(of: provided) else { return }
      openIfPossible(specification)
    }
  }

  /// Opens every module of the search path and libavfilter, and looks at every frei0r module; those that cannot be opened are ``failures``.
  public mutating func openAll() {
    for specification in options.searchPath.specifications { openIfPossible(specification) }
    openAllForeign()
  }

  /// The built-in compositors, and those of the modules; of several with one ID the first counts.
  ///
  /// - Throws: `.invalidValue` where a module's compositor has the ID of a built-in one.
  public var registry: CompositorRegistry {
    get throws(CompositorError) {
      var registry = CompositorRegistry.builtIn
      var seen: Set<CompositorID> = []
      for factory in modules.flatMap(\.factories) where seen.insert(factory.descriptor.id).inserted {
        try registry.register(factory)
      }
      return registry
    }
  }

  private var provided: Set<CompositorID> {
    Set(modules.flatMap { $0.factories.map(\.descriptor.id) }).union(CompositorRegistry.builtIn.descriptors.map(\.id))
  }

  mutating func openIfPossible(_ specification: ModuleSpecification) {
    do throws(CompositorError) {
      try open(specification)
    } catch {
      fail(specification.name, error)
    }
  }

  mutating func fail(_ module: String, _ error: CompositorError) {
    failures.append(Failure(module: module, error: error))
  }

  mutating func add(_ module: any CompositorModule) { modules.append(module) }

  package mutating func open(_ specification: ModuleSpecification) throws(CompositorError) {
    guard !modules.contains(where: { $0.specification == specification }) else { return }
    if options.trusted.covers(specification) {
      modules.append(try specification.open())
    } else {
      modules.append(try IsolatedModule(specification, isolation: options.isolation))
    }
  }

  /// What this system cannot deny the modules that run in processes of their own; empty where it denies everything.
  package var missingWalls: [String] {
    var missing: [String] = []
    for module in modules {
      for name in (module as? IsolatedModule)?.walls.missing ?? [] where !missing.contains(name) { missing.append(name) }
    }
    return missing
  }
}

extension Edit {
  /// Every compositor that an instruction names, itself or as an effect.
  public var compositorIDs: Set<CompositorID> {
    var ids: Set<CompositorID> = []
    for instruction in videoComposition.instructions {
      if instruction.passthroughTrackID == nil { ids.insert(instruction.compositor) }
      for effect in instruction.effects + instruction.layers.flatMap(\.effects) { ids.insert(effect.compositor) }
    }
    return ids
  }
}
