/// What is done about interlaced frames of a source.
public enum Deinterlacing: String, Sendable, Hashable, Codable {
  /// Nothing: both fields stay in one frame.
  case off
  /// One frame from each two fields (bwdif); progressive frames pass untouched.
  case sameRate
  /// One frame from each field (bwdif): twice the rate. Progressive frames pass untouched.
  case doubleRate
}
