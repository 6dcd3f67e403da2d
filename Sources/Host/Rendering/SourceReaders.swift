import CompositorAPI
import MediaIO

/// The open decoders of a render: opened a little before they are needed, closed when their piece is over, never many.
actor SourceReaders {
  private struct Key: Hashable {
    let trackID: TrackID
    let use: Int
  }
  private struct Entry {
    let reader: SourceReader
    let track: MediaLosses.Track
    var preparation: Task<Void, Never>?
    var lastRequest: Int
  }

  private let plan: RenderPlan
  private let options: VideoReaderOptions
  private let maximumSpare: Int
  private var entries: [Key: Entry] = [:]
  private var requestCount = 0
  /// The most decoders that were open at a time.
  private(set) var peakCount = 0
  /// The damage that was met, as far as decoders are closed.
  private(set) var damage = MediaLosses()
  /// Tracks that could not be opened and were left out.
  private var leftOut: Set<MediaLosses.Track> = []

  init(plan: RenderPlan, settings: RenderSettings, cacheByteCount: Int) {
    self.plan = plan
    self.options = VideoReaderOptions(
      threadCount: settings.decoderThreadCount, cacheByteCount: cacheByteCount,
      damaged: settings.damaged)
    self.maximumSpare = max(0, settings.maximumSpareDecoders)
  }

  /// The source frames of an order, each from its own decoder, side by side; a track before its first frame is absent.
  ///
  /// - Parameter upcoming: An order some way ahead, whose decoders are opened meanwhile.
  func frames(
    for order: FrameOrder, upcoming: FrameOrder? = nil
  ) async throws(CompositorError) -> [TrackID: SourceFrame] {
    requestCount += 1
    let readers = order.sources.map { ($0, reader(for: $0)) }
    anticipate(upcoming)
    await closeWhatIsOver(at: order.time)
    let results = await withTaskGroup(of: (SourceOrder, Result<SourceFrame?, CompositorError>).self) { group in
      for (source, reader) in readers {
        group.addTask { (source, await SourceReaders.fetch(source, from: reader, time: order.time)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var frames: [TrackID: SourceFrame] = [:]
    for (source, result) in results {
      guard let frame = try keeping(source, result) else { continue }
      frames[frame.trackID] = frame
    }
    return frames
  }

  /// A frame; nil for a track that has none, and for one that cannot be decoded at all if damage is kept.
  private func keeping(
    _ order: SourceOrder, _ result: Result<SourceFrame?, CompositorError>
  ) throws(CompositorError) -> SourceFrame? {
    do {
      return try result.get()
    } catch {
      guard options.damaged == .keep, error.isDamage || error.code == .trackNotFound else { throw error }
      if leftOut.insert(order.track).inserted { damage.add([error.damage(at: nil)], in: order.track) }
      return nil
    }
  }

  /// Closes every decoder; returns when all are closed.
  func closeAll() async {
    await close(Array(entries.keys))
  }

  private static func fetch(
    _ order: SourceOrder, from reader: SourceReader, time: MediaTime
  ) async -> Result<SourceFrame?, CompositorError> {
    do throws(CompositorError) {
      guard let shown = try await reader.frame(at: order.mediaTime) else { return .success(nil) }
      return .success(
        SourceFrame(
          trackID: order.trackID, frame: shown.frame.frame, presentationTime: shown.frame.presentationTime,
          duration: shown.frame.duration, requestedTime: order.mediaTime, preferredTransform: shown.transform))
    } catch {
      let place = ErrorLocation(file: order.source.description, track: order.trackID, time: time)
      return .failure(error.locating(place))
    }
  }

  private func reader(for order: SourceOrder) -> SourceReader {
    let key = Key(trackID: order.trackID, use: order.use)
    if let entry = entries[key] {
      entries[key]?.lastRequest = requestCount
      return entry.reader
    }
    var options = options
    options.deinterlacing = plan.composition.edit.deinterlacing[order.source] ?? .off
    let allocator = plan.composition.registry.frameAllocator
    let reader = SourceReader { [catalog = plan.composition.catalog, options] () throws(CompositorError) in
      try catalog.openVideo(order.source, trackIndex: order.sourceTrackIndex, options: options, allocator: allocator)
    }
    entries[key] = Entry(reader: reader, track: order.track, preparation: nil, lastRequest: requestCount)
    peakCount = max(peakCount, entries.count)
    return reader
  }

  /// Opens decoders ahead of time, as far as the bound allows.
  private func anticipate(_ upcoming: FrameOrder?) {
    for source in upcoming?.sources ?? [] {
      let key = Key(trackID: source.trackID, use: source.use)
      guard entries[key] == nil, spareCount < maximumSpare else { continue }
      let reader = reader(for: source)
      entries[key]?.preparation = Task { await reader.prepare(at: source.mediaTime) }
    }
  }

  private var spareCount: Int { entries.values.count { $0.lastRequest < requestCount || $0.preparation != nil } }

  /// Closes decoders whose piece of the timeline is over, and the longest unused ones above the bound.
  private func closeWhatIsOver(at time: MediaTime) async {
    var over = entries.keys.filter { key in
      entries[key]?.lastRequest != requestCount && (plan.timeRange(ofUse: key.use, track: key.trackID)?.end ?? .zero) <= time
    }
    let unused = entries.filter { $0.value.lastRequest < requestCount && !over.contains($0.key) }
    if unused.count > maximumSpare {
      let oldest = unused.sorted { $0.value.lastRequest < $1.value.lastRequest }.map(\.key)
      over += oldest.prefix(unused.count - maximumSpare)
    }
    await close(over)
  }

  private func close(_ keys: [Key]) async {
    for key in keys {
      guard let entry = entries.removeValue(forKey: key) else { continue }
      entry.preparation?.cancel()
      await entry.preparation?.value
      damage.add(await entry.reader.close(), in: entry.track)
    }
  }
}

extension SourceOrder {
  /// The source's track that it takes a frame of.
  fileprivate var track: MediaLosses.Track { MediaLosses.Track(source, .video, sourceTrackIndex) }
}
