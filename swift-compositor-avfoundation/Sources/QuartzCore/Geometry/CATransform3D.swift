public import Foundation

/// A transform of points in space: a row (x, y, z, 1) times a matrix, then divided by the fourth component.
public struct CATransform3D: Hashable, Sendable {
  /// The first row: where the x axis goes.
  public var m11, m12, m13, m14: CGFloat
  /// The second row: where the y axis goes.
  public var m21, m22, m23, m24: CGFloat
  /// The third row: where the z axis goes, and in `m34` the perspective, −1 divided by the distance of the eye.
  public var m31, m32, m33, m34: CGFloat
  /// The fourth row: the translation.
  public var m41, m42, m43, m44: CGFloat

  /// The transform of which all numbers are 0.
  public init() { self.init(rows: [CGFloat](repeating: 0, count: 16)) }

  /// A transform of these numbers.
  public init(
    m11: CGFloat, m12: CGFloat, m13: CGFloat, m14: CGFloat, m21: CGFloat, m22: CGFloat, m23: CGFloat, m24: CGFloat,
    m31: CGFloat, m32: CGFloat, m33: CGFloat, m34: CGFloat, m41: CGFloat, m42: CGFloat, m43: CGFloat, m44: CGFloat
  ) {
    self.init(rows: [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44])
  }

  init(rows m: [CGFloat]) {
    (m11, m12, m13, m14) = (m[0], m[1], m[2], m[3])
    (m21, m22, m23, m24) = (m[4], m[5], m[6], m[7])
    (m31, m32, m33, m34) = (m[8], m[9], m[10], m[11])
    (m41, m42, m43, m44) = (m[12], m[13], m[14], m[15])
  }

  /// All numbers, row by row.
  package var rows: [CGFloat] { [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44] }
}

/// The transform that changes nothing.
public let CATransform3DIdentity = CATransform3D(rows: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])

/// Whether it changes nothing.
public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }
/// Whether both have the same numbers.
public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool { a == b }

/// A translation.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
  CATransform3D(rows: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, tx, ty, tz, 1])
}
/// A scale about the origin.
public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
  CATransform3D(rows: [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1])
}
/// A rotation about the axis (x, y, z), in radians; the identity for an axis without a length.
public func CATransform3DMakeRotation(_ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> CATransform3D {
  let length = (x * x + y * y + z * z).squareRoot()
  guard length > 0 else { return CATransform3DIdentity }
  let (x, y, z) = (x / length, y / length, z / length)
  let (s, c) = (CGFloat(sin(Double(angle))), CGFloat(cos(Double(angle))))
  let r = 1 - c
  let (xy, xz, yz) = (x * y * r, x * z * r, y * z * r)
  let first: [CGFloat] = [c + x * x * r, xy + z * s, xz - y * s, 0]
  let second: [CGFloat] = [xy - z * s, c + y * y * r, yz + x * s, 0]
  let third: [CGFloat] = [xz + y * s, yz - x * s, c + z * z * r, 0]
  return CATransform3D(rows: first + second + third + [0, 0, 0, 1])
}

/// A translation, followed by `t`.
public func CATransform3DTranslate(_ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
  CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t)
}
/// A scale, followed by `t`.
public func CATransform3DScale(_ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
  CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}
/// A rotation in radians, followed by `t`.
public func CATransform3DRotate(
  _ t: CATransform3D, _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat
) -> CATransform3D {
  CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t)
}

/// `a`, followed by `b`.
public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
  let (left, right) = (a.rows, b.rows)
  var product = [CGFloat](repeating: 0, count: 16)
  for row in 0..<4 {
    for column in 0..<4 {
      for index in 0..<4 { product[row * 4 + column] += left[row * 4 + index] * right[index * 4 + column] }
    }
  }
  return CATransform3D(rows: product)
}

/// The transform that undoes `t`; `t` itself if there is none.
public func CATransform3DInvert(_ t: CATransform3D) -> CATransform3D {
  var left = t.rows
  var right = CATransform3DIdentity.rows
  for column in 0..<4 {
    guard let pivot = (column..<4).max(by: { abs(left[$0 * 4 + column]) < abs(left[$1 * 4 + column]) }),
      abs(left[pivot * 4 + column]) > 1e-300
    else { return t }
    for place in 0..<4 {
      left.swapAt(pivot * 4 + place, column * 4 + place)
      right.swapAt(pivot * 4 + place, column * 4 + place)
    }
    let scale = left[column * 4 + column]
    for place in 0..<4 {
      left[column * 4 + place] /= scale
      right[column * 4 + place] /= scale
    }
    for row in 0..<4 where row != column {
      let factor = left[row * 4 + column]
      for place in 0..<4 {
        left[row * 4 + place] -= factor * left[column * 4 + place]
        right[row * 4 + place] -= factor * right[column * 4 + place]
      }
    }
  }
  return CATransform3D(rows: right)
}

/// A transform of the plane as one of space.
public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
  CATransform3D(rows: [m.a, m.b, 0, 0, m.c, m.d, 0, 0, 0, 0, 1, 0, m.tx, m.ty, 0, 1])
}
/// Whether a transform stays in the plane, without perspective.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool {
  t == CATransform3DMakeAffineTransform(CATransform3DGetAffineTransform(t))
}
/// What a transform does in the plane.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform {
  CGAffineTransform(a: t.m11, b: t.m12, c: t.m21, d: t.m22, tx: t.m41, ty: t.m42)
}

extension NSValue {
  /// A transform as an object.
  public convenience init(caTransform3D transform: CATransform3D) {
    var numbers = transform.rows.map(Double.init)
    self.init(bytes: &numbers, objCType: "[16d]")
  }

  /// The transform; that of zeros if this is another value.
  public var caTransform3DValue: CATransform3D {
    guard String(cString: objCType) == "[16d]" else { return CATransform3D() }
    var numbers = [Double](repeating: 0, count: 16)
    getValue(&numbers)
    return CATransform3D(rows: numbers.map { CGFloat($0) })
  }
}
