import CCompositorFrei0r
import CompositorAPI
import Synchronization

/// An opened frei0r plugin: its information, and a lock that admits one caller at a time.
///
/// frei0r makes no promises about threads, and about one plugin in eight keeps its state in global variables. Calls to one
/// plugin are therefore serialized within a process, for all its instances; several worker processes run in parallel.
final class Frei0rLibrary: Sendable {
  /// The kind of a plugin.
  enum Kind: Int32, Sendable {
    case filter, source, mixer2, mixer3

    /// The number of input frames.
    var inputCount: Int { self == .filter ? 1 : self == .source ? 0 : self == .mixer2 ? 2 : 3 }
  }

  /// A parameter of a plugin.
  struct Parameter: Sendable, Hashable {
    enum Kind: Int32, Sendable { case bool, number, color, position, text }
    var index: Int
    var name: String
    var kind: Kind
    var summary: String
  }

  let path: String
  let name: String
  let summary: String
  let version: String
  let kind: Kind
  /// The byte order of pixels.
  let format: PixelFormat
  let parameters: [Parameter]
  /// The plugin's address; an opened plugin is never closed and never moves.
  private let address: UInt
  private let callers = Mutex(())

  /// Opens a plugin: its code runs in this process from now on.
  ///
  /// - Parameter bytes: A path to load instead of the file.
  /// - Throws: `.pluginFailed` with the reason.
  init(path: String, bytes: String? = nil) throws(CompositorError) {
    var reason = [CChar](repeating: 0, count: 256)
    guard let plugin = frei0r_open(bytes ?? path, &reason, reason.count) else {
      let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw CompositorError(
        .pluginFailed, "The frei0r plugin cannot be opened.", recoverySuggestion: "Install its libraries, or do not use it.",
        cause: PluginImage.naming(path, for: bytes ?? path, in: text),
        at: ErrorLocation(file: path))
    }
    var information = frei0r_information()
    frei0r_describe(plugin, &information)
    address = UInt(bitPattern: plugin)
    self.path = path
    name = String(cString: information.name)
    summary = information.explanation.map { String(cString: $0) } ?? ""
    version = "\(information.major_version).\(information.minor_version).0"
    kind = Kind(rawValue: information.kind) ?? .filter
    format = information.color_model == Int32(FREI0R_BGRA) ? .bgra : .rgba
    parameters = (0..<Int(information.parameter_count)).compactMap { index in
      var parameter = frei0r_parameter()
      frei0r_describe_parameter(plugin, Int32(index), &parameter)
      guard let name = parameter.name, let kind = Parameter.Kind(rawValue: parameter.kind) else { return nil }
      return Parameter(
        index: index, name: String(cString: name), kind: kind,
        summary: parameter.explanation.map { String(cString: $0) } ?? "")
    }
  }

  /// Runs `body` with exclusive access to the plugin.
  func exclusively<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try callers.withLock { _ throws(Failure) in
      guard let plugin = OpaquePointer(bitPattern: address) else { preconditionFailure("an opened plugin has an address") }
      return try body(plugin)
    }
  }
}
