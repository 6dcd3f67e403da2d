import CompositorAPI

/// Requests for checking a compositor: as many sources as its role requires, with fixed noise.
struct PluginCheckScene {
  let descriptor: CompositorDescriptor
  let format: PixelFormat
  let size: PixelSize
  /// Frames between inaccessible pages.
  let pool = FramePool(maximumOutstanding: 1024, allocator: GuardedFrames())
  /// The schema's defaults, or the first allowed value if there is none; may be changed.
  var parameters: ParameterValues
  /// The instances that tell which sources are needed at other times.
  let askers = PluginCheckAskers()
  /// Whether a compositor that takes masks gets one.
  var hasMask = true
  /// The size of the sources; `nil` for that of the output.
  var sourceSize: PixelSize?
  /// The tracks that show nothing, and have no sources.
  var absentTracks: Set<TrackID> = []
  static let frameCount = 24
  /// Whether it has the usual size and parameters, with which compositors are checked first.
  var isStandard: Bool { size == PluginCheckScene(descriptor).size && parameters == PluginCheckScene(descriptor).parameters }
  static let fullHD = PixelSize(width: 1920, height: 1080)

  init(_ descriptor: CompositorDescriptor, format: PixelFormat? = nil, size: PixelSize = PixelSize(width: 96, height: 64)) {
    self.descriptor = descriptor
    self.format = format ?? PluginCheckStep.formats(of: descriptor)[0]
    self.size = size
    parameters = Dictionary(
      descriptor.parameters.map { ($0.key, $0.defaultValue ?? $0.kind.extremes[0]) }, uniquingKeysWith: { $1 })
  }

  var context: RenderContext {
    RenderContext(size: size, outputFormat: format, outputAttributes: attributes(of: format), pool: pool)
  }

  /// A request at `index` of 24 frames. Its sources show frame `picture`, which differs for each index unless it is set.
  ///
  /// Its first output is filled with zeros, so that missing writes are reported by the check of borders and nothing else.
  func request(_ index: Int = 7, picture: Int? = nil, source: (Frame) -> Frame = { $0 }) throws -> CompositionRequest {
    var request = try ownRequest(index, picture: picture, source: source)
    if let asker = askers[parameters] {
      try give(asker.needs(of: request), to: &request, picture: picture ?? index, index: index, source: source)
    }
    return request
  }

  /// The request before other times are added, with every source at its own time.
  func ownRequest(
    _ index: Int = 7, picture: Int? = nil, source: (Frame) -> Frame = { $0 }
  ) throws -> CompositionRequest {
    let tracks: [TrackID] = descriptor.role == .effect ? [1] : [1, 2]
    var instruction = Instruction(
      timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)),
      layers: tracks.map { LayerInstruction(trackID: $0) })
    instruction.compositor = descriptor.id
    instruction.parameters = parameters
    let time = MediaTime(value: Int64(index), timescale: 24)
    var sources: [TrackID: SourceFrame] = [:]
    for track in tracks where !absentTracks.contains(track) {
      sources[track] = try self.source(of: track, picture: picture ?? index, at: index, source)
    }
    if descriptor.takesMask, hasMask {
      let track = Instruction.maskTrackID
      instruction.additionalTrackIDs = [track]
      sources[track] = try self.source(of: track, picture: picture ?? index, at: index, source)
    }
    var context = context
    context.pool = FramePool(allocator: GuardedFrames())
    return CompositionRequest(
      time: time, frameDuration: MediaTime(value: 1, timescale: 24), instruction: instruction, sources: sources,
      context: context)
  }

  /// The contents of a track at frame `index`.
  private func source(
    of track: TrackID, picture: Int, at index: Int, _ source: (Frame) -> Frame
  ) throws -> SourceFrame {
    let (time, isMask) = (MediaTime(value: Int64(index), timescale: 24), track == Instruction.maskTrackID)
    return SourceFrame(
      trackID: track,
      frame: source(
        try noise(
          seed: UInt64(abs(track)) &+ UInt64(bitPattern: Int64(picture)) &* 16 &+ (isMask ? 8 : 0), isMask: isMask)),
      presentationTime: time, duration: MediaTime(value: 1, timescale: 24), requestedTime: time)
  }

  /// Adds sources at other times to a request, clamped to the 24 frames.
  ///
  /// - Throws: `.compositorFailed` if the host cannot serve the needs.
  private func give(
    _ needs: RegionsOfInterest, to request: inout CompositionRequest, picture: Int, index: Int, source: (Frame) -> Frame
  ) throws {
    if let fault = needs.fault(for: request, by: descriptor) { throw CompositorError(.compositorFailed, fault) }
    guard case .sources(let list) = needs else { return }
    request.requestedSources = try list.map { need in
      let wanted = Int((need.time.seconds * Double(Self.frameCount) + 1e-6).rounded(.down))
      let frame = min(max(wanted, 0), Self.frameCount - 1)
      let known = need.time == request.time ? request.sources[need.trackID] : nil
      return RequestedSource(
        trackID: need.trackID, time: need.time,
        source: absentTracks.contains(need.trackID)
          ? nil : try known ?? self.source(of: need.trackID, picture: picture + frame - index, at: frame, source))
    }
    let own = list.filter { $0.time == request.time }.map(\.trackID)
    request.sources = request.sources.filter { own.contains($0.key) }
  }

  private var sourceFormat: PixelFormat {
    if case .oneOf(let formats) = descriptor.sourceFormats, !formats.contains(format) { return formats.first ?? format }
    return format
  }

  private func attributes(of format: PixelFormat) -> FrameAttributes {
    FrameAttributes(color: format.isRGB ? .sRGB : .bt709, alphaMode: format.hasAlpha ? .straight : .opaque)
  }

  /// Noise in the middle of the format's range, so that every value is valid. That of a mask is gray and opaque.
  private func noise(seed: UInt64, isMask: Bool) throws -> Frame {
    let (format, size) = (sourceFormat, sourceSize ?? size)
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
          if size.height > Self.fullHD.height, size.width > Self.fullHD.width, y >= 32 {
            // Of a very large frame only the size matters.
            row.copyMemory(from: row - 32 * plane.stride, byteCount: format.rowBytes(plane: index, of: size))
            continue
          }
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
    if isMask { frame.withUnsafeMutablePlanes { planes in makeGray(planes, format) } }
    return frame.freeze()
  }

  /// Makes noise gray and opaque.
  private func makeGray(_ planes: MutablePlanes, _ format: PixelFormat) {
    let bytes = format.bytesPerSample
    let middle = UInt16(1) << UInt16(min(format.bitDepth, 16) - 1 + format.lowPadding)
    for index in 0..<planes.count {
      let (plane, samples) = (planes[index], format.samplesPerPosition(plane: index))
      for y in 0..<plane.height {
        let row = plane.base + y * plane.stride
        for x in 0..<plane.width * samples {
          let place = row + x * bytes
          if samples == 4, x % 4 != 3 {
            place.copyMemory(from: row + (x - x % 4) * bytes, byteCount: bytes)
          } else if samples == 4 || index == 3 {
            format.storeFullAlpha(at: place)
          } else if index > 0, bytes == 1 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: middle), as: UInt8.self)
          } else if index > 0 {
            place.storeBytes(of: middle, as: UInt16.self)
          }
        }
      }
    }
  }
}

extension PixelFormat {
  fileprivate func storeFullAlpha(at place: UnsafeMutableRawPointer) {
    switch sample {
    case .unsigned where bitDepth == 8: place.storeBytes(of: .max, as: UInt8.self)
    case .unsigned: place.storeBytes(of: UInt16((1 << bitDepth) - 1) << UInt16(lowPadding), as: UInt16.self)
    case .half: place.storeBytes(of: 1, as: Float16.self)
    case .float: place.storeBytes(of: 1, as: Float.self)
    }
  }
}

extension ParameterDescription.Kind {
  /// Whether the kind defines its valid values; strings do not.
  var hasRange: Bool {
    switch self {
    case .string, .expression, .textFile, .file: false
    default: true
    }
  }

  /// The ends of the valid range, and every value of a choice; at least one value.
  var extremes: [ParameterValue] {
    switch self {
    case .bool: [.bool(false), .bool(true)]
    case .integer(let minimum, let maximum): [.integer(minimum), .integer(maximum)]
    case .number(let minimum, let maximum, _): [.number(minimum), .number(maximum)]
    case .string, .textFile: [.string("")]
    case .file: [.data([])]
    case .easing: Easing.names.map { .string($0) }
    case .expression: [.number(0)]
    case .choice(let words): words.isEmpty ? [.string("")] : words.map { .string($0) }
    case .color: [[1, 1, 1], [0, 0, 0, 0]].map { .list($0.map { .number($0) }) }
    case .point: [[0, 0], [-1e6, 1e6]].map { .list($0.map { .number($0) }) }
    }
  }
}
