public import CompositorAPI
import Foundation

/// Opened plugins: in worker processes, or in this process if they are trusted.
///
/// ```swift
/// var library = PluginLibrary()
/// try library.open("/opt/plugins/glow.so")
/// let registry = try library.registry
/// ```
///
/// A program other than the tool `compositor` sets that tool as ``PluginIsolation/program``, or calls
/// ``PluginSupervisor/runIfAsked()`` at the start of its own `main`.
public struct PluginLibrary: Sendable {
  /// A plugin that could not be opened.
  public struct Failure: Sendable {
    /// The plugin's file or collection.
    public let plugin: String
    /// The error of opening it.
    public let error: CompositorError

    /// The failure as a line for people, without control characters, since it contains what the plugin's author wrote.
    ///
    /// - Parameter spelling: How the recovery suggestion names settings.
    package func text(_ spelling: SettingSpelling) -> String {
      TextCleaning.withoutControls("\(plugin): \(error.spelled(spelling))")
    }
  }

  /// The search path, trusted plugins and isolation.
  public let options: PluginOptions
  /// Plugins that could not be opened, in the order in which they were tried.
  public private(set) var failures: [Failure] = []
  package private(set) var plugins: [any CompositorPlugin] = []

  /// Creates a library without plugins.
  public init(_ options: PluginOptions = PluginOptions()) { self.options = options }

  /// Opens a plugin's file, in a worker process unless it is trusted.
  ///
  /// - Throws: `.fileNotFound`; `.pluginFailed` or `.compositorTimedOut` with the reason if it cannot be opened.
  public mutating func open(_ path: String) throws(CompositorError) {
    try open(.binary(path: path))
  }

  /// A registry of the built-in compositors and those of the plugins. If several plugins provide the same ID, the first one
  /// is used.
  ///
  /// - Throws: `.invalidValue` if a plugin's compositor has the ID of a built-in one.
  public var registry: CompositorRegistry {
    get throws(CompositorError) {
      var registry = CompositorRegistry.builtIn
      var seen: Set<CompositorID> = []
      for factory in plugins.flatMap(\.factories) where seen.insert(factory.descriptor.id).inserted {
        try registry.register(factory)
      }
      var heard: Set<AudioProcessorID> = []
      for factory in plugins.flatMap(\.processors) where heard.insert(factory.descriptor.id).inserted {
        try registry.register(factory)
      }
      return registry
    }
  }

  var provided: Set<CompositorID> {
    let processors = plugins.flatMap { $0.processors.map { CompositorID(rawValue: $0.descriptor.id.rawValue) } }
    return Set(plugins.flatMap { $0.factories.map(\.descriptor.id) } + processors).union(
      CompositorRegistry.builtIn.descriptors.map(\.id))
  }

  mutating func openIfPossible(_ specification: PluginSpecification) {
    do throws(CompositorError) {
      try open(specification)
    } catch {
      fail(specification.name, error)
    }
  }

  mutating func fail(_ plugin: String, _ error: CompositorError) {
    failures.append(Failure(plugin: plugin, error: error))
  }

  mutating func add(_ plugin: any CompositorPlugin) { plugins.append(plugin) }

  /// Puts a plugin in the place of another one; `nil` is after all others.
  mutating func put(_ plugin: any CompositorPlugin, at index: Int?) {
    if let index { plugins[index] = plugin } else { plugins.append(plugin) }
  }

  package mutating func open(_ specification: PluginSpecification) throws(CompositorError) {
    guard !plugins.contains(where: { $0.specification == specification }) else { return }
    plugins.append(try PluginLibrary.plugin(specification, options))
  }

  /// - Parameter sha256: The digest that the file's contents must have; `nil` for any.
  static func plugin(
    _ specification: PluginSpecification, _ options: PluginOptions, sha256: String? = nil
  ) throws(CompositorError) -> any CompositorPlugin {
    if let plugin = try options.trusted.open(specification, sha256: sha256) { return plugin }
    return try IsolatedPlugin(specification, isolation: options.isolation, sha256: sha256)
  }

  /// The restrictions that this system does not support for isolated plugins; empty if it supports all.
  package var missingSandboxParts: [String] {
    var missing: [String] = []
    for plugin in plugins {
      let sandbox = (plugin as? IsolatedPlugin)?.sandbox ?? (plugin as? RememberedPlugin)?.sandbox
      for name in sandbox?.missing ?? [] where !missing.contains(name) { missing.append(name) }
    }
    return missing
  }
}

extension Edit {
  /// Whether it names a compositor with file parameters.
  package func namesFiles(_ registry: CompositorRegistry) -> Bool {
    compositorIDs.contains { id in
      registry[id]?.descriptor.parameters.contains { $0.kind.fileLimit != nil } == true
    }
  }

  /// Whether it names a compositor that isn't built in.
  package var usesPlugins: Bool { compositorIDs.contains { CompositorRegistry.builtIn[$0] == nil } }

  /// All compositors named by an instruction, itself or as effects.
  public var compositorIDs: Set<CompositorID> {
    let instructions = videoComposition.instructions
    var ids: Set<CompositorID> = []
    var last: CompositorID?
    // By index: iterating copies each instruction, which for 100,000 of them takes longer than the rest of this.
    for index in instructions.indices {
      if instructions[index].passthroughTrackID == nil, instructions[index].compositor != last {
        last = instructions[index].compositor
        ids.insert(instructions[index].compositor)
      }
      for effect in instructions[index].effects { ids.insert(effect.compositor) }
      for layer in instructions[index].layers.indices {
        for effect in instructions[index].layers[layer].effects { ids.insert(effect.compositor) }
      }
    }
    return ids
  }
}

extension PluginLibrary {
  /// Opens the plugins of libavfilter and frei0r that provide some of `ids`, as their IDs tell.
  mutating func findForeign(_ ids: Set<CompositorID>) {
    for id in ids.sorted(by: { $0.rawValue < $1.rawValue }) {
      switch id.collection {
      case .avfilter: openIfPossible(.avfilter)
      case .frei0r:
        let name = FilterCollection.frei0r.name(ofID: id.rawValue)
        guard let plugin = Frei0rSearchPath().plugins.first(where: { $0.name == name }) else { continue }
        openIfPossible(.frei0r(path: plugin.path))
      case nil: continue
      }
    }
  }

  /// Opens libavfilter and all frei0r plugins. frei0r plugins are described from the catalog; rejected ones are added to the
  /// failures.
  mutating func openAllForeign() {
    openIfPossible(.avfilter)
    for entry in Frei0rCatalog(isolation: options.isolation).entries {
      if let plugin = CataloguedPlugin(entry, isolation: options.isolation) {
        add(plugin)
      } else {
        fail(
          entry.path,
          CompositorError(.pluginFailed, entry.refusal ?? "The plugin is rejected.", at: ErrorLocation(file: entry.path)))
      }
    }
  }
}
