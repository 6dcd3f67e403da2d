import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

extension CompositorContext {
  init(_ context: RenderContext, _ arena: StructArena) {
    self.init()
    struct_size = MemoryLayout<CompositorContext>.size
    let picture = PictureDescription(
      format: context.outputFormat, size: context.size, attributes: context.outputAttributes)
    output = UnsafePointer(arena.make(picture.structure(arena)))
    render_scale = context.renderScale
    is_draft = context.quality == .draft ? 1 : 0
    blends_linear_light = context.blending == .linear ? 1 : 0
  }
}

extension CompositorRequest {
  /// Creates the struct of a request; its pointers are valid as long as the arena and the request.
  init(_ request: CompositionRequest, schema: [ParameterDescription], _ arena: StructArena, withPixels: Bool) {
    self.init()
    let instruction = request.instruction
    struct_size = MemoryLayout<CompositorRequest>.size
    (time, frame_duration) = CompositorTime.aligned(request.time, request.frameDuration)
    instruction_start = CompositorTime(instruction.timeRange.start)
    instruction_duration = CompositorTime(instruction.timeRange.duration)
    progress = request.progress
    instruction_index = Int32(clamping: request.instructionIndex)

    var sources: [TrackID: UnsafePointer<CompositorSource>] = [:]
    for (trackID, source) in request.sources {
      sources[trackID] = UnsafePointer(
        arena.make(CompositorSource(source, at: request.time, arena, withPixels: withPixels)))
    }
    let ordered = instruction.requiredTrackIDs.map { sources[$0] }.filter { $0 != nil }
    source_count = Int32(ordered.count)
    self.sources = arena.list(ordered).map { UnsafePointer($0) }

    let layers = instruction.layers.map { layer in
      Optional(
        UnsafePointer(arena.make(CompositorLayer(layer, at: request.time, source: sources[layer.trackID]))))
    }
    layer_count = Int32(layers.count)
    self.layers = arena.list(layers).map { UnsafePointer($0) }
    let parameters = CompositorParameter.list(instruction.parameters, schema: schema, arena)
    parameter_count = Int32(parameters.count)
    self.parameters = arena.list(parameters).map { UnsafePointer($0) }
    let asked = request.requestedSources.map { asked in
      Optional(UnsafePointer(arena.make(CompositorSource(asked, arena, withPixels: withPixels))))
    }
    asked_count = Int32(clamping: asked.count)
    self.asked = arena.list(asked).map { UnsafePointer($0) }
    is_cancelled = { _ in 0 }
  }

  /// Gives the library access to a flag that the caller keeps alive during the call.
  mutating func setCancellation(_ flag: CancellationFlag) {
    host_data = UnsafeRawPointer(Unmanaged.passUnretained(flag).toOpaque())
    is_cancelled = { data in
      guard let data else { return 0 }
      return Unmanaged<CancellationFlag>.fromOpaque(data).takeUnretainedValue().isSet ? 1 : 0
    }
  }
}

extension CompositionRequest {
  /// The fraction of the instruction that has elapsed: 0 ≤ progress < 1; 0 if the instruction has no end.
  fileprivate var progress: Double {
    let (length, passed) = (instruction.timeRange.duration, time - instruction.timeRange.start)
    guard length.isNumeric, passed.isNumeric, length > .zero else { return 0 }
    // The quotient of integers is the nearest one: that of seconds may be a little less than 0.1.
    let exact = Double(passed.value) * Double(length.timescale) / (Double(passed.timescale) * Double(length.value))
    return min(max(exact, 0), 1 - .ulpOfOne)
  }
}

extension CompositorSource {
  init(_ source: SourceFrame, at time: MediaTime, _ arena: StructArena, withPixels: Bool) {
    self.init()
    struct_size = MemoryLayout<CompositorSource>.size
    track = source.trackID
    self.time = CompositorTime(time)
    var structure = PictureDescription(source.frame).structure(arena)
    if withPixels {
      // The caller keeps the frame alive while the struct is in use.
      source.frame.withUnsafePlanes { planes in
        for index in 0..<planes.count {
          let plane = planes[index]
          structure.setPlane(
            index, base: UnsafeMutableRawPointer(mutating: plane.base), stride: plane.stride, width: plane.width,
            height: plane.height)
        }
      }
    }
    frame = UnsafePointer(arena.make(structure))
    presentation_time = CompositorTime(source.presentationTime)
    duration = CompositorTime(source.duration)
    requested_time = CompositorTime(source.requestedTime)
    preferred_transform = source.preferredTransform.coefficients
  }
}

extension CompositorSource {
  /// A requested source; without a frame if there is none.
  init(_ asked: RequestedSource, _ arena: StructArena, withPixels: Bool) {
    if let source = asked.source {
      self.init(source, at: asked.time, arena, withPixels: withPixels)
    } else {
      self.init()
      struct_size = MemoryLayout<CompositorSource>.size
      (track, time) = (asked.trackID, CompositorTime(asked.time))
    }
  }
}

extension CompositorLayer {
  init(_ layer: LayerInstruction, at time: MediaTime, source: UnsafePointer<CompositorSource>?) {
    self.init()
    let rect = layer.crop.value(at: time)
    struct_size = MemoryLayout<CompositorLayer>.size
    track = layer.trackID
    self.source = source
    opacity = layer.opacity.value(at: time)
    transform = layer.transform.value(at: time).coefficients
    has_crop = rect.isInfinite ? 0 : 1
    if !rect.isInfinite { crop = (rect.minX, rect.minY, rect.size.width, rect.size.height) }
  }
}

extension MutableFrame {
  /// The struct of a frame to be written; valid until the frame is frozen.
  mutating func structure(_ arena: StructArena) -> CompositorFrame {
    let picture = PictureDescription(format: format, size: size, attributes: attributes)
    var structure = picture.structure(arena)
    withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        structure.setPlane(index, base: plane.base, stride: plane.stride, width: plane.width, height: plane.height)
      }
    }
    return structure
  }
}
