/// Where a preview listens, and what it shows.
public struct PreviewSettings: Sendable, Hashable {
  /// The port on the loopback interface; 0, the default, takes a free one.
  public var port: UInt16

  /// Settings for a page on this machine.
  public init(port: UInt16 = 0) {
    self.port = port
  }
}
