import CoreGraphics
import Testing

@Suite struct TransformTests {
  private func near(_ left: CGPoint, _ right: CGPoint) -> Bool { abs(left.x - right.x) < 1e-9 && abs(left.y - right.y) < 1e-9 }

  @Test func transforms_moveScaleAndRotate() {
    #expect(CGPoint(x: 1, y: 2).applying(CGAffineTransform(translationX: 10, y: 20)) == CGPoint(x: 11, y: 22))
    #expect(CGPoint(x: 1, y: 2).applying(CGAffineTransform(scaleX: 3, y: 4)) == CGPoint(x: 3, y: 8))
    #expect(near(CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2)), CGPoint(x: 0, y: 1)))
    #expect(CGAffineTransform.identity.isIdentity && !CGAffineTransform().isIdentity)
  }

  /// `t.translatedBy` and its kind change points before `t` does; `concatenating` after it.
  @Test func order_isThatOfTheDocumentation() {
    let turn = CGAffineTransform(rotationAngle: .pi / 2)
    let move = CGAffineTransform(translationX: 10, y: 0)
    let point = CGPoint(x: 1, y: 0)
    #expect(near(point.applying(turn.concatenating(move)), point.applying(turn).applying(move)))
    #expect(near(point.applying(turn.translatedBy(x: 10, y: 0)), point.applying(move).applying(turn)))
    #expect(near(point.applying(move.rotated(by: .pi / 2)), point.applying(turn).applying(move)))
    #expect(near(point.applying(move.scaledBy(x: 2, y: 2)), CGPoint(x: 12, y: 0)))
  }

  /// A picture that is turned by a quarter lies in the first quadrant again, and the inverse turns it back.
  @Test(arguments: [90.0, 180, 270, 37])
  func inverse_undoesTheTransform(degrees: Double) {
    let transform = CGAffineTransform(translationX: 1080, y: 3).rotated(by: degrees * .pi / 180).scaledBy(x: 2, y: -3)
    let point = CGPoint(x: 17, y: -4)
    #expect(near(point.applying(transform).applying(transform.inverted()), point))
    #expect(CGAffineTransform(scaleX: 0, y: 1).inverted() == CGAffineTransform(scaleX: 0, y: 1))
  }

  @Test func rectangles_areBoundingBoxes_sizesIgnoreTranslation() {
    let portrait = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
    #expect(CGRect(x: 0, y: 0, width: 1920, height: 1080).applying(portrait) == CGRect(x: 0, y: 0, width: 1080, height: 1920))
    #expect(CGSize(width: 1920, height: 1080).applying(portrait) == CGSize(width: -1080, height: 1920))
    #expect(CGRect.infinite.applying(portrait) == .infinite)
  }

  @Test func colors_compareByComponentsAndSpace() {
    #expect(CGColor(red: 1, green: 0, blue: 0, alpha: 0.5).components == [1, 0, 0, 0.5])
    #expect(CGColor.black == CGColor(gray: 0, alpha: 1) && CGColor.clear.alpha == 0)
    #expect(CGColor.white.copy(alpha: 0.25)?.alpha == 0.25)
    let space = CGColorSpace(name: CGColorSpace.sRGB)
    #expect(space?.numberOfComponents == 3 && CGColorSpace(name: "unknown" as CFString) == nil)
    #expect(space.flatMap { CGColor(colorSpace: $0, components: [0.1, 0.2, 0.3, 1]) }?.numberOfComponents == 4)
  }

  @Test func images_areCheckedAndCropped() throws {
    let space = CGColorSpaceCreateDeviceRGB()
    func image(_ bytes: Int) -> CGImage? {
      CGDataProvider(data: NSData(data: Data((0..<bytes).map { UInt8($0 & 255) }))).flatMap {
        CGImage(
          width: 4, height: 3, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 16, space: space,
          bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: $0, decode: nil,
          shouldInterpolate: true, intent: .defaultIntent)
      }
    }
    #expect(image(47) == nil)
    let whole = try #require(image(48))
    #expect(whole.alphaInfo == .last)
    let part = try #require(whole.cropping(to: CGRect(x: 1, y: 1, width: 9, height: 9)))
    #expect(part.width == 3 && part.height == 2)
    #expect((part.dataProvider?.data as Data?)?.first == 20)
    #expect(whole.cropping(to: CGRect(x: 9, y: 9, width: 1, height: 1)) == nil)
  }
}
