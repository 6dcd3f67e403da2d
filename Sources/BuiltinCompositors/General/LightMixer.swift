import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// Mixes and blurs finished frames in linear light, for ``BlendingSpace/linear``: rows are decoded to light, processed, and
/// encoded again.
///
/// The frames have the context's size, format and color. Working memory is a few rows; a blur takes two float frames.
struct LightMixer {
  /// Makes a row of light in the `picture` rows.
  typealias RowMaker = (_ row: Int, _ rows: SignalRows) -> Void

  private let context: RenderContext
  private let signal: MixingSignal
  private let curves: CurveTables
  private var width: Int { context.size.width }

  init(_ context: RenderContext, curves: CurveTables) {
    self.context = context
    self.curves = curves
    signal = MixingSignal(sources: [], context: context)
  }

  /// Mixes two frames by weights of the second, 0 … 1, which `weigh` writes for each row.
  func mixing(
    _ from: Frame, _ to: Frame, weigh: @escaping (_ row: Int, _ weights: UnsafeMutablePointer<Float>) -> Void
  ) throws(CompositorError) -> RowMaker {
    let first = try SignalReader(from, signal: signal, curves: curves)
    let second = try SignalReader(to, signal: signal, curves: curves)
    let (width, count) = (width, context.keepsAlpha ? 4 : 3)
    return { y, rows in
      first.read(row: y, columns: 0..<width, into: rows, as: .picture)
      second.read(row: y, columns: 0..<width, into: rows, as: .layer)
      weigh(y, rows.row(.weights))
      for index in 0..<count {
        cpk_general_over_weights(rows.row(.picture, index), rows.row(.layer, index), rows.row(.weights), width)
      }
    }
  }

  /// Mixes a frame with a color.
  func mixing(_ picture: Frame, with color: Color, weight: Double) throws(CompositorError) -> RowMaker {
    let reader = try SignalReader(picture, signal: signal, curves: curves)
    let components = try signal.components(of: color)
    let (width, count) = (width, context.keepsAlpha ? 4 : 3)
    let values = [components.x, components.y, components.z, color.alpha].map(Float.init)
    return { y, rows in
      reader.read(row: y, columns: 0..<width, into: rows, as: .picture)
      for index in 0..<count {
        let row = rows.row(.layer, index)
        row.update(repeating: values[index], count: width)
        cpk_general_over_opaque(rows.row(.picture, index), row, Float(weight), width)
      }
    }
  }

  /// Blends a frame with the frame below by a blend mode whose formula takes light of 1 as white.
  func blending(_ over: Frame, on under: Frame, mode: BlendMode) throws(CompositorError) -> RowMaker {
    let lower = try SignalReader(under, signal: signal, curves: curves)
    let upper = try SignalReader(over, signal: signal, curves: curves)
    let width = width
    return { y, rows in
      lower.read(row: y, columns: 0..<width, into: rows, as: .picture)
      upper.read(row: y, columns: 0..<width, into: rows, as: .layer)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 8 * width) { scratch in
        guard let result = scratch.baseAddress else { return }
        let source = result + 4 * width
        for (use, target) in [(SignalRows.Use.picture, result), (.layer, source)] {
          let parts = rows.components(use)
          cpk_general_join(parts.0, parts.1, parts.2, rows.alpha(use), target, width)
        }
        cpk_overlay_surface_blend(result, source, 1, mode.kernelNumber, width)
        for index in 0..<4 {
          let unit: [Float] = [index == 0 ? 1 : 0, index == 1 ? 1 : 0, index == 2 ? 1 : 0]
          cpk_overlay_surface_codes(result, unit, 1, index == 3 ? 1 : 0, rows.row(.picture, index), width)
        }
      }
    }
  }

  /// Reads a frame unchanged.
  func reading(_ picture: Frame) throws(CompositorError) -> RowMaker {
    let reader = try SignalReader(picture, signal: signal, curves: curves)
    let width = width
    return { y, rows in reader.read(row: y, columns: 0..<width, into: rows, as: .picture) }
  }

  /// Makes a frame from the rows that `make` makes, in order.
  func frame(_ make: RowMaker) throws(CompositorError) -> Frame {
    var working = try context.pool.makeFrame(format: .rgbaFloat, size: SignalRows.frameSize(columns: width))
    var output = try context.makeFrame()
    try working.withUnsafeMutablePlanes { (working) throws(CompositorError) in
      let rows = LightMixer.rows(working)
      try output.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
        let writer = try SignalWriter(planes, sources: [], signal: signal, context: context, curves: curves)
        for y in 0..<context.size.height {
          make(y, rows)
          writer.write(row: y, from: rows)
        }
      }
    }
    return output.freeze()
  }

  /// Makes a frame from the rows that `make` makes, blurred by a Gaussian; see ``GaussianBlur``.
  func frame(_ make: RowMaker, sigma: Double) throws(CompositorError) -> Frame {
    guard sigma >= 0.05 else { return try frame(make) }
    let blurred = try blurred(light(make), sigma: sigma)
    let (width, count) = (width, context.keepsAlpha ? 4 : 3)
    return try frame { y, rows in
      blurred.withUnsafePlanes { planes in
        for index in 0..<count {
          let source = planes.lightPlane(index, width: width)
          rows.row(.picture, index).update(
            from: (source.base + y * source.stride).assumingMemoryBound(to: Float.self), count: width)
        }
      }
    }
  }

  /// All rows as planes of floats, side by side in one frame.
  private func light(_ make: RowMaker) throws(CompositorError) -> Frame {
    var working = try context.pool.makeFrame(format: .rgbaFloat, size: SignalRows.frameSize(columns: width))
    var light = try context.pool.makeFrame(format: .rgbaFloat, size: context.size)
    let width = width
    working.withUnsafeMutablePlanes { working in
      let rows = LightMixer.rows(working)
      light.withUnsafeMutablePlanes { planes in
        for y in 0..<context.size.height {
          make(y, rows)
          for index in 0..<4 {
            let target = planes.lightPlane(index, width: width)
            (target.base + y * target.stride).assumingMemoryBound(to: Float.self).update(
              from: rows.row(.picture, index), count: width)
          }
        }
      }
    }
    return light.freeze()
  }

  private func blurred(_ light: Frame, sigma: Double) throws(CompositorError) -> Frame {
    let work = GaussianPlane(
      x: GaussianAxis(sigma: sigma, length: width), y: GaussianAxis(sigma: sigma, length: context.size.height),
      bytesPerSample: 4)
    var scratch = try ScratchArena.frame(byteCount: work.scratchByteCount, pool: context.pool)
    var output = try context.pool.makeFrame(format: .rgbaFloat, size: context.size)
    output.withUnsafeMutablePlanes { output in
      light.withUnsafePlanes { source in
        scratch.withUnsafeMutablePlanes { scratch in
          for index in 0..<(context.keepsAlpha ? 4 : 3) {
            work.blur(
              source.lightPlane(index, width: width), to: output.lightPlane(index, width: width),
              scratch: ScratchArena(scratch[0]))
          }
        }
      }
    }
    return output.freeze()
  }

  /// Working rows whose alpha is opaque until something else is read into them.
  private static func rows(_ planes: MutablePlanes) -> SignalRows {
    let rows = SignalRows(planes)
    for row in [rows.row(.ones), rows.alpha(.picture), rows.alpha(.layer)] { row.update(repeating: 1, count: rows.stride) }
    return rows
  }
}

extension Planes {
  /// The float plane of a component in a packed frame that holds four of them side by side.
  fileprivate func lightPlane(_ index: Int, width: Int) -> Plane {
    let all = self[0]
    return Plane(
      base: all.base + index * width * MemoryLayout<Float>.stride, stride: all.stride, width: width, height: all.height)
  }
}

extension MutablePlanes {
  fileprivate func lightPlane(_ index: Int, width: Int) -> MutablePlane {
    let all = self[0]
    return MutablePlane(
      base: all.base + index * width * MemoryLayout<Float>.stride, stride: all.stride, width: width, height: all.height)
  }
}
