package import CompositorAPI
import CompositorMediaIO

/// The views of a render: each frame is made once for each of them.
extension RenderPlan {
  /// The views to make, at least one.
  package var views: [StereoView] { (composition.edit.videoComposition.views ?? .mono).all }

  /// The request for one view of a frame.
  package func request(_ request: FrameRequest, for view: StereoView) -> FrameRequest {
    guard view != .mono else { return request }
    var viewed = request
    viewed.view = view
    viewed.sources = request.sources.map { order($0, for: view) }
    return viewed
  }

  /// The order for one view of a source. A mono source shows both eyes the same frame.
  package func order(_ order: SourceOrder, for view: StereoView) -> SourceOrder {
    guard view != .mono else { return order }
    var viewed = order
    viewed.view = (videoTrack(of: order)?.views ?? .mono).all.contains(view) ? view : .mono
    return viewed
  }

  /// The orders for every view of sources.
  package func ordersForAllViews(_ sources: [SourceOrder]) -> [SourceOrder] {
    guard views != [.mono] else { return sources }
    var seen: Set<SourceOrder> = []
    return sources.flatMap { source in views.map { order(source, for: $0) } }.filter { seen.insert($0).inserted }
  }
}
