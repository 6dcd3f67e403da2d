import CompositorAPI
import CompositorMediaIO
import CompositorOverlay
import CompositorValidation

/// The decoders of the movies in titles that are themselves used as media (`TitleMedia`). They belong to the titles' reader and
/// run on its thread.
final class TitleMovieReaders {
  private struct Lane {
    let reader: any VideoReader
    /// The media time of the last request.
    var position: MediaTime
    /// The number of the last call of `frames(for:)` that used the decoder.
    var round: Int
  }

  private let movies: [TitleMovie.Key: TitleMovie]
  private let options: VideoReaderOptions
  private var lanes: [TitleMovie.Key: [Lane]] = [:]
  private var round = 0
  /// The damage and frame counts of closed decoders.
  private var closed: (damage: [MediaDamage], decodedCount: Int) = ([], 0)
  /// The number of rounds after which an unused decoder is closed.
  private static let restingRounds = 64

  init(_ movies: [TitleMovie.Key: TitleMovie], options: VideoReaderOptions) {
    (self.movies, self.options) = (movies, options)
  }

  var isEmpty: Bool { movies.isEmpty }
  var damage: [MediaDamage] { closed.damage + lanes.values.joined().flatMap(\.reader.damage) }
  var decodedCount: Int { lanes.values.joined().reduce(closed.decodedCount) { $0 + $1.reader.decodedCount } }

  /// The frames that `shots` need. A shot without a frame is absent.
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

  /// The decoder with the nearest position up to two seconds before `time`; otherwise, one that is unused in this round;
  /// otherwise, a new one.
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
