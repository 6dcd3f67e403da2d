import CompositorAPI

/// Results of earlier checks about a compositor, which determine the later checks and their extent.
struct PluginCheckKnowledge: Codable, Sendable {
  /// Seconds per small frame; 0 if none has been made.
  var frameSeconds = 0.0
  /// Seconds per instance; 0 if none has been made.
  var makeSeconds = 0.0
  /// Seconds per frame of 1920x1080; `nil` if none has been made.
  var fullFrameSeconds: Double?
  /// Formats that it cannot render.
  var unusableFormats: Set<PixelFormat> = []
  /// Whether it fails at some of the awkward sizes.
  var failsAtSizes = false
  /// Whether equal requests give equal frames, as far as known.
  var isDeterministic = true
  /// Hashes of the first requests' frames.
  var reference: [UInt64] = []
  /// Hashes of frames with several values of the parameters, in a process in which the defaults came first.
  var frames: [UInt64?] = []
  /// Whether the check has a process of its own, in which the plugin has done nothing yet.
  var hasNewProcess = false
  /// Values to use in place of the defaults, for parameters that need something of their own, such as a file.
  var values: ParameterValues = [:]
  /// The limit of the process's private memory in bytes.
  var memoryLimit = UInt64.max
  /// Keys that no parameter can have, because they have another meaning where projects write parameters.
  var reservedKeys: [String] = []

  /// More hashes than a check has frames. A worker that sends more of them forges its result, and every later check would get
  /// them.
  private static let mostHashes = 4096

  /// The maximum number of frames that a check requests from a slow compositor.
  static let callsOfASlowCheck = 16

  /// Whether a small frame or an instance takes so long that checks request as few as possible. The coverage remains the same.
  var isSlow: Bool { frameSeconds >= Self.slowFrame.lowerBound || makeSeconds >= Self.slowCreation.lowerBound }
  /// The time in seconds that a check of a slow compositor may take.
  var secondsOfACheck: Double { (frameSeconds + makeSeconds) * Double(Self.callsOfASlowCheck) }
  /// The time in seconds that a busy machine may need for a frame of a fast compositor; above it the compositor is slow.
  static let slowFrame = 0.02..<0.2
  /// The same for an instance: checks make some two hundred of them.
  static let slowCreation = 0.1..<0.5

  /// The number of frames that fit into a time, at least two.
  func frameCount(_ most: Int, in time: Duration) -> Int {
    guard frameSeconds > 0 else { return most }
    let count = time / .seconds(1) / frameSeconds
    return count < Double(most) ? max(Int(count), 2) : most
  }

  /// Records the results of a check.
  ///
  /// - Parameter elapsed: How long the check took, as the host measured it. The worker's own times, which a plugin may forge, are
  ///   believed up to it.
  mutating func learn(from result: PluginCheckResult, of step: PluginCheckStep, in elapsed: Duration) {
    func believed(_ seconds: Double) -> Double { PluginCheckResult.believed(seconds, in: elapsed) }
    if let seconds = result.frameSeconds, frameSeconds == 0 { frameSeconds = believed(seconds) }
    if let seconds = result.makeSeconds, makeSeconds == 0 { makeSeconds = believed(seconds) }
    if let seconds = result.fullFrameSeconds { fullFrameSeconds = believed(seconds) }
    if let hashes = result.reference { reference = Array(hashes.prefix(Self.mostHashes)) }
    if let hashes = result.frames { frames = Array(hashes.prefix(Self.mostHashes)) }
    switch step {
    case .format(let format) where result.outcome != .passed: unusableFormats.insert(format)
    case .size where result.outcome == .failed: failsAtSizes = true
    case .determinism where result.outcome == .failed: isDeterministic = false
    default: break
    }
  }
}

extension PluginCheckStep {
  /// Whether the check compares frames of equal requests, which means nothing for a nondeterministic compositor.
  var comparesFrames: Bool {
    switch self {
    case .strides, .backwards, .instances, .threads, .values, .valuesAnew: true
    default: false
    }
  }

  /// Whether the check compares what comes first in a process.
  var needsNewProcess: Bool { self == .threads || self == .values || self == .valuesAnew }

  /// Whether the check is skipped for a slow compositor because others cover it.
  var isSparedIfSlow: Bool {
    guard case .size(let size) = self else { return false }
    return ![1, 17, 4098, 18].contains(size.width)
  }

  /// Whether two checks of a slow compositor may run in parallel. Checks that measure time, and those on which others depend,
  /// run alone.
  func canRun(beside other: PluginCheckStep) -> Bool {
    for step in [self, other] {
      switch step {
      case .description, .needs, .determinism, .later, .cancellation, .speed: return false
      case .animation, .alpha, .mask, .blocks, .values, .valuesAnew, .signals, .process, .exit: return false
      case .format, .size, .sources, .parameters, .strides, .borders, .backwards, .threads, .instances, .leaks: continue
      }
    }
    // The results of format and thread checks determine others.
    if case .format = self { if case .format = other { return true } else { return false } }
    return !(self == .threads && other == .instances)
  }

  /// The failed check that makes this one pointless; `nil` if it should run.
  func obstacle(_ failed: Set<PluginCheckStep>, _ known: PluginCheckKnowledge, _ descriptor: CompositorDescriptor) -> String? {
    // Without needs that can be served there are no requests.
    if failed.contains(.needs), descriptor.needsOtherTimes { return PluginCheckStep.needs.title }
    switch self {
    case .description, .needs, .format: return nil
    default: break
    }
    let formats = PluginCheckStep.formats(of: descriptor)
    if known.unusableFormats.isSuperset(of: formats) { return PluginCheckStep.format(formats[0]).title }
    if comparesFrames, failed.contains(.determinism) { return PluginCheckStep.determinism.title }
    if self == .instances, failed.contains(.threads) { return PluginCheckStep.threads.title }
    // A value that came first shows there as well, on some threads.
    if self == .instances, failed.contains(.values) { return PluginCheckStep.values.title }
    return nil
  }
}
