import Compositor
import Foundation

/// Values of a compositor's parameters on the command line: `KEY=VALUE`.
struct AssignedParameters {
  private let texts: [(key: String, text: String)]

  /// - Parameter assignments: Each with an equals sign after its key.
  init(_ assignments: [String]) {
    texts = assignments.map { assignment in
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  /// Checks that each key is a parameter of one of a plugin's compositors and processors.
  ///
  /// - Throws: `.invalidParameter`.
  func check(against descriptors: [CompositorDescriptor]) throws(CompositorError) {
    for (key, _) in texts where descriptors.allSatisfy({ $0.parameter(named: key) == nil }) {
      guard let descriptor = descriptors.first else { return }
      let fault = ParameterSchema.unknown(key, in: descriptor)
      throw refusal(fault.what, fault.recoverySuggestion, descriptor)
    }
  }

  /// The values for one of the compositors, by primary key; keys of others are left out. Files are read.
  ///
  /// - Throws: `.invalidParameter` if a value isn't allowed; the error of a file that cannot be read.
  func values(for descriptor: CompositorDescriptor) throws(CompositorError) -> ParameterValues {
    var values: ParameterValues = [:]
    for (key, text) in texts {
      guard let description = descriptor.parameter(named: key) else { continue }
      let value = try Self.value(text, of: description.kind)
      if description.kind.fileLimit == nil, let expected = description.kind.mismatch(value) {
        throw refusal("“\(key)” is \(text).", "It must be \(expected).", descriptor)
      }
      values[description.key] = value
    }
    return values
  }

  private func refusal(_ what: String, _ suggestion: String, _ descriptor: CompositorDescriptor) -> CompositorError {
    CompositorError(
      .invalidParameter, "In \(descriptor.id), \(what)", recoverySuggestion: suggestion,
      at: ErrorLocation(compositor: descriptor.id))
  }

  /// Texts stay texts; all other values are written as in JSON.
  private static func value(
    _ text: String, of kind: ParameterDescription.Kind
  ) throws(CompositorError) -> ParameterValue {
    switch kind {
    case .string, .choice, .easing: return .string(text)
    case .textFile(let limit):
      return .string(String(decoding: try RegularFile.bytes(of: text, maximumByteCount: limit), as: UTF8.self))
    case .file(let limit): return .data(try RegularFile.bytes(of: text, maximumByteCount: limit))
    case .bool, .integer, .number, .expression, .color, .point:
      return (try? JSONDecoder().decode(ParameterValue.self, from: Data(text.utf8))) ?? .string(text)
    }
  }
}
