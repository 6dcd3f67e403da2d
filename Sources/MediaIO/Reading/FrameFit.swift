import CCompositorFFmpeg
import CompositorAPI

/// Where a frame goes whose size or pixel aspect differs from that of its track.
///
/// A track has one size: that of its first frame. The sizes of a stream's later frames may differ (recordings of calls and of
/// browser windows, streams joined byte by byte). Each frame is scaled to fill the track's size if it has the same display
/// aspect ratio, and otherwise to fit into it, centered between bars.
struct FrameFit: Equatable {
  /// The track's size in pixels.
  let size: PixelSize
  /// The place of the frame in it, in pixels; on the chroma grid of every format.
  let left: Int
  let top: Int
  let inner: PixelSize

  /// The largest difference of a frame's side, in its own pixels, that is the rounding of a scaled size to even numbers rather
  /// than another aspect ratio.
  private static let roundingOfSides = 2.0

  /// `nil` if the frame has the size and the pixel aspect of the track.
  ///
  /// - Parameters:
  ///   - frame: Stored size of the frame.
  ///   - aspect: Pixel aspect ratio of the frame.
  ///   - track: Stored size and pixel aspect ratio of the track's first frame.
  init?(_ frame: PixelSize, aspect: Rational, into track: SourcePlacement) {
    guard frame != track.size || aspect.value != track.pixelAspectRatio.value else { return nil }
    let shown = SourcePlacement(size: frame, pixelAspectRatio: aspect).displaySize
    let place = track.displaySize
    let (x, y) = (place.width / shown.width, place.height / shown.height)
    size = track.size
    // The bars of the fitted frame, in pixels of the frame.
    let bars = x < y ? Double(frame.height) * (y / x - 1) : Double(frame.width) * (x / y - 1)
    guard bars >= Self.roundingOfSides else {
      (left, top, inner) = (0, 0, track.size)
      return
    }
    func side(_ whole: Int, _ share: Double) -> Int { min(whole, max(4, Int((Double(whole) * share / 4).rounded()) * 4)) }
    let width = x <= y ? track.size.width : side(track.size.width, y / x)
    let height = y <= x ? track.size.height : side(track.size.height, x / y)
    inner = PixelSize(width: width, height: height)
    (left, top) = ((track.size.width - width) / 2 & -2, (track.size.height - height) / 2 & -2)
  }

  /// The same for the shim.
  var place: cff_fit {
    cff_fit(
      width: Int32(size.width), height: Int32(size.height), left: Int32(left), top: Int32(top),
      inner_width: Int32(inner.width), inner_height: Int32(inner.height))
  }
}
