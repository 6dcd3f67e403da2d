import CompositorAPI
import ReferenceCompositor

/// The exact pictures of some frames of a workload, made once and compared with every compositor's frames.
struct ReferenceCheck {
  private let pictures: [(request: CompositionRequest, picture: ReferencePicture)]

  /// Makes the exact pictures; slow, about a second per megapixel and layer.
  init(_ requests: [CompositionRequest]) throws {
    pictures = try requests.map { ($0, try ReferenceCompositor.compose($0)) }
  }

  /// The largest difference of a compositor's frames from the exact ones, in code values; nil where nothing is checked.
  func largestError(of compositor: any VideoCompositor) async throws -> Double? {
    var largest: Double?
    for (request, picture) in pictures {
      let frame = try await compositor.compose(request)
      largest = max(largest ?? 0, try FrameComparison(frame, picture).largest)
    }
    return largest
  }
}
