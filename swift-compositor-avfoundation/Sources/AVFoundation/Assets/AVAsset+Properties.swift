internal import Foundation

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The latest end of a track.
  public static var duration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty("duration") { try $0.readDuration() } }
  /// The decodable tracks.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { AVAsyncProperty("tracks") { try $0.readTracks() } }
  /// The rate at which it is meant to be played.
  public static var preferredRate: AVAsyncProperty<Root, Float> { read("preferredRate") { $0.preferredRate } }
  /// The volume at which it is meant to be played.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { read("preferredVolume") { $0.preferredVolume } }
  /// The transform that it is meant to be shown with.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    read("preferredTransform") { $0.preferredTransform }
  }
  /// Whether there is a track to play.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { read("isPlayable") { $0.isPlayable } }
  /// Whether there is a track to export.
  public static var isExportable: AVAsyncProperty<Root, Bool> { read("isExportable") { $0.isExportable } }
  /// Whether there is a track to read.
  public static var isReadable: AVAsyncProperty<Root, Bool> { read("isReadable") { $0.isReadable } }
  /// Whether its tracks can be inserted into a composition.
  public static var isComposable: AVAsyncProperty<Root, Bool> { read("isComposable") { $0.isComposable } }
  /// Whether it is protected.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    read("hasProtectedContent") { $0.hasProtectedContent }
  }
  /// Whether its times are exact.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    read("providesPreciseDurationAndTiming") { $0.providesPreciseDurationAndTiming }
  }

  /// A property that is known when the tracks are.
  private static func read<Value>(_ key: String, _ value: @escaping (Root) -> Value) -> AVAsyncProperty<Root, Value> {
    AVAsyncProperty(key) { root in
      _ = try root.readTracks()
      return value(root)
    }
  }
}

extension AVPartialAsyncProperty where Root: AVComposition {
  /// The tracks.
  public static var tracks: AVAsyncProperty<Root, [AVCompositionTrack]> {
    AVAsyncProperty("tracks") { $0.compositionTracks }
  }
}

extension AVPartialAsyncProperty where Root: AVMutableComposition {
  /// The tracks.
  public static var tracks: AVAsyncProperty<Root, [AVMutableCompositionTrack]> {
    AVAsyncProperty("tracks") { $0.compositionTracks.compactMap { $0 as? AVMutableCompositionTrack } }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// The range of the asset's time in which the track has media.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty("timeRange") { $0.timeRange } }
  /// The size of the pictures.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty("naturalSize") { $0.naturalSize } }
  /// The transform that turns the pictures upright.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty("preferredTransform") { $0.preferredTransform }
  }
  /// Frames per second.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty("nominalFrameRate") { $0.nominalFrameRate }
  }
  /// Bits per second, on average.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty("estimatedDataRate") { $0.estimatedDataRate }
  }
  /// The shortest time between two frames.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty("minFrameDuration") { $0.minFrameDuration }
  }
  /// Units per second in which times can be stated exactly.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty("naturalTimeScale") { $0.naturalTimeScale }
  }
  /// Whether the track is shown or heard.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty("isEnabled") { $0.isEnabled } }
  /// The volume at which it is meant to be played.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { AVAsyncProperty("preferredVolume") { $0.preferredVolume } }
  /// The language as a BCP 47 tag.
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
    AVAsyncProperty("extendedLanguageTag") { $0.extendedLanguageTag }
  }
  /// The language as a code of three letters.
  public static var languageCode: AVAsyncProperty<Root, String?> { AVAsyncProperty("languageCode") { $0.languageCode } }
  /// The parts of media that the track consists of.
  public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> { AVAsyncProperty("segments") { $0.readSegments() } }
}
