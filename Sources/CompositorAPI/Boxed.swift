/// A value behind a reference: an optional one takes 8 bytes where there is none, whatever its size. For what few of many owners have.
package indirect enum Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  case value(Value)

  /// The value itself.
  package var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
