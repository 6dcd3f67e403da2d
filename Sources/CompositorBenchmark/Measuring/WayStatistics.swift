import CompositorAPI
import CompositorHost

/// The times of the stages and the use of frame memory between two readings.
struct WayStatistics {
  let routes: [RenderRoute: Int]
  let convertMilliseconds, composeMilliseconds, titlesMilliseconds: Double
  let allocations, copies: Int

  init(from old: RenderStatistics, to new: RenderStatistics) {
    routes = new.routes.merging(old.routes) { $0 - $1 }.filter { $0.value > 0 }
    let (a, b) = (old.stages, new.stages)
    titlesMilliseconds = Measurement.milliseconds(b.titles - a.titles)
    convertMilliseconds = Measurement.milliseconds(b.conform - a.conform + b.deliver - a.deliver) - titlesMilliseconds
    composeMilliseconds = Measurement.milliseconds(b.compose - a.compose)
    allocations = new.pixelAllocationCount - old.pixelAllocationCount
    copies = new.frameCopyCount - old.frameCopyCount
  }
}
