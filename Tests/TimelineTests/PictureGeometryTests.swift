import CompositorAPI
import CompositorTimeline
import Testing

/// Where frames are on the canvas: bars are intended or there are none.
@Suite struct PictureGeometryTests {
  @Test func geometry_almostTheCanvas_fillsItWithoutBars() {
    // 854×480 with pixels of 1280:1281, on a canvas of 854×480.
    let shape = SourcePlacement(size: PixelSize(width: 854, height: 480), pixelAspectRatio: Rational(1280, 1281))
    let picture = ClipMedia.Picture(shape: shape, end: nil)
    let geometry = PictureGeometry(picture, fit: .fit, canvas: PixelSize(width: 854, height: 480))
    let box = geometry.matrix(ClipPlacement()).boundingBox(of: Rect(origin: .zero, size: shape.displaySize))
    #expect(abs(box.size.width - 854) < 1e-9 && box.size.height == 480 && abs(box.minX) < 1e-9)
  }

  /// The default canvas of frames of any pixel aspect ratio has no bars, upright or turned.
  @Test(arguments: [
    (1, 1), (10, 11), (40, 33), (12, 11), (16, 11), (59, 54), (118, 81), (128, 117), (4, 3), (8, 9), (32, 27), (64, 45),
    (16, 15), (1280, 1281),
  ])
  func geometry_onItsDefaultCanvas_hasNoBars(_ horizontal: Int, _ vertical: Int) {
    let turned = AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    let sizes = [
      (720, 480), (720, 576), (704, 576), (702, 576), (352, 288), (176, 144), (1440, 1080), (53, 38), (53, 37),
    ]
    for (width, height) in sizes {
      for orientation in [.identity, turned] {
        let shape = SourcePlacement(
          size: PixelSize(width: width, height: height), pixelAspectRatio: Rational(horizontal, vertical),
          preferredTransform: orientation)
        let canvas = OutputDefaults.evenSize(shape.uprightSize)
        let geometry = PictureGeometry(ClipMedia.Picture(shape: shape, end: nil), fit: .fit, canvas: canvas)
        let box = geometry.matrix(ClipPlacement()).boundingBox(of: Rect(origin: .zero, size: shape.displaySize))
        let edges = [box.minX, box.minY, box.maxX - Double(canvas.width), box.maxY - Double(canvas.height)]
        #expect(edges.allSatisfy { abs($0) < 1e-9 }, "\(width)x\(height) on \(canvas): \(box)")
      }
    }
  }

  /// Bars of a pixel and more are intended.
  @Test(arguments: [
    (1278, 720, 1.0, 0.0), (1280, 718, 0, 1), (852, 480, 1, 0), (1279, 720, 0, 0), (640, 359, 0, 1), (1, 1, 280, 0),
  ])
  func geometry_nearlyTheCanvas_hasBarsFromOnePixelOn(_ width: Int, _ height: Int, _ left: Double, _ top: Double) {
    let shape = SourcePlacement(size: PixelSize(width: width, height: height))
    let picture = ClipMedia.Picture(shape: shape, end: nil)
    let geometry = PictureGeometry(picture, fit: .fit, canvas: PixelSize(width: 1280, height: 720))
    let box = geometry.matrix(ClipPlacement()).boundingBox(of: Rect(origin: .zero, size: shape.displaySize))
    #expect(abs(box.minX - left) < 1e-9 && abs(box.minY - top) < 1e-9, "\(box)")
  }
}
