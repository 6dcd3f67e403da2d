import CCompositorPlugin
public import CompositorAPI
import CompositorPluginBridge

/// Makes a binary plugin out of compositors: this is all that a plugin in Swift needs beside its conformances.
///
/// ```swift
/// @_cdecl("compositor_plugin_v1")
/// public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginExport.export(Glow.self) }
/// ```
///
/// The plugin speaks the C interface of `compositor_plugin.h`; it carries its own copy of this package, and works with hosts
/// built from other versions of it. Frames made with a request's context belong to that request: a compositor that keeps
/// pictures from one request to another makes them with the context its initializer was given.
public enum PluginExport {
  /// The plugin's table, to be returned from the entry. Built once for each call; call it once.
  ///
  /// - Parameters:
  ///   - types: What the plugin brings; at least one.
  ///   - name: The plugin's name, for people; the first compositor's unless given.
  ///   - version: The plugin's version; the first compositor's unless given.
  public static func export(
    _ types: any VideoCompositor.Type..., name: String? = nil, version: String? = nil
  ) -> UnsafeRawPointer? {
    table(types.map { ExportedType($0) }, name: name, version: version)
  }

  /// The table of a plugin of audio processors, and compositors beside them.
  ///
  /// ```swift
  /// PluginExport.export(audio: Robot.self, Telephone.self)
  /// ```
  ///
  /// - Parameters:
  ///   - processors: The audio processors that the plugin brings; at least one.
  ///   - types: The compositors that it brings beside them.
  ///   - name: The plugin's name, for people; the first processor's unless given.
  ///   - version: The plugin's version; the first processor's unless given.
  public static func export(
    audio processors: any AudioProcessor.Type..., compositors types: [any VideoCompositor.Type] = [], name: String? = nil,
    version: String? = nil
  ) -> UnsafeRawPointer? {
    table(
      types.map { ExportedType($0) }, processors.map { ExportedProcessor($0) }, name: name ?? processors.first?.descriptor.name,
      version: version ?? processors.first?.descriptor.version)
  }

  /// The table of a plugin of filters, each of them a closure.
  ///
  /// - Parameters:
  ///   - filters: What the plugin brings; at least one.
  ///   - name: The plugin's name, for people; the first filter's unless given.
  ///   - version: The plugin's version; the first filter's unless given.
  public static func export(
    _ filters: PluginFilter..., name: String? = nil, version: String? = nil
  ) -> UnsafeRawPointer? {
    table(filters.map { ExportedType($0) }, name: name, version: version)
  }

  private static func table(
    _ exported: [ExportedType], _ processors: [ExportedProcessor] = [], name: String?, version: String?
  ) -> UnsafeRawPointer? {
    guard !exported.isEmpty || !processors.isEmpty else { return nil }
    // Tables stay as long as the process: that is the interface's promise to the host.
    let arena = StructArena()
    _ = Unmanaged.passRetained(arena)
    var plugin = CompositorPlugin()
    plugin.struct_size = MemoryLayout<CompositorPlugin>.size
    plugin.abi_major = Int32(COMPOSITOR_ABI_MAJOR)
    plugin.abi_minor = Int32(COMPOSITOR_ABI_MINOR)
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
