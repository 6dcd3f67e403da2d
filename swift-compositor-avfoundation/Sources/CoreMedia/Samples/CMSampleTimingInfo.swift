/// When a sample is decoded and presented, and for how long.
public struct CMSampleTimingInfo: Sendable {
  /// The duration of each sample.
  public var duration: CMTime
  /// When the sample is presented.
  public var presentationTimeStamp: CMTime
  /// When the sample is decoded; invalid if samples are in the order in which they are presented.
  public var decodeTimeStamp: CMTime

  /// Times at 0 with a time scale of 0, which are invalid.
  public init() { self.init(duration: CMTime(), presentationTimeStamp: CMTime(), decodeTimeStamp: CMTime()) }

  /// Timing of these values.
  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  /// Times that are all invalid.
  public static let invalid = CMSampleTimingInfo(
    duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
}

/// Times that are all invalid.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid

/// There is no memory.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// An argument is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer has data.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data are not ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// There is no such sample.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The buffer does not know the sizes of its samples.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The buffer does not know the times of its samples.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The array is too short.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of entries is neither 0, nor 1, nor that of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The buffer cannot be divided.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// Times contradict each other.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The media are not of the kind that the call needs.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data are not what the format says.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format does not fit the data.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The data could not be made.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// The data were canceled.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751
