import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// Filters of colors of a blurred backdrop: its components are converted to colors and back, row by row.
struct GlassColors {
  fileprivate let matrices: [[Float]]
  fileprivate let signal: TitleSignal?
  fileprivate let encoding: OutputEncoding
  fileprivate let area: PixelBox
  /// The pixels whose colors are needed: those of the area, and those that its chroma samples lie between.
  fileprivate let box: PixelBox
  fileprivate let canvas: PixelSize
  /// From components to R, G, B, row-major.
  fileprivate let toRGB: [Float]

  /// - Throws: `.conversionNotPossible` if the matrix is unknown.
  init(
    _ matrices: [[Float]], _ signal: TitleSignal?, _ encoding: OutputEncoding, canvas: PixelSize, area: PixelBox
  ) throws(CompositorError) {
    (self.matrices, self.signal, self.encoding, self.canvas, self.area) = (matrices, signal, encoding, canvas, area)
    box = area.grown(by: 2).even.intersection(PixelBox(canvas))
    toRGB = try FrameReader.matrix(encoding)
  }

  /// The values of a row of one component, with two more at either end.
  fileprivate var length: Int { max(box.width + 4, SampleReader.roomCount(columns: box.width)) }
  /// The blurred rows of chroma: two of each component.
  fileprivate var chromaLength: Int { box.width / 2 + 4 }
  fileprivate var signalLength: Int { LightCoding.roomCount(columns: box.width) }

  var scratchByteCount: Int {
    ScratchArena.byteCount(GlassColorRows.rowCount * length, of: Float.self)
      + ScratchArena.byteCount(5 * chromaLength, of: Float.self) + ScratchArena.byteCount(signalLength, of: Float.self)
  }

  func rows(scratch: inout ScratchArena) -> GlassColorRows { GlassColorRows(self, scratch: &scratch) }
}

/// The rows of filtered colors, from top to bottom.
struct GlassColorRows {
  /// Four components, four rows of colors, one of codes, and three of codes for each component of chroma, by row modulo 3.
  fileprivate static let rowCount = 15

  private let colors: GlassColors
  private let rows, chroma, signalRoom: UnsafeMutablePointer<Float>
  private let vertical, horizontal: [Float]
  /// The next row of pixels, and the next one of chroma.
  private var nextRow: Int
  private var nextChroma: Int

  private var layout: SampleLayout { colors.encoding.layout }
  private var box: PixelBox { colors.box }

  fileprivate init(_ colors: GlassColors, scratch: inout ScratchArena) {
    self.colors = colors
    rows = scratch.take(Self.rowCount * colors.length, of: Float.self)
    chroma = scratch.take(5 * colors.chromaLength, of: Float.self)
    signalRoom = scratch.take(colors.signalLength, of: Float.self)
    rows.update(repeating: 1, count: Self.rowCount * colors.length)
    let taps = colors.encoding.layout.chroma.taps
    (vertical, horizontal) = (taps.prefix(3).map(Float.init), taps.suffix(3).map(Float.init))
    nextRow = colors.box.y0
    let siting = colors.encoding.layout.chroma
    nextChroma = siting.rows(for: colors.box.y0, height: max(colors.canvas.height >> siting.verticalShift, 1)).upper
  }

  /// Replaces the area of a frame by the colors of blurred components, as far as weights say.
  mutating func draw(_ blurred: inout [BlurredComponent], into writer: FrameWriter, weigh: WeightRows.Weigh) {
    var (made, components) = (self, blurred)
    let scale = 1 / Float(layout.blendUnit)
    WeightRows(colors.area, writer, repeatsEdges: true).forEach(
      weigh: weigh,
      full: { weights, x, y, count in
        made.make(through: y, &components)
        for target in writer.full {
          let codes = made.codes(of: target.component.index, from: x)
          target.replace(by: codes, scale: scale, offset: 0, weights, x: x, y: y, count: count)
        }
      },
      coarse: { weights, x, y, count in
        made.make(through: min(((y + 1) << made.layout.chroma.verticalShift) - 1, made.box.y1 - 1), &components)
        for target in writer.coarse {
          let codes = made.chromaCodes(of: target.component.index, x: x, y: y, count: count)
          target.replace(by: codes, scale: scale, offset: 0, weights, x: x, y: y, count: count)
        }
      })
  }

  private func row(_ index: Int) -> UnsafeMutablePointer<Float> { rows + index * colors.length }
  /// The colors of the last row.
  private var rgba: UnsafeMutablePointer<Float> { row(4) }

  /// Makes the colors of all rows up to one, and the codes of their chroma.
  private mutating func make(through y: Int, _ blurred: inout [BlurredComponent]) {
    while nextRow <= y {
      read(nextRow, &blurred)
      for matrix in colors.matrices { cpk_overlay_surface_recolor(rgba, matrix, limit, box.width) }
      colors.signal?.leave(rgba, count: box.width, room: signalRoom)
      for index in 1...2 where layout.components[index].isSubsampled {
        let codes = chromaRow(nextRow, index)
        encode(index, into: codes)
        // Beyond the canvas the edge repeats.
        (codes - 2).update(repeating: codes[0], count: 2)
        (codes + box.width).update(repeating: codes[box.width - 1], count: 2)
      }
      nextRow += 1
    }
  }

  private var limit: Float { colors.signal?.mayExceedWhite == true ? 1e6 : 1 }

  /// The codes of a component of chroma in one of the last three rows, from the box's first column on.
  private func chromaRow(_ y: Int, _ index: Int) -> UnsafeMutablePointer<Float> { row(9 + (index - 1) * 3 + y % 3) + 2 }

  /// Reads a row of colors in the signal of filters.
  private mutating func read(_ y: Int, _ blurred: inout [BlurredComponent]) {
    interpolateChroma(y, &blurred)
    for index in blurred.indices where !layout.components[index].isSubsampled {
      row(index).update(from: blurred[index].samples(ofRow: y, from: box.x0), count: box.width)
    }
    let parts: [UnsafePointer<Float>?] = (0..<4).map { UnsafePointer(row($0)) }
    cpk_overlay_surface_from_components(parts, colors.toRGB, false, rgba, box.width)
    colors.signal?.enter(rgba, count: box.width, room: signalRoom)
  }

  /// Interpolates the chroma of a row of pixels.
  private mutating func interpolateChroma(_ y: Int, _ blurred: inout [BlurredComponent]) {
    guard layout.components[1].isSubsampled else { return }
    let (siting, size) = (layout.chroma, layout.format.planeSize(layout.components[1].plane, of: colors.canvas))
    let first = max(box.x0 / 2 - 1, 0)
    let count = min((box.x1 - 1) / 2 + 2, size.width) - first
    let near = siting.rows(for: y, height: size.height)
    func kept(_ row: Int, _ index: Int) -> UnsafeMutablePointer<Float> {
      chroma + ((index - 1) * 2 + row % 2) * colors.chromaLength
    }
    while nextChroma <= near.lower {
      for index in 1...2 {
        kept(nextChroma, index).update(from: blurred[index].samples(ofRow: nextChroma, from: first), count: count)
      }
      nextChroma += 1
    }
    let mixed = chroma + 4 * colors.chromaLength
    for index in 1...2 {
      cpk_convert_mix(kept(near.upper, index), kept(near.lower, index), near.weight, mixed, count)
      cpk_convert_upsample(mixed, count, siting.isCenteredHorizontally, box.x0 - 2 * first, row(index), box.width)
    }
  }

  private func encode(_ index: Int, into codes: UnsafeMutablePointer<Float>) {
    let component = colors.encoding.components[index]
    var matrix = component.matrix
    withUnsafeBytes(of: &matrix) { matrix in
      guard let matrix = matrix.assumingMemoryBound(to: Float.self).baseAddress else { return }
      cpk_overlay_surface_codes(rgba, matrix, component.scale, component.offset, codes, box.width)
    }
  }

  /// The codes of a component in the last row, from a column on.
  private func codes(of index: Int, from x: Int) -> UnsafePointer<Float> {
    encode(index, into: row(8))
    return UnsafePointer(row(8) + x - box.x0)
  }

  /// The codes of a row of a component of chroma.
  private func chromaCodes(of index: Int, x: Int, y: Int, count: Int) -> UnsafePointer<Float> {
    let first = y << layout.chroma.verticalShift
    let near: [UnsafePointer<Float>?] = (-1...1).map { step in
      let line = min(max(first + step, box.y0), box.y1 - 1)
      return UnsafePointer(chromaRow(line, index) + 2 * x - box.x0)
    }
    cpk_overlay_chroma_codes(near, vertical, horizontal, row(8), count)
    return UnsafePointer(row(8))
  }
}
