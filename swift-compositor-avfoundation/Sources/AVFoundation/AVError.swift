internal import Compositor
public import Foundation

/// The domain of this framework's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// What went wrong. On Apple's systems errors of this domain are bridged from `NSError`; here they are values of this type everywhere.
public struct AVError: Error, Hashable, CustomNSError, LocalizedError {
  /// A kind of error.
  public enum Code: Int, Sendable {
    /// Anything else.
    case unknown = -11800
    /// Too little memory.
    case outOfMemory = -11801
    /// The disk is full.
    case diskFull = -11807
    /// The file would be too large.
    case maximumFileSizeReached = -11811
    /// Media could not be decoded.
    case decodeFailed = -11821
    /// The file exists.
    case fileAlreadyExists = -11823
    /// Segments of a track leave a gap.
    case compositionTrackSegmentsNotContiguous = -11824
    /// A segment has an impossible duration.
    case invalidCompositionTrackSegmentDuration = -11825
    /// A segment begins before its media.
    case invalidCompositionTrackSegmentSourceStartTime = -11826
    /// A segment takes nothing of its media.
    case invalidCompositionTrackSegmentSourceDuration = -11827
    /// The format of the file is not known.
    case fileFormatNotRecognized = -11828
    /// The file cannot be read.
    case fileFailedToParse = -11829
    /// There is no picture at the time.
    case noImageAtTime = -11832
    /// There is no decoder.
    case decoderNotFound = -11833
    /// There is no encoder.
    case encoderNotFound = -11834
    /// The asset does not support the operation.
    case operationNotSupportedForAsset = -11838
    /// The video composition does not fit.
    case invalidVideoComposition = -11841
    /// The suffix of a file is not that of its type.
    case invalidOutputURLPathExtension = -11843
    /// Media could not be encoded.
    case encodeFailed = -11820
    /// A compositor failed.
    case compositorFailed = -11858
    /// The preset does not go with the asset or the file type.
    case formatUnsupported = -11861
    /// The asset has no such track.
    case noSuchTrack = -11869
    /// The operation was canceled.
    case operationCancelled = -11878
  }

  /// The kind of error.
  public let code: Code
  /// What happened and what to do: values of `NSLocalizedDescriptionKey` and others.
  public let userInfo: [String: String]

  /// An error of a kind.
  public init(_ code: Code, userInfo: [String: String] = [:]) {
    self.code = code
    self.userInfo = userInfo
  }

  init(_ code: Code, _ description: String, suggestion: String? = nil) {
    var info = [NSLocalizedDescriptionKey: description]
    info[NSLocalizedRecoverySuggestionErrorKey] = suggestion
    self.init(code, userInfo: info)
  }

  /// The compositor's error under its code of this framework. Its message names the file that it is about.
  init(_ error: CompositorError, about path: String? = nil) {
    let code = error.avFoundationCode.flatMap(Code.init) ?? .unknown
    let place = path.map { "\($0): " } ?? ""
    self.init(code, place + error.message, suggestion: error.recoverySuggestion)
  }

  /// The domain.
  public static var errorDomain: String { AVFoundationErrorDomain }
  /// The code as a number.
  public var errorCode: Int { code.rawValue }
  /// The texts.
  public var errorUserInfo: [String: Any] { userInfo }
  /// What happened.
  public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] }
  /// What to do.
  public var recoverySuggestion: String? { userInfo[NSLocalizedRecoverySuggestionErrorKey] }
}

extension AVError.Code {
  /// Whether an error is of a kind, as `catch AVError.fileAlreadyExists` asks.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool { (error as? AVError)?.code == code }
}

extension AVError {
  /// Anything else.
  public static var unknown: Code { .unknown }
  /// Too little memory.
  public static var outOfMemory: Code { .outOfMemory }
  /// The disk is full.
  public static var diskFull: Code { .diskFull }
  /// The file would be too large.
  public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
  /// Media could not be decoded.
  public static var decodeFailed: Code { .decodeFailed }
  /// The file exists.
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  /// Segments of a track leave a gap.
  public static var compositionTrackSegmentsNotContiguous: Code { .compositionTrackSegmentsNotContiguous }
  /// A segment has an impossible duration.
  public static var invalidCompositionTrackSegmentDuration: Code { .invalidCompositionTrackSegmentDuration }
  /// A segment begins before its media.
  public static var invalidCompositionTrackSegmentSourceStartTime: Code { .invalidCompositionTrackSegmentSourceStartTime }
  /// A segment takes nothing of its media.
  public static var invalidCompositionTrackSegmentSourceDuration: Code { .invalidCompositionTrackSegmentSourceDuration }
  /// The format of the file is not known.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// The file cannot be read.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// There is no picture at the time.
  public static var noImageAtTime: Code { .noImageAtTime }
  /// There is no decoder.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// There is no encoder.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The asset does not support the operation.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// The video composition does not fit.
  public static var invalidVideoComposition: Code { .invalidVideoComposition }
  /// The suffix of a file is not that of its type.
  public static var invalidOutputURLPathExtension: Code { .invalidOutputURLPathExtension }
  /// Media could not be encoded.
  public static var encodeFailed: Code { .encodeFailed }
  /// A compositor failed.
  public static var compositorFailed: Code { .compositorFailed }
  /// The preset does not go with the asset or the file type.
  public static var formatUnsupported: Code { .formatUnsupported }
  /// The asset has no such track.
  public static var noSuchTrack: Code { .noSuchTrack }
  /// The operation was canceled.
  public static var operationCancelled: Code { .operationCancelled }
}
