internal import Foundation

/// A codec of pictures.
public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
  /// The code of four characters.
  public let rawValue: String
  /// A codec by its code.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// H.264.
  public static let h264 = AVVideoCodecType(rawValue: "avc1")
  /// HEVC.
  public static let hevc = AVVideoCodecType(rawValue: "hvc1")
  /// HEVC with alpha. There is no encoder for it here.
  public static let hevcWithAlpha = AVVideoCodecType(rawValue: "muxa")
  /// JPEG. There is no encoder for movies of it here.
  public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
  /// ProRes 422.
  public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
  /// ProRes 422 HQ.
  public static let proRes422HQ = AVVideoCodecType(rawValue: "apch")
  /// ProRes 422 LT.
  public static let proRes422LT = AVVideoCodecType(rawValue: "apcs")
  /// ProRes 422 Proxy.
  public static let proRes422Proxy = AVVideoCodecType(rawValue: "apco")
  /// ProRes 4444.
  public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
}

/// H.264.
public let AVVideoCodecH264 = "avc1"
/// HEVC.
public let AVVideoCodecHEVC = "hvc1"
/// JPEG.
public let AVVideoCodecJPEG = "jpeg"

/// The codec: an ``AVVideoCodecType`` or its code.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// Pixels per row.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// Rows.
public let AVVideoHeightKey = "AVVideoHeightKey"
/// The shape of a pixel: a dictionary of the next two.
public let AVVideoPixelAspectRatioKey = "PixelAspectRatio"
/// The width of a pixel, in a unit of its height's.
public let AVVideoPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"
/// The height of a pixel, in a unit of its width's.
public let AVVideoPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"
/// The part of the image to be shown: a dictionary.
public let AVVideoCleanApertureKey = "CleanAperture"
/// How pictures of another size are made to fit: one of `AVVideoScalingModeResize` and its kind.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// Each direction is scaled by itself.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// Scaled to fit, with black around.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// Scaled to fill, with edges cut off.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"
/// Scaled down to fit if it is larger, with black around.
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"
/// Whether colors beyond BT.709 are kept: true or false.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColorKey"
/// Settings of the encoder: a dictionary of the next keys.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// The average bit rate in bits per second.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// The quality, 0 … 1.
public let AVVideoQualityKey = "Quality"
/// The largest distance of key frames, in frames.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// The largest distance of key frames, in seconds.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// Whether frames may be stored in another order than that of time.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"
/// The frame rate that the encoder is to expect, in frames per second.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"
/// The frame rate of frames that are not droppable, in frames per second.
public let AVVideoAverageNonDroppableFrameRateKey = "AverageNonDroppableFrameRate"
/// The profile and level.
public let AVVideoProfileLevelKey = "ProfileLevel"
/// How H.264 codes its symbols.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"
/// Variable lengths.
public let AVVideoH264EntropyModeCAVLC = "CAVLC"
/// Arithmetic coding.
public let AVVideoH264EntropyModeCABAC = "CABAC"
/// Baseline, level 3.0.
public let AVVideoProfileLevelH264Baseline30 = "H264_Baseline_3_0"
/// Baseline, level 3.1.
public let AVVideoProfileLevelH264Baseline31 = "H264_Baseline_3_1"
/// Baseline, level 4.1.
public let AVVideoProfileLevelH264Baseline41 = "H264_Baseline_4_1"
/// Baseline.
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"
/// Main, level 3.0.
public let AVVideoProfileLevelH264Main30 = "H264_Main_3_0"
/// Main, level 3.1.
public let AVVideoProfileLevelH264Main31 = "H264_Main_3_1"
/// Main, level 3.2.
public let AVVideoProfileLevelH264Main32 = "H264_Main_3_2"
/// Main, level 4.1.
public let AVVideoProfileLevelH264Main41 = "H264_Main_4_1"
/// Main.
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"
/// High, level 4.0.
public let AVVideoProfileLevelH264High40 = "H264_High_4_0"
/// High, level 4.1.
public let AVVideoProfileLevelH264High41 = "H264_High_4_1"
/// High.
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"
