import AVFoundation
import Compositor
import Testing

/// A movie of one color with layers over it.
struct LayerScene {
  static let size = CGSize(width: 160, height: 90)
  let folder: TestFolder
  let asset: AVAsset
  let root = CALayer()
  let videoLayer = CALayer()

  init(_ color: Color = .black, seconds: Int = 2) async throws {
    folder = try TestFolder()
    asset = AVAsset(
      url: try await folder.movie(
        "a.mp4", seconds: seconds, size: PixelSize(width: 160, height: 90), color: color, tone: nil))
    root.frame = CGRect(origin: .zero, size: Self.size)
    videoLayer.frame = root.frame
    root.addSublayer(videoLayer)
  }

  /// A video composition that draws the layers.
  var videoComposition: AVMutableVideoComposition {
    let video = AVMutableVideoComposition(propertiesOf: asset)
    video.animationTool = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: videoLayer, in: root)
    return video
  }

  /// The picture at a time.
  func image(at seconds: Double = 0, _ video: AVVideoComposition? = nil) async throws -> CGImage {
    let generator = AVAssetImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    generator.videoComposition = video ?? videoComposition
    return try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600)).image
  }

  /// A layer of one color.
  func box(_ frame: CGRect, _ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> CALayer {
    let layer = CALayer()
    layer.frame = frame
    layer.backgroundColor = CGColor(red: red, green: green, blue: blue, alpha: 1)
    return layer
  }
}

extension CGImage {
  /// R, G and B of a pixel, counted from the upper left.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    guard let data = dataProvider?.data as Data? else { return [] }
    return (0..<3).map { Int(data[y * bytesPerRow + x * bitsPerPixel / 8 + $0]) }
  }

  /// The rows, counted from above, of pixels in a part that have much blue, one for each pixel.
  func blueRows(_ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
    guard let data = dataProvider?.data as Data? else { return [] }
    return rows.flatMap { y in
      columns.filter { data[y * bytesPerRow + $0 * bitsPerPixel / 8 + 2] > 150 }.map { _ in y }
    }
  }

  /// Whether a pixel has a color within a tolerance.
  func shows(_ color: [Int], at x: Int, _ y: Int, within tolerance: Int = 4) -> Bool {
    zip(pixel(x, y), color).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
