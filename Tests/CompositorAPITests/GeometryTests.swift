import CompositorAPI
import Testing

@Suite struct GeometryTests {
  let landscape = Size(width: 1920, height: 1080)

  @Test(arguments: [
    (Rational(99, 1), "99"), (Rational(50, 2), "25"), (Rational(30000, 1001), "30000/1001"), (Rational(1, 2), "1/2"),
  ]) func rational_plain_isAsPeopleWriteIt(_ rational: Rational, _ plain: String) {
    #expect(rational.plain == plain)
  }

  @Test(arguments: [
    (["1"], "1"), (["1", "2"], "1 or 2"), (["1", "2", "4"], "1, 2 or 4"), ([], ""),
  ]) func alternatives_areAPhrase(_ words: [String], _ phrase: String) {
    #expect(alternatives(words) == phrase)
  }

  @Test func orientation_everyOne_decomposesAndSetsUpright() {
    for orientation in Orientation.allCases {
      let transform = orientation.transform(of: landscape)
      #expect(Orientation(of: transform) == orientation)
      let box = transform.boundingBox(of: Rect(origin: .zero, size: landscape))
      #expect(box == Rect(origin: .zero, size: orientation.apply(to: landscape)))
    }
    #expect(Set(Orientation.allCases.map { $0.transform(of: landscape) }).count == 8)
  }

  @Test func orientation_exif_placesTheFirstRowAndColumn() {
    // EXIF 2.3, tag 0x0112: where row 0 and column 0 of the stored picture are seen.
    let seen: [(row: String, column: String)] = [
      ("top", "left"), ("top", "right"), ("bottom", "right"), ("bottom", "left"), ("left", "top"), ("right", "top"),
      ("right", "bottom"), ("left", "bottom"),
    ]
    func side(_ point: Point, of size: Size) -> String {
      let sides = [("left", point.x), ("top", point.y), ("right", size.width - point.x), ("bottom", size.height - point.y)]
      return sides.min { $0.1 < $1.1 }?.0 ?? ""
    }
    for (index, expected) in seen.enumerated() {
      guard let orientation = Orientation(exif: index + 1) else {
        Issue.record("no orientation \(index + 1)")
        continue
      }
      let size = orientation.apply(to: landscape)
      let transform = orientation.transform(of: landscape)
      #expect(side(transform.apply(to: Point(x: 960, y: 0)), of: size) == expected.row)
      #expect(side(transform.apply(to: Point(x: 0, y: 540)), of: size) == expected.column)
    }
    #expect(Orientation(exif: 0) == nil && Orientation(exif: 9) == nil)
  }

  @Test func orientation_otherTransforms_isNil() {
    #expect(Orientation(of: .rotation(radians: 0.5)) == nil)
    #expect(Orientation(of: .scale(x: 0, y: 1)) == nil)
    #expect(Orientation(of: AffineMatrix(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0)) == nil)
    #expect(Orientation(of: .scale(x: 2, y: 3)) == .upright)
  }

  @Test func transform_sameSize_isIdentity() {
    let placement = SourcePlacement(size: PixelSize(width: 1920, height: 1080))
    for mode in ContentMode.allCases { #expect(placement.transform(mode, into: landscape) == .identity) }
  }

  @Test func transform_rotatedPhonePicture_fitsUpright() {
    // As a phone writes it: 1920x1080 stored, turned by 90° clockwise.
    let phone = SourcePlacement(
      size: PixelSize(width: 1920, height: 1080),
      preferredTransform: AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0))
    #expect(phone.uprightSize == Size(width: 1080, height: 1920))
    let fit = phone.transform(.aspectFit, into: landscape)
    let box = fit.boundingBox(of: Rect(origin: .zero, size: phone.displaySize))
    #expect(box.minY == 0 && box.maxY == 1080)
    #expect(abs(box.minX - (1920 - 607.5) / 2) < 1e-9 && abs(box.size.width - 607.5) < 1e-9)
    // The first stored sample is seen at the top right.
    #expect(abs(fit.apply(to: .zero).x - box.maxX) < 1e-9 && fit.apply(to: .zero).y == 0)
  }

  @Test(arguments: [
    (PixelSize(width: 1440, height: 1080), Rational(4, 3)), (PixelSize(width: 720, height: 576), Rational(16, 15)),
    (PixelSize(width: 639, height: 359), .one), (PixelSize(width: 1, height: 4000), .one),
  ])
  func transform_anySource_fitsOrFillsCentred(size: PixelSize, aspect: Rational) {
    for orientation in Orientation.allCases {
      let display = Size(width: Double(size.width) * aspect.value, height: Double(size.height))
      let placement = SourcePlacement(
        size: size, pixelAspectRatio: aspect, preferredTransform: orientation.transform(of: display))
      let canvas = Rect(origin: .zero, size: landscape)
      for mode in ContentMode.allCases {
        let transform = placement.transform(mode, into: landscape)
        let box = transform.boundingBox(of: Rect(origin: .zero, size: display))
        #expect(abs(box.center.x - 960) < 1e-6 && abs(box.center.y - 540) < 1e-6)
        let touches = [abs(box.size.width - 1920) < 1e-6, abs(box.size.height - 1080) < 1e-6]
        #expect(touches.contains(true))
        switch mode {
        case .aspectFit: #expect(canvas.insetBy(x: -1e-6, y: -1e-6).contains(box))
        case .aspectFill: #expect(box.insetBy(x: -1e-6, y: -1e-6).contains(canvas))
        case .stretch: #expect(touches == [true, true])
        }
      }
    }
  }

  @Test func transform_degenerateSource_isFinite() {
    let odd = [
      SourcePlacement(size: PixelSize(width: 0, height: 5)),
      SourcePlacement(size: PixelSize(width: 5, height: 5), pixelAspectRatio: Rational(1, 0)),
      SourcePlacement(size: PixelSize(width: 5, height: 5), preferredTransform: .scale(x: 0, y: 0)),
      SourcePlacement(size: PixelSize(width: 5, height: 5), preferredTransform: .scale(x: .nan, y: 1)),
      SourcePlacement(size: PixelSize(width: 5, height: 5), preferredTransform: .rotation(radians: 0.3)),
    ]
    for placement in odd {
      for mode in ContentMode.allCases { #expect(placement.transform(mode, into: landscape).isFinite) }
      #expect(placement.transform(.aspectFit, into: .zero).isFinite)
    }
  }

  @Test func rect_operations_halfOpenAndInfinite() {
    let rect = Rect(x: 1, y: 2, width: 3, height: 4)
    #expect(rect.contains(Point(x: 1, y: 2)) && !rect.contains(Point(x: 4, y: 2)) && !rect.contains(Point(x: 1, y: 6)))
    #expect(rect.intersection(.infinite) == rect && rect.union(.infinite) == .infinite && rect.union(.zero) == rect)
    #expect(rect.union(Rect(x: 10, y: 0, width: 1, height: 1)) == Rect(x: 1, y: 0, width: 10, height: 6))
    #expect(rect.insetBy(x: 2, y: 0) == .zero && rect.offsetBy(x: 1, y: 1).origin == Point(x: 2, y: 3))
    #expect(Rect(x: 0.5, y: -0.5, width: 2, height: 1).integral == Rect(x: 0, y: -1, width: 3, height: 2))
    #expect(AffineMatrix.scale(x: 9, y: 9).boundingBox(of: .infinite) == .infinite)
  }

  @Test func affine_inverse_undoes() throws {
    var random = SplitMix64(state: 3)
    for _ in 0..<1000 {
      let numbers = (0..<6).map { _ in Double.random(in: -10...10, using: &random) }
      let matrix = AffineMatrix(
        a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
      guard abs(matrix.determinant) > 1e-3 else { continue }
      let point = Point(x: numbers[4], y: numbers[0])
      let back = try #require(matrix.inverted).apply(to: matrix.apply(to: point))
      #expect(abs(back.x - point.x) < 1e-6 && abs(back.y - point.y) < 1e-6)
    }
    #expect(AffineMatrix.scale(x: 0, y: 1).inverted == nil)
    #expect(AffineMatrix.scale(x: 1e-200, y: 1e-200).inverted == nil)
    #expect(AffineMatrix.rotation(radians: .pi / 2) == AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
  }

  @Test func rational_reducedAndFrameDuration_exact() {
    #expect(Rational(60000, 2002).reduced == Rational(30000, 1001))
    #expect(Rational(.min, .min).reduced == Rational(1, 1))
    #expect(Rational(-4, 8).reduced == Rational(-1, 2) && Rational(1, 0).reduced == Rational(1, 0))
    #expect(Rational(30000, 1001).frameDuration == time(1001, 30000))
    #expect(Rational(0, 1).frameDuration == .invalid && Rational(.max, 1).frameDuration == .invalid)
  }

  @Test(arguments: [
    (PixelSize(width: 1, height: 16_384), true), (PixelSize(width: 0, height: 9), false),
    (PixelSize(width: 9, height: 16_385), false), (PixelSize(width: -1, height: -1), false),
  ])
  func sizes_areRenderableWithinTheLimit(size: PixelSize, isRenderable: Bool) {
    #expect(size.isRenderable == isRenderable)
  }

  @Test func sizes_areRoundedToPixels_andUpToEvenSides() {
    #expect(PixelSize(rounding: Size(width: 0.2, height: 10.5)) == PixelSize(width: 1, height: 11))
    #expect(PixelSize(width: 1, height: 10).even == PixelSize(width: 2, height: 10))
  }

  @Test(arguments: [Rational(25, 1), Rational(30000, 1001), Rational(1, 2)])
  func rateOfAFrameDuration_isTheRate(rate: Rational) {
    #expect(rate.frameDuration.frameRate == rate)
  }

  @Test(arguments: [
    (2.0, "2"), (0.5, "0.5"), (-0.25, "-0.25"), (-3, "-3"), (1.0 / 3, "0.3333"), (0.00001, "0"), (1.50004, "1.5"),
    (2e9, "2000000000.0"),
  ])
  func numbers_arePlain(number: Double, text: String) { #expect(number.plain == text) }

  @Test func bytes_areTwoDigitsEach() { #expect([0, 9, 0xab, 0xff].hexadecimal == "0009abff") }
}
