package import CompositorAPI

/// One thing that `compositor plugins check` asks of a compositor. Each runs in a worker, so that whatever goes wrong in it is
/// known by its name.
package enum PluginCheckStep: Codable, Hashable, Sendable {
  /// The description makes sense.
  case description
  /// A frame of a format it declares.
  case format(PixelFormat)
  /// A frame of an awkward size.
  case size(PixelSize)
  /// A frame with each parameter at each end of its range.
  case parameters
  /// Sources whose rows lie further apart, or bottom up.
  case strides
  /// Writes every pixel of the output, nothing around it, and no source.
  case borders
  /// What it says it needs can be given, does not change, and is enough.
  case needs
  /// The same request gives the same frame: again, from another instance, and later.
  case determinism
  /// The same request gives the same frame a second after ``determinism`` asked for it.
  case later
  /// Times going backwards give the frames that they gave going forwards.
  case backwards
  /// Two instances do not disturb each other.
  case instances
  /// Several requests at a time, as promised.
  case threads
  /// A request that nobody wants any more ends soon.
  case cancellation
  /// Many instances and frames, and no more memory.
  case leaks
  /// A frame of 1920x1080 beside a plain copy.
  case speed

  /// What people read.
  package var title: String {
    switch self {
    case .description: "description"
    case .format(let format): "format \(format)"
    case .size(let size): "size \(size)"
    case .parameters: "parameters"
    case .strides: "strides"
    case .borders: "borders"
    case .needs: "needs"
    case .determinism, .later: "determinism"
    case .backwards: "backwards"
    case .instances: "instances"
    case .threads: "threads"
    case .cancellation: "cancellation"
    case .leaks: "leaks"
    case .speed: "speed"
    }
  }

  /// What to do where it fails.
  package var advice: String {
    switch self {
    case .description: "Mend the description: the host checks projects against it."
    case .format: "Take the format off the list, or make it work; read strides, shifts and bytes from the frame."
    case .size: "Round chroma sizes up and write every row and column; return COMPOSITOR_UNSUPPORTED for what cannot be done."
    case .parameters: "Render whatever the schema allows, or narrow the range."
    case .strides: "Step from row to row by the plane's stride, which may be negative."
    case .borders: "Write each pixel of the output, and nothing else."
    case .needs:
      "Let needs depend on the request alone, name all that is read, and ask for the instruction's tracks within 10 s."
    case .determinism, .later:
      "Use the request alone: no clock, no random numbers without a fixed seed, no memory of other frames."
    case .backwards: "Do not depend on the order of requests."
    case .instances: "Keep nothing in static variables that calls change: what belongs to an instance, in the instance."
    case .threads: "Keep what a call needs on its stack or under a lock, or declare the compositor serial."
    case .cancellation: "Ask is_cancelled between rows or passes, and return COMPOSITOR_CANCELLED."
    case .leaks: "Free, close and join in destroy what create began, and before render returns what it began."
    case .speed: "Measure where the time goes."
    }
  }

  /// The steps for a compositor.
  ///
  /// - Parameter isSelective: Whether it says what it needs.
  package static func all(for descriptor: CompositorDescriptor, isSelective: Bool) -> [PluginCheckStep] {
    let sizes = [(1, 1), (2, 2), (17, 33), (63, 47), (641, 359)].map { PixelSize(width: $0.0, height: $0.1) }
    return [.description] + (isSelective ? [.needs] : []) + formats(of: descriptor).map { .format($0) } + [.determinism]
      + sizes.map { .size($0) }
      + (descriptor.parameters.isEmpty ? [] : [.parameters]) + [.strides, .borders, .backwards]
      + (descriptor.concurrency == .concurrent ? [.threads] : [])
      + [.cancellation, .instances, .leaks, .speed]
  }

  /// Output formats to be tried: those it declares, or one of each kind.
  static func formats(of descriptor: CompositorDescriptor) -> [PixelFormat] {
    guard descriptor.outputFormats.isEmpty else { return descriptor.outputFormats }
    return [
      .yuv420p, .yuv420p10, .yuv422p, .yuv444p10, .planar(.s444, bitDepth: 8, alpha: true), .nv12, .p010, .rgba, .bgra, .rgba16,
      .rgbaFloat,
    ]
  }
}

/// How a step went.
package struct PluginCheckResult: Codable, Hashable, Sendable {
  package enum Outcome: String, Codable, Sendable {
    case passed
    /// It says that it cannot do that, which is allowed.
    case refused
    /// Another check failed, and this one would have told nothing new.
    case skipped
    case failed
  }
  package var outcome: Outcome
  /// What was seen, a sentence; may be empty where it passed.
  package var detail: String
  /// What is wrong, without the place: equal in all checks that meet the same fault.
  var fault = ""
  /// What other checks need not find out again.
  var frameSeconds: Double?
  var fullFrameSeconds: Double?
  var reference: [UInt64]?

  package init(_ outcome: Outcome, _ detail: String = "") {
    (self.outcome, self.detail, fault) = (outcome, detail, detail)
  }

  /// A fault and where it was met.
  init(_ outcome: Outcome, _ fault: String, at place: String) {
    (self.outcome, detail, self.fault) = (outcome, "\(place): \(fault)", fault)
  }
}
