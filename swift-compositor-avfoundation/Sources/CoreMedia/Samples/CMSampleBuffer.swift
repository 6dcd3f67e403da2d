public import CoreVideo
internal import Foundation

/// Makes the data of a buffer ready when they are asked for; 0 if it succeeded.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus

/// Called when a buffer is invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void

/// Samples of a stream, with their format and their times: a picture, audio, or compressed media.
///
/// A buffer equals only itself. It may be passed to other threads; one thread at a time may change it.
public final class CMSampleBuffer: Hashable, @unchecked Sendable, CoreFoundationType {
  /// What a buffer is made of.
  struct Parts {
    var dataBuffer: CMBlockBuffer?
    var imageBuffer: CVImageBuffer?
    var format: CMFormatDescription?
    var sampleCount: Int
    /// None, one for all samples, or one for each.
    var timings: [CMSampleTimingInfo]
    /// None, one for all samples, or one for each.
    var sizes: [Int]
    var isReady = true
    var makeReady: (CMSampleBufferMakeDataReadyCallback, UnsafeMutableRawPointer?)?
    /// What a reader knows of a coded sample beside its bytes, which a writer needs.
    var origin: (any Sendable)?
  }

  private let lock = NSRecursiveLock()
  private var state: Parts
  private var invalid = false
  private var handler: CMSampleBufferInvalidateHandler?
  private var outputTime: CMTime?
  private var sampleAttachmentList: NSArray?
  let attachmentTable = AttachmentTable()
  package static let typeNumber: CFTypeID = 305

  init(_ parts: Parts) { state = parts }

  /// Whether both are the same buffer.
  public static func == (left: CMSampleBuffer, right: CMSampleBuffer) -> Bool { left === right }
  /// Different buffers have different hashes, as a rule.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// What the buffer is made of. Buffers that are invalid have neither data nor a picture.
  var parts: Parts { lock.withLock { state } }

  func update<Result>(_ change: (inout Parts) -> Result) -> Result { lock.withLock { change(&state) } }

  /// What a reader knows of a coded sample beside its bytes. Copies at other times have it, too.
  package var origin: (any Sendable)? {
    get { parts.origin }
    set { update { $0.origin = newValue } }
  }

  /// The times of the samples: none, one for all, or one for each.
  package var timings: [CMSampleTimingInfo] { parts.timings }

  /// The bytes of the samples; `nil` if there are none.
  public var dataBuffer: CMBlockBuffer? { parts.dataBuffer }
  /// The picture; `nil` if it is none.
  public var imageBuffer: CVImageBuffer? { parts.imageBuffer }
  /// The format; `nil` if there are no media.
  public var formatDescription: CMFormatDescription? { parts.format }
  /// The number of samples. An uncompressed sample of audio is one of each channel.
  public var numSamples: Int { parts.sampleCount }
  /// Whether the data are there.
  public var dataReadiness: Bool { parts.isReady }
  /// Whether the data are there.
  public var isDataReady: Bool { parts.isReady }
  /// Whether the buffer was not invalidated.
  public var isValid: Bool { lock.withLock { !invalid } }

  /// When the first sample is presented; invalid if it is not known.
  public var presentationTimeStamp: CMTime {
    let times = parts.timings.map(\.presentationTimeStamp)
    return times.dropFirst().reduce(times.first ?? .invalid) { CMTimeMinimum($0, $1) }
  }
  /// When the first sample is decoded; invalid if that is when it is presented.
  public var decodeTimeStamp: CMTime { parts.timings.first?.decodeTimeStamp ?? .invalid }

  /// The duration of all samples; invalid if it is not known.
  public var duration: CMTime {
    let parts = parts
    guard let first = parts.timings.first else { return .invalid }
    if parts.timings.count == 1 { return CMTimeMultiply(first.duration, multiplier: Int32(clamping: parts.sampleCount)) }
    return parts.timings.dropFirst().reduce(first.duration) { $0 + $1.duration }
  }

  /// When the first sample is presented in the end: that which was set, else ``presentationTimeStamp``.
  public var outputPresentationTimeStamp: CMTime {
    get { lock.withLock { outputTime } ?? presentationTimeStamp }
    set { lock.withLock { outputTime = newValue.isValid ? newValue : nil } }
  }
  /// When the first sample is decoded in the end.
  public var outputDecodeTimeStamp: CMTime { decodeTimeStamp }
  /// How long all samples last in the end.
  public var outputDuration: CMTime { duration }

  /// The bytes of all samples; 0 if their sizes are not known.
  public var totalSampleSize: Int {
    let parts = parts
    return parts.sizes.count == 1 ? parts.sizes[0] * parts.sampleCount : parts.sizes.reduce(0, +)
  }

  /// Makes the data ready, if they are not.
  ///
  /// - Throws: What the program's callback gave.
  public func makeDataReady() throws { try check(CMSampleBufferMakeDataReady(self)) }

  /// Says that the data are there.
  public func setDataReady() { update { $0.isReady = true } }

  /// Releases data and picture, and calls what was set to be called then.
  ///
  /// - Throws: Nothing: the declaration is that of Apple's systems.
  public func invalidate() throws {
    let handler = lock.withLock { () -> CMSampleBufferInvalidateHandler? in
      guard !invalid else { return nil }
      invalid = true
      (state.dataBuffer, state.imageBuffer, state.makeReady) = (nil, nil, nil)
      defer { self.handler = nil }
      return self.handler
    }
    handler?(self)
  }

  /// Sets what is called when the buffer is invalidated.
  public func setInvalidateHandler(_ invalidateHandler: @escaping CMSampleBufferInvalidateHandler) {
    lock.withLock { handler = invalidateHandler }
  }

  /// Dictionaries of the samples, one for each, which are made if `creating`; `nil` if there are none.
  func sampleAttachmentDictionaries(creating: Bool) -> NSArray? {
    lock.withLock {
      if sampleAttachmentList == nil, creating {
        sampleAttachmentList = DictionaryList(count: state.sampleCount)
      }
      return sampleAttachmentList
    }
  }
}

/// The type of sample buffers.
public func CMSampleBufferGetTypeID() -> CFTypeID { CMSampleBuffer.typeNumber }
