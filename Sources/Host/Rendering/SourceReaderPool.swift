import CompositorAPI
import CompositorMediaIO
import CompositorPlugins
import CompositorScheduling

/// The open decoders of a render: opened a little before they are needed, closed when their piece is over, never many.
actor SourceReaderPool {
  struct Key: Hashable {
    /// What a decoder is for.
    enum Owner: Hashable {
      case track(TrackID, use: Int)
      case movie(MediaLosses.Track)
    }
    let owner: Owner
    /// 0 for frames at and near the request's time; another number for those so many times ``nearFrames`` away, which have a decoder of
    /// their own that goes forward beside the first.
    var lane = 0

    /// The track of media that a movie in titles shows.
    var movie: MediaLosses.Track? { if case .movie(let track) = owner { track } else { nil } }
  }
  struct Entry {
    let reader: SourceReader
    let track: MediaLosses.Track
    let threadCount: Int
    /// Bytes of one of its pictures.
    let pictureByteCount: Int
    var preparation: Task<Void, Never>?
    /// Whether it waits, open, for its piece to begin.
    var isAhead = false
    /// Whether a frame could not be read.
    var hasFailed = false
    var lastRequest: Int
    /// Frames that are being waited for: such a reader is not closed.
    var userCount = 0
    /// The media time that a movie was last asked for.
    var position: MediaTime?
  }
  /// Frames of the output up to which one decoder serves a request's time and others: what it has passed is kept.
  private static let nearFrames = 8
  /// Requests after which a lane that is not used any more counts as spare.
  private static let laneRequests = 32

  let plan: RenderPlan
  private let options: VideoReaderOptions
  private let budget: RenderBudget
  /// Threads of each decoder; nil leaves them to the budget.
  let decoderThreadCount: Int?
  private let trace: RenderTrace?
  /// What frames between frames are made with.
  private let surface: InbetweenSurface
  let maximumSpare: Int
  /// Whether decoders whose piece is over stay open, as far as the bound allows, because somebody may go back.
  let keepsPassed: Bool
  /// Frames that may be asked for before one that is being made.
  let threads: ComposeThreads
  private let framesInFlight: Int
  /// Requests for which a reader stays open after its piece is over, since frames before that may still ask for it.
  let lingering: Int
  var entries: [Key: Entry] = [:]
  private(set) var requestCount = 0
  /// The most decoders that were open at a time.
  private(set) var peakCount = 0
  /// The damage that was met, as far as decoders are closed.
  private(set) var damage = MediaLosses()
  /// Pictures that were decoded, as far as decoders are closed.
  private(set) var decodedCount = 0
  /// Tracks that could not be opened and were left out.
  private var leftOut: Set<MediaLosses.Track> = []
  /// The composition time of the last request.
  private(set) var now = MediaTime.zero
  /// What is looked at ahead of time.
  var outlook = Outlook()
  let aheadLimit: AheadLimit

  init(
    plan: RenderPlan, settings: RenderSettings, framesInFlight: Int, cacheByteCount: Int, threads: ComposeThreads,
    keepsPassed: Bool = false
  ) {
    self.plan = plan
    self.trace = settings.trace
    self.keepsPassed = keepsPassed
    self.threads = threads
    self.framesInFlight = framesInFlight
    let needsOtherTimes = plan.instructions.contains { plan.composition.registry.needsOtherTimes($0) }
    self.lingering = needsOtherTimes ? framesInFlight + 2 : 0
    surface = InbetweenSurface(
      blending: plan.composition.edit.videoComposition.blending,
      colorConversion: plan.composition.edit.videoComposition.colorConversion,
      pool: FramePool(maximumOutstanding: 64 + 16 * framesInFlight, allocator: plan.composition.registry.frameAllocator))
    var options = VideoReaderOptions(
      threadCount: settings.decoderThreadCount ?? 1, cacheByteCount: cacheByteCount, damaged: settings.damaged)
    options.generated = plan.generatedOutput
    self.options = options
    (budget, decoderThreadCount) = (settings.budget, settings.decoderThreadCount)
    self.maximumSpare = max(0, settings.maximumSpareDecoders)
    aheadLimit = AheadLimit(maximumCount: self.maximumSpare)
  }

  /// The source frames of an order, each from its own decoder, side by side; a track before its first frame is absent.
  ///
  /// - Parameter lookahead: An order some way ahead: the decoders of what begins until then are opened meanwhile.
  func frames(
    for order: FrameRequest, lookahead: FrameRequest? = nil
  ) async throws(CompositorError) -> [TrackID: SourceFrame] {
    requestCount += 1
    now = order.time
    let readers = order.sources.map { ($0, reader(for: $0, besides: order.sources.count)) }
    let keys = order.sources.map { $0.key() }
    for key in keys { entries[key]?.userCount += 1 }
    defer { for key in keys { entries[key]?.userCount -= 1 } }
    prefetch(from: order, to: lookahead)
    if plan.needsOtherTimes(instruction: order.instructionIndex) {
      for (source, reader) in readers { await keep(framesInFlight + 2, passedBy: reader, source, at: order.time) }
    }
    await closeWhatIsOver(at: order.time)
    let surface = surface
    let results = await withTaskGroup(of: (SourceOrder, Result<SourceFrame?, CompositorError>).self) { group in
      for (source, reader) in readers {
        group.addTask {
          (source, await SourceReaderPool.fetch(source, from: reader, surface: surface, time: order.time))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var frames: [TrackID: SourceFrame] = [:]
    for (source, result) in results {
      if case .failure = result { entries[source.key()]?.hasFailed = true }
      guard let frame = try keeping(source.track, result) else { continue }
      frames[frame.trackID] = frame
    }
    return frames
  }

  /// What a track shows at another time than a request's; nil before its first frame.
  ///
  /// - Parameters:
  ///   - order: What it shows at `time`.
  ///   - asked: The time that was asked for: `time` unless the clip begins later or ends earlier. Its distance decides about the decoder,
  ///     so that each serves times that go forward.
  ///   - now: The request's time.
  func frame(
    _ order: SourceOrder, at time: MediaTime, asked: MediaTime, seenFrom now: MediaTime
  ) async throws(CompositorError) -> SourceFrame? {
    let distance = (asked - now).seconds / max(plan.frameDuration(at: now).seconds, 1e-6)
    let isNear = abs(distance) <= Double(Self.nearFrames)
    let lane = isNear ? 0 : Int((distance / Double(Self.nearFrames)).rounded(.awayFromZero))
    let key = order.key(lane: lane)
    let reader = reader(for: order, lane: lane)
    entries[key]?.userCount += 1
    defer { entries[key]?.userCount -= 1 }
    let span = isNear ? 2 * Int(abs(distance).rounded(.up)) : Self.nearFrames
    await keep(span + framesInFlight + 2, passedBy: reader, order, at: time)
    return try keeping(order.track, await SourceReaderPool.fetch(order, from: reader, surface: surface, time: time))
  }

  /// A media time in a range whose frame is decoded without any other, of what an order shows; nil if none is known.
  func keyFrameTime(
    of order: SourceOrder, from earliest: MediaTime, through latest: MediaTime
  ) async throws(CompositorError) -> MediaTime? {
    let (key, reader) = (order.key(), reader(for: order))
    entries[key]?.userCount += 1
    defer { entries[key]?.userCount -= 1 }
    do throws(CompositorError) {
      return try await reader.keyFrameTime(near: order.mediaTime, from: earliest, through: latest)
    } catch {
      // The frame itself is asked for next: what is wrong is said, or kept, there.
      guard error.isDamage || error.code == .trackNotFound else { throw error }
      return nil
    }
  }

  /// Lets a reader keep what it passes in so many frames of the output.
  private func keep(_ count: Int, passedBy reader: SourceReader, _ order: SourceOrder, at time: MediaTime) async {
    let seconds = plan.mediaStep(of: order, at: time) * Double(count)
    await reader.keepPassed(MediaTime(seconds: seconds, preferredTimescale: 90_000))
  }

  /// A frame; nil for a track that has none, and for one that cannot be decoded at all if damage is kept.
  func keeping<T>(_ track: MediaLosses.Track, _ result: Result<T?, CompositorError>) throws(CompositorError) -> T? {
    do {
      return try result.get()
    } catch {
      guard options.damaged == .keep, error.isDamage || error.code == .trackNotFound else { throw error }
      if leftOut.insert(track).inserted { damage.add([error.damage(at: nil)], in: track) }
      return nil
    }
  }

  /// Closes every decoder; returns when all are closed.
  func closeAll() async {
    await close(Array(entries.keys), mayBeInUse: true)
  }

  private static func fetch(
    _ order: SourceOrder, from reader: SourceReader, surface: InbetweenSurface, time: MediaTime
  ) async -> Result<SourceFrame?, CompositorError> {
    do throws(CompositorError) {
      guard let shown = try await reader.frame(for: order, surface: surface) else { return .success(nil) }
      var source = SourceFrame(
        trackID: order.trackID, frame: shown.frame.frame, presentationTime: shown.frame.presentationTime,
        duration: shown.frame.duration, requestedTime: order.mediaTime, preferredTransform: shown.transform)
      source.isStill = shown.isStill
      return .success(source)
    } catch {
      let place = ErrorLocation(file: order.source.description, track: order.trackID, time: time)
      return .failure(error.locating(place))
    }
  }

  /// - Parameter count: Decoders that are read side by side, this one among them.
  func reader(for order: SourceOrder, lane: Int = 0, besides count: Int = 1) -> SourceReader {
    reader(for: order.key(lane: lane), of: order.track, threadCount: lane == 0 ? threadCount(for: order, besides: count) : 1)
  }

  /// Threads for a decoder that is opened now. What is over soon is not worth the pictures that threads decode ahead; of a file that is cut
  /// short, threads do not say which picture the end was missing from.
  func threadCount(for order: SourceOrder, besides count: Int) -> Int {
    guard let piece = plan.timeRange(ofUse: order.use, track: order.trackID), piece.duration >= .seconds(1),
      plan.composition.videoTrack(order.track.index, of: order.track.source)?.readableEnd == nil
    else { return 1 }
    return budget.decoderThreadCount(besides: count)
  }

  /// The decoder of a key, made if there is none yet.
  ///
  /// - Parameters:
  ///   - keptByteCount: At least so many bytes of passed frames are kept.
  ///   - threadCount: Threads of the decoder, unless settings say so.
  func reader(
    for key: Key, of track: MediaLosses.Track, keptByteCount: Int = 0, threadCount: @autoclosure () -> Int = 1
  ) -> SourceReader {
    if let entry = entries[key] {
      entries[key]?.lastRequest = requestCount
      entries[key]?.isAhead = false
      return entry.reader
    }
    let wanted = decoderThreadCount ?? threadCount()
    if let reader = takeOver(key, of: track, threadCount: wanted) { return reader }
    var options = options
    options.deinterlacing = plan.composition.edit.deinterlacing[track.source] ?? .off
    options.cacheByteCount = max(options.cacheByteCount, keptByteCount)
    options.threadCount = wanted
    let allocator = plan.composition.registry.frameAllocator
    let color = plan.composition.edit.sourceColors[track.source]
    let catalog = plan.composition.catalog
    let reader = SourceReader(on: budget.decoding) { [catalog, options, trace] () throws(CompositorError) in
      let reader = try catalog.openVideo(
        track.source, trackIndex: track.index, options: options, allocator: allocator, color: color)
      return trace.map { TracedVideoReader(reader, $0) } ?? reader
    }
    entries[key] = Entry(
      reader: reader, track: track, threadCount: wanted, pictureByteCount: pictureByteCount(of: track), preparation: nil,
      lastRequest: requestCount)
    peakCount = max(peakCount, entries.count)
    return reader
  }

  /// Closes decoders whose piece of the timeline is over, and the longest unused ones above the bound.
  private func closeWhatIsOver(at time: MediaTime) async {
    let idle = entries.filter { $0.value.userCount == 0 && $0.value.lastRequest < requestCount }
    let old = keepsPassed ? [:] : idle.filter { $0.value.lastRequest < requestCount - lingering }
    var over = old.filter { isOver($0, $1, at: time) }.map(\.key)
    if !over.isEmpty { over = leavingParked(over) }
    let unused = idle.filter { key, entry in
      !over.contains(key) && ((key.lane == 0 && key.movie == nil) || entry.lastRequest < requestCount - Self.laneRequests)
    }
    if unused.count > maximumSpare {
      let oldest = unused.sorted { $0.value.lastRequest < $1.value.lastRequest }.map(\.key)
      over += oldest.prefix(unused.count - maximumSpare)
    }
    await close(over)
  }

  func isOver(_ key: Key, _ entry: Entry, at time: MediaTime) -> Bool {
    switch key.owner {
    case .track(let trackID, let use): (plan.timeRange(ofUse: use, track: trackID)?.end ?? .zero) <= time
    case .movie: entry.lastRequest < requestCount - Self.movieRequests
    }
  }

  private func close(_ keys: [Key], mayBeInUse: Bool = false) async {
    for key in keys {
      // Somebody may have come while another one was closed.
      guard entries[key]?.userCount == 0 || mayBeInUse, let entry = entries.removeValue(forKey: key) else { continue }
      entry.preparation?.cancel()
      await entry.preparation?.value
      let (met, count) = await entry.reader.close()
      damage.add(met, in: entry.track)
      decodedCount += count
    }
  }
}

extension SourceOrder {
  /// The source's track that it takes a frame of.
  var track: MediaLosses.Track { MediaLosses.Track(source, .video, sourceTrackIndex) }

  func key(lane: Int = 0) -> SourceReaderPool.Key {
    SourceReaderPool.Key(owner: .track(trackID, use: use), lane: lane)
  }
}
