import QuartzCore
import Testing

@Suite struct TransformTests {
  private func near(_ left: CATransform3D, _ right: CATransform3D) -> Bool {
    zip(numbers(left), numbers(right)).allSatisfy { abs($0 - $1) < 1e-9 }
  }

  private func numbers(_ t: CATransform3D) -> [CGFloat] {
    [t.m11, t.m12, t.m13, t.m14, t.m21, t.m22, t.m23, t.m24, t.m31, t.m32, t.m33, t.m34, t.m41, t.m42, t.m43, t.m44]
  }

  /// A point (x, y, z, 1) times the matrix.
  private func apply(_ t: CATransform3D, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> [CGFloat] {
    let m = numbers(t)
    return (0..<4).map { column in
      let moved: CGFloat = m[12 + column]
      return x * m[column] + y * m[4 + column] + z * m[8 + column] + moved
    }
  }

  private func isNear(_ point: [CGFloat], _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> Bool {
    abs(point[0] - x) < 1e-9 && abs(point[1] - y) < 1e-9 && abs(point[2] - z) < 1e-9
  }

  @Test func functions_moveScaleAndRotate() {
    #expect(CATransform3DIsIdentity(CATransform3DIdentity) && !CATransform3DIsIdentity(CATransform3D()))
    #expect(isNear(apply(CATransform3DMakeTranslation(1, 2, 3), 10, 20, 30), 11, 22, 33))
    #expect(isNear(apply(CATransform3DMakeScale(1, 2, 3), 10, 20, 30), 10, 40, 90))
    // Each axis takes the next one to the one after that.
    #expect(isNear(apply(CATransform3DMakeRotation(.pi / 2, 0, 0, 5), 1, 0, 0), 0, 1, 0))
    #expect(isNear(apply(CATransform3DMakeRotation(.pi / 2, 1, 0, 0), 0, 1, 0), 0, 0, 1))
    #expect(isNear(apply(CATransform3DMakeRotation(.pi / 2, 0, 1, 0), 0, 0, 1), 1, 0, 0))
    #expect(isNear(apply(CATransform3DMakeRotation(.pi * 2 / 3, 1, 1, 1), 1, 0, 0), 0, 1, 0))
    #expect(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
  }

  /// `CATransform3DRotate` and its kind change points before the transform does; `CATransform3DConcat` after it.
  @Test func order_isThatOfTheDocumentation() {
    let move = CATransform3DMakeTranslation(10, 0, 0)
    #expect(isNear(apply(CATransform3DRotate(move, .pi / 2, 0, 0, 1), 1, 0, 0), 10, 1, 0))
    #expect(isNear(apply(CATransform3DScale(move, 2, 2, 2), 1, 1, 1), 12, 2, 2))
    #expect(isNear(apply(CATransform3DTranslate(CATransform3DMakeScale(2, 2, 2), 1, 0, 0), 1, 0, 0), 4, 0, 0))
    let turn = CATransform3DMakeRotation(.pi / 2, 0, 0, 1)
    #expect(isNear(apply(CATransform3DConcat(turn, move), 1, 0, 0), 10, 1, 0))
  }

  @Test func inverse_undoesTheTransform() {
    var t = CATransform3DRotate(CATransform3DMakeTranslation(3, -7, 2), 0.7, 1, 2, 3)
    t.m34 = -1 / 500
    #expect(near(CATransform3DConcat(t, CATransform3DInvert(t)), CATransform3DIdentity))
    #expect(CATransform3DEqualToTransform(CATransform3DInvert(CATransform3D()), CATransform3D()))
  }

  @Test func planes_areRecognized() {
    let turn = CGAffineTransform(rotationAngle: 0.3).translatedBy(x: 4, y: 5)
    let space = CATransform3DMakeAffineTransform(turn)
    #expect(CATransform3DIsAffine(space) && CATransform3DGetAffineTransform(space) == turn)
    #expect(!CATransform3DIsAffine(CATransform3DMakeRotation(1, 1, 0, 0)))
    #expect(NSValue(caTransform3D: space).caTransform3DValue == space)
    #expect(NSNumber(value: 1).caTransform3DValue == CATransform3D())
  }
}
