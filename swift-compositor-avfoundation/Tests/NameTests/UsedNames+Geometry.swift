import AVFoundation

extension UsedNames {
  /// Pictures in memory, colors and the types of Core Foundation.
  mutating func contexts() {
    use("CFDictionary", CFDictionary.self)
    use("CFString", CFString.self)
    use("CFURL", CFURL.self)
    use("CGBitmapInfo", CGBitmapInfo.self)
    use("CGColor", CGColor.self)
    use("CGContext", CGContext.self)
    use("CGImage", CGImage.self)
    use("CGImageAlphaInfo", CGImageAlphaInfo.self)
    use(
      "CGContext.init(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:)",
      CGContext.init(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:))
    use("CGBitmapInfo.byteOrder32Little", CGBitmapInfo.byteOrder32Little)
    use("CGContext.draw(_:in:)", { $0.draw($1, in: .zero) } as (CGContext, CGImage) -> Void)
    use("CGContext.height", \CGContext.height)
    use("CGContext.width", \CGContext.width)
    use("CGImage.height", \CGImage.height)
    use("CGImage.width", \CGImage.width)
    use("CGColorSpaceCreateDeviceRGB()", CGColorSpaceCreateDeviceRGB)
  }

  /// Affine transforms.
  mutating func transforms() {
    use("CGAffineTransform", CGAffineTransform.self)
    use("CGAffineTransform.init(rotationAngle:)", CGAffineTransform.init(rotationAngle:))
    use("CGAffineTransform.init(scaleX:y:)", CGAffineTransform.init(scaleX:y:))
    use("CGAffineTransform.init(translationX:y:)", CGAffineTransform.init(translationX:y:))
    use("CGAffineTransform.a", \CGAffineTransform.a)
    use("CGAffineTransform.b", \CGAffineTransform.b)
    use("CGAffineTransform.c", \CGAffineTransform.c)
    use("CGAffineTransform.concatenating(_:)", CGAffineTransform.concatenating(_:))
    use("CGAffineTransform.d", \CGAffineTransform.d)
    use("CGAffineTransform.identity", CGAffineTransform.identity)
    use("CGAffineTransform.rotated(by:)", CGAffineTransform.rotated(by:))
    use("CGAffineTransform.scaledBy(x:y:)", CGAffineTransform.scaledBy(x:y:))
    use("CGAffineTransform.tx", \CGAffineTransform.tx)
    use("CGAffineTransform.ty", \CGAffineTransform.ty)
  }

  /// Points, sizes and rectangles.
  mutating func shapes() {
    use("CGFloat", CGFloat.self)
    use("CGPoint", CGPoint.self)
    use("CGRect", CGRect.self)
    use("CGSize", CGSize.self)
    use("CGFloat.init(_:)", CGFloat.init(_:) as (Double) -> CGFloat)
    use("CGPoint.init(x:y:)", CGPoint.init(x:y:) as (CGFloat, CGFloat) -> CGPoint)
    use("CGRect.init(origin:size:)", CGRect.init(origin:size:))
    use("CGRect.init(x:y:width:height:)", CGRect.init(x:y:width:height:) as (CGFloat, CGFloat, CGFloat, CGFloat) -> CGRect)
    use("CGSize.init(width:height:)", CGSize.init(width:height:) as (CGFloat, CGFloat) -> CGSize)
    use("CGPoint.applying(_:)", CGPoint.applying(_:))
    use("CGRect.applying(_:)", CGRect.applying(_:))
    use("CGSize.applying(_:)", CGSize.applying(_:))
  }
}
