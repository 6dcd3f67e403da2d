import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorScheduling
import CompositorValidation

/// How the decoders of a render are opened: with which options, on how many threads, into which memory.
struct SourceReaderOpener: Sendable {
  private let plan: RenderPlan
  private let options: VideoReaderOptions
  private let budget: RenderBudget
  /// The number of threads of each decoder; `nil` leaves it to the budget.
  private let threadCount: Int?
  private let trace: RenderTrace?
  /// The memory for decoded frames; `nil` for the heap.
  let allocator: (any FrameAllocator)?

  init(_ plan: RenderPlan, _ settings: RenderSettings, cacheByteCount: Int) {
    self.plan = plan
    var options = VideoReaderOptions(
      threadCount: settings.decoderThreadCount ?? 1, cacheByteCount: cacheByteCount, damaged: settings.damaged)
    options.generated = plan.generatedOutput
    self.options = options
    (budget, threadCount, trace) = (settings.budget, settings.decoderThreadCount, settings.trace)
    allocator = plan.composition.registry.frameAllocator(for: plan.instructions)
  }

  /// Whether media that cannot be decoded are left out.
  var keepsDamage: Bool { options.damaged == .keep }

  /// The number of threads for a decoder that is opened now, unless the settings specify one. For short segments, the frames that
  /// threads decode ahead aren't worth their memory. In a truncated file, threads would obscure which frame was cut off.
  ///
  /// - Parameter count: The number of decoders that are read concurrently, including this one.
  func threadCount(for order: SourceOrder, besides count: Int) -> Int {
    if let threadCount { return threadCount }
    let track = plan.composition.videoTrack(order.track.index, of: order.track.source)
    guard track?.readableEnd == nil else { return 1 }
    if track?.isDecodedInSlices == true { return budget.sliceThreadCount }
    guard let piece = plan.timeRange(ofUse: order.use, track: order.trackID), piece.duration >= .seconds(1) else { return 1 }
    return budget.decoderThreadCount(besides: count)
  }

  /// The number of threads for a decoder that no others run beside.
  var threadCountAlone: Int { threadCount ?? 1 }

  /// A decoder of a track, which opens the file when it is first read.
  ///
  /// - Parameters:
  ///   - view: The view that it gives.
  ///   - keptByteCount: The minimum number of bytes of passed frames to keep.
  func open(_ track: MediaLosses.Track, view: StereoView, keptByteCount: Int, threadCount: Int) -> SourceReader {
    var options = options
    options.deinterlacing = plan.composition.edit.deinterlacing[track.source] ?? .off
    options.cacheByteCount = max(options.cacheByteCount, keptByteCount)
    options.threadCount = threadCount
    options.view = view
    let color = plan.composition.edit.sourceColors[track.source]
    let catalog = plan.composition.catalog
    return SourceReader(on: budget.decoding) { [catalog, options, allocator, trace] () throws(CompositorError) in
      let reader = try catalog.openVideo(
        track.source, trackIndex: track.index, options: options, allocator: allocator, color: color)
      return trace.map { TracedVideoReader(reader, $0) } ?? reader
    }
  }

  /// Bytes of one frame of a track; 0 if unknown.
  func pictureByteCount(of track: MediaLosses.Track) -> Int {
    plan.composition.videoTrack(track.index, of: track.source).map { $0.format.byteCount(of: $0.size) } ?? 0
  }
}
