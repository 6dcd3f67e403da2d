import CompositorAPI
import CompositorConversion
import CompositorMediaIO
import CompositorPlugins
import Synchronization

/// A libavfilter graph as a compositor or an effect.
///
/// Frames enter the graph in the output's format if its filters support it, otherwise in a lossless one (``FilterFormat``),
/// and leave it in the same format. Its clock starts with the instruction, or with the effect's own time range.
final class FilterCompositor: FrameComposer {
  /// The description of a graph.
  struct Recipe: Sendable {
    var id: CompositorID
    var behavior: FilterBehavior
    /// The number of input frames; `nil` if it depends on the instruction.
    var inputCount: Int?
    /// The graph's text for an instruction.
    var text: @Sendable (Instruction) -> String
    /// The filter's options for an instruction's parameters; empty for a graph of several filters.
    var settings: @Sendable (ParameterValues) -> FilterSettings = { _ in FilterSettings() }
  }

  /// The owner of an ordered graph: the same effect on another layer has a history of its own.
  private struct Past: Hashable {
    let range: TimeRange
    let tracks: [TrackID]
  }
  private struct Workers {
    var idle: [FilterWorker] = []
    var ordered: [(past: Past, worker: FilterWorker)] = []
  }

  /// The number of histories to keep: layers with one effect in one instruction.
  private static let orderedCapacity = 16
  private let recipe: Recipe
  private let context: RenderContext
  private let surface: RenderContext
  private let sources: PlacedSources
  private let workers = Mutex(Workers())

  /// - Throws: `.invalidParameter` with libavfilter's message if it rejects the graph.
  init(_ recipe: Recipe, context: RenderContext) throws(CompositorError) {
    self.recipe = recipe
    self.context = context
    let sample = Instruction(timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)))
    do throws(CompositorError) {
      surface = try FilterFormat.choose(for: recipe.text(sample), inputCount: recipe.inputCount, context: context)
      sources = try PlacedSources(surface)
    } catch {
      throw error.locating(ErrorLocation(compositor: recipe.id))
    }
  }

  func compose(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    let place = ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: recipe.id)
    do throws(CompositorError) {
      let made = try await picture(request)
      guard made.size == context.size else {
        throw CompositorError(
          .invalidCompositorOutput, "The graph made a frame of \(made.size) instead of \(context.size).",
          recoverySuggestion: "End the graph with “scale=\(context.size.width):\(context.size.height)”, or with crop or pad.")
      }
      var target = context
      target.pool = request.context.pool
      return try target.stored(made, madeOf: request.sources.values.map(\.frame))
    } catch {
      throw error.locating(place)
    }
  }

  private func picture(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    let count = recipe.inputCount ?? min(request.instruction.requiredTrackIDs.count, FilterGraph.maximumInputCount)
    let frames = try sources.frames(request, count: count)
    let job = FilterWorker.Job(
      text: recipe.text(request.instruction), behavior: recipe.behavior,
      settings: recipe.settings(request.instruction.parameters),
      frames: frames,
      time: request.time - request.instruction.timeRange.start,
      // Graphs that run in parallel need no threads of their own.
      threadCount: recipe.behavior == .inOrder ? 0 : 1)
    if recipe.behavior == .inOrder { return try await orderedWorker(for: request).picture(job) }
    let worker = workers.withLock { $0.idle.popLast() } ?? makeWorker()
    let frame = try await worker.picture(job)
    workers.withLock { $0.idle.append(worker) }
    return frame
  }

  private func orderedWorker(for request: CompositionRequest) -> FilterWorker {
    let past = Past(range: request.instruction.timeRange, tracks: request.instruction.requiredTrackIDs)
    return workers.withLock { workers in
      let found = workers.ordered.firstIndex { $0.past == past }.map { workers.ordered.remove(at: $0).worker }
      let worker = found ?? makeWorker()
      workers.ordered.append((past, worker))
      if workers.ordered.count > FilterCompositor.orderedCapacity { workers.ordered.removeFirst() }
      return worker
    }
  }

  private func makeWorker() -> FilterWorker {
    FilterWorker(
      surface: FilterSurface(
        format: surface.outputFormat, size: surface.size, attributes: surface.outputAttributes, ticksPerSecond: 1))
  }
}
