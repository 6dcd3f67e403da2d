import CCompositorPlugin
public import CompositorAPI
import CompositorPluginBridge

/// Makes a binary module out of compositors: this is all that a plugin in Swift needs beside its conformances.
///
/// ```swift
/// @_cdecl("compositor_plugin_v1")
/// public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { PluginModule.export(Glow.self) }
/// ```
///
/// The module speaks the C interface of `compositor_plugin.h`; it carries its own copy of this package, and works with hosts
/// built from other versions of it. Frames made with a request's context belong to that request: a compositor that keeps
/// pictures from one request to another makes them with the context its initialiser was given.
public enum PluginModule {
  /// The module's table, to be returned from the entry. Built once for each call; call it once.
  ///
  /// - Parameters:
  ///   - types: What the module brings; at least one.
  ///   - name: The module's name, for people; the first compositor's unless given.
  ///   - version: The module's version; the first compositor's unless given.
  public static func export(
    _ types: any VideoCompositor.Type..., name: String? = nil, version: String? = nil
  ) -> UnsafeRawPointer? {
    table(types.map { ExportedType($0) }, name: name, version: version)
  }

  /// The table of a module of filters, each of them a closure.
  ///
  /// - Parameters:
  ///   - filters: What the module brings; at least one.
  ///   - name: The module's name, for people; the first filter's unless given.
  ///   - version: The module's version; the first filter's unless given.
  public static func export(
    _ filters: PluginFilter..., name: String? = nil, version: String? = nil
  ) -> UnsafeRawPointer? {
    table(filters.map { ExportedType($0) }, name: name, version: version)
  }

  private static func table(_ exported: [ExportedType], name: String?, version: String?) -> UnsafeRawPointer? {
    guard let first = exported.first?.descriptor else { return nil }
    // Tables stay as long as the process: that is the interface's promise to the host.
    let arena = StructArena()
    _ = Unmanaged.passRetained(arena)
    var module = CompositorModule()
    module.struct_size = MemoryLayout<CompositorModule>.size
    module.abi_major = Int32(COMPOSITOR_ABI_MAJOR)
    module.abi_minor = Int32(COMPOSITOR_ABI_MINOR)
    module.name = arena.text(name ?? first.name)
    module.version = arena.text(version ?? first.version)
    let descriptions = exported.map { Optional(UnsafePointer(arena.make($0.description(arena)))) }
    module.compositor_count = Int32(descriptions.count)
    module.compositors = arena.list(descriptions).map { UnsafePointer($0) }
    return UnsafeRawPointer(arena.make(module))
  }
}
