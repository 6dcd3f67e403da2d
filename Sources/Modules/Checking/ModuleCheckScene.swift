import CompositorAPI

/// Requests for a compositor to be checked with: as many pictures as its role wants, of fixed noise.
struct ModuleCheckScene {
  let descriptor: CompositorDescriptor
  let format: PixelFormat
  let size: PixelSize
  /// Frames between pages that nobody can touch.
  let pool = FramePool(maximumOutstanding: 1024, allocator: SharedFrames())

  init(_ descriptor: CompositorDescriptor, format: PixelFormat? = nil, size: PixelSize = PixelSize(width: 96, height: 64)) {
    self.descriptor = descriptor
    self.format = format ?? ModuleCheckStep.formats(of: descriptor)[0]
    self.size = size
  }

  var context: RenderContext {
    RenderContext(size: size, outputFormat: format, outputAttributes: attributes(of: format), pool: pool)
  }

  /// The schema's defaults; the first allowed value where there is none.
  var parameters: ParameterValues {
    Dictionary(descriptor.parameters.map { ($0.key, $0.defaultValue ?? $0.kind.firstValue) }, uniquingKeysWith: { $1 })
  }

  /// A request at `index` of 24 frames.
  func request(_ index: Int = 7, source: (Frame) -> Frame = { $0 }) throws -> CompositionRequest {
    let tracks: [TrackID] = descriptor.role == .effect ? [1] : [1, 2]
    var instruction = Instruction(
      timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)),
      layers: tracks.map { LayerInstruction(trackID: $0) })
    instruction.compositor = descriptor.id
    instruction.parameters = parameters
    let time = MediaTime(value: Int64(index), timescale: 24)
    var sources: [TrackID: SourceFrame] = [:]
    for track in tracks {
      sources[track] = SourceFrame(
        trackID: track, frame: source(try noise(seed: UInt64(track))), presentationTime: time,
        duration: MediaTime(value: 1, timescale: 24), requestedTime: time)
    }
    return CompositionRequest(time: time, instruction: instruction, sources: sources, context: context)
  }

  private var sourceFormat: PixelFormat {
    if case .oneOf(let formats) = descriptor.sourceFormats, !formats.contains(format) { return formats.first ?? format }
    return format
  }

  private func attributes(of format: PixelFormat) -> FrameAttributes {
    FrameAttributes(color: format.isRGB ? .sRGB : .bt709, alphaMode: format.hasAlpha ? .straight : .opaque)
  }

  /// Noise in the middle of the format's range: every value is an allowed one.
  private func noise(seed: UInt64) throws -> Frame {
    let format = sourceFormat
    var frame = try pool.makeFrame(format: format, size: size, attributes: attributes(of: format))
    var state = seed &* 0x9e37_79b9_7f4a_7c15
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let count = plane.width * format.samplesPerPosition(plane: index)
        for y in 0..<plane.height {
          let row = plane.base + y * plane.stride
          for x in 0..<count {
            switch format.sample {
            case .unsigned where format.bitDepth == 8:
              row.storeBytes(of: UInt8(16 + next() % 220), toByteOffset: x, as: UInt8.self)
            case .unsigned:
              let peak = UInt64(1) << UInt64(format.bitDepth)
              let value = UInt16(peak / 16 + next() % (peak * 7 / 8)) << UInt16(format.lowPadding)
              row.storeBytes(of: value, toByteOffset: x * 2, as: UInt16.self)
            case .half: row.storeBytes(of: Float16(Float(next() % 1000) / 1000), toByteOffset: x * 2, as: Float16.self)
            case .float: row.storeBytes(of: Float(next() % 1000) / 1000, toByteOffset: x * 4, as: Float.self)
            }
          }
        }
      }
    }
    return frame.freeze()
  }
}

extension ParameterDescription.Kind {
  fileprivate var firstValue: ParameterValue {
    switch self {
    case .bool: .bool(false)
    case .integer(let minimum, _): .integer(minimum)
    case .number(let minimum, _, _): .number(minimum)
    case .string, .textFile: .string("")
    case .choice(let words): .string(words.first ?? "")
    case .color: .list([.number(1), .number(1), .number(1)])
    case .point: .list([.number(0), .number(0)])
    }
  }
}

extension Frame {
  /// A hash of all samples, without padding (FNV-1a, 64 bit).
  var sampleHash: UInt64 {
    withUnsafePlanes { planes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for index in 0..<planes.count {
        let plane = planes[index]
        let byteCount = format.rowBytes(plane: index, of: size)
        for y in 0..<plane.height {
          for x in 0..<byteCount {
            hash = (hash ^ UInt64(plane.base.load(fromByteOffset: y * plane.stride + x, as: UInt8.self))) &* 0x100_0000_01b3
          }
        }
      }
      return hash
    }
  }

  /// The same picture with rows further apart, or bottom up.
  func rearranged(bottomUp: Bool) -> Frame {
    let (format, size) = (format, size)
    var blocks: [UnsafeMutableRawPointer] = []
    var bases: [UnsafeMutableRawPointer] = []
    var strides: [Int] = []
    withUnsafePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let byteCount = format.rowBytes(plane: index, of: size)
        let stride = (byteCount + 63) / 64 * 64 + 192
        let block = UnsafeMutableRawPointer.allocate(byteCount: stride * plane.height + 64, alignment: 64)
        block.initializeMemory(as: UInt8.self, repeating: 0x5a, count: stride * plane.height + 64)
        for y in 0..<plane.height {
          let row = bottomUp ? plane.height - 1 - y : y
          (block + row * stride).copyMemory(from: plane.base + y * plane.stride, byteCount: byteCount)
        }
        blocks.append(block)
        bases.append(bottomUp ? block + (plane.height - 1) * stride : block)
        strides.append(bottomUp ? -stride : stride)
      }
    }
    return Frame(wrapping: bases, strides: strides, format: format, size: size, attributes: attributes) { [blocks] in
      for block in blocks { block.deallocate() }
    }
  }
}
