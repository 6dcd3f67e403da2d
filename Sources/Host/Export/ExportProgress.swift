/// How far an export is.
public struct ExportProgress: Sendable, Hashable {
  /// Frames done. Where HDR metadata is generated, every frame counts twice: once measured, once written.
  public let framesDone: Int
  /// Frames to do in all.
  public let frameCount: Int
  /// Time since the start.
  public let elapsed: Duration

  /// Describes a state of an export.
  public init(framesDone: Int, frameCount: Int, elapsed: Duration) {
    self.framesDone = framesDone
    self.frameCount = frameCount
    self.elapsed = elapsed
  }

  /// 0 … 1.
  public var fraction: Double { frameCount > 0 ? Double(framesDone) / Double(frameCount) : 1 }

  /// Frames a second since the start; 0 before the first frame.
  public var framesPerSecond: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(framesDone) / seconds : 0
  }

  /// Time left at the same rate; nil before the first frame.
  public var remaining: Duration? {
    guard framesDone > 0 else { return nil }
    return elapsed * Double(max(0, frameCount - framesDone)) / Double(framesDone)
  }
}
