import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

extension RenderContext {
  /// - Throws: `.conversionNotPossible` if this plugin does not know the output's format.
  init(_ context: CompositorContext) throws(CompositorError) {
    guard let output = context.output.map({ readStruct($0, zero: CompositorFrame()) }),
      let picture = PictureDescription(output)
    else {
      throw CompositorError(
        .conversionNotPossible, "The plugin does not know the output's format.",
        recoverySuggestion: "Build it with a newer package.")
    }
    self.init(
      size: picture.size, renderScale: context.render_scale > 0 ? context.render_scale : 1, outputFormat: picture.format,
      outputAttributes: picture.attributes, blending: context.blends_linear_light != 0 ? .linear : .encoded,
      quality: context.is_draft != 0 ? .draft : .normal, pool: FramePool())
  }
}

extension ParameterValues {
  init(_ list: UnsafePointer<UnsafePointer<CompositorParameter>?>?, count: Int32) {
    self.init()
    for pointer in readList(list, count: count) {
      let parameter = readStruct(pointer, zero: CompositorParameter())
      guard let key = parameter.key, let value = parameter.value else { continue }
      self[String(cString: key)] = value
    }
  }
}

extension CompositionRequest {
  /// The request as a value; its frames use the host's memory, valid during the call.
  init(_ request: CompositorRequest, context: RenderContext, id: CompositorID) throws(CompositorError) {
    var sources: [TrackID: SourceFrame] = [:]
    var order: [TrackID] = []
    for pointer in readList(request.sources, count: request.source_count) {
      let source = readStruct(pointer, zero: CompositorSource())
      sources[source.track] = try SourceFrame(source)
      order.append(source.track)
    }
    let layers = readList(request.layers, count: request.layer_count).map {
      LayerInstruction(readStruct($0, zero: CompositorLayer()))
    }
    var instruction = Instruction(
      timeRange: TimeRange(start: request.instruction_start.time, duration: request.instruction_duration.time),
      layers: layers)
    instruction.compositor = id
    instruction.parameters = ParameterValues(request.parameters, count: request.parameter_count)
    let layerTracks = Set(layers.map(\.trackID))
    instruction.additionalTrackIDs = order.filter { !layerTracks.contains($0) }
    self.init(
      time: request.time.time, frameDuration: request.frame_duration.time, instruction: instruction,
      instructionIndex: Int(request.instruction_index), sources: sources, context: context)
    requestedSources = try RequestedSource.list(request, beside: sources)
  }
}

extension RequestedSource {
  /// The sources requested by the plugin's needs, in order.
  fileprivate static func list(
    _ request: CompositorRequest, beside own: [TrackID: SourceFrame]
  ) throws(CompositorError) -> [RequestedSource] {
    var list: [RequestedSource] = []
    for pointer in readList(request.asked, count: request.asked_count) {
      let source = readStruct(pointer, zero: CompositorSource())
      let isOwn = source.time.time == request.time.time
      let frame = isOwn ? own[source.track] : source.frame == nil ? nil : try SourceFrame(source)
      list.append(RequestedSource(trackID: source.track, time: source.time.time, source: frame))
    }
    return list
  }
}

extension SourceFrame {
  /// - Throws: `.conversionNotPossible` if this plugin does not know the format.
  fileprivate init(_ source: CompositorSource) throws(CompositorError) {
    guard let structure = source.frame.map({ readStruct($0, zero: CompositorFrame()) }),
      let picture = PictureDescription(structure)
    else {
      throw CompositorError(
        .conversionNotPossible, "The plugin does not know a source's format.",
        recoverySuggestion: "Build it with a newer package.")
    }
    let planes = structure.planeList
    let bases = planes.compactMap(\.data)
    // Before conversion there are no pixels; an address that is never read represents them.
    let hasPixels = bases.count == picture.format.planeCount
    let frame = Frame(
      wrapping: hasPixels ? bases : Array(repeating: SourceFrame.nowhere, count: picture.format.planeCount),
      strides: hasPixels ? planes.map(\.stride) : Array(repeating: 0, count: picture.format.planeCount),
      format: picture.format, size: picture.size, attributes: picture.attributes, release: {})
    self.init(
      trackID: source.track, frame: frame, presentationTime: source.presentation_time.time, duration: source.duration.time,
      requestedTime: source.requested_time.time, preferredTransform: AffineMatrix(source.preferred_transform))
  }

  /// An address that represents missing pixels: never read, written or freed.
  nonisolated(unsafe) private static let nowhere = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
}

extension LayerInstruction {
  /// The layer at the request's time.
  fileprivate init(_ layer: CompositorLayer) {
    self.init(trackID: layer.track)
    opacity = PropertyTimeline(default: layer.opacity)
    transform = PropertyTimeline(default: AffineMatrix(layer.transform))
    if layer.has_crop != 0 {
      let (x, y, width, height) = layer.crop
      crop = PropertyTimeline(default: Rect(x: x, y: y, width: width, height: height))
    }
  }
}
