package import CompositorAPI

/// Checks parameters against a compositor's schema.
package enum ParameterSchema {
  /// An invalid parameter.
  package struct Fault: Hashable, Sendable {
    /// The parameter's key.
    package let key: String
    /// A sentence that describes the problem.
    package let what: String
    /// A sentence that suggests a correction.
    package let recoverySuggestion: String
  }

  /// The invalid parameters in `values`, sorted by key.
  package static func faults(of values: ParameterValues, in descriptor: CompositorDescriptor) -> [Fault] {
    let known = descriptions(in: descriptor)
    var faults: [Fault] = []
    for (key, value) in values {
      guard let description = known[key] else {
        faults.append(unknown(key, in: descriptor))
        continue
      }
      if let expected = description.kind.mismatch(value) {
        faults.append(Fault(key: key, what: "“\(key)” is \(value.text).", recoverySuggestion: "It must be \(expected)."))
      }
    }
    for description in descriptor.parameters
    where description.defaultValue == nil && ([description.key] + description.aliases).allSatisfy({ values[$0] == nil }) {
      faults.append(
        Fault(
          key: description.key, what: "“\(description.key)” is missing.",
          recoverySuggestion: "Give it a value: \(description.summary)"))
    }
    return faults.sorted { $0.key < $1.key }
  }

  /// The invalid parameters that change over time, sorted by key.
  package static func faults(ofAnimated animated: AnimatedParameters, in descriptor: CompositorDescriptor) -> [Fault] {
    var faults: [Fault] = []
    for (key, timeline) in animated {
      guard let description = descriptor.parameter(named: key) else {
        faults.append(unknown(key, in: descriptor))
        continue
      }
      if let fault = immobility(of: key, in: descriptor) {
        faults.append(fault)
        continue
      }
      let values = [timeline.defaultValue] + timeline.ramps.flatMap { [$0.start, $0.end] }
      // Interpolated integers are rounded, so any value between them is valid.
      let wrong = values.lazy.map(description.kind.conforming).flatMap {
        self.faults(of: [key: $0], in: descriptor, only: key)
      }
      if let fault = wrong.first { faults.append(fault) }
    }
    return faults.sorted { $0.key < $1.key }
  }

  /// The error for a parameter that the compositor doesn't have.
  package static func unknown(_ key: String, in descriptor: CompositorDescriptor) -> Fault {
    let keys = descriptor.parameters.map(\.key)
    return Fault(
      key: key, what: "there is no parameter “\(key)”.",
      recoverySuggestion: keys.isEmpty ? "It has no parameters." : recoverySuggestion(for: key, among: keys.sorted()))
  }

  /// The error for an existing parameter that cannot change over time; `nil` if it can.
  package static func immobility(of key: String, in descriptor: CompositorDescriptor) -> Fault? {
    guard let description = descriptor.parameter(named: key), !description.canChange else { return nil }
    let reason = description.kind.isInterpolatable ? "the compositor takes it once" : "it is \(description.kind.noun)"
    let can = descriptor.parameters.filter(\.canChange).map(\.key).joined(separator: ", ")
    return Fault(
      key: key, what: "“\(key)” cannot change over time: \(reason).",
      recoverySuggestion: can.isEmpty
        ? "Give it one value: none of its parameters can." : "Give it one value. Parameters that can change: \(can).")
  }

  private static func faults(of values: ParameterValues, in descriptor: CompositorDescriptor, only key: String) -> [Fault] {
    faults(of: values, in: descriptor).filter { $0.key == key }
  }

  /// Descriptions by key and alias. Keys take precedence.
  private static func descriptions(in descriptor: CompositorDescriptor) -> [String: ParameterDescription] {
    let aliases = descriptor.parameters.flatMap { parameter in parameter.aliases.map { ($0, parameter) } }
    return Dictionary(descriptor.parameters.map { ($0.key, $0) } + aliases, uniquingKeysWith: { first, _ in first })
  }

  /// Values by primary key, with the schema's defaults filled in.
  package static func completed(_ values: ParameterValues, for descriptor: CompositorDescriptor) -> ParameterValues {
    var values = values
    for description in descriptor.parameters {
      for alias in description.aliases {
        guard let value = values.removeValue(forKey: alias) else { continue }
        if values[description.key] == nil { values[description.key] = value }
      }
    }
    for description in descriptor.parameters where values[description.key] == nil {
      values[description.key] = description.defaultValue
    }
    return values
  }
}

extension CompositorDescriptor {
  /// The parameter with a key or alias. Keys take precedence.
  package func parameter(named key: String) -> ParameterDescription? {
    parameters.first { $0.key == key } ?? parameters.first { $0.aliases.contains(key) }
  }
}
