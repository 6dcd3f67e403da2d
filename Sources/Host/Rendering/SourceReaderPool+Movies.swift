import CompositorAPI
import CompositorMediaIO
import CompositorOverlay
import CompositorValidation

/// A request for a frame of a movie in titles.
struct MovieRequest: Sendable {
  let shot: MovieShot
  /// The movie.
  let movie: TitleMovie
  /// The media time to show.
  let mediaTime: MediaTime
  /// The titles that show it.
  let titles: TitleOverlay

  /// The track of the media.
  var track: MediaLosses.Track { MediaLosses.Track(movie.source, .video, movie.info.index) }
}

/// Movies in titles. Each movie has as many decoders as there are times that advance in it, such as those of a replicator's
/// copies, which show the same movie with delays. Frames don't depend on the decoder used.
extension SourceReaderPool {
  /// The number of media seconds up to which decoding is faster than seeking.
  private static let longestStep = 2.0

  /// The frames of movies, read concurrently from separate decoders. A movie without a frame is absent.
  func movieFrames(
    for requests: [MovieRequest], at time: MediaTime
  ) async -> Result<[MovieShot: MovieFrame], CompositorError> {
    let keys = lanes(for: requests)
    let readers = zip(requests, keys).map { ($0, movieReader($0, $1)) }
    for (request, key) in zip(requests, keys) {
      entries[key]?.userCount += 1
      entries[key]?.position = request.mediaTime
    }
    defer { for key in keys { entries[key]?.userCount -= 1 } }
    let results = await withTaskGroup(of: (MovieRequest, Result<MovieFrame?, CompositorError>).self) { group in
      for (request, reader) in readers {
        group.addTask { (request, await SourceReaderPool.fetch(request, from: reader, time: time)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return Result { () throws(CompositorError) in
      var frames: [MovieShot: MovieFrame] = [:]
      for (request, result) in results { frames[request.shot] = try keeping(request.track, result) }
      return frames
    }
  }

  /// Opens the decoders of movies that are shown soon, within the limits.
  func prefetchMovies(_ requests: [MovieRequest]) {
    for request in requests {
      let known = entries.keys.filter { $0.movie == request.track }
      for key in known { entries[key]?.lastRequest = requestCount }
      guard known.isEmpty, spareCount < retention.maximumSpare else { continue }
      let key = Key(owner: .movie(request.track))
      let reader = movieReader(request, key)
      entries[key]?.position = request.mediaTime
      entries[key]?.preparation = Task(executorPreference: threads) { await reader.prepare(at: request.mediaTime) }
    }
  }

  /// A decoder for each request: the one whose position is the nearest before its time, otherwise an unused one, which seeks,
  /// otherwise a new one.
  private func lanes(for requests: [MovieRequest]) -> [Key] {
    var result = [Key?](repeating: nil, count: requests.count)
    var taken: [Key: MediaTime] = [:]
    for (index, request) in requests.enumerated() {
      let best = entries.compactMap { key, entry -> (key: Key, step: Double)? in
        guard key.movie == request.track, let position = entry.position else { return nil }
        guard taken[key] == nil || taken[key] == request.mediaTime else { return nil }
        let step = (request.mediaTime - position).seconds
        return step >= 0 && step <= Self.longestStep ? (key, step) : nil
      }.min { ($0.step, $0.key.lane) < ($1.step, $1.key.lane) }
      guard let best else { continue }
      (result[index], taken[best.key]) = (best.key, request.mediaTime)
    }
    for (index, request) in requests.enumerated() where result[index] == nil {
      let shared = taken.first { $0.key.movie == request.track && $0.value == request.mediaTime }?.key
      let free = entries.keys.filter { $0.movie == request.track && taken[$0] == nil }.min { $0.lane < $1.lane }
      var key = shared ?? free ?? Key(owner: .movie(request.track))
      if shared == nil, free == nil { while entries[key] != nil || taken[key] != nil { key.lane += 1 } }
      (result[index], taken[key]) = (key, request.mediaTime)
    }
    return result.compactMap { $0 }
  }

  private func movieReader(_ request: MovieRequest, _ key: Key) -> SourceReader {
    let kept = request.movie.playsBackwards ? TitleMovie.backwardsByteCount : 0
    return reader(for: key, of: request.track, keptByteCount: kept)
  }

  private static func fetch(
    _ request: MovieRequest, from reader: SourceReader, time: MediaTime
  ) async -> Result<MovieFrame?, CompositorError> {
    do throws(CompositorError) {
      let shown = try await reader.frame(at: request.mediaTime)
      return .success(shown.map { MovieFrame($0.frame.frame, preferredTransform: $0.transform) })
    } catch {
      let place = ErrorLocation(
        file: request.movie.source.description, path: request.titles.path(ofMovie: request.shot.content), time: time)
      return .failure(error.locating(place))
    }
  }
}
