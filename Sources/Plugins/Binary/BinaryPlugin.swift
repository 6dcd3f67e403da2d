import CCompositorPlugin
import CCompositorPluginProcess
package import CompositorAPI
import CompositorPluginBridge
import CompositorPlatform

/// A shared library that implements `compositor_plugin.h`, opened in this process. Never unloaded.
package struct BinaryPlugin: CompositorPlugin {
  package let specification: PluginSpecification
  package let factories: [CompositorFactory]
  package let processors: [AudioProcessorFactory]
  package let notes: [String]
  package let corrections: [String: [String]]
  package let digest: String?

  /// Opens a library and reads its descriptions. Its code runs from here on.
  ///
  /// - Parameters:
  ///   - bytes: A path to load instead of the file.
  ///   - digest: The SHA-256 of these bytes; `nil` if it is unknown.
  /// - Throws: `.fileNotFound`; `.pluginFailed` if it is not such a library, is of another version of the interface, or has invalid
  ///   descriptions.
  package init(path: String, bytes: String? = nil, digest: String? = nil) throws(CompositorError) {
    self.digest = digest
    let plugin = try BinaryPlugin.description(of: path, bytes: bytes ?? path)
    specification = .binary(path: path)
    let name = plugin.name.map { String(cString: $0) } ?? path.fileName
    let version = plugin.version.map { String(cString: $0) } ?? ""
    notes = [DescriptionRules.shown("\(name) \(version)"), "compositor_plugin.h \(plugin.abi_version)"]
    var factories: [CompositorFactory] = []
    var corrections: [String: [String]] = [:]
    let own = BinaryCorrections.of(plugin)
    for description in readList(plugin.compositors, count: plugin.compositor_count) {
      do throws(CompositorError) {
        let factory = try BinaryDescription(description).factory(plugin: path)
        factories.append(factory)
        corrections[factory.descriptor.id.rawValue] = own + BinaryCorrections.of(description)
      } catch {
        throw error.locating(ErrorLocation(file: path))
      }
    }
    processors = try BinaryPlugin.processors(of: plugin, path: path)
    guard !factories.isEmpty || !processors.isEmpty else {
      throw CompositorError(
        .pluginFailed, "The plugin provides no compositors and no audio processors.", at: ErrorLocation(file: path))
    }
    if let fault = DescriptionRules.fault(in: factories.map(\.descriptor), of: specification) {
      throw CompositorError(
        .pluginFailed, fault, recoverySuggestion: "Its author must fix the description.", at: ErrorLocation(file: path))
    }
    self.factories = factories
    for description in readList(plugin.audio_processors, count: plugin.audio_processor_count) {
      guard let id = readStruct(description, zero: CompositorAudioDescription()).id else { continue }
      corrections[String(cString: id)] = own + BinaryCorrections.of(description)
    }
    self.corrections = corrections
  }

  /// Opens the library and reads the plugin's own description.
  ///
  /// - Throws: `.pluginFailed` if it cannot run here, or is of another version of the interface.
  private static func description(
    of path: String, bytes: String
  ) throws(CompositorError) -> CCompositorPlugin.CompositorPlugin {
    let entry = try BinaryPlugin.entry(of: path, bytes: bytes)
    guard let pointer = entry(BinaryHost.pointer) else {
      throw CompositorError(
        .pluginFailed, "The plugin reports that it cannot run here.", recoverySuggestion: "Ask its author what it needs.",
        at: ErrorLocation(file: path))
    }
    let plugin: CCompositorPlugin.CompositorPlugin
    do throws(CompositorError) {
      plugin = try sizedStruct(pointer, zero: CCompositorPlugin.CompositorPlugin(), "CompositorPlugin")
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
    guard plugin.abi_version == COMPOSITOR_ABI_VERSION else {
      throw CompositorError(
        .pluginFailed,
        "The plugin is of version \(plugin.abi_version) of compositor_plugin.h; this program supports version \(COMPOSITOR_ABI_VERSION).",
        recoverySuggestion: "Build it against this program's header.", at: ErrorLocation(file: path))
    }
    return plugin
  }

  private static func processors(
    of plugin: CCompositorPlugin.CompositorPlugin, path: String
  ) throws(CompositorError) -> [AudioProcessorFactory] {
    do throws(CompositorError) {
      var processors: [AudioProcessorFactory] = []
      for description in readList(plugin.audio_processors, count: plugin.audio_processor_count) {
        processors.append(try BinaryProcessorDescription(description).factory(plugin: path))
      }
      if let fault = DescriptionRules.fault(in: processors.map(\.descriptor.schema), of: .binary(path: path)) {
        throw CompositorError(.pluginFailed, fault, recoverySuggestion: "Its author must fix the description.")
      }
      return processors
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
  }

  private static func entry(
    of path: String, bytes: String
  ) throws(CompositorError)
    -> @convention(c) (UnsafePointer<CompositorHost>?) -> UnsafePointer<CCompositorPlugin.CompositorPlugin>?
  {
    guard access(bytes, F_OK) == 0 else { throw PluginTrust.missing(path) }
    // `dlopen` would search the system's libraries for a name without a slash.
    let file = bytes.contains("/") ? bytes : "./\(bytes)"
    if ElfFile.isCutShort(file) {
      throw CompositorError(
        .pluginFailed, "The plugin's file is cut short.", recoverySuggestion: "Build or copy it again.",
        at: ErrorLocation(file: path))
    }
    if bytes != path { ElfFile.loadLibraries(of: file, beside: PluginTrust.real(path)) }
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
      throw CompositorError(
        .pluginFailed, "The plugin cannot be loaded.",
        recoverySuggestion: "Build it for this machine, and install the libraries it needs.",
        cause: foreignMachine(file) ?? dlerror().map { PluginImage.naming(path, for: bytes, in: String(cString: $0)) },
        at: ErrorLocation(file: path))
    }
    // Plugins find their resources beside the path that dladdr tells.
    if bytes != path { module_library_rename(handle, PluginTrust.real(path)) }
    guard let symbol = dlsym(handle, COMPOSITOR_PLUGIN_ENTRY_NAME) else {
      throw CompositorError(
        .pluginFailed, "The library is not a compositor plugin: it has no symbol \(COMPOSITOR_PLUGIN_ENTRY_NAME).",
        recoverySuggestion: "Give a library built with compositor_plugin.h.", at: ErrorLocation(file: path))
    }
    typealias Entry = @convention(c) (UnsafePointer<CompositorHost>?) -> UnsafePointer<CCompositorPlugin.CompositorPlugin>?
    return unsafeBitCast(symbol, to: Entry.self)
  }

  /// The library's target architecture, if it differs from the host's. `dlopen` reports such files as missing.
  private static func foreignMachine(_ path: String) -> String? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var header = [UInt8](repeating: 0, count: 20)
    guard fread(&header, 1, header.count, file) == header.count, header.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      return nil
    }
    #if arch(x86_64)
      let own: UInt16 = 62
    #elseif arch(arm64)
      let own: UInt16 = 183
    #else
      return nil
    #endif
    let names: [UInt16: String] = [3: "x86 of 32 bits", 40: "ARM of 32 bits", 62: "x86-64", 183: "AArch64", 243: "RISC-V"]
    let name = { (number: UInt16) in names[number] ?? "machine \(number)" }
    let machine = UInt16(header[18]) | UInt16(header[19]) << 8
    return machine == own ? nil : "it is built for \(name(machine)), and this is \(name(own))"
  }
}

/// The host interface for plugins.
private enum BinaryHost {
  /// Valid until the process ends, as the header promises.
  nonisolated(unsafe) static let pointer: UnsafePointer<CompositorHost> = {
    let host = UnsafeMutablePointer<CompositorHost>.allocate(capacity: 1)
    host.initialize(to: CompositorHost())
    host.pointee.struct_size = MemoryLayout<CompositorHost>.size
    host.pointee.abi_version = Int32(COMPOSITOR_ABI_VERSION)
    host.pointee.name = UnsafePointer(strdup("swift-compositor"))
    host.pointee.version = UnsafePointer(strdup(CompositorVersion.number))
    host.pointee.log = { text in
      guard let text else { return }
      let line = "compositor: plugin: \(DescriptionRules.shown(String(cString: text)))\n"
      _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
    return UnsafePointer(host)
  }()
}
