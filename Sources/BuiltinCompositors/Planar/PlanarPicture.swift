import CompositorAPI
import CompositorConversion
import CompositorKernels
import CompositorPlatform

/// The plane that a layer is sampled from: that of its frame, or one reduced to about the displayed size, made row by row as
/// strips need it.
struct PlanarPicture<T: PlanarSample> {
  /// The source of the rows.
  private enum Source {
    /// The frame's own rows.
    case direct
    /// Copied, so that samples beyond the edges can be read.
    case copied
    /// Means of 2 × 2 and 4 × 4 samples.
    case halved, quartered
    /// Means of arbitrary intervals.
    case averaged(PlanarAreaMean<T>)
    /// Through a filter.
    case filtered(PlanarFilter<T>)
  }

  /// Sample (0, 0).
  let base: UnsafeMutableRawPointer
  /// Bytes from row to row.
  let stride: Int
  let size: PixelSize
  private let plane: Plane
  private let source: Source
  private var ready: Range<Int>?

  /// - Parameter needsBorder: Whether samples beyond the edges must be readable.
  init(_ plane: Plane, geometry: PlanarGeometry, needsBorder: Bool, bitDepth: Int, scratch: inout ScratchArena) {
    self.plane = plane
    size = geometry.picture
    guard (geometry.isReduced && !geometry.takesMeans) || needsBorder else {
      // Never written to: only sources with memory of their own are.
      base = UnsafeMutableRawPointer(mutating: plane.base)
      stride = plane.stride
      source = .direct
      return
    }
    stride = PlanarPicture.stride(of: size)
    let memory = scratch.take(stride * (size.height + Border.top + Border.bottom), of: UInt8.self)
    base = UnsafeMutableRawPointer(memory) + Border.top * stride + Border.left * MemoryLayout<T>.stride
    if let axes = geometry.reducingFilter {
      source = .filtered(
        PlanarFilter(plane, columns: axes.columns, rows: axes.rows, bitDepth: bitDepth, scratch: &scratch))
    } else if !geometry.isReduced {
      source = .copied
    } else if plane.width == 2 * size.width, plane.height == 2 * size.height {
      source = .halved
    } else if plane.width == 4 * size.width, plane.height == 4 * size.height {
      source = .quartered
    } else {
      source = .averaged(PlanarAreaMean(plane, to: size, scratch: &scratch))
    }
  }

  /// Bytes of scratch memory that ``init(_:geometry:needsBorder:bitDepth:scratch:)`` takes.
  static func scratchByteCount(geometry: PlanarGeometry, needsBorder: Bool, bitDepth: Int) -> Int {
    guard (geometry.isReduced && !geometry.takesMeans) || needsBorder else { return 0 }
    let byteCount = stride(of: geometry.picture) * (geometry.picture.height + Border.top + Border.bottom)
    if let axes = geometry.reducingFilter {
      return ScratchArena.byteCount(byteCount, of: UInt8.self)
        + PlanarFilter<T>.scratchByteCount(columns: axes.columns, rows: axes.rows, bitDepth: bitDepth)
    }
    return ScratchArena.byteCount(byteCount, of: UInt8.self)
      + PlanarAreaMean<T>.scratchByteCount(from: geometry.source, to: geometry.picture)
  }

  private static func stride(of size: PixelSize) -> Int {
    ((size.width + Border.left + Border.right) * MemoryLayout<T>.stride + 63) / 64 * 64
  }

  /// Samples beyond the edges that repeat the edges.
  var edge: Int { hasBorder ? Border.edge : 0 }
  private var hasBorder: Bool { if case .direct = source { false } else { true } }

  /// Valid starts of a window of 16 × 16 samples.
  var windowX: ClosedRange<Int> { -24...size.width + 8 }
  var windowY: ClosedRange<Int> { -Border.top...size.height + 8 }

  func row(_ y: Int) -> UnsafeMutablePointer<T> {
    (base + y * stride).assumingMemoryBound(to: T.self)
  }

  /// Makes `rows` readable.
  mutating func prepare(_ rows: Range<Int>, kernels: PlaneKernels) {
    guard hasBorder, !rows.isEmpty else { return }
    guard let done = ready else {
      make(rows, kernels: kernels)
      ready = rows
      return
    }
    if rows.lowerBound < done.lowerBound { make(rows.lowerBound..<done.lowerBound, kernels: kernels) }
    if rows.upperBound > done.upperBound { make(done.upperBound..<rows.upperBound, kernels: kernels) }
    ready = min(rows.lowerBound, done.lowerBound)..<max(rows.upperBound, done.upperBound)
  }

  private func make(_ rows: Range<Int>, kernels: PlaneKernels) {
    if case .filtered(let filter) = source {
      filter.make(rows.lowerBound, rows.upperBound, into: row(rows.lowerBound), stride: stride, kernels: kernels)
    }
    for y in rows {
      make(y, kernels: kernels)
      repeatSides(y)
      if y == 0 { for above in 1...Border.edge { repeatRow(0, to: -above) } }
      if y == size.height - 1 { for below in 0..<Border.edge { repeatRow(y, to: size.height + below) } }
    }
  }

  private func make(_ y: Int, kernels: PlaneKernels) {
    func source(_ y: Int) -> UnsafePointer<T> { (plane.base + y * plane.stride).assumingMemoryBound(to: T.self) }
    switch self.source {
    case .direct, .filtered: break
    case .copied: kernels.copy(row(y), source(y), byteCount: size.width * MemoryLayout<T>.stride)
    case .halved: T.halve(kernels, row(y), source(2 * y), stride: plane.stride, count: size.width)
    case .quartered: T.quarter(kernels, row(y), source(4 * y), stride: plane.stride, count: size.width)
    case .averaged(let mean): mean.make(y, into: row(y), kernels: kernels)
    }
  }

  private func repeatSides(_ y: Int) {
    let row = row(y)
    let (first, last) = (row[0], row[size.width - 1])
    for away in 0..<Border.edge {
      row[-1 - away] = first
      row[size.width + away] = last
    }
  }

  private func repeatRow(_ y: Int, to other: Int) {
    memcpy(row(other) - Border.edge, row(y) - Border.edge, (size.width + 2 * Border.edge) * MemoryLayout<T>.stride)
  }
}

/// Samples that may be read beyond each edge of a bordered plane; they repeat the edge up to ``edge``.
private enum Border {
  static let left = 32
  static let right = 48
  static let top = 16
  static let bottom = 32
  static let edge = 2
}
