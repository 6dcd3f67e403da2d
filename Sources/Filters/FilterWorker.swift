import CompositorAPI
import CompositorMediaIO

/// Options of a graph's only filter that change between frames.
struct FilterSettings: Sendable {
  /// The filter's name.
  var filter = ""
  /// The options of a new graph.
  var initial: [String: String] = [:]
  /// The options for the next frame.
  var current: [String: String] = [:]
}

/// One running graph and its history. The actor is the graph's only owner.
actor FilterWorker {
  private let surface: FilterSurface
  private var graph: FilterGraph?
  private var text = ""
  /// The options set since the graph was built.
  private var settings: [String: String] = [:]
  private var lastTick: Int64 = 0

  /// - Parameter surface: Its ticks are replaced by those of the first request.
  init(surface: FilterSurface) { self.surface = surface }

  /// One request to a graph.
  struct Job: Sendable {
    /// The graph to build if there is none, or a different one.
    var text: String
    var behavior: FilterBehavior
    /// The animatable options of the graph's filter at this time.
    var settings = FilterSettings()
    /// Frames in the order of the graph's inputs.
    var frames: [Frame]
    /// Time since the instruction's start.
    var time: MediaTime
    var threadCount: Int
  }

  /// The graph's frame for a time.
  ///
  /// - Throws: Errors of building and running a graph; `.invalidCompositorOutput` if it returns no frame for the time.
  func picture(_ job: Job) throws(CompositorError) -> Frame {
    do throws(CompositorError) {
      let tick = try prepare(job)
      try set(job.settings)
      if let frame = try run(job.frames, at: tick) { return frame }
      guard job.behavior == .inOrder, tick == 0 else { throw FilterWorker.noPicture }
      return try primed(job)
    } catch {
      graph = nil
      throw error
    }
  }

  private static let noPicture = CompositorError(
    .invalidCompositorOutput, "The graph returned no frame for this time.",
    recoverySuggestion:
      "Use filters that return one frame for each, at its own time: none that wait for later ones or change the frame rate.")

  /// Builds a graph unless the current one can continue, and converts the time to its ticks.
  private func prepare(_ job: Job) throws(CompositorError) -> Int64 {
    if let graph, text == job.text {
      let tick = job.time.converted(toTimescale: Int32(clamping: graph.surface.ticksPerSecond))
      let isExact = tick == job.time
      if job.behavior == .inOrder ? tick.value > lastTick : isExact && (tick.value > lastTick || job.behavior == .sinceStart) {
        lastTick = max(lastTick, tick.value)
        return tick.value
      }
    }
    var surface = surface
    surface.ticksPerSecond = Int(job.time.timescale)
    let built = try FilterGraph(
      job.text, surface: surface, inputCount: job.frames.count, threadCount: job.threadCount)
    for (index, _) in job.frames.enumerated() where !built.takes(index) {
      throw CompositorError(
        .invalidComposition, "The graph has no input for frame \(index) of \(job.frames.count).",
        recoverySuggestion: "Name it in the graph as [\(index)], or use an instruction with fewer layers.")
    }
    (graph, text, settings, lastTick) = (built, job.text, job.settings.initial, job.time.value)
    if job.behavior == .sinceStart, job.time.value != 0 { _ = try run(job.frames, at: 0) }
    return job.time.value
  }

  /// Sends the first frame twice to a filter that holds it back to compare it with the second.
  private func primed(_ job: Job) throws(CompositorError) -> Frame {
    graph = nil
    let tick = try prepare(job)
    try set(job.settings)
    _ = try run(job.frames, at: tick - 1)
    guard let frame = try run(job.frames, at: tick) else { throw FilterWorker.noPicture }
    return frame
  }

  /// Sets the options that have changed since the previous frame.
  private func set(_ wanted: FilterSettings) throws(CompositorError) {
    guard let graph else { return }
    for (option, value) in wanted.current.sorted(by: { $0.key < $1.key }) where settings[option] != value {
      try graph.set(option, of: wanted.filter, to: value)
      settings[option] = value
    }
  }

  /// Frames for other times are discarded.
  private func run(_ frames: [Frame], at tick: Int64) throws(CompositorError) -> Frame? {
    guard let graph else { return nil }
    for (index, frame) in frames.enumerated() { try graph.push(frame, input: index, tick: tick) }
    var answer: Frame?
    // A graph with a source of its own could run forever.
    for _ in 0..<64 {
      guard let (frame, made) = try graph.pull() else { break }
      if made == tick { answer = frame }
    }
    return answer
  }
}
