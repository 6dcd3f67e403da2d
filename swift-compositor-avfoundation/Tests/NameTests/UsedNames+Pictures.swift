import AVFoundation

extension UsedNames {
  /// Layers and animations.
  mutating func layers() {
    use("CALayer.backgroundColor", \CALayer.backgroundColor)
    use("CALayer.transform", \CALayer.transform)
    use("CAMediaTiming.duration", { $0.duration } as (any CAMediaTiming) -> CFTimeInterval)
    use("CABasicAnimation", CABasicAnimation.self)
    use("CALayer", CALayer.self)
    use("CATextLayer", CATextLayer.self)
    use("CABasicAnimation.init(keyPath:)", CABasicAnimation.init(keyPath:))
    use("CALayer.init()", CALayer.init as () -> CALayer)
    use("CATextLayer.init()", CATextLayer.init as () -> CATextLayer)
    use("CAAnimation.isRemovedOnCompletion", \CAAnimation.isRemovedOnCompletion)
    use("CABasicAnimation.fromValue", \CABasicAnimation.fromValue)
    use("CABasicAnimation.toValue", \CABasicAnimation.toValue)
    use("CALayer.add(_:forKey:)", CALayer.add(_:forKey:))
    use("CALayer.addSublayer(_:)", CALayer.addSublayer(_:))
    use("CALayer.contents", \CALayer.contents)
    use("CALayer.frame", \CALayer.frame)
    use("CALayer.isGeometryFlipped", \CALayer.isGeometryFlipped)
    use("CALayer.opacity", \CALayer.opacity)
    use("CALayer.position", \CALayer.position)
    use("CAMediaTiming.beginTime", { $0.beginTime } as (any CAMediaTiming) -> CFTimeInterval)
    use("CAMediaTiming.fillMode", { $0.fillMode } as (any CAMediaTiming) -> CAMediaTimingFillMode)
    use("CAMediaTiming.speed", { $0.speed } as (any CAMediaTiming) -> Float)
    use("CATextLayer.alignmentMode", \CATextLayer.alignmentMode)
    use("CATextLayer.font", \CATextLayer.font)
    use("CATextLayer.fontSize", \CATextLayer.fontSize)
    use("CATextLayer.foregroundColor", \CATextLayer.foregroundColor)
    use("CATextLayer.string", \CATextLayer.string)
  }

  /// Pixel buffers.
  mutating func buffers() {
    use("CVPixelBuffer", CVPixelBuffer.self)
    use("CVPixelBufferCreate(_:_:_:_:_:_:)", CVPixelBufferCreate(_:_:_:_:_:_:))
    use("CVPixelBufferGetBaseAddress(_:)", CVPixelBufferGetBaseAddress(_:))
    use("CVPixelBufferGetBytesPerRow(_:)", CVPixelBufferGetBytesPerRow(_:))
    use("CVPixelBufferGetHeight(_:)", CVPixelBufferGetHeight(_:))
    use("CVPixelBufferGetWidth(_:)", CVPixelBufferGetWidth(_:))
    use("CVPixelBufferLockBaseAddress(_:_:)", CVPixelBufferLockBaseAddress(_:_:))
    use("CVPixelBufferPoolCreatePixelBuffer(_:_:_:)", CVPixelBufferPoolCreatePixelBuffer(_:_:_:))
    use("CVPixelBufferUnlockBaseAddress(_:_:)", CVPixelBufferUnlockBaseAddress(_:_:))
    use("kCVImageBufferColorPrimariesKey", kCVImageBufferColorPrimariesKey)
    use("kCVImageBufferTransferFunctionKey", kCVImageBufferTransferFunctionKey)
    use("kCVImageBufferYCbCrMatrixKey", kCVImageBufferYCbCrMatrixKey)
    use("kCVPixelBufferCGImageCompatibilityKey", kCVPixelBufferCGImageCompatibilityKey)
    use("kCVPixelBufferHeightKey", kCVPixelBufferHeightKey)
    use("kCVPixelBufferPixelFormatTypeKey", kCVPixelBufferPixelFormatTypeKey)
    use("kCVPixelBufferWidthKey", kCVPixelBufferWidthKey)
    use("kCVPixelFormatType_32ARGB", kCVPixelFormatType_32ARGB)
    use("kCVPixelFormatType_32BGRA", kCVPixelFormatType_32BGRA)
    use("kCVPixelFormatType_420YpCbCr8BiPlanarFullRange", kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    use("kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange", kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    use("kCVReturnSuccess", kCVReturnSuccess)
  }
}
