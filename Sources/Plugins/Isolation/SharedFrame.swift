import CCompositorPluginProcess
import CompositorAPI

/// A source's frame in memory that a worker can map: its own memory if possible, otherwise a copy.
struct SharedFrame {
  let segment: SharedSegment
  /// The layout of its planes in the segment.
  let planes: [PlaneLayout]
  /// Whether the frame was copied for this request.
  let isCopy: Bool
  /// Retains the segment, so that its bytes are not reused.
  let frame: Frame

  /// - Throws: `.resourceExhausted`, `.framePoolExhausted`; `.deviceFailed` if the frame can't be downloaded.
  init(_ given: Frame, pool: FramePool, repeated: RepeatedSources? = nil) throws(CompositorError) {
    let source = try given.downloaded(for: "a plugin", pool: pool)
    if let segment = source.memoryOwner as? SharedSegment, let planes = segment.layout(of: source) {
      (self.segment, self.planes, isCopy, frame) = (segment, planes, false, source)
      return
    }
    let known = repeated?.copy(of: source)
    if let known { frame = known } else { frame = try SharedFrame.copy(of: source, pool: pool) }
    guard let segment = frame.memoryOwner as? SharedSegment, let planes = segment.layout(of: frame) else {
      throw SharedFrame.noMemory
    }
    (self.segment, self.planes, isCopy) = (segment, planes, known == nil)
    if isCopy { repeated?.note(frame, of: source) }
  }

  /// The same frame in the pool's memory.
  static func copy(of source: Frame, pool: FramePool) throws(CompositorError) -> Frame {
    var copy = try pool.makeFrame(format: source.format, size: source.size, attributes: source.attributes)
    copy.withUnsafeMutablePlanes { target in
      source.withUnsafePlanes { planes in
        for index in 0..<planes.count {
          let (from, to) = (planes[index], target[index])
          let byteCount = source.format.rowBytes(plane: index, of: source.size)
          if from.stride == to.stride {
            to.base.copyMemory(from: from.base, byteCount: from.stride * (from.height - 1) + byteCount)
          } else {
            for y in 0..<from.height {
              (to.base + y * to.stride).copyMemory(from: from.base + y * from.stride, byteCount: byteCount)
            }
          }
        }
      }
    }
    return copy.freeze()
  }

  static let noMemory = CompositorError(
    .resourceExhausted, "There is not enough shared memory for a plugin's frames.",
    recoverySuggestion: "Allow more open files (ulimit -n), or render fewer frames at a time.")
}

extension SharedSegment {
  /// The layout of a frame's planes; `nil` if a plane is not in the segment or is stored bottom-up.
  func layout(of frame: Frame) -> [PlaneLayout]? {
    let planes = frame.withUnsafePlanes { planes in
      (0..<planes.count).map { PlaneLayout(offset: planes[$0].base - UnsafeRawPointer(base), stride: planes[$0].stride) }
    }
    return memory.holds(planes, format: frame.format, size: frame.size) ? planes : nil
  }
}

extension MappedMemory {
  /// Whether planes are inside the memory, including the bytes that a kernel may read after each row.
  func holds(_ planes: [PlaneLayout], format: PixelFormat, size: PixelSize) -> Bool {
    planes.count == format.planeCount
      && planes.indices.allSatisfy { index in
        let (plane, rowBytes) = (planes[index], format.rowBytes(plane: index, of: size))
        guard plane.offset >= 0, plane.stride >= rowBytes else { return false }
        let rows = plane.stride.multipliedReportingOverflow(by: format.planeSize(index, of: size).height - 1)
        let end = plane.offset.addingReportingOverflow(rows.partialValue)
        let room = byteCount - rowBytes - FrameMemory.alignment
        return !rows.overflow && !end.overflow && end.partialValue <= room
      }
  }
}

/// The memory for a worker's result, followed by guard bytes that a plugin must not change.
struct OutputCanary {
  let segment: OutputSegment
  private let layout: (planes: [PlaneLayout], byteCount: Int)
  private var start: Int { layout.byteCount - FrameMemory.alignment }
  private static let value: UInt8 = 0xc5

  init(_ segment: OutputSegment, format: PixelFormat, size: PixelSize) {
    self.segment = segment
    layout = FrameMemory.layout(format: format, size: size)
    (segment.base + start).initializeMemory(as: UInt8.self, repeating: Self.value, count: segment.byteCount - start)
    (segment.base - OutputSegment.margin).initializeMemory(as: UInt8.self, repeating: Self.value, count: OutputSegment.margin)
  }

  var isBroken: Bool {
    !module_bytes_are(segment.base + start, segment.byteCount - start, Self.value)
      || !module_bytes_are(segment.base - OutputSegment.margin, OutputSegment.margin, Self.value)
  }

  /// Copies the result to a frame of the host's own, which the worker cannot change.
  func frame(in context: RenderContext, pool: FramePool) throws(CompositorError) -> Frame {
    var frame = try pool.makeFrame(
      format: context.outputFormat, size: context.size, attributes: context.outputAttributes)
    // All frames of a pool have the same layout: one plane after another.
    frame.withUnsafeMutablePlanes { planes in module_copy(planes[0].base, segment.base, start) }
    return frame.freeze()
  }
}
