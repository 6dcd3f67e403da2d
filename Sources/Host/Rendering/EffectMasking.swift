import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Synchronization

/// Applies single effects with their masks: mixes the result of an effect with the original frame, or gives the mask to a
/// compositor that takes it.
struct EffectMasking: Sendable {
  let stage: CompositorStage
  let tracks: TrackSources
  private let compositor: LayerCompositor
  private let stills = StillMattes()

  /// - Throws: Errors of making the compositor that places masks.
  init(stage: CompositorStage, tracks: TrackSources, output: RenderContext) throws(CompositorError) {
    (self.stage, self.tracks) = (stage, tracks)
    compositor = try LayerCompositor(context: output)
  }

  /// The frame after an effect.
  ///
  /// - Parameters:
  ///   - source: The frame before it.
  ///   - asked: The request for the effect's compositor, with that frame as the only source.
  ///   - request: The request with the sources of masks.
  ///   - others: The frame before the effect at other times.
  func frame(
    of effect: EffectReference, to source: SourceFrame, asked: CompositionRequest, request: CompositionRequest,
    others: OtherTimes
  ) async throws(CompositorError) -> Frame {
    guard let mask = effect.mask else { return try await stage.answer(to: asked, by: effect, others: others).frame }
    let matted = MattedFrame(mask, source, surface: asked.context, request: request)
    guard try !stage.instances.descriptor(of: effect.compositor).takesMask else {
      return try await frame(of: effect, taking: matted, asked: asked, others: others)
    }
    let changed = try await stage.answer(to: asked, by: effect, others: others).frame
    guard !changed.isSameMemory(as: source.frame) else { return changed }
    return try stage.clock.measure(\.compose) { () throws(CompositorError) in
      let surface = asked.context
      let original = try surface.converted(source.frame).downloaded(for: "a mask", pool: surface.pool)
      let result = try surface.converted(changed).downloaded(for: "a mask", pool: surface.pool)
      return try matte(matted).mixing(original, result, context: surface, compositor: compositor)
    }
  }

  /// The frame after an effect whose compositor takes the mask as its second source.
  private func frame(
    of effect: EffectReference, taking matted: MattedFrame, asked: CompositionRequest, others: OtherTimes
  ) async throws(CompositorError) -> Frame {
    let instance = try stage.instances.instance(for: effect, in: asked.context)
    // In the color that sources are converted to, so that the mask keeps its values.
    let attributes = instance.conforming.context.outputAttributes
    var asked = asked
    asked.instruction.additionalTrackIDs = [Instruction.maskTrackID]
    asked.sources[Instruction.maskTrackID] = try source(of: matted, attributes)
    return try await stage.answer(to: asked, by: effect) { trackID, time throws(CompositorError) in
      guard trackID == Instruction.maskTrackID else { return try await others(trackID, time) }
      let shown = try await tracks.source(of: matted.mask.trackID, at: time, seenFrom: matted.request)
      guard let shown else { return nil }
      var other = matted
      other.request = matted.request.moved(to: shown.time, showing: [matted.mask.trackID: shown.source])
      return TimedSource(source: try source(of: other, attributes), time: shown.time)
    }.frame
  }

  private func source(of matted: MattedFrame, _ attributes: FrameAttributes) throws(CompositorError) -> SourceFrame {
    let shown = matted.request.sources[matted.mask.trackID]
    let (frame, isStill) = try stage.clock.measure(\.conform) { () throws(CompositorError) in
      try stills.gray(of: matted, attributes, make: matte)
    }
    let time = matted.request.time
    var source = SourceFrame(
      trackID: Instruction.maskTrackID, frame: frame, presentationTime: shown?.presentationTime ?? time,
      duration: shown?.duration ?? .indefinite, requestedTime: shown?.requestedTime ?? time)
    source.isStill = isStill
    return source
  }

  private func matte(_ matted: MattedFrame) throws(CompositorError) -> Matte {
    try stills.matte(of: matted) { matted throws(CompositorError) in
      try Matte(
        of: matted.layer, channel: matted.mask.channel, isInverted: matted.mask.isInverted, in: matted.request,
        on: matted.placing, compositor: compositor)
    }
  }
}

/// A frame with the mask of an effect on it.
struct MattedFrame {
  let mask: EffectMask
  /// The size, pixel aspect ratio and orientation of the frame.
  let frame: SourcePlacement
  /// The context that the effect renders in.
  let surface: RenderContext
  /// A request with the mask's source.
  var request: CompositionRequest

  init(_ mask: EffectMask, _ source: SourceFrame, surface: RenderContext, request: CompositionRequest) {
    self.mask = mask
    frame = SourcePlacement(
      size: surface.size, pixelAspectRatio: surface.outputAttributes.pixelAspectRatio,
      preferredTransform: source.preferredTransform)
    (self.surface, self.request) = (surface, request)
  }

  /// The mask's frame; `nil` if its track shows nothing.
  var source: SourceFrame? { request.sources[mask.trackID] }

  /// A layer that covers the frame with the mask, upright on upright.
  var layer: LayerInstruction {
    var layer = LayerInstruction(trackID: mask.trackID)
    guard let source else { return layer }
    let own = SourcePlacement(
      size: source.frame.size, pixelAspectRatio: source.frame.attributes.pixelAspectRatio,
      preferredTransform: source.preferredTransform)
    let (from, to) = (own.uprightSize, frame.uprightSize)
    guard let toStored = frame.uprightTransform.inverted, from.width > 0, from.height > 0 else { return layer }
    layer.transform = PropertyTimeline(
      default: own.uprightTransform.concatenating(.scale(x: to.width / from.width, y: to.height / from.height))
        .concatenating(toStored).concatenating(.scale(x: Double(frame.size.width) / frame.displaySize.width, y: 1)))
    return layer
  }

  /// The effect's surface, on which the mask is placed in pixels.
  var placing: RenderContext {
    var placing = surface
    placing.compositionToPixels = .identity
    return placing
  }
}

extension CompositionRequest {
  /// A layer's still and those of its effects' masks; `nil` if one of them isn't a still.
  func stills(_ source: SourceFrame, _ effects: ArraySlice<EffectReference>) -> [Frame]? {
    guard source.isStill else { return nil }
    var stills = [source.frame]
    for case let mask? in effects.lazy.map(\.mask) {
      guard let source = sources[mask.trackID], source.isStill else { return nil }
      stills.append(source.frame)
    }
    return stills
  }
}

/// Masks of stills, each evaluated once. The least recently used are removed.
private final class StillMattes: Sendable {
  fileprivate struct Key: Hashable {
    let mask: EffectMask
    let frame: SourcePlacement
  }
  fileprivate struct Entry {
    let key: Key
    /// Retained, so that no other frame can have its memory.
    let still: Frame
    let matte: Matte
    var grays: [FrameAttributes: Frame] = [:]
  }
  private let capacity = 16
  private let entries = Mutex<[Entry]>([])

  /// The cached mask of a still, or a new one, which is cached if it is that of a still.
  func matte(
    of matted: MattedFrame, make: (MattedFrame) throws(CompositorError) -> Matte
  ) throws(CompositorError) -> Matte {
    guard let source = matted.source, source.isStill else { return try make(matted) }
    let key = Key(mask: matted.mask, frame: matted.frame)
    if let known = entries.withLock({ $0.use(key, source.frame)?.matte }) { return known }
    let made = try make(matted)
    let gone = entries.withLock { entries -> Entry? in
      guard entries.use(key, source.frame) == nil else { return nil }
      entries.append(Entry(key: key, still: source.frame, matte: made))
      return entries.count > capacity ? entries.removeFirst() : nil
    }
    // The removed frames are freed after the lock is released.
    withExtendedLifetime(gone) {}
    return made
  }

  /// The mask as a gray frame, and whether it is the same for every frame.
  func gray(
    of matted: MattedFrame, _ attributes: FrameAttributes, make: (MattedFrame) throws(CompositorError) -> Matte
  ) throws(CompositorError) -> (frame: Frame, isStill: Bool) {
    let pool = matted.surface.pool
    guard let source = matted.source, source.isStill else { return (try make(matted).gray(attributes, pool: pool), false) }
    let key = Key(mask: matted.mask, frame: matted.frame)
    if let known = entries.withLock({ $0.use(key, source.frame)?.grays[attributes] }) { return (known, true) }
    let gray = try make(matted).gray(attributes, pool: pool)
    entries.withLock { entries in
      if let index = entries.lastIndex(where: { $0.key == key }) { entries[index].grays[attributes] = gray }
    }
    return (gray, true)
  }
}

extension [StillMattes.Entry] {
  /// The entry of a still, which becomes the most recently used one.
  fileprivate mutating func use(_ key: StillMattes.Key, _ still: Frame) -> StillMattes.Entry? {
    guard let index = firstIndex(where: { $0.key == key && $0.still.isSameMemory(as: still) }) else { return nil }
    let entry = remove(at: index)
    append(entry)
    return entry
  }
}
