internal import Compositor
public import Dispatch
public import Foundation

/// A track of a file that is written: pictures, or audio.
///
/// One thread at a time appends samples; several inputs may be used from several threads.
open class AVAssetWriterInput: NSObject {
  /// What is written.
  public let mediaType: AVMediaType
  /// How it is encoded.
  public let outputSettings: [String: Any]?
  /// The format of the samples; `nil` if it is not known before.
  public let sourceFormatHint: CMFormatDescription?
  /// Whether samples come as they are recorded. It has no effect: a program that is faster than the encoder sees
  /// ``isReadyForMoreMediaData`` become false.
  open var expectsMediaDataInRealTime = false
  /// How players turn the pictures: by quarter turns and mirroring.
  open var transform = CGAffineTransform.identity { willSet { requireNotStarted("transform") } }
  /// The size at which pictures are meant to be shown. It has no effect: it follows from the settings.
  open var naturalSize = CGSize.zero { willSet { requireNotStarted("naturalSize") } }
  /// The language as a code.
  open var languageCode: String? { willSet { requireNotStarted("languageCode") } }
  /// The language as a BCP 47 tag, which precedes the code.
  open var extendedLanguageTag: String? { willSet { requireNotStarted("extendedLanguageTag") } }
  /// What the track says about itself: a title. Other items are left out.
  open var metadata: [AVMetadataItem] = [] { willSet { requireNotStarted("metadata") } }
  /// Units per second of the track's times; 0 to choose them by those of the first pictures. It has no effect on audio.
  open var mediaTimeScale: CMTimeScale = 0 { willSet { requireNotStarted("mediaTimeScale") } }
  /// The volume at which the track is meant to be played. It has no effect.
  open var preferredVolume: Float = 1 { willSet { requireNotStarted("preferredVolume") } }
  /// Whether the track is shown or heard by default. It has no effect: all are.
  open var marksOutputTrackAsEnabled = true { willSet { requireNotStarted("marksOutputTrackAsEnabled") } }
  /// Whether samples may be asked for several times. It has no effect: see ``canPerformMultiplePasses``.
  open var performsMultiPassEncodingIfSupported = false {
    willSet { requireNotStarted("performsMultiPassEncodingIfSupported") }
  }
  private var engine: WriterEngine?
  private var index = 0
  private var source: CodedSource?
  /// The format of uncompressed samples that is known to be convertible.
  private var checkedFormat: AudioConverter.Format?

  /// An input of samples.
  ///
  /// - Parameters:
  ///   - mediaType: Pictures or audio.
  ///   - outputSettings: Of pictures codec, width and height at least; of audio format, rate and number of channels. `nil` for samples that
  ///     are written as they are: those that outputs without settings give.
  ///   - sourceFormatHint: The format of the samples, which gives size, rate and channels if settings do not. Files but QuickTime's need
  ///     it if there are no settings.
  public init(mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?) {
    (self.mediaType, self.outputSettings, self.sourceFormatHint) = (mediaType, outputSettings, sourceFormatHint)
    super.init()
    let values = SettingsValues(outputSettings ?? [:])
    guard outputSettings != nil, sourceFormatHint == nil else { return }
    let keys = mediaType == .video ? [AVVideoCodecKey, AVVideoWidthKey, AVVideoHeightKey] : [AVFormatIDKey]
    for key in keys { precondition(values.has(key), "The settings of an input of \(mediaType.rawValue) need \(key).") }
  }

  /// An input of samples whose format is not known before.
  public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
    self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
  }

  /// An input to ask whether settings apply.
  init(unchecked mediaType: AVMediaType, outputSettings: [String: Any]?) {
    (self.mediaType, self.outputSettings, sourceFormatHint) = (mediaType, outputSettings, nil)
    super.init()
  }

  var isAttached: Bool { engine != nil }
  var isStarted: Bool { engine.map { engine in engine.locked { engine.status == .writing } } ?? false }

  func attach(to engine: WriterEngine, at index: Int) { (self.engine, self.index) = (engine, index) }

  private func requireNotStarted(_ property: String) {
    precondition(
      engine.map { engine in engine.locked { engine.status == .unknown } } ?? true, "Set \(property) before the writer starts.")
  }

  /// The file that the hint's format was read from, which is opened once; `nil` if there is none.
  ///
  /// - Throws: Why it cannot be read.
  func hintedSource() throws(AVError) -> CodedSource? {
    if source == nil, let origin = sourceFormatHint?.origin as? CodedOrigin { source = try CodedSource(origin) }
    return source
  }

  private func settings() throws(AVError) -> [String: Any] {
    if let settings = outputSettings ?? uncompressedSettings { return settings }
    throw AVError(
      .formatUnsupported, "Samples are written as they are.", suggestion: "Pass outputSettings to AVAssetWriterInput.")
  }

  func videoSettings() throws(AVError) -> VideoInputSettings { try VideoInputSettings(try settings(), hint: sourceFormatHint) }
  func audioSettings() throws(AVError) -> AudioInputSettings { try AudioInputSettings(try settings(), hint: sourceFormatHint) }

  /// Whether samples can be appended without waiting. It does not depend on other inputs. After a failure of the writer it is true, so that
  /// a program learns of it: ``append(_:)`` gives false.
  open var isReadyForMoreMediaData: Bool { engine?.isReady(index) ?? false }

  /// Appends samples. If the input is not ready, the thread waits until it is.
  ///
  /// The buffer may be used again at once. The writer's session must have started.
  ///
  /// - Returns: False if the writer has failed, which the samples may have caused, or was canceled.
  @discardableResult
  open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    guard let engine else { preconditionFailure("Add the input to a writer before samples are appended.") }
    return engine.append(index) { () throws(AVError) in try item(of: sampleBuffer) }
  }

  func append(_ buffer: CVPixelBuffer, at time: CMTime) -> Bool {
    guard let engine else { preconditionFailure("Add the input to a writer before pictures are appended.") }
    return engine.append(index) { () throws(AVError) in
      try check(time)
      guard !isCopied else {
        throw AVError(.formatUnsupported, "Pictures cannot be written as they are. Pass outputSettings to AVAssetWriterInput.")
      }
      return .picture(try AppendedPicture(buffer), time, .invalid)
    }
  }

  private func check(_ time: CMTime) throws(AVError) {
    guard time.isNumeric else { throw AVError(.unknown, "A sample needs a time that is a number.") }
  }

  private func item(of sample: CMSampleBuffer) throws(AVError) -> WriterEngine.Item {
    try check(sample.presentationTimeStamp)
    guard CMSampleBufferMakeDataReady(sample) == 0 else { throw AVError(.unknown, "The data of a sample are not ready.") }
    if isCopied { return .coded(try coded(sample)) }
    if mediaType == .video {
      guard let buffer = sample.imageBuffer else {
        throw AVError(.formatUnsupported, "An input of pictures takes samples with a pixel buffer.")
      }
      return .picture(try AppendedPicture(buffer), sample.presentationTimeStamp, sample.duration)
    }
    guard let format = sample.formatDescription?.audioStreamBasicDescription.flatMap(PCMFormat.init),
      let channels = format.samples(of: sample)
    else { throw AVError(.formatUnsupported, "An input of audio takes samples that are not compressed.") }
    try checkConversion(from: AudioConverter.Format(sampleRate: format.sampleRate, channelCount: channels.count))
    return .audio(AppendedAudio(channels, sampleRate: format.sampleRate), sample.presentationTimeStamp)
  }

  /// Checks that samples of a format can be converted to that of the settings.
  ///
  /// - Throws: `.formatUnsupported` if they cannot be.
  private func checkConversion(from format: AudioConverter.Format) throws(AVError) {
    guard checkedFormat != format else { return }
    let encoding = try audioSettings().encoding
    _ = try AudioConversion(from: format, to: .init(sampleRate: encoding.sampleRate, channelCount: encoding.channelCount))
    checkedFormat = format
  }

  /// Says that no more samples come. The block of ``requestMediaDataWhenReady(on:using:)`` is not called any more, and released.
  open func markAsFinished() { engine?.finish(index) }

  /// Calls a block on a queue whenever the input is ready, until it is finished. The block appends samples as long as
  /// ``isReadyForMoreMediaData`` is true, and calls ``markAsFinished()`` when there are none any more.
  ///
  /// The block is called from the session's start on. A block that returns without a sample is called again some milliseconds later.
  @preconcurrency open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
    guard let engine else { preconditionFailure("Add the input to a writer before media data are requested.") }
    engine.request(index, WriterEngine.Request(queue: queue, block: block))
  }

  /// Calls a block on a serial queue whenever the input is ready, as the other call does.
  @preconcurrency
  public func requestMediaDataWhenReady(on queue: DispatchSerialQueue, using block: @escaping @Sendable () -> Void) {
    requestMediaDataWhenReady(on: queue.queue, using: block)
  }

  /// Whether samples will be asked for more than once: never here.
  open var canPerformMultiplePasses: Bool { false }
}
