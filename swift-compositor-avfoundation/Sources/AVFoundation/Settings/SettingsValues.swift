internal import Foundation

/// Settings of a program, whose numbers may be of any type, and whose names may be text or one of this module's types.
struct SettingsValues {
  let values: [String: Any]

  init(_ values: [String: Any]) { self.values = values }

  /// The value of a key, without the wrapping of an optional.
  private func value(_ key: String) -> Any? { values[key] }

  func has(_ key: String) -> Bool { values[key] != nil }

  func double(_ key: String) -> Double? {
    switch value(key) {
    case let number as NSNumber: number.doubleValue
    case let number as any BinaryInteger: Double(number)
    case let number as Double: number
    case let number as Float: Double(number)
    case let number as CGFloat: Double(number)
    default: nil
    }
  }

  func int(_ key: String) -> Int? {
    if let number = value(key) as? any BinaryInteger { return Int(exactly: number) }
    return double(key).flatMap { Int(exactly: $0.rounded()) }
  }

  /// A number, or the numbers of a list.
  func ints(_ key: String) -> [Int] {
    guard let list = (value(key) as? [Any]) ?? (value(key) as? NSArray)?.map({ $0 }) else { return int(key).map { [$0] } ?? [] }
    return list.compactMap { SettingsValues(["": $0]).int("") }
  }

  /// The numbers of a list; empty if there is none.
  func doubles(_ key: String) -> [Double] {
    let list = (value(key) as? [Any]) ?? (value(key) as? NSArray)?.map { $0 } ?? []
    return list.compactMap { SettingsValues(["": $0]).double("") }
  }

  func bool(_ key: String) -> Bool? {
    if let flag = value(key) as? Bool { return flag }
    return double(key).map { $0 != 0 }
  }

  func string(_ key: String) -> String? {
    switch value(key) {
    case let text as String: text
    case let text as NSString: text as String
    case let codec as AVVideoCodecType: codec.rawValue
    default: nil
    }
  }

  /// The settings within the settings.
  func nested(_ key: String) -> SettingsValues? {
    if let values = value(key) as? [String: Any] { return SettingsValues(values) }
    return (value(key) as? NSDictionary).flatMap { $0 as? [String: Any] }.map(SettingsValues.init)
  }
}
