package import CompositorAPI
import CompositorScheduling

/// For benchmarks: repeats the second half of a frame's path with sources that were read once.
extension FrameScheduler {
  /// Makes a frame again from its gathered sources, re-evaluating titles. Call it on ``composeExecutor``'s threads, where a
  /// render makes its frames.
  package func remake(_ gathered: GatheredFrame) async throws(CompositorError) -> Frame {
    // Titles with movies reuse the frames that were read.
    let planned = pipeline.overlays.hasMovies ? gathered.planned : pipeline.planned(gathered.planned.request)
    return try await pipeline.make(planned)
  }

  /// The threads that frames are made on.
  package var composeExecutor: any TaskExecutor { threads }
}

extension GatheredFrame {
  /// The request to the compositor.
  package var compositionRequest: CompositionRequest { planned.request }
}
