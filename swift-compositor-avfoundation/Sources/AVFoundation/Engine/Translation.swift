internal import Compositor
internal import Foundation

// Values of this module as those of the compositor, and back.

extension CGAffineTransform {
  var matrix: AffineMatrix {
    AffineMatrix(a: Double(a), b: Double(b), c: Double(c), d: Double(d), tx: Double(tx), ty: Double(ty))
  }

  init(_ matrix: AffineMatrix) {
    self.init(a: matrix.a, b: matrix.b, c: matrix.c, d: matrix.d, tx: matrix.tx, ty: matrix.ty)
  }
}

extension CGRect {
  var rect: Rect {
    isInfinite || isNull ? .infinite : Rect(x: Double(minX), y: Double(minY), width: Double(width), height: Double(height))
  }

  init(_ rect: Rect) {
    self = rect.isInfinite ? .infinite : CGRect(x: rect.minX, y: rect.minY, width: rect.size.width, height: rect.size.height)
  }
}

extension CGSize {
  /// The size in whole pixels; 0 for what is not a number of pixels.
  var pixels: PixelSize {
    PixelSize(width: Int(exactly: width.rounded()) ?? 0, height: Int(exactly: height.rounded()) ?? 0)
  }

  init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension CGColor {
  /// The color in sRGB.
  var color: Color {
    let parts = (components ?? [0, 1]).map(Double.init)
    if parts.count == 2 { return Color(red: parts[0], green: parts[0], blue: parts[0], alpha: parts[1]) }
    return Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}

extension AVMediaType {
  var compositorType: MediaType? {
    switch self {
    case .video: .video
    case .audio: .audio
    default: nil
    }
  }

  init(_ type: MediaType) { self = type == .video ? .video : .audio }
}
