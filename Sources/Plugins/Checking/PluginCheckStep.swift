package import CompositorAPI

/// One step of `compositor plugins check`. Each runs in a worker, so that any failure can be attributed to it.
package enum PluginCheckStep: Codable, Hashable, Sendable {
  /// The description is valid.
  case description
  /// A frame of a declared format.
  case format(PixelFormat)
  /// A frame of an awkward size.
  case size(PixelSize)
  /// Sources of other sizes than the output's, and tracks that show nothing.
  case sources
  /// A frame with each parameter at each end of its range.
  case parameters
  /// Values that change over time are taken from each request.
  case animation
  /// Frames with several values of the parameters, in a process in which the defaults come first.
  case values
  /// The same frames as in ``values``, in a process in which the other values come first.
  case valuesAnew
  /// Opaque sources give an opaque frame, unless the description says otherwise.
  case alpha
  /// An effect that takes its mask renders without one, too. All other checks give it one.
  case mask
  /// (Audio.) Blocks of many lengths, rates and numbers of channels.
  case blocks
  /// Sources whose rows are further apart, or bottom-up.
  case strides
  /// Every pixel of the output is written, but nothing around it, and no source.
  case borders
  /// The regions of interest can be served, are constant, and are sufficient.
  case needs
  /// The same request gives the same frame: again, from another instance, and later.
  case determinism
  /// The same request gives the same frame a second after ``determinism``.
  case later
  /// Times in descending order give the same frames as in ascending order.
  case backwards
  /// Two instances do not affect each other.
  case instances
  /// Several concurrent requests, as declared.
  case threads
  /// A canceled request returns promptly.
  case cancellation
  /// Many instances and frames do not increase memory.
  case leaks
  /// Signals are handled as they were before the plugin was opened.
  case signals
  /// The working folder, the environment and other state of the process are as they were before the plugin was opened.
  case process
  /// The process ends when it calls `exit`.
  case exit
  /// The time for a frame of 1920x1080, compared with a plain copy.
  case speed

  /// The title in reports.
  package var title: String {
    switch self {
    case .description: "description"
    case .format(let format): "format \(format)"
    case .size(let size): "size \(size)"
    case .sources: "sources"
    case .parameters: "parameters"
    case .animation: "animation"
    case .values, .valuesAnew: "values"
    case .alpha: "alpha"
    case .mask: "mask"
    case .blocks: "blocks"
    case .strides: "strides"
    case .borders: "borders"
    case .needs: "needs"
    case .determinism, .later: "determinism"
    case .backwards: "backwards"
    case .instances: "instances"
    case .threads: "threads"
    case .cancellation: "cancellation"
    case .leaks: "leaks"
    case .signals: "signals"
    case .process: "process"
    case .exit: "exit"
    case .speed: "speed"
    }
  }

  /// The suggested action on failure.
  package var advice: String {
    switch self {
    case .description: "Fix the description: the host checks projects against it."
    case .format: "Remove the format from the list, or support it; read strides, shifts and bytes from the frame."
    case .size: "Round chroma sizes up and write every row and column; return COMPOSITOR_UNSUPPORTED for unsupported sizes."
    case .sources:
      """
      Read no more sources than source_count says, and no more of one than its width and height; return COMPOSITOR_UNSUPPORTED for \
      what is not supported. With places_sources, sources have the output's size.
      """
    case .animation: "Read parameters from the request, which has their values at its time, and not in create."
    case .values, .valuesAnew:
      """
      Keep what is computed from a parameter in the instance, together with the value that it was computed from; static and \
      thread-local variables are shared by all instances.
      """
    case .alpha: "Write full alpha where all sources are opaque, or set makes_alpha to 1."
    case .mask: "Render every pixel if source_count is 1: then there is no mask."
    case .blocks:
      "Process any number of samples up to maximum_count in place, and write finite values within the channels only."
    case .parameters: "Support every value that the schema allows, or narrow the range."
    case .strides: "Step from row to row by the plane's stride, which may be negative."
    case .borders: "Write each pixel of the output, and nothing else."
    case .needs:
      "Let needs depend only on the request, declare everything that is read, and ask for the instruction's tracks within 10 s."
    case .determinism, .later:
      """
      Use only the request: no clock, no random numbers without a fixed seed, no state from other frames. If frames depend on the \
      time, on progress or on the instruction, set is_time_invariant to 0.
      """
    case .backwards: "Do not depend on the order of requests."
    case .instances: "Keep state in the instance, not in static variables."
    case .threads: "Keep what a call needs on its stack or under a lock, or declare the compositor serial."
    case .cancellation: "Call is_cancelled between rows or passes, and return COMPOSITOR_CANCELLED."
    case .leaks: "Release everything from create in destroy, and everything from render before it returns."
    case .signals: "Install no signal handlers: they belong to the host."
    case .process: "Leave the working folder, the umask, the environment and timers as they are: they belong to the host."
    case .exit: "Let functions given to atexit and destructors of static variables return, without waiting for other threads."
    case .speed: "Measure where the time goes."
    }
  }

  /// The steps for a compositor.
  ///
  /// - Parameter isSelective: Whether it declares regions of interest.
  package static func all(for descriptor: CompositorDescriptor, isSelective: Bool) -> [PluginCheckStep] {
    // Rows and columns longer than a compositor's own buffers may be, and a frame beyond 4K.
    let sizes = [(1, 1), (2, 2), (17, 33), (63, 47), (641, 359), (4098, 18), (18, 4098), (4096, 2304)].map {
      PixelSize(width: $0.0, height: $0.1)
    }
    return [.description] + (isSelective ? [.needs] : []) + formats(of: descriptor).map { .format($0) } + [.determinism]
      + sizes.map { .size($0) }
      // To an effect, the host gives a source of the output's size.
      + (descriptor.role == .effect ? [] : [.sources]) + (descriptor.parameters.isEmpty ? [] : [.parameters])
      + (descriptor.parameters.contains { $0.isAnimatable && $0.canChange } ? [.animation] : [])
      + (descriptor.parameters.contains { $0.kind.hasRange } ? [.values] : [])
      + (!descriptor.makesAlpha && formats(of: descriptor).contains { $0.hasAlpha } ? [.alpha] : [])
      + (descriptor.takesMask ? [.mask] : []) + [.strides, .borders, .backwards]
      + (descriptor.concurrency == .concurrent ? [.threads] : [])
      + [.cancellation, .instances, .leaks, .signals, .process, .exit, .speed]
  }

  /// The steps for an audio processor.
  package static let ofProcessors: [PluginCheckStep] = [
    .description, .blocks, .determinism, .values, .leaks, .signals, .process, .exit,
  ]

  /// The output formats to check: declared ones, or one of each kind.
  static func formats(of descriptor: CompositorDescriptor) -> [PixelFormat] {
    guard descriptor.outputFormats.isEmpty else { return descriptor.outputFormats }
    return [
      .yuv420p, .yuv420p10, .yuv422p, .yuv444p10, .planar(.s444, bitDepth: 8, alpha: true), .nv12, .p010, .rgba, .bgra, .rgba16,
      .rgbaFloat,
    ]
  }
}
