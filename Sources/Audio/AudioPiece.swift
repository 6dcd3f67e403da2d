import CompositorAPI

/// A segment of an audio track, in samples of the mix.
struct AudioPiece {
  let source: MediaSource
  let trackIndex: Int
  /// Where it plays, in samples from composition time 0.
  let range: Range<Int64>
  /// Media seconds per second of the mix.
  let speed: Double
  /// What has to be added to a sample of the mix to get the reader's.
  let offset: Int64

  /// nil for what makes no sound: empty segments, still time, pieces shorter than half a sample.
  init?(_ segment: CompositionTrackSegment, sampleRate: Int) {
    let (mapping, unit) = (segment.timeMapping, Rational(1, sampleRate))
    guard let source = segment.source, mapping.isValid, !mapping.isEmptyEdit, mapping.target.start.isNumeric else { return nil }
    let start = mapping.target.start.rounded(toUnitsOf: unit)
    let end = mapping.target.end.isNumeric ? mapping.target.end.rounded(toUnitsOf: unit) : .max
    guard start < end, mapping.rate > 0, mapping.source.start.isNumeric else { return nil }
    self.source = source
    trackIndex = segment.sourceTrackIndex
    range = start..<end
    speed = mapping.rate
    offset = AudioPiece.offset(mapping, speed: speed, sampleRate: sampleRate)
  }

  private static func offset(_ mapping: TimeMapping, speed: Double, sampleRate: Int) -> Int64 {
    if speed == 1 { return (mapping.source.start - mapping.target.start).rounded(toUnitsOf: Rational(1, sampleRate)) }
    let samples = (mapping.source.start.seconds / speed - mapping.target.start.seconds) * Double(sampleRate)
    return Int64(exactly: samples.rounded()) ?? 0
  }
}
