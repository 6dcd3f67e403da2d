package import CompositorAPI
import CompositorScheduling

/// For benchmarks: the second half of a frame's way again and again, on sources that were read once.
extension FrameScheduler {
  /// Makes a frame again from the sources that were gathered for it; what titles show is evaluated anew. Call it on
  /// ``composeExecutor``'s threads, where a render makes its frames.
  package func remake(_ gathered: GatheredFrame) async throws(CompositorError) -> Frame {
    // Titles with movies keep what was read for them.
    let planned = pipeline.overlays.hasMovies ? gathered.planned : pipeline.planned(gathered.planned.request)
    return try await pipeline.make(planned)
  }

  /// The threads that frames are made on.
  package var composeExecutor: any TaskExecutor { threads }
}

extension GatheredFrame {
  /// What the compositor is asked for.
  package var compositionRequest: CompositionRequest { planned.request }
}
