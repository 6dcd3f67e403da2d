import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorValidation
import CompositorTestMedia
import Foundation
import Synchronization
import Testing

/// Video of two views in memory: frame n is gray with the luma 16 + n for the left eye, and 116 + n for the right. Both have a
/// brighter left half, so that effects change something.
private final class StereoMedia: MediaProvider {
  /// The views to describe; frames of others aren't asked for.
  let views: StereoViews?
  /// What a mono reader gives.
  let monoView: StereoView
  private let opened = Mutex<[StereoView]>([])

  init(_ views: StereoViews? = .stereo, monoView: StereoView = .left) { (self.views, self.monoView) = (views, monoView) }

  /// The view of each reader, in order.
  var readers: [StereoView] { opened.withLock { $0 } }

  private var track: VideoTrackInfo {
    var track = VideoTrackInfo(
      index: 0, codec: "memory", size: PixelSize(width: 64, height: 36), format: .yuv420p, attributes: FrameAttributes(),
      nominalFrameRate: Rational(30, 1), timeRange: .seconds(0, 1))
    track.views = views
    return track
  }

  func describe() throws(CompositorError) -> MediaInfo {
    MediaInfo(source: .custom(name: "stereo"), container: "memory", duration: .seconds(1), videoTracks: [track])
  }

  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    opened.withLock { $0.append(options.view) }
    return Reader(track, view: options.view == .mono ? monoView : options.view)
  }

  static func luma(_ view: StereoView, _ index: Int) -> Int { (view == .right ? 116 : 16) + index }

  private final class Reader: VideoReader {
    let info: VideoTrackInfo
    private let view: StereoView
    private var shown: (index: Int, frame: Frame)?

    init(_ info: VideoTrackInfo, view: StereoView) { (self.info, self.view) = (info, view) }

    func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
      guard time >= .zero else { return nil }
      let timing = try FrameTiming(frameDuration: MediaTime(value: 1, timescale: 30))
      let index = min(timing.index(at: time) ?? 0, 29)
      if shown?.index != index { shown = (index, picture(index)) }
      guard let shown else { return nil }
      return DecodedVideoFrame(
        frame: shown.frame, presentationTime: timing.time(ofFrame: index), duration: timing.frameDuration)
    }

    private func picture(_ index: Int) -> Frame {
      var frame = MutableFrame(format: info.format, size: info.size, attributes: info.attributes)
      frame.fill(codes: [Double(StereoMedia.luma(view, index)), 128, 128, 255])
      for y in 0..<info.size.height {
        frame.withMutableRow(y, as: UInt8.self) { row in
          for x in 0..<32 { row[x] += 40 }
        }
      }
      return frame.freeze()
    }
  }
}

/// The frame before.
private struct Late: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.late-view", name: "Late") {
    $0.role = .effect
    $0.needsOtherTimes = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(request.instruction.requiredTrackIDs.map { RegionOfInterest($0, at: request.time(offsetByFrames: -1)) })
  }
  func compose(_ request: CompositionRequest) throws -> Frame { try #require(request.requestedSources.first?.source).frame }
}

/// A plugin that needs its frames in order, and counts them.
private final class Counting: FrameComposer {
  private let view: StereoView
  private let count = Mutex(0)

  init(_ view: StereoView) { self.view = view }

  func compose(_ request: CompositionRequest) throws -> Frame {
    #expect(request.view == view)
    let number = count.withLock { count in
      count += 1
      return count
    }
    var frame = try request.context.makeFrame()
    frame.fill(codes: [Double(20 + number), 128, 128, 255])
    return frame.freeze()
  }
}

/// A stereo composition: each frame once for each eye.
@Suite struct StereoViewTests {
  private func edit(_ media: StereoMedia, _ change: (inout Instruction, TrackID, TrackID) -> Void = { _, _, _ in }) throws
    -> TestEdit
  {
    var edit = TestEdit()
    edit.catalog.provide(media, as: "stereo")
    try edit.registry.register(Late.self)
    let descriptor = CompositorDescriptor(id: "test.counting-view", name: "Counting") {
      $0.concurrency = .inOrder
      $0.sourceFormats = .any
    }
    try edit.registry.register(
      CompositorFactory(descriptor, plugin: "counting.so") { _, context in Counting(context.view) })
    let first = try edit.addTrack([("stereo", .seconds(0, 1), .seconds(0, 1))])
    let second = try edit.addTrack([("stereo", .seconds(0, 1), .seconds(0, 1))])
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: first)])
    change(&instruction, first, second)
    edit.instructions = [instruction]
    return edit
  }

  private func plan(_ edit: TestEdit, _ views: StereoViews? = .stereo) throws -> RenderPlan {
    var stereo = edit.edit
    stereo.videoComposition.views = views
    return try RenderPlan(CompositionValidator.validate(stereo, catalog: edit.catalog, registry: edit.registry).get())
  }

  private func render(_ plan: RenderPlan, frames: Range<Int> = 0..<30) async throws -> [RenderedFrame] {
    let made = Mutex<[RenderedFrame]>([])
    try await FrameScheduler(plan, settings: RenderSettings(threadCount: 2)).render(frames) { rendered in
      made.withLock { $0.append(rendered) }
    }
    return made.withLock { $0 }
  }

  private func lumas(_ frames: [RenderedFrame], _ view: StereoView) -> [Int] {
    frames.compactMap { $0.frame(for: view).map { Int($0.withRow(0, as: UInt8.self) { $0[60] }) } }
  }

  private func expected(_ view: StereoView) -> [Int] { (0..<30).map { StereoMedia.luma(view, $0) } }

  @Test func eachEyeShowsItsOwnView() async throws {
    let media = StereoMedia()
    let frames = try await render(plan(edit(media)))
    #expect(frames.map(\.view) == Array(repeating: .left, count: 30))
    #expect(lumas(frames, .left) == expected(.left) && lumas(frames, .right) == expected(.right))
    #expect(media.readers.sorted { $0.rawValue < $1.rawValue } == [.left, .right])
  }

  @Test func singleFramesHaveAllViews() async throws {
    let scheduler = try FrameScheduler(plan(edit(StereoMedia())), settings: RenderSettings(threadCount: 2))
    let time = MediaTime(value: 7, timescale: 30)
    let gathered = try await scheduler.gather(frame: 7, follows: false)
    for rendered in [
      try await scheduler.frame(at: time), try await scheduler.image(at: time), try await scheduler.finish(gathered),
    ] {
      #expect(lumas([rendered], .left) == [23] && lumas([rendered], .right) == [123])
    }
    await scheduler.close()
  }

  @Test func monoMakesOneFrame() async throws {
    let media = StereoMedia()
    let frames = try await render(plan(edit(media), nil))
    #expect(lumas(frames, .mono) == expected(.left) && frames.allSatisfy { $0.view == .mono && $0.otherViews.isEmpty })
    #expect(media.readers == [.mono])
  }

  @Test func bothEyesShareTheDecoderOfAMonoSource() async throws {
    let media = StereoMedia(nil)
    let frames = try await render(plan(edit(media)))
    #expect(lumas(frames, .left) == expected(.left) && lumas(frames, .right) == expected(.left))
    #expect(media.readers == [.mono])
  }

  @Test func framesAtOtherTimesAreOfTheSameView() async throws {
    let edit = try edit(StereoMedia()) { instruction, _, _ in
      instruction.layers[0].effects = [EffectReference(Late.descriptor.id)]
      instruction.effects = [EffectReference(Late.descriptor.id)]
    }
    let frames = try await render(plan(edit))
    for view in [StereoView.left, .right] {
      #expect(lumas(frames, view) == (0..<30).map { StereoMedia.luma(view, max(0, $0 - 2)) })
    }
  }

  @Test func aPluginThatNeedsOrderHasAnInstanceForEachEye() async throws {
    let edit = try edit(StereoMedia()) { instruction, _, _ in instruction.compositor = "test.counting-view" }
    let frames = try await render(plan(edit), frames: 10..<20)
    #expect(lumas(frames, .left) == Array(31...40) && lumas(frames, .right) == Array(31...40))
  }

  /// Each eye of a stereo render is the mono render of that eye.
  @Test func builtInCompositorsWorkAsTheyAreForEachEye() async throws {
    var tried = 0
    // A mask needs a matte, whose track is an additional one.
    for descriptor in CompositorRegistry.builtIn.descriptors where descriptor.id != "builtin.mask" {
      let change = { (instruction: inout Instruction, first: TrackID, second: TrackID) in
        if descriptor.role == .effect {
          instruction.layers[0].effects = [EffectReference(descriptor.id)]
        } else {
          instruction.compositor = descriptor.id
          instruction.layers.append(LayerInstruction(trackID: second))
        }
      }
      // Some need parameters.
      guard let stereo = try? plan(edit(StereoMedia(), change)) else { continue }
      tried += 1
      let frames = try await render(stereo, frames: 14..<16)
      for view in [StereoView.left, .right] {
        let mono = try await render(plan(edit(StereoMedia(nil, monoView: view), change), nil), frames: 14..<16)
        #expect(
          frames.compactMap { $0.frame(for: view)?.sampleHash } == mono.map(\.frame.sampleHash), "\(descriptor.id), \(view)")
      }
    }
    #expect(tried > 15)
  }

  @Test func overlaysAreDrawnOverEachEye() async throws {
    let overlay = Corner()
    let scheduler = try FrameScheduler(
      plan(edit(StereoMedia())), settings: RenderSettings(threadCount: 2, overlays: [overlay]))
    let rendered = try await scheduler.frame(at: .zero)
    for view in [StereoView.left, .right] {
      let frame = try #require(rendered.frame(for: view))
      #expect(frame.firstLuma == 235 && frame.withRow(0, as: UInt8.self) { $0[60] } == UInt8(StereoMedia.luma(view, 0)))
    }
    await scheduler.close()
  }

  @Test func mediaAndCompositionsWithoutViewsAreWrittenAsBefore() throws {
    let edit = try edit(StereoMedia(nil)).edit
    #expect(try !String(decoding: JSONEncoder().encode(edit), as: UTF8.self).contains("\"views\""))
    var stereo = edit
    stereo.videoComposition.views = .stereo
    #expect(try JSONDecoder().decode(Edit.self, from: JSONEncoder().encode(stereo)) == stereo)
  }
}

/// Paints the first sample white.
private struct Corner: FrameOverlay {
  func appearance(at time: MediaTime) -> Int? { 1 }
  func draw(_ appearance: Int, over frame: consuming Frame, context: RenderContext) throws -> Frame {
    var drawn = try frame.makeMutable(pool: context.pool)
    drawn.withMutableRow(0, as: UInt8.self) { $0[0] = 235 }
    return drawn.freeze()
  }
}
