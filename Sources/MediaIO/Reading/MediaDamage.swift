/// What a reader could not decode so far, and passed over.
public struct MediaDamage: Sendable, Hashable {
  /// Damaged packets and pictures that were met, ≥ 1; those that were read twice count twice.
  public var count: Int
  /// Why the last of them could not be decoded, in the decoder's words, without a full stop.
  public var reason: String

  /// Describes damage.
  public init(count: Int, reason: String) {
    self.count = count
    self.reason = reason
  }
}

extension MediaDamage {
  /// What a shim's reader counted; nil where nothing was damaged.
  init?(count: Int64, message: UnsafePointer<CChar>?) {
    guard count > 0 else { return nil }
    self.init(count: Int(count), reason: message.map { String(cString: $0) } ?? "")
  }
}
