import CompositorAPI
import CompositorMediaIO
import CompositorScheduling
import CompositorValidation

/// The open decoders of a render. They are opened shortly before they are needed and closed after their segment, and their
/// number is limited.
actor SourceReaderPool {
  /// The number of output frames within which one decoder serves a request's time and others, keeping the frames that it has
  /// passed.
  private static let nearFrames = 8

  let plan: RenderPlan
  let opener: SourceReaderOpener
  let retention: ReaderRetention
  /// The resources for making intermediate frames.
  private let surface: InbetweenSurface
  /// The threads on which decoders are opened ahead of time.
  let threads: ComposeThreads
  var entries: [Key: Entry] = [:]
  private(set) var requestCount = 0
  /// What the decoders did.
  private(set) var record = ReaderRecord()
  /// The composition time of the last request.
  private(set) var now = MediaTime.zero
  /// The range of frames whose sources were considered.
  var outlook = Outlook()

  init(
    plan: RenderPlan, settings: RenderSettings, framesInFlight: Int, cacheByteCount: Int, threads: ComposeThreads,
    keepsPassed: Bool = false
  ) {
    self.plan = plan
    self.threads = threads
    opener = SourceReaderOpener(plan, settings, cacheByteCount: cacheByteCount)
    retention = ReaderRetention(plan, settings, framesInFlight: framesInFlight, keepsPassed: keepsPassed)
    surface = InbetweenSurface(
      blending: plan.composition.edit.videoComposition.blending,
      colorConversion: plan.composition.edit.videoComposition.colorConversion,
      pool: FramePool(
        maximumOutstanding: FramePipeline.poolCapacity(of: plan, framesInFlight: framesInFlight), allocator: opener.allocator))
  }

  /// The source frames for a frame request, read concurrently from separate decoders. A track before its first frame is absent.
  ///
  /// - Parameter lookahead: A later request. The decoders that are needed until then are opened in the meantime.
  func frames(
    for order: FrameRequest, lookahead: FrameRequest? = nil
  ) async throws(CompositorError) -> [TrackID: SourceFrame] {
    requestCount += 1
    now = order.time
    let groups = groups(in: order.sources)
    let wanted = groups.map { $0[0] }
    let readers = zip(groups, wanted).map { ($0, reader(for: $1, besides: wanted.count)) }
    let keys = wanted.map { $0.key() }
    for key in keys { entries[key]?.userCount += 1 }
    defer { for key in keys { entries[key]?.userCount -= 1 } }
    prefetch(from: order, to: lookahead)
    if plan.needsOtherTimes(instruction: order.instructionIndex) {
      for (group, reader) in readers { await keep(retention.framesInFlight + 2, passedBy: reader, group[0], at: order.time) }
    }
    await closeWhatIsOver(at: order.time)
    let surface = surface
    let results = await withTaskGroup(of: ([SourceOrder], Result<SourceFrame?, CompositorError>).self) { group in
      for (sources, reader) in readers {
        group.addTask {
          (sources, await SourceReaderPool.fetch(sources[0], from: reader, surface: surface, time: order.time))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var frames: [TrackID: SourceFrame] = [:]
    for (group, result) in results {
      if case .failure = result { entries[group[0].key()]?.hasFailed = true }
      guard let frame = try keeping(group[0].track, result) else { continue }
      for source in group { frames[source.trackID] = frame.shown(by: source.trackID) }
    }
    return frames
  }

  /// Sources in groups that show the same frame, such as a clip and its blurred copy behind it: the first of each group has a
  /// decoder, whose frame the others show, too.
  func groups(in sources: [SourceOrder]) -> [[SourceOrder]] {
    guard sources.count > 1 else { return sources.map { [$0] } }
    // A decoder that is at its own place already continues there.
    let isAtPlace = sources.map { !(entries[$0.key()]?.isAhead ?? true) }
    var groups = zip(sources, isAtPlace).filter(\.1).map { [$0.0] }
    var indices = Dictionary(grouping: groups.indices) { groups[$0][0].track }
    for (source, isAtPlace) in zip(sources, isAtPlace) where !isAtPlace {
      if let index = indices[source.track]?.first(where: { groups[$0][0].showsFrame(of: source) }) {
        groups[index].append(source)
      } else {
        indices[source.track, default: []].append(groups.count)
        groups.append([source])
      }
    }
    return groups
  }

  /// The frame that a track shows at another time than a request's; `nil` before its first frame.
  ///
  /// - Parameters:
  ///   - order: The source that it shows at `time`.
  ///   - asked: The requested time, which is `time` unless the clip begins later or ends earlier. Its distance from `now`
  ///     selects the decoder, so that the times of each increase.
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
    await keep(span + retention.framesInFlight + 2, passedBy: reader, order, at: time)
    return try keeping(order.track, await SourceReaderPool.fetch(order, from: reader, surface: surface, time: time))
  }

  /// The media time of a key frame in a range of an order's media; `nil` if none is known.
  func keyFrameTime(
    of order: SourceOrder, from earliest: MediaTime, through latest: MediaTime
  ) async throws(CompositorError) -> MediaTime? {
    let (key, reader) = (order.key(), reader(for: order))
    entries[key]?.userCount += 1
    defer { entries[key]?.userCount -= 1 }
    do throws(CompositorError) {
      return try await reader.keyFrameTime(near: order.mediaTime, from: earliest, through: latest)
    } catch {
      // The frame itself is requested next, which reports the error or keeps the damage.
      guard error.isDamage || error.code == .trackNotFound else { throw error }
      return nil
    }
  }

  /// Makes a reader keep the media that it passes in a number of output frames.
  private func keep(_ count: Int, passedBy reader: SourceReader, _ order: SourceOrder, at time: MediaTime) async {
    let seconds = plan.mediaStep(of: order, at: time) * Double(count)
    await reader.keepPassed(MediaTime(seconds: seconds, preferredTimescale: 90_000))
  }

  /// The frame; `nil` for a track that has none, and for one that cannot be decoded at all if damage is kept.
  func keeping<T>(_ track: MediaLosses.Track, _ result: Result<T?, CompositorError>) throws(CompositorError) -> T? {
    do {
      return try result.get()
    } catch {
      guard opener.keepsDamage, error.isDamage || error.code == .trackNotFound else { throw error }
      record.noteOmitted(track, since: error)
      return nil
    }
  }

  /// Closes every decoder. Returns when all are closed.
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

  /// - Parameter count: The number of decoders that are read concurrently, including this one.
  func reader(for order: SourceOrder, lane: Int = 0, besides count: Int = 1) -> SourceReader {
    reader(
      for: order.key(lane: lane), of: order.track,
      threadCount: lane == 0 ? opener.threadCount(for: order, besides: count) : opener.threadCountAlone)
  }

  /// The decoder for a key, which is created if necessary.
  ///
  /// - Parameters:
  ///   - keptByteCount: The minimum number of bytes of passed frames to keep.
  ///   - threadCount: The number of threads of the decoder; by default that of one alone.
  func reader(
    for key: Key, of track: MediaLosses.Track, keptByteCount: Int = 0, threadCount: @autoclosure () -> Int? = nil
  ) -> SourceReader {
    if let entry = entries[key] {
      entries[key]?.lastRequest = requestCount
      entries[key]?.isAhead = false
      return entry.reader
    }
    let wanted = threadCount() ?? opener.threadCountAlone
    if let reader = takeOver(key, of: track, threadCount: wanted) { return reader }
    let reader = opener.open(track, view: key.view, keptByteCount: keptByteCount, threadCount: wanted)
    entries[key] = Entry(
      reader: reader, track: track, threadCount: wanted, pictureByteCount: opener.pictureByteCount(of: track),
      preparation: nil, lastRequest: requestCount)
    record.noteOpen(entries.count)
    return reader
  }

  /// Closes decoders whose segment is over, and the least recently used ones above the limit.
  private func closeWhatIsOver(at time: MediaTime) async {
    let count = requestCount
    let idle = entries.filter { $0.value.userCount == 0 && retention.isSpare($0.value, now: count) }
    let ended = idle.filter { key, entry in retention.mayEnd(entry, now: count) && isOver(key, entry, at: time) }
    var over = ended.map(\.key)
    if !over.isEmpty { over = leavingParked(over) }
    let unused = idle.filter { key, entry in !over.contains(key) && retention.isUnused(key, entry, now: count) }
    if unused.count > retention.maximumSpare {
      let oldest = unused.sorted { $0.value.lastRequest < $1.value.lastRequest }.map(\.key)
      over += oldest.prefix(unused.count - retention.maximumSpare)
    }
    await close(over)
  }

  func isOver(_ key: Key, _ entry: Entry, at time: MediaTime) -> Bool {
    switch key.owner {
    case .track(let trackID, let use): (plan.timeRange(ofUse: use, track: trackID)?.end ?? .zero) <= time
    case .movie: retention.isMovieOver(entry, now: requestCount)
    }
  }

  private func close(_ keys: [Key], mayBeInUse: Bool = false) async {
    for key in keys {
      // A new request may have arrived while another decoder was closed.
      guard entries[key]?.userCount == 0 || mayBeInUse, let entry = entries.removeValue(forKey: key) else { continue }
      entry.preparation?.cancel()
      await entry.preparation?.value
      let (met, count) = await entry.reader.close()
      record.noteClosed(entry.track, met, decodedCount: count)
    }
  }
}
