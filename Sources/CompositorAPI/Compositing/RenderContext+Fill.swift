extension RenderContext {
  /// Lends a frame of the context's size, format and attributes in one colour.
  ///
  /// ```swift
  /// let black = try request.context.makeFrame(filledWith: .black)
  /// ```
  ///
  /// Where the output keeps no alpha, a colour that is not opaque is seen over black. O(bytes of the frame).
  ///
  /// - Throws: `.framePoolExhausted` where too many frames are kept; `.invalidValue` and `.conversionNotPossible` as
  ///   ``Color/codes(format:attributes:policy:)``.
  public func makeFrame(filledWith color: Color) throws(CompositorError) -> Frame {
    var attributes = outputAttributes
    attributes.color = attributes.color.resolved(for: size)
    let codes = try color.codes(format: outputFormat, attributes: attributes, policy: colorConversion)
    var frame = try makeFrame()
    frame.fill(codes: codes)
    return frame.freeze()
  }
}

extension MutableFrame {
  /// Writes one colour everywhere.
  ///
  /// - Parameter codes: Code values as ``Color/codes(format:attributes:policy:)`` gives them: Y′, Cb, Cr, A or R, G, B, A.
  public mutating func fill(codes: [Double]) {
    precondition(codes.count == 4, "four codes: Y′, Cb, Cr, A or R, G, B, A")
    let format = format
    withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let order = format.components(plane: index)
        switch format.sample {
        case .unsigned where format.bitDepth == 8: planes[index].fill(order.map { UInt8(codes[$0]) })
        case .unsigned: planes[index].fill(order.map { UInt16(codes[$0]) << UInt16(format.lowPadding) })
        case .half: planes[index].fill(order.map { Float16(codes[$0]) })
        case .float: planes[index].fill(order.map { Float(codes[$0]) })
        }
      }
    }
  }
}

extension PixelFormat {
  /// Which components (0 Y′ or R, 1 Cb or G, 2 Cr or B, 3 A) stand side by side in a plane, in order.
  package func components(plane: Int) -> [Int] {
    switch layout {
    case .planar: [plane]
    case .semiPlanar: plane == 0 ? [0] : [1, 2]
    case .packedRGBA: [0, 1, 2, 3]
    case .packedBGRA: [2, 1, 0, 3]
    }
  }
}

extension MutablePlane {
  /// Repeats a position's samples over the whole plane: the first row sample by sample, the others copied from it.
  fileprivate func fill<T: BitwiseCopyable>(_ position: [T]) {
    let count = position.count
    let first = base.assumingMemoryBound(to: T.self)
    for x in 0..<width {
      for sample in 0..<count { first[x * count + sample] = position[sample] }
    }
    let byteCount = width * count * MemoryLayout<T>.stride
    for y in 1..<max(height, 1) { (base + y * stride).copyMemory(from: base, byteCount: byteCount) }
  }
}
