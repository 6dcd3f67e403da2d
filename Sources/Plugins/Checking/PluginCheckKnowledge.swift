import CompositorAPI

/// What earlier checks found out about a compositor: it says what is worth asking, and how often.
struct PluginCheckKnowledge: Codable, Sendable {
  /// How long a small frame takes, in seconds; 0 as long as there was none.
  var frameSeconds = 0.0
  /// How long a frame of 1920x1080 takes, in seconds, where one was made already.
  var fullFrameSeconds: Double?
  /// Formats that it cannot render.
  var unusableFormats: Set<PixelFormat> = []
  /// Whether it fails at some of the awkward sizes.
  var failsAtSizes = false
  /// Whether equal requests give equal frames, as far as is known.
  var isDeterministic = true
  /// Hashes of the frames that it made of the first requests.
  var reference: [UInt64] = []

  /// Most frames that a check asks a slow compositor for.
  static let callsOfASlowCheck = 16

  /// Whether a small frame takes so long that checks ask for as few as they can. Every question is asked all the same.
  var isSlow: Bool { frameSeconds >= Self.slowFrame.lowerBound }
  /// What a machine at work may take for a frame of a compositor that is not slow, in seconds; beyond it the compositor is.
  static let slowFrame = 0.02..<0.2

  /// As many frames as fit into some time, two at least.
  func frameCount(_ most: Int, in time: Duration) -> Int {
    guard frameSeconds > 0 else { return most }
    return min(max(Int(time / .seconds(frameSeconds)), 2), most)
  }

  /// Takes in what a check found out.
  mutating func learn(from result: PluginCheckResult, of step: PluginCheckStep) {
    if let seconds = result.frameSeconds, frameSeconds == 0 { frameSeconds = seconds }
    if let seconds = result.fullFrameSeconds { fullFrameSeconds = seconds }
    if let hashes = result.reference { reference = hashes }
    switch step {
    case .format(let format) where result.outcome != .passed: unusableFormats.insert(format)
    case .size where result.outcome == .failed: failsAtSizes = true
    case .determinism where result.outcome == .failed: isDeterministic = false
    default: break
    }
  }
}

extension PluginCheckStep {
  /// Whether the check compares frames of equal requests: that tells nothing of a compositor that gives others each time.
  var comparesFrames: Bool {
    switch self {
    case .strides, .backwards, .instances, .threads: true
    default: false
    }
  }

  /// Whether a slow compositor is spared the check, as others ask the same.
  var isSparedIfSlow: Bool {
    guard case .size(let size) = self else { return false }
    return ![1, 17].contains(size.width)
  }

  /// Whether two checks of a slow compositor may run at the same time. What measures time runs alone, and so does what others build on.
  func canRun(beside other: PluginCheckStep) -> Bool {
    for step in [self, other] {
      switch step {
      case .description, .needs, .determinism, .later, .cancellation, .speed: return false
      case .format, .size, .parameters, .strides, .borders, .backwards, .threads, .instances, .leaks: continue
      }
    }
    // What a check of a format or of threads finds decides about others.
    if case .format = self { if case .format = other { return true } else { return false } }
    return !(self == .threads && other == .instances)
  }

  /// The check whose failure leaves nothing to be learned from this one; nil where it should be made.
  func obstacle(_ failed: Set<PluginCheckStep>, _ known: PluginCheckKnowledge, _ descriptor: CompositorDescriptor) -> String? {
    // Without needs that can be given there are no requests.
    if failed.contains(.needs), descriptor.needsOtherTimes { return PluginCheckStep.needs.title }
    switch self {
    case .description, .needs, .format: return nil
    default: break
    }
    let formats = PluginCheckStep.formats(of: descriptor)
    if known.unusableFormats.isSuperset(of: formats) { return PluginCheckStep.format(formats[0]).title }
    if comparesFrames, failed.contains(.determinism) { return PluginCheckStep.determinism.title }
    if self == .instances, failed.contains(.threads) { return PluginCheckStep.threads.title }
    return nil
  }
}
