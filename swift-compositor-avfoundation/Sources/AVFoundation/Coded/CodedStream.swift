internal import Compositor
internal import Foundation
internal import Synchronization

/// Samples of a track as they are stored, in decoding order.
final class CodedStream: SampleStream {
  private let source: CodedSource
  private let format: CMFormatDescription
  /// What is to be shown or heard; `nil` for everything that the track has.
  private let range: TimeRange?
  private let state = Mutex(State())

  private struct State {
    var isCanceled = false
    var isAtEnd = false
  }

  /// - Parameter range: What is asked for; samples before it are given as far as decoding needs them.
  /// - Throws: Why the track cannot be read.
  init(_ source: CodedSource, format: CMFormatDescription, in range: TimeRange?) throws(AVError) {
    (self.source, self.format, self.range) = (source, format, range)
    guard let range, range.start > .zero else { return }
    try source.use { (reader) throws(CompositorError) in try reader.seek(to: range.start, of: source.origin.track) }
  }

  func next() async throws -> CMSampleBuffer? {
    guard !state.withLock({ $0.isCanceled || $0.isAtEnd }) else { return nil }
    while let sample = try source.use({ (reader) throws(CompositorError) in try reader.next() }) {
      guard let time = sample.presentationTime else {
        throw AVError(
          .operationNotSupportedForAsset, "A sample of \(source.origin.path) has no time.",
          suggestion: "Pass settings to AVAssetReaderTrackOutput, so that samples are decoded.")
      }
      guard let range else { return try buffer(sample, at: time) }
      // Samples that are shown earlier follow up to the one that is decoded at the end.
      if (sample.decodeTime ?? time) >= range.end { break }
      let isAudio = source.origin.track.mediaType == .audio
      if isAudio, range.start > .zero ? time + sample.duration <= range.start : false { continue }
      return try buffer(sample, at: time)
    }
    state.withLock { $0.isAtEnd = true }
    return nil
  }

  private func buffer(_ sample: CodedSample, at time: MediaTime) throws -> CMSampleBuffer {
    let block = try CMBlockBuffer(length: sample.byteCount)
    try sample.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    let isPCM = format.mediaSubType == .linearPCM
    let frame = isPCM ? Int(format.audioStreamBasicDescription?.mBytesPerFrame ?? 0) : 0
    let count = frame > 0 ? sample.byteCount / frame : 1
    let rate = format.audioStreamBasicDescription.map { CMTimeScale($0.mSampleRate) } ?? 1
    let timing = CMSampleTimingInfo(
      duration: frame > 0 ? CMTime(value: 1, timescale: rate) : sample.duration > .zero ? CMTime(sample.duration) : .invalid,
      presentationTimeStamp: CMTime(time),
      decodeTimeStamp: format.mediaType == .video ? sample.decodeTime.map { CMTime($0) } ?? .invalid : .invalid)
    let made = try CMSampleBuffer(
      dataBuffer: block, formatDescription: format, numSamples: count, sampleTimings: [timing],
      sampleSizes: [frame > 0 ? frame : sample.byteCount])
    made.origin = CodedPayload(sample: sample, source: source)
    let isShown = !sample.isHidden && range.map { time < $0.end && time + sample.duration > $0.start } ?? true
    if format.mediaType == .video { attach(to: made, isKeyFrame: sample.isKeyFrame, isShown: isShown) }
    return made
  }

  private func attach(to buffer: CMSampleBuffer, isKeyFrame: Bool, isShown: Bool) {
    guard !isKeyFrame || !isShown,
      let values = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true)?.firstObject
        as? NSMutableDictionary
    else { return }
    if !isKeyFrame {
      values[kCMSampleAttachmentKey_NotSync] = NSNumber(value: true)
      values[kCMSampleAttachmentKey_DependsOnOthers] = NSNumber(value: true)
    }
    if !isShown { values[kCMSampleAttachmentKey_DoNotDisplay] = NSNumber(value: true) }
  }

  func cancel() { state.withLock { $0.isCanceled = true } }
  func close() async { cancel() }
}

extension AVAssetReaderTrackOutput {
  /// What makes a stream of samples as they are stored.
  ///
  /// - Throws: `.operationNotSupportedForAsset` for tracks that are not those of a file.
  func codedOpener(for asset: AVAsset) throws(AVError) -> @Sendable (CMTimeRange) throws -> any SampleStream {
    guard let source = try asset.readTracks().first(where: { $0.trackID == track.trackID })?.source,
      let format = CMFormatDescription.of(CodedTrack(source.type, source.index), source.facts),
      let origin = format.origin as? CodedOrigin
    else {
      throw AVError(
        .operationNotSupportedForAsset, "Samples of a composition cannot be read as they are stored.",
        suggestion: "Read the assets that it consists of, or pass settings such as kCVPixelBufferPixelFormatTypeKey.")
    }
    return { range in
      let all = range.start <= .zero && !range.duration.isNumeric
      let cut = range.media.intersection(source.timeRange)
      guard all || cut.isNumeric && !cut.isEmpty else {
        throw AVError(.operationNotSupportedForAsset, "Track \(source.id) has nothing in the reader's time range.")
      }
      return try CodedStream(try CodedSource(origin), format: format, in: all ? nil : cut)
    }
  }
}
