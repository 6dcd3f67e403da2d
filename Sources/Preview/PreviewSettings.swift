/// Where a preview listens, and how much it takes on.
public struct PreviewSettings: Sendable, Hashable {
  /// The port on the loopback interface; 0, the default, takes a free one.
  public var port: UInt16
  /// The most pages that are shown at a time, 1 … 64; each has a player of its own. Default 8.
  public var maximumPageCount: Int
  /// How often files are looked at for changes, 0.02 … 0.5 s. Default 0.25 s.
  public var watchInterval: Duration

  /// Settings for a page on this machine.
  public init(port: UInt16 = 0, maximumPageCount: Int = 8, watchInterval: Duration = .milliseconds(250)) {
    self.port = port
    self.maximumPageCount = min(max(1, maximumPageCount), 64)
    self.watchInterval = min(max(watchInterval, .milliseconds(20)), .milliseconds(500))
  }
}

/// What a connection may cost before the server has seen that it may ask for anything.
enum ServingLimits {
  /// Bytes of a request's line and headers.
  static let headByteCount = 16 << 10
  /// Time in which they have to be there.
  static let headDuration = Duration.seconds(5)
  /// Time in which a browser has to take a message.
  static let writeDuration = Duration.seconds(10)
  /// Connections that are open at a time, pages among them; more are closed at once.
  static let connectionCount = 128
  /// Messages that wait for a page; one that lets more wait is given up.
  static let queuedMessageCount = 256
  /// Bytes of a message from a page.
  static let messageByteCount = 16 << 10
}
