import CompositorAPI
import CompositorMediaIO
import CompositorValidation

extension SourceReaderPool {
  /// What a decoder is for.
  struct Key: Hashable {
    /// The use of a decoder.
    enum Owner: Hashable {
      case track(TrackID, use: Int)
      case movie(MediaLosses.Track)
    }
    let owner: Owner
    /// 0 for frames at and near the request's time. Frames at a distance of a multiple of `nearFrames` use the decoder of
    /// that number, which advances alongside the first.
    var lane = 0
    /// The view that the decoder gives.
    var view = StereoView.mono

    /// The media track that a movie in titles shows.
    var movie: MediaLosses.Track? { if case .movie(let track) = owner { track } else { nil } }
  }

  /// An open decoder, or one that is opened when it is first read.
  struct Entry {
    let reader: SourceReader
    let track: MediaLosses.Track
    let threadCount: Int
    /// Bytes of one of its frames.
    let pictureByteCount: Int
    var preparation: Task<Void, Never>?
    /// Whether it is open and waiting for its segment to begin.
    var isAhead = false
    /// Whether a frame couldn't be read.
    var hasFailed = false
    var lastRequest: Int
    /// The number of requests in progress. The reader isn't closed unless it is 0.
    var userCount = 0
    /// The media time of the last request for a movie.
    var position: MediaTime?
  }
}

extension SourceOrder {
  /// The source's track that it takes a frame of.
  var track: MediaLosses.Track { MediaLosses.Track(source, .video, sourceTrackIndex) }

  func key(lane: Int = 0) -> SourceReaderPool.Key {
    SourceReaderPool.Key(owner: .track(trackID, use: use), lane: lane, view: view)
  }
}
