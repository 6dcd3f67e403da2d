package import CompositorAPI
import CompositorValidation

/// For benchmarks: repeats the second half of a frame's path with sources that were read once.
extension FrameScheduler {
  /// Makes a frame again from its gathered sources, re-evaluating titles. Call it on ``composeExecutor``'s threads, where a
  /// render makes its frames.
  package func remake(_ gathered: GatheredFrame) async throws(CompositorError) -> Frame {
    // Titles with movies reuse the frames that were read.
    let planned = pipeline.overlays.hasMovies ? gathered.planned : pipeline.planned(gathered.planned.request)
    return try await pipeline.make(planned)
  }

  /// The same frame of this render from sources that another render of the same edit, perhaps with other compositors, has
  /// gathered.
  package func adopt(_ gathered: GatheredFrame) -> GatheredFrame {
    let request = plan.request(forFrame: gathered.request.index)
    let index = request.instructionIndex
    var planned = pipeline.planned(
      CompositionRequest(
        time: request.time, frameDuration: plan.frameDuration(at: request.time), instruction: plan.instructions[index],
        instructionIndex: index, sources: gathered.planned.request.sources, context: pipeline.context))
    // Titles with movies hold the frames that were read for them.
    if pipeline.overlays.hasMovies {
      planned = PlannedFrame(request: planned.request, overlays: gathered.planned.overlays)
    }
    return GatheredFrame(request: request, needsOrder: plan.needsOrder(instruction: index), planned: planned)
  }

  /// The threads that frames are made on.
  package var composeExecutor: any TaskExecutor { threads }
}

extension GatheredFrame {
  /// The request to the compositor.
  package var compositionRequest: CompositionRequest { planned.request }
}
