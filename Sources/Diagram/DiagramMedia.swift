public import CompositorAPI

/// A picture of a video track at a time.
public struct DiagramThumbnail: Hashable, Sendable {
  /// The track that it is drawn below.
  public var trackID: TrackID
  /// The composition time at which it begins.
  public var time: MediaTime
  /// Its size in pixels.
  public var size: Size
  /// The file.
  public var picture: DiagramPicture

  /// A picture of a video track at a time.
  public init(trackID: TrackID, time: MediaTime, size: Size, picture: DiagramPicture) {
    self.trackID = trackID
    self.time = time
    self.size = size
    self.picture = picture
  }
}

/// How loud an audio track is over time: the largest magnitude in each of equal stretches.
public struct DiagramWaveform: Hashable, Sendable {
  /// The composition time at which the first stretch begins.
  public var start: MediaTime
  /// The length of a stretch in seconds, > 0.
  public var secondsPerPeak: Double
  /// Largest magnitudes, 1 for full scale.
  public var peaks: [Float]

  /// A waveform of peaks.
  public init(start: MediaTime = .zero, secondsPerPeak: Double, peaks: [Float]) {
    self.start = start
    self.secondsPerPeak = secondsPerPeak
    self.peaks = peaks
  }

  /// The largest peak in each user unit that is shown.
  func peaks(on scale: DiagramScale) -> [(x: Double, peak: Double)] {
    let first = start.seconds
    guard first.isFinite, secondsPerPeak > 0, secondsPerPeak.isFinite else { return [] }
    let columns = Int(scale.x1 - scale.x0)
    let step = scale.duration / Double(max(1, columns))
    return (0..<columns).compactMap { column in
      let from = scale.start + Double(column) * step
      let low = ((from - first) / secondsPerPeak).rounded(.down)
      let high = max(low + 1, ((from + step - first) / secondsPerPeak).rounded(.up))
      guard high > 0, low < Double(peaks.count) else { return nil }
      let slice = peaks[max(0, Int(low))..<min(peaks.count, Int(min(high, Double(peaks.count))))]
      return (scale.x0 + Double(column) + 0.5, Double(slice.max() ?? 0))
    }
  }
}
