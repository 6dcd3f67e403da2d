import CCompositorKernels
import CompositorAPI
import CompositorPlatform

extension Surface {
  /// Applies a layer's filters.
  ///
  /// - Parameters:
  ///   - blur: The blur in pixels of the surface, which has room for it.
  ///   - signal: The signal of colors; `nil` if the surface holds it.
  mutating func apply(_ filters: LayerFilters, _ blur: FilterBlur, signal: TitleSignal?) throws(CompositorError) {
    if blur.sigma > Self.leastSigma { self.blur(sigma: blur.sigma) }
    let (matrices, count) = (filters.colorMatrices, box.width * box.height)
    guard !matrices.isEmpty || blur.glow > 0, count > 0 else { return }
    signal?.enter(&self)
    // As CSS: the colors after each filter are limited before the next one.
    let limit: Float = signal?.mayExceedWhite == true ? 1e6 : 1
    for matrix in matrices {
      pixels.withUnsafeMutableBufferPointer { pixels in
        guard let row = pixels.baseAddress else { return }
        cpk_overlay_surface_recolor(row, matrix, limit, count)
      }
    }
    if blur.glow > 0 { try glow(sigma: blur.glow, intensity: Float(filters.glowIntensity), limit: limit) }
    signal?.leave(&self)
  }

  /// Adds the blurred picture to itself, as light. Alpha grows with it, at most to 1, so that light reaches beyond the edges.
  private mutating func glow(sigma: Double, intensity: Float, limit: Float) throws(CompositorError) {
    var light = try copied()
    if sigma > Self.leastSigma { light.blur(sigma: sigma) }
    let count = box.width * box.height
    pixels.withUnsafeMutableBufferPointer { pixels in
      light.pixels.withUnsafeBufferPointer { light in
        guard let row = pixels.baseAddress, let light = light.baseAddress else { return }
        cpk_general_accumulate(row, light, intensity, 4 * count)
        cpk_overlay_surface_matte(row, [0, 0, 0, 1, 0], count)
        cpk_overlay_surface_recolor(row, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], limit, count)
      }
    }
    light.giveBack()
  }

  /// Replaces alpha by a weighted sum of R, G, B, A and 1.
  ///
  /// - Parameter signal: The signal of colors; `nil` if the surface holds it. Colors are left in it.
  mutating func matte(_ weights: [Float], signal: TitleSignal?) {
    if weights[0] != 0 { signal?.enter(&self) }
    let count = box.width * box.height
    pixels.withUnsafeMutableBufferPointer { pixels in
      guard let row = pixels.baseAddress else { return }
      cpk_overlay_surface_matte(row, weights, count)
    }
  }

  /// Makes every pixel that isn't empty opaque.
  mutating func solidify() {
    let count = box.width * box.height
    pixels.withUnsafeMutableBufferPointer { pixels in
      guard let row = pixels.baseAddress else { return }
      cpk_overlay_surface_solidify(row, count)
    }
  }

  /// The smallest standard deviation that changes a picture.
  static let leastSigma = 0.05

  /// A Gaussian blur.
  ///
  /// A wide one is made of a picture of half the size, as often as it stays at least 2.5 pixels wide there. Means of two by two pixels
  /// and the weights 3/4 and 1/4 of doubling add a variance of (4ⁿ − 1) / 3 for n halvings, which the Gaussian leaves out. The largest
  /// error of a step from black to white is below 0.7 of 255 codes in each direction.
  mutating func blur(sigma: Double) {
    let halvings = Surface.halvings(sigma)
    var picture = HalvedPicture(self, alignment: 1 << halvings)
    for _ in 0..<halvings { picture.halve() }
    let scale = Double(1 << (2 * halvings))
    let rest = ((sigma * sigma - (scale - 1) / 3) / scale).squareRoot()
    picture.replace(
      by: Surface.blurred(
        picture.pixels, width: picture.width, height: picture.height, components: 4, sigma: rest, movedBy: (0, 0),
        in: memory))
    for _ in 0..<halvings { picture.double() }
    picture.copy(into: &self)
    picture.giveBack()
  }

  private static func halvings(_ sigma: Double) -> Int {
    var count = 0
    while true {
      let scale = Double(1 << (2 * (count + 1)))
      guard (sigma * sigma - (scale - 1) / 3) / scale >= 2.5 * 2.5 else { return count }
      count += 1
    }
  }
}

/// A picture of a surface whose sides can be halved: its corner is at multiples of a power of two, so that a picture that moves by whole
/// pixels is halved in the same way everywhere.
private struct HalvedPicture {
  var width, height: Int
  var pixels: [Float]
  private let origin: (x: Int, y: Int)
  private let memory: SurfaceMemory

  init(_ surface: Surface, alignment: Int) {
    func floor(_ value: Int) -> Int { value & -alignment }
    let box = surface.box
    origin = (floor(box.x0), floor(box.y0))
    width = floor(box.x1 + alignment - 1) - origin.x
    height = floor(box.y1 + alignment - 1) - origin.y
    memory = surface.memory
    pixels = memory.zeros(width * height * 4)
    for y in 0..<box.height {
      let (from, to) = (y * box.width * 4, ((y + box.y0 - origin.y) * width + box.x0 - origin.x) * 4)
      pixels.replaceSubrange(to..<to + box.width * 4, with: surface.pixels[from..<from + box.width * 4])
    }
  }

  mutating func halve() {
    let step = width * 4
    remake(width: width / 2, height: height / 2) { source, target, y, width in
      cpk_overlay_surface_halve(source + 2 * y * step, source + (2 * y + 1) * step, target, width)
    }
  }

  mutating func double() {
    let (width, height) = (width, height)
    let none = [Float](repeating: 0, count: width * 4)
    none.withUnsafeBufferPointer { none in
      guard let none = none.baseAddress else { return }
      remake(width: 2 * width, height: 2 * height) { source, target, y, _ in
        let far = y / 2 + (y % 2 == 0 ? -1 : 1)
        let row = (0..<height).contains(far) ? source + far * width * 4 : none
        cpk_overlay_surface_double(source + y / 2 * width * 4, row, target, width)
      }
    }
  }

  private mutating func remake(
    width: Int, height: Int, _ row: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, _ y: Int, _ width: Int) -> Void
  ) {
    var result = memory.values(width * height * 4)
    pixels.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for y in 0..<height { row(source, target + y * width * 4, y, width) }
      }
    }
    (self.width, self.height) = (width, height)
    replace(by: result)
  }

  /// Replaces the pixels, and gives the memory of the old ones back.
  mutating func replace(by result: [Float]) {
    memory.giveBack(&pixels)
    pixels = result
  }

  mutating func giveBack() { memory.giveBack(&pixels) }

  func copy(into surface: inout Surface) {
    let box = surface.box
    for y in 0..<box.height {
      let (to, from) = (y * box.width * 4, ((y + box.y0 - origin.y) * width + box.x0 - origin.x) * 4)
      surface.pixels.replaceSubrange(to..<to + box.width * 4, with: pixels[from..<from + box.width * 4])
    }
  }
}

extension LayerFilters {
  /// Matrices of three rows from premultiplied R, G, B and A, one for each filter that changes something.
  var colorMatrices: [[Float]] {
    var matrices: [[Double]] = []
    if brightness != 1 { matrices.append(diagonal(brightness, offset: 0)) }
    if contrast != 1 { matrices.append(diagonal(contrast, offset: (1 - contrast) / 2)) }
    if saturation != 1 { matrices.append(LayerFilters.saturating(saturation)) }
    if hueRotation != 0 { matrices.append(LayerFilters.turning(hueRotation)) }
    return matrices.map { $0.map(Float.init) }
  }

  private func diagonal(_ factor: Double, offset: Double) -> [Double] {
    [factor, 0, 0, offset, 0, factor, 0, offset, 0, 0, factor, offset]
  }

  // The numbers of Filter Effects Module Level 1, feColorMatrix.

  private static func saturating(_ s: Double) -> [Double] {
    [
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0,
      0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0,
      0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0,
    ]
  }

  private static func turning(_ angle: Double) -> [Double] {
    let (c, s) = (cos(angle), sin(angle))
    return [
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0,
      0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0,
    ]
  }
}

/// The standard deviations of a layer's filters on the canvas, in pixels.
struct FilterBlur {
  /// That of the blur, and that of the glow; 0 for none.
  let sigma, glow: Double

  /// How far they extend beyond what is drawn, in pixels.
  var reach: Int { FilterBlur.reach(sigma) + FilterBlur.reach(glow) }

  private static func reach(_ sigma: Double) -> Int { sigma > 0 ? Int((3 * sigma).rounded(.up)) + 2 : 0 }
}

extension LayerFilters {
  /// The blur and the glow in a layer's place on the canvas.
  func blur(_ matrix: Projection) -> FilterBlur {
    func limited(_ radius: Double) -> Double { radius > 0 ? min(radius * matrix.meanScale, 250) : 0 }
    return FilterBlur(sigma: limited(blurRadius), glow: glowIntensity > 0 ? limited(glowRadius) : 0)
  }
}

extension Projection {
  /// The square root of the factor of areas, at most 100; 0 if products of transforms have overflowed.
  var meanScale: Double {
    let scale = abs(a * d - b * c).squareRoot()
    return scale.isNaN ? 0 : min(scale, 100)
  }
}
