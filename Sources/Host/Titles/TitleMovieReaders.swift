import CompositorAPI
import CompositorMediaIO
import CompositorOverlay

/// The decoders of the movies of titles that are media themselves. They belong to the titles' reader, and run on its thread.
final class TitleMovieReaders {
  private struct Lane {
    let reader: any VideoReader
    /// The media time that it was last asked for.
    var position: MediaTime
    /// The round in which that was.
    var round: Int
  }

  private let movies: [TitleMovie.Key: TitleMovie]
  private let options: VideoReaderOptions
  private var lanes: [TitleMovie.Key: [Lane]] = [:]
  private var round = 0
  /// Decoders that were closed.
  private var closed: (damage: [MediaDamage], decodedCount: Int) = ([], 0)
  /// Rounds after which a decoder that nobody asks is closed.
  private static let restingRounds = 64

  init(_ movies: [TitleMovie.Key: TitleMovie], options: VideoReaderOptions) {
    (self.movies, self.options) = (movies, options)
  }

  var isEmpty: Bool { movies.isEmpty }
  var damage: [MediaDamage] { closed.damage + lanes.values.joined().flatMap(\.reader.damage) }
  var decodedCount: Int { lanes.values.joined().reduce(closed.decodedCount) { $0 + $1.reader.decodedCount } }

  /// The frames of movies; one that has none is absent.
  func frames(for shots: [MovieShot]) throws(CompositorError) -> [MovieShot: MovieFrame] {
    round += 1
    var frames: [MovieShot: MovieFrame] = [:]
    for shot in shots {
      let key = TitleMovie.Key(shot.content)
      guard let movie = movies[key] else { continue }
      do throws(CompositorError) {
        let reader = try reader(of: movie, key, at: movie.mediaTime(of: shot))
        let decoded = try reader.frame(at: movie.mediaTime(of: shot))
        frames[shot] = decoded.map { MovieFrame($0.frame, preferredTransform: reader.info.preferredTransform) }
      } catch {
        throw error.locating(ErrorLocation(file: movie.source.description))
      }
    }
    closeResting()
    return frames
  }

  /// The decoder that stands nearest before a time; else one that was not asked in this round; else a new one.
  private func reader(of movie: TitleMovie, _ key: TitleMovie.Key, at time: MediaTime) throws(CompositorError)
    -> any VideoReader
  {
    let known = lanes[key] ?? []
    let nearest = known.indices.filter { known[$0].position <= time && (known[$0].round < round || known[$0].position == time) }
      .max { known[$0].position < known[$1].position }
    let near = nearest.flatMap { (time - known[$0].position).seconds <= 2 ? $0 : nil }
    guard let index = near ?? known.firstIndex(where: { $0.round < round }) else {
      let opened = try movie.open(movie.options(options))
      lanes[key, default: []].append(Lane(reader: opened, position: time, round: round))
      return opened
    }
    lanes[key]?[index].position = time
    lanes[key]?[index].round = round
    return known[index].reader
  }

  private func closeResting() {
    for key in lanes.keys {
      lanes[key]?.removeAll { lane in
        guard lane.round < round - Self.restingRounds else { return false }
        closed.damage += lane.reader.damage
        closed.decodedCount += lane.reader.decodedCount
        return true
      }
    }
  }
}
