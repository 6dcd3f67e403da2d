public import CompositorAPI

/// A thumbnail of a video track, and its time.
public struct DiagramThumbnail: Hashable, Sendable {
  /// The track under which the thumbnail is drawn.
  public var trackID: TrackID
  /// The composition time at its left edge.
  public var time: MediaTime
  /// The size of the image in pixels.
  public var size: Size
  /// The image, as a PNG or JPEG file.
  public var picture: DiagramImage

  /// Creates a thumbnail.
  public init(trackID: TrackID, time: MediaTime, size: Size, picture: DiagramImage) {
    self.trackID = trackID
    self.time = time
    self.size = size
    self.picture = picture
  }
}

/// The level of an audio track over time: the peak magnitude in each of equal intervals.
public struct DiagramWaveform: Hashable, Sendable {
  /// The composition time of the start of the first interval.
  public var start: MediaTime
  /// The length of an interval in seconds, > 0.
  public var secondsPerPeak: Double
  /// Peak magnitudes; 1 is full scale.
  public var peaks: [Float]

  /// Creates a waveform from peaks.
  public init(start: MediaTime = .zero, secondsPerPeak: Double, peaks: [Float]) {
    self.start = start
    self.secondsPerPeak = secondsPerPeak
    self.peaks = peaks
  }

  /// The largest peak in each visible user unit.
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
