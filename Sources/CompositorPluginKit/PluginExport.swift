import CCompositorPlugin
public import CompositorAPI
import CompositorPluginBridge

/// Exports compositors as a binary plugin. Besides the types of its compositors, a plugin in Swift needs only this.
///
/// ```swift
/// @_cdecl("compositor_plugin_v1")
/// public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(Glow.self) }
/// ```
///
/// The plugin implements the C interface of `compositor_plugin.h`. It contains its own copy of this package, and works with
/// hosts built from other versions. Frames made with a request's context belong to that request; a compositor that keeps
/// frames between requests must make them with the context of its initializer.
public enum PluginExport {
  /// The plugin's table, to be returned from the entry point. Each call builds a new table; call it once.
  ///
  /// - Parameters:
  ///   - types: The compositors of the plugin; at least one.
  ///   - name: The plugin's display name. Default: the first compositor's.
  ///   - version: The plugin's version. Default: the first compositor's.
  public static func export(
    _ types: any VideoCompositor.Type..., name: String? = nil, version: String? = nil
  ) -> UnsafeRawPointer? {
    table(types.map { ExportedType($0) }, name: name, version: version)
  }

  /// The table of a plugin with audio processors, and optionally compositors.
  ///
  /// ```swift
  /// PluginExport.export(audio: Robot.self, Telephone.self)
  /// ```
  ///
  /// - Parameters:
  ///   - processors: The audio processors of the plugin; at least one.
  ///   - types: The compositors of the plugin.
  ///   - name: The plugin's display name. Default: the first processor's.
  ///   - version: The plugin's version. Default: the first processor's.
  public static func export(
    audio processors: any AudioProcessor.Type..., compositors types: [any VideoCompositor.Type] = [], name: String? = nil,
    version: String? = nil
  ) -> UnsafeRawPointer? {
    table(
      types.map { ExportedType($0) }, processors.map { ExportedProcessor($0) }, name: name ?? processors.first?.descriptor.name,
      version: version ?? processors.first?.descriptor.version)
  }

  /// The table of a plugin with filters given as closures.
  ///
  /// - Parameters:
  ///   - filters: The filters of the plugin; at least one.
  ///   - name: The plugin's display name. Default: the first filter's.
  ///   - version: The plugin's version. Default: the first filter's.
  public static func export(
    _ filters: PluginFilter..., name: String? = nil, version: String? = nil
  ) -> UnsafeRawPointer? {
    table(filters.map { ExportedType($0) }, name: name, version: version)
  }

  private static func table(
    _ exported: [ExportedType], _ processors: [ExportedProcessor] = [], name: String?, version: String?
  ) -> UnsafeRawPointer? {
    guard !exported.isEmpty || !processors.isEmpty else { return nil }
    // Tables are valid until the process ends, as the interface requires.
    let arena = StructArena()
    _ = Unmanaged.passRetained(arena)
    var plugin = CompositorPlugin()
    plugin.struct_size = MemoryLayout<CompositorPlugin>.size
    plugin.abi_version = Int32(COMPOSITOR_ABI_VERSION)
    plugin.name = arena.text(name ?? exported.first?.descriptor.name ?? "")
    plugin.version = arena.text(version ?? exported.first?.descriptor.version ?? "")
    let descriptions = exported.map { Optional(UnsafePointer(arena.make($0.description(arena)))) }
    plugin.compositor_count = Int32(descriptions.count)
    plugin.compositors = arena.list(descriptions).map { UnsafePointer($0) }
    let audio = processors.map { Optional(UnsafePointer(arena.make($0.description(arena)))) }
    plugin.audio_processor_count = Int32(audio.count)
    plugin.audio_processors = arena.list(audio).map { UnsafePointer($0) }
    return UnsafeRawPointer(arena.make(plugin))
  }
}
