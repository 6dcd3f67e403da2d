internal import Foundation

/// How important a message is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt8
  /// A type by its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// As a rule.
  public static let `default` = OSLogType(rawValue: 0x00)
  /// What may help.
  public static let info = OSLogType(rawValue: 0x01)
  /// For the one who writes the program.
  public static let debug = OSLogType(rawValue: 0x02)
  /// Something failed.
  public static let error = OSLogType(rawValue: 0x10)
  /// The program has a fault.
  public static let fault = OSLogType(rawValue: 0x11)
}

/// Whether a value is readable in the log.
public struct OSLogPrivacy: Sendable {
  let isRedacted: Bool
  /// Numbers are readable, and so is text here.
  public static let auto = OSLogPrivacy(isRedacted: false)
  /// It is readable.
  public static let `public` = OSLogPrivacy(isRedacted: false)
  /// It is not.
  public static let `private` = OSLogPrivacy(isRedacted: true)
  /// It is never readable.
  public static let sensitive = OSLogPrivacy(isRedacted: true)
}

/// Text with values, some of which are private.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
  /// Collects the parts.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""
    /// Nothing yet.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    /// Text of the program.
    public mutating func appendLiteral(_ literal: String) { text += literal }
    /// A value.
    public mutating func appendInterpolation<Value>(_ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto) {
      text += privacy.isRedacted ? "<private>" : "\(value())"
    }
  }

  let text: String
  /// Text without values.
  public init(stringLiteral value: String) { text = value }
  /// Text with values.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

/// Writes messages of a part of a program to the standard error output.
///
/// Messages of `debug` and `info` are written if the environment has `OS_ACTIVITY_MODE=debug`. There is no other log.
public struct Logger: Sendable {
  private let name: String
  private static let isVerbose = ProcessInfo.processInfo.environment["OS_ACTIVITY_MODE"] == "debug"

  /// A logger of a part of a program.
  public init(subsystem: String, category: String) { name = "\(subsystem):\(category)" }
  /// A logger without a name.
  public init() { name = ProcessInfo.processInfo.processName }

  /// Writes a message of a type.
  public func log(level: OSLogType, _ message: OSLogMessage) {
    guard Self.isVerbose || ![OSLogType.debug, .info].contains(level) else { return }
    let names: [OSLogType: String] = [.default: "default", .info: "info", .debug: "debug", .error: "error", .fault: "fault"]
    let line = "[\(name)] \(names[level] ?? "\(level.rawValue)"): \(message.text)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  /// Writes a message.
  public func log(_ message: OSLogMessage) { log(level: .default, message) }
  /// Writes a message for the one who writes the program, who asks for it.
  public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
  /// Writes a message for the one who writes the program, who asks for it.
  public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
  /// Writes a message that may help one who asks for it.
  public func info(_ message: OSLogMessage) { log(level: .info, message) }
  /// Writes a message.
  public func notice(_ message: OSLogMessage) { log(level: .default, message) }
  /// Writes that something is not as it should be.
  public func warning(_ message: OSLogMessage) { log(level: .error, message) }
  /// Writes that something failed.
  public func error(_ message: OSLogMessage) { log(level: .error, message) }
  /// Writes that something failed for all.
  public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
  /// Writes that the program has a fault.
  public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}
