import CCompositorKernels
package import CompositorAPI

/// A box of premultiplied R′, G′, B′, A in single precision, in the output's signal.
package struct Surface: Sendable {
  package let box: PixelBox
  package var pixels: [Float]
  /// Whether it has an empty margin around everything drawn, and starts at even pixels.
  var hasRoom = false
  /// Where its pixels are from, and where surfaces made of it have theirs from.
  let memory: SurfaceMemory

  package static let maximumPixels = 64_000_000

  /// Makes an empty surface.
  ///
  /// - Parameter memory: Provides its memory.
  /// - Throws: `.invalidValue` if the box is larger than any frame.
  package init(_ box: PixelBox, in memory: SurfaceMemory = .unkept) throws(CompositorError) {
    try Surface.check(box)
    (self.box, self.memory) = (box, memory)
    pixels = memory.zeros(box.width * box.height * 4)
  }

  /// Makes a surface whose pixels are undefined until written.
  ///
  /// - Throws: As ``init(_:in:)``.
  init(undefined box: PixelBox, in memory: SurfaceMemory) throws(CompositorError) {
    try Surface.check(box)
    (self.box, self.memory) = (box, memory)
    pixels = memory.values(box.width * box.height * 4)
  }

  private static func check(_ box: PixelBox) throws(CompositorError) {
    guard box.width * box.height <= Surface.maximumPixels else {
      throw CompositorError(
        .invalidValue, "A layer of \(box.width) by \(box.height) pixels cannot be drawn.",
        recoverySuggestion: "Make it smaller.")
    }
  }

  /// Gives the memory of the pixels back, which no one else may have. The surface can't be used afterward.
  mutating func giveBack() { memory.giveBack(&pixels) }

  /// The same pixels in other memory.
  func copied() throws(CompositorError) -> Surface {
    var copy = try Surface(undefined: box, in: memory)
    copy.hasRoom = hasRoom
    copy.pixels.withUnsafeMutableBufferPointer { target in
      pixels.withUnsafeBufferPointer { source in
        if let source = source.baseAddress { target.baseAddress?.update(from: source, count: target.count) }
      }
    }
    return copy
  }

  /// The index of a pixel's first value.
  func index(x: Int, y: Int) -> Int { ((y - box.y0) * box.width + x - box.x0) * 4 }

  /// The surface with an empty margin of at least two pixels, starting at even pixels: the input of a sprite.
  package func withRoom() throws(CompositorError) -> Surface {
    if hasRoom { return self }
    var room = try Surface(box.grown(by: 2).even, in: memory)
    room.over(self, opacity: 1, mode: .normal)
    return room
  }

  /// Composites another surface over this one.
  package mutating func over(_ source: Surface, opacity: Double, mode: BlendMode) {
    let common = box.intersection(source.box)
    guard !common.isEmpty else { return }
    let (first, step) = (index(x: common.x0, y: common.y0), box.width * 4)
    let (from, fromStep) = (source.index(x: common.x0, y: common.y0), source.box.width * 4)
    pixels.withUnsafeMutableBufferPointer { target in
      source.pixels.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        for row in 0..<common.height {
          cpk_overlay_surface_blend(
            target + first + row * step, source + from + row * fromStep, Float(opacity), mode.kernelNumber, common.width)
        }
      }
    }
  }

  /// Adds a part of another surface.
  mutating func add(_ source: Surface, weight: Float) {
    let common = box.intersection(source.box)
    guard !common.isEmpty else { return }
    let (first, step) = (index(x: common.x0, y: common.y0), box.width * 4)
    let (from, fromStep) = (source.index(x: common.x0, y: common.y0), source.box.width * 4)
    pixels.withUnsafeMutableBufferPointer { target in
      source.pixels.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        for row in 0..<common.height {
          cpk_general_accumulate(target + first + row * step, source + from + row * fromStep, weight, common.width * 4)
        }
      }
    }
  }

  /// Multiplies by the coverage of another surface of the same box.
  package mutating func mask(by source: Surface) {
    let count = box.width * box.height
    pixels.withUnsafeMutableBufferPointer { target in
      source.pixels.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        cpk_overlay_surface_mask(target, source, count)
      }
    }
  }

  /// The shadow: the coverage in one premultiplied color, blurred by a Gaussian and displaced: the box by integer pixels, the
  /// blur by the remaining fraction.
  package func shadow(sigma: Double, color: SIMD4<Float>, dx: Double, dy: Double) throws(CompositorError) -> Surface {
    let (x, y) = (Int(dx.rounded(.down)), Int(dy.rounded(.down)))
    let moved = PixelBox(x0: box.x0 + x, y0: box.y0 + y, x1: box.x1 + x, y1: box.y1 + y)
    var result = try Surface(undefined: moved, in: memory)
    let count = box.width * box.height
    var alpha = memory.values(count)
    Surface.write(pixels, into: &alpha) { pixels, alpha in
      for index in 0..<count { alpha[index] = pixels[4 * index + 3] }
    }
    let part = (x: dx - Double(x), y: dy - Double(y))
    if sigma > 0.05 || part != (0, 0) {
      var blurred = Surface.blurred(
        alpha, width: box.width, height: box.height, sigma: sigma, movedBy: part, in: memory)
      swap(&alpha, &blurred)
      memory.giveBack(&blurred)
    }
    Surface.write(alpha, into: &result.pixels) { alpha, pixels in
      for index in 0..<count {
        for part in 0..<4 { pixels[4 * index + part] = color[part] * alpha[index] }
      }
    }
    memory.giveBack(&alpha)
    return result
  }

  /// Weights of -reach … reach: a Gaussian truncated at three standard deviations, displaced to the left by a fraction of a
  /// pixel. Below about one pixel it has too few samples, and is divided between two neighbors instead.
  private static func kernel(_ sigma: Double, _ part: Double, reach: Int) -> [Float] {
    func sample(_ distance: Double) -> Double { gaussian(distance / max(sigma, 0.05)) }
    let parts = (-reach...reach).map { index in
      let distance = Double(index)
      return sigma > 0.7 ? sample(distance + part) : (1 - part) * sample(distance) + part * sample(distance + 1)
    }
    let sum = parts.reduce(0, +)
    return parts.map { Float($0 / sum) }
  }

  /// A separable Gaussian, displaced by a fraction of a pixel (0 ..< 1) to the right and down.
  ///
  /// - Parameters:
  ///   - components: The number of values of a pixel, each blurred by itself.
  ///   - memory: Provides the memory of the result.
  static func blurred(
    _ plane: [Float], width: Int, height: Int, components: Int = 1, sigma: Double, movedBy part: (x: Double, y: Double),
    in memory: SurfaceMemory
  ) -> [Float] {
    let reach = Int((3 * sigma).rounded(.up)) + 1
    let length = width * components
    let (horizontal, vertical) = (kernel(sigma, part.x, reach: reach), kernel(sigma, part.y, reach: reach))
    var across = memory.zeros(plane.count)
    var down = memory.zeros(plane.count)
    write(plane, into: &across) { source, target in
      for y in 0..<height {
        for (index, weight) in horizontal.enumerated() {
          let shift = (index - reach) * components
          let count = length - abs(shift)
          guard count > 0 else { continue }
          cpk_general_accumulate(target + y * length + max(-shift, 0), source + y * length + max(shift, 0), weight, count)
        }
      }
    }
    write(across, into: &down) { source, target in
      for y in 0..<height {
        for (index, weight) in vertical.enumerated() where (0..<height).contains(y + index - reach) {
          cpk_general_accumulate(target + y * length, source + (y + index - reach) * length, weight, length)
        }
      }
    }
    memory.giveBack(&across)
    return down
  }

  private static func write(
    _ source: [Float], into target: inout [Float], _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    source.withUnsafeBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        body(source, target)
      }
    }
  }
}
