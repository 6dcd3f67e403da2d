import CCompositorPluginProcess
import CompositorAPI

/// A source's picture in memory that a worker can map: its own where it is there, else a copy.
struct SharedFrame {
  let segment: SharedSegment
  /// Where its planes stand in the segment.
  let planes: [PlaneLayout]
  /// Whether the picture was copied for this request.
  let isCopy: Bool
  /// Keeps the segment's bytes from being used again: as long as this is there, they are what they were.
  let frame: Frame

  init(_ source: Frame, pool: FramePool, repeated: RepeatedSources? = nil) throws(CompositorError) {
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

  /// The same picture in the pool's memory.
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
    .resourceExhausted, "There is no shared memory left for a plugin's frames.",
    recoverySuggestion: "Allow more open files (ulimit -n), or render fewer frames at a time.")
}

extension SharedSegment {
  /// Where a frame's planes stand; nil where one does not lie in the segment top down.
  func layout(of frame: Frame) -> [PlaneLayout]? {
    let planes = frame.withUnsafePlanes { planes in
      (0..<planes.count).map { PlaneLayout(offset: planes[$0].base - UnsafeRawPointer(base), stride: planes[$0].stride) }
    }
    return memory.holds(planes, format: frame.format, size: frame.size) ? planes : nil
  }
}

extension MappedMemory {
  /// Whether planes lie in the memory, with what a kernel may read after each row.
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

/// Where a worker writes an answer, with bytes after it that a plugin has to leave alone.
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

  /// The answer as a frame of the host's own, which the worker cannot change any more.
  func frame(in context: RenderContext, pool: FramePool) throws(CompositorError) -> Frame {
    var frame = try pool.makeFrame(
      format: context.outputFormat, size: context.size, attributes: context.outputAttributes)
    // Frames of a pool are laid out alike: one plane after another.
    frame.withUnsafeMutablePlanes { planes in module_copy(planes[0].base, segment.base, start) }
    return frame.freeze()
  }
}
