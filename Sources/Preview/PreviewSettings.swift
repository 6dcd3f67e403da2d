/// Settings of a preview server: its port and its limits.
public struct PreviewSettings: Sendable, Hashable {
  /// The port on the loopback interface; 0 (the default) for a free one.
  public var port: UInt16
  /// Maximum number of simultaneous pages, 1 … 64. Each page has its own player. Default 8.
  public var maximumPageCount: Int
  /// Interval for checking files for changes, 0.02 … 0.5 s. Default 0.25 s.
  public var watchInterval: Duration

  /// Creates settings for a preview server.
  public init(port: UInt16 = 0, maximumPageCount: Int = 8, watchInterval: Duration = .milliseconds(250)) {
    self.port = port
    self.maximumPageCount = min(max(1, maximumPageCount), 64)
    self.watchInterval = min(max(watchInterval, .milliseconds(20)), .milliseconds(500))
  }
}

/// Limits for requests and connections, including those that are not authorized.
enum ServingLimits {
  /// Maximum size of a request's line and headers, in bytes.
  static let headByteCount = 16 << 10
  /// Time limit for receiving a request's line and headers.
  static let headDuration = Duration.seconds(5)
  /// Time limit for sending a message to a browser.
  static let writeDuration = Duration.seconds(10)
  /// Maximum number of open connections, including pages; further ones are closed at once.
  static let connectionCount = 128
  /// Maximum number of messages queued for a page; a page that exceeds it is disconnected.
  static let queuedMessageCount = 256
  /// Maximum size of a message from a page, in bytes.
  static let messageByteCount = 16 << 10
}
