import CompositorAPI

/// Requests and replies as bytes. This file defines both sides of the encoding.
enum WireRequest {
  /// The frames that a worker can map, by their memory.
  typealias Shared = [ObjectIdentifier: SharedFrame]

  static func render(
    _ request: CompositionRequest, instance: UInt64, sources: Shared, output: UInt64, attributes: [FrameAttributes: UInt32]
  ) -> [UInt8] {
    WireWriter.message(.render) { writer in
      writer.put(instance)
      writer.put(output)
      write(request, shared: sources, attributes: attributes, to: &writer)
    }
  }

  static func needs(
    _ request: CompositionRequest, instance: UInt64, attributes: [FrameAttributes: UInt32]
  ) -> [UInt8] {
    WireWriter.message(.needs) { writer in
      writer.put(instance)
      write(request, shared: [:], attributes: attributes, to: &writer)
    }
  }

  private static func write(
    _ request: CompositionRequest, shared: Shared, attributes: [FrameAttributes: UInt32], to writer: inout WireWriter
  ) {
    writer.put(request.time)
    writer.put(request.frameDuration)
    writer.put(Int64(request.instructionIndex))
    writer.put(UInt32(request.sources.count))
    for source in request.sources.values { write(source, shared: shared, attributes: attributes, to: &writer) }
    writer.put(UInt32(request.requestedSources.count))
    for asked in request.requestedSources {
      writer.put(asked.trackID)
      writer.put(asked.time)
      writer.put(UInt8(asked.source == nil ? 0 : 1))
      if let source = asked.source { write(source, shared: shared, attributes: attributes, to: &writer) }
    }
  }

  private static func write(
    _ source: SourceFrame, shared: Shared, attributes: [FrameAttributes: UInt32], to writer: inout WireWriter
  ) {
    let place = shared[source.frame.memoryID]
    writer.put(source.trackID)
    writer.put(place?.segment.id ?? 0)
    writer.put(attributes[source.frame.attributes] ?? 0)
    writer.put(Array(source.frame.format.name.utf8))
    writer.put(UInt32(source.frame.size.width))
    writer.put(UInt32(source.frame.size.height))
    for plane in place?.planes ?? [] {
      writer.put(Int64(plane.offset))
      writer.put(Int64(plane.stride))
    }
    writer.put(source.presentationTime)
    writer.put(source.duration)
    writer.put(source.requestedTime)
    writer.put(source.preferredTransform)
  }

  /// Reads a request in a worker.
  ///
  /// - Parameters:
  ///   - instruction: The instruction sent before.
  ///   - frame: Returns the frame of a segment; a stand-in without planes if the number is 0.
  static func read(
    _ reader: inout WireReader, instruction: Instruction, context: RenderContext,
    frame: (_ segment: UInt64, _ attributes: UInt32, PixelFormat, PixelSize, [PlaneLayout]) throws -> Frame
  ) throws -> CompositionRequest {
    let (time, frameDuration) = (try reader.time(), try reader.time())
    let index = Int(try reader.integer(Int64.self))
    var sources: [TrackID: SourceFrame] = [:]
    for _ in 0..<(try reader.integer(UInt32.self)) {
      let source = try source(&reader, frame: frame)
      sources[source.trackID] = source
    }
    var asked: [RequestedSource] = []
    for _ in 0..<(try reader.integer(UInt32.self)) {
      let (trackID, time) = (try reader.integer(TrackID.self), try reader.time())
      let isThere = try reader.integer(UInt8.self) != 0
      asked.append(
        RequestedSource(trackID: trackID, time: time, source: isThere ? try source(&reader, frame: frame) : nil))
    }
    var request = CompositionRequest(
      time: time, frameDuration: frameDuration, instruction: instruction, instructionIndex: index, sources: sources,
      context: context)
    request.requestedSources = asked
    return request
  }

  private static func source(
    _ reader: inout WireReader,
    frame: (_ segment: UInt64, _ attributes: UInt32, PixelFormat, PixelSize, [PlaneLayout]) throws -> Frame
  ) throws -> SourceFrame {
    let trackID = try reader.integer(TrackID.self)
    let (segment, attributes) = (try reader.integer(UInt64.self), try reader.integer(UInt32.self))
    let name = String(decoding: try reader.data(), as: UTF8.self)
    guard let format = PixelFormat(named: name) else { throw WireReader.Short() }
    let size = PixelSize(width: Int(try reader.integer(UInt32.self)), height: Int(try reader.integer(UInt32.self)))
    guard size.isAllocatable else { throw WireReader.Short() }
    var planes: [PlaneLayout] = []
    for _ in 0..<(segment == 0 ? 0 : format.planeCount) {
      planes.append(
        PlaneLayout(offset: Int(try reader.integer(Int64.self)), stride: Int(try reader.integer(Int64.self))))
    }
    return SourceFrame(
      trackID: trackID, frame: try frame(segment, attributes, format, size, planes), presentationTime: try reader.time(),
      duration: try reader.time(), requestedTime: try reader.time(), preferredTransform: try reader.matrix())
  }
}

/// A worker's reply about a frame.
struct WireAnswer {
  /// The source whose frame is the result; `nil` if the output was written.
  var source: RegionOfInterest?
  /// A sentence about the plugin's violation of its contract.
  var violation: String?
  /// Segments with frames that the worker still uses, from this and earlier requests.
  var kept: [UInt64] = []

  init(source: RegionOfInterest?, violation: String?) {
    (self.source, self.violation) = (source, violation)
  }

  init(_ reader: inout WireReader) throws {
    let isSource = try reader.integer(UInt8.self) != 0
    let need = RegionOfInterest(try reader.integer(TrackID.self), at: try reader.time())
    source = isSource ? need : nil
    let text = String(decoding: try reader.data().prefix(2000), as: UTF8.self)
    violation = text.isEmpty ? nil : text
    for _ in 0..<(try reader.integer(UInt32.self)) { kept.append(try reader.integer(UInt64.self)) }
  }

  var message: [UInt8] {
    WireWriter.message(.done) { writer in
      writer.put(UInt8(source == nil ? 0 : 1))
      writer.put(source?.trackID ?? 0)
      writer.put(source?.time ?? .invalid)
      writer.put(Array((violation ?? "").utf8))
      writer.put(UInt32(kept.count))
      for id in kept { writer.put(id) }
    }
  }
}

/// A worker's reply about the regions of interest of a frame.
enum WireNeeds {
  static func message(_ needs: RegionsOfInterest) -> [UInt8] {
    WireWriter.message(.done) { writer in
      switch needs {
      case .everything: writer.put(UInt8(0))
      case .identity(let trackID):
        writer.put(UInt8(1))
        writer.put(trackID)
      case .regions(let parts):
        writer.put(UInt8(2))
        writer.put(UInt32(parts.count))
        for (trackID, part) in parts {
          writer.put(trackID)
          write(part, to: &writer)
        }
      case .sources(let needs):
        writer.put(UInt8(3))
        writer.put(UInt32(needs.count))
        for need in needs {
          writer.put(need.trackID)
          writer.put(need.time)
          write(need.region, to: &writer)
        }
      }
    }
  }

  private static func write(_ part: Rect, to writer: inout WireWriter) {
    for number in [part.minX, part.minY, part.size.width, part.size.height] { writer.put(number) }
  }

  private static func part(_ reader: inout WireReader) throws -> Rect {
    Rect(x: try reader.number(), y: try reader.number(), width: try reader.number(), height: try reader.number())
  }

  static func read(_ reader: inout WireReader, of request: CompositionRequest) throws -> RegionsOfInterest {
    switch try reader.integer(UInt8.self) {
    case 1:
      return .identity(try reader.integer(TrackID.self))
    case 2:
      var parts: [TrackID: Rect] = [:]
      for _ in 0..<(try reader.integer(UInt32.self)) {
        let trackID = try reader.integer(TrackID.self)
        parts[trackID] = try part(&reader)
      }
      return .regions(parts)
    case 3:
      var needs: [RegionOfInterest] = []
      for _ in 0..<(try reader.integer(UInt32.self)) {
        needs.append(RegionOfInterest(try reader.integer(TrackID.self), at: try reader.time(), region: try part(&reader)))
      }
      return .sources(needs)
    default: return .everything
    }
  }
}
