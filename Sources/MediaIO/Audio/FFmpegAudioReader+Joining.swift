import CompositorAPI

/// Samples of a neighboring file that belong to positions beyond an end of this one.
struct AudioNeighbor {
  /// The positions of the samples.
  let range: Range<Int64>
  let samples: AudioBlock

  /// Copies what overlaps a range to the channels, which hold that range.
  func fill(_ wanted: Range<Int64>, _ channels: [UnsafeMutablePointer<Float>]) {
    let common = range.clamped(to: wanted)
    guard !common.isEmpty else { return }
    for (target, source) in zip(channels, samples.channels) {
      (target + Int(common.lowerBound - wanted.lowerBound)).update(
        from: source + Int(common.lowerBound - range.lowerBound), count: common.count)
    }
  }
}

/// Files that continue each other.
extension FFmpegAudioReader {
  var joiningReach: Int {
    guard let resampler else { return 0 }
    let ratio = options.inputSamplesPerOutputSample(sourceRate: decoder.sampleRate).value
    return Int((Double(resampler.reach + 2) / ratio).rounded(.up))
  }

  /// Number of samples beyond an end that a neighbor provides for resampling.
  private var reach: Int64 { Int64((resampler?.reach ?? 0) + 1) }

  func join(_ next: any JoinableAudioReader, at end: MediaTime, from start: MediaTime) throws(CompositorError) {
    guard let next = next as? FFmpegAudioReader, resampler != nil, next.resampler != nil, start == .zero,
      next.decoder.sampleRate == decoder.sampleRate, next.options.channelCount == options.channelCount
    else { return }
    let seam = end.rounded(toUnitsOf: Rational(1, decoder.sampleRate))
    // One more sample, so that the decoder reaches its end.
    let size = max(reach, next.reach)
    let last = try copy(seam - size..<seam + 1)
    guard decoder.contentEnd == seam, MediaTime(value: seam, timescale: Int32(decoder.sampleRate)) == end else { return }
    next.preceding = AudioNeighbor(range: -size..<0, samples: last)
    following = AudioNeighbor(range: seam..<seam + size, samples: try next.copy(0..<size))
  }

  func continueRecording(
    in next: any JoinableAudioReader, at end: MediaTime, from start: MediaTime
  ) throws(CompositorError) -> Bool {
    guard let next = next as? FFmpegAudioReader, next.decoder.sampleRate == decoder.sampleRate,
      next.options.sampleRate == options.sampleRate, next.options.channelCount == options.channelCount,
      end.isNumeric, start.isNumeric
    else { return false }
    let unit = Rational(1, decoder.sampleRate)
    // This file may itself continue another one, at positions that are shifted.
    let (seam, begin) = (end.rounded(toUnitsOf: unit) + shift, start.rounded(toUnitsOf: unit))
    let limit = Int64(decoder.sampleRate) / 2
    guard abs(info.timeRange.end.rounded(toUnitsOf: unit) - seam) < limit else { return false }
    // Everything to the end, so that the decoder's last packets are those of the file.
    let head = try copy(seam - limit..<seam + limit)
    guard let last = decoder.decodedEnd, let first = try next.decoder.begin(after: decoder) else { return false }
    // The end of this file's samples and the beginning of the other's, both from the seam, are one place in a recording.
    let difference = (seam - last) - (begin - first)
    let tolerance = Int64(decoder.sampleRate / 500)
    guard abs(difference) <= tolerance, abs(begin - first) < limit, last > seam - limit else {
      try next.decoder.startOver(after: nil)
      return false
    }
    next.shift = difference
    let before = first - (last - seam + limit)
    next.preceding = AudioNeighbor(range: before..<first, samples: head)
    following = AudioNeighbor(range: last..<last + limit, samples: try next.copy(first..<first + limit))
    return true
  }

  private func copy(_ range: Range<Int64>) throws(CompositorError) -> AudioBlock {
    let block = AudioBlock(channelCount: options.channelCount, capacity: range.count)
    try decoder.copy(from: range.lowerBound, count: range.count, into: block.channels, isAhead: true)
    return block
  }

  /// Writes the neighbors' samples into the part of a range that is outside of the file.
  func fillBeyondEnds(_ range: Range<Int64>, _ channels: [UnsafeMutablePointer<Float>]) {
    preceding?.fill(range, channels)
    following?.fill(range, channels)
  }
}
