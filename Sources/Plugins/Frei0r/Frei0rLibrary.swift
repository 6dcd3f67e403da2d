import CCompositorFrei0r
import CompositorAPI
import Synchronization

/// An opened frei0r plugin: what it says about itself, and the lock that lets in one caller at a time.
///
/// frei0r promises nothing about threads, and about one plugin in eight keeps what it works with in global variables. So one
/// plugin is asked one thing at a time in a process, whichever instance it is about; several worker processes work side by side.
final class Frei0rLibrary: Sendable {
  /// What a plugin does.
  enum Kind: Int32, Sendable {
    case filter, source, mixer2, mixer3

    /// Pictures it takes.
    var inputCount: Int { self == .filter ? 1 : self == .source ? 0 : self == .mixer2 ? 2 : 3 }
  }

  /// Something that can be set.
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
  /// Order of bytes.
  let format: PixelFormat
  let parameters: [Parameter]
  /// The plugin's address: an opened plugin is never closed and never moves.
  private let address: UInt
  private let callers = Mutex(())

  /// Opens a plugin: its code runs in this process from now on.
  ///
  /// - Parameter bytes: A path of what to load in the file's place.
  /// - Throws: `.pluginFailed` with the reason.
  init(path: String, bytes: String? = nil) throws(CompositorError) {
    var reason = [CChar](repeating: 0, count: 256)
    guard let plugin = frei0r_open(bytes ?? path, &reason, reason.count) else {
      throw CompositorError(
        .pluginFailed, "The frei0r plugin cannot be opened.", recoverySuggestion: "Install what it needs, or leave it out.",
        cause: String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
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

  /// Does something with the plugin that nobody else may do meanwhile.
  func exclusively<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try callers.withLock { _ throws(Failure) in
      guard let plugin = OpaquePointer(bitPattern: address) else { preconditionFailure("an opened plugin has an address") }
      return try body(plugin)
    }
  }
}
