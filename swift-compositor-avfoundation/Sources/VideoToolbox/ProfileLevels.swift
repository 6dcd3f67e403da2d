@_exported public import CoreMedia
@_exported public import CoreVideo
internal import Foundation

// Names of encoders' profiles, as settings of a writer take them.

/// HEVC, 8 bits, 4:2:0.
public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main_AutoLevel: CFString = "HEVC_Main_AutoLevel"
/// HEVC, 10 bits, 4:2:0.
public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main10_AutoLevel: CFString = "HEVC_Main10_AutoLevel"
/// HEVC, 10 bits, 4:2:2.
public nonisolated(unsafe) let kVTProfileLevel_HEVC_Main42210_AutoLevel: CFString = "HEVC_Main42210_AutoLevel"
/// H.264 baseline.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_AutoLevel: CFString = "H264_Baseline_AutoLevel"
/// H.264 main.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_AutoLevel: CFString = "H264_Main_AutoLevel"
/// H.264 high.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_AutoLevel: CFString = "H264_High_AutoLevel"
/// H.264 baseline, level 1.3.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_1_3: CFString = "H264_Baseline_1_3"
/// H.264 baseline, level 3.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_0: CFString = "H264_Baseline_3_0"
/// H.264 baseline, level 3.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_1: CFString = "H264_Baseline_3_1"
/// H.264 baseline, level 3.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_3_2: CFString = "H264_Baseline_3_2"
/// H.264 baseline, level 4.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_4_0: CFString = "H264_Baseline_4_0"
/// H.264 baseline, level 4.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_4_1: CFString = "H264_Baseline_4_1"
/// H.264 baseline, level 4.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_4_2: CFString = "H264_Baseline_4_2"
/// H.264 baseline, level 5.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_5_0: CFString = "H264_Baseline_5_0"
/// H.264 baseline, level 5.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_5_1: CFString = "H264_Baseline_5_1"
/// H.264 baseline, level 5.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_Baseline_5_2: CFString = "H264_Baseline_5_2"
/// H.264 main, level 3.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_0: CFString = "H264_Main_3_0"
/// H.264 main, level 3.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_1: CFString = "H264_Main_3_1"
/// H.264 main, level 3.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_3_2: CFString = "H264_Main_3_2"
/// H.264 main, level 4.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_4_0: CFString = "H264_Main_4_0"
/// H.264 main, level 4.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_4_1: CFString = "H264_Main_4_1"
/// H.264 main, level 4.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_4_2: CFString = "H264_Main_4_2"
/// H.264 main, level 5.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_5_0: CFString = "H264_Main_5_0"
/// H.264 main, level 5.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_5_1: CFString = "H264_Main_5_1"
/// H.264 main, level 5.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_Main_5_2: CFString = "H264_Main_5_2"
/// H.264 high, level 3.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_0: CFString = "H264_High_3_0"
/// H.264 high, level 3.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_1: CFString = "H264_High_3_1"
/// H.264 high, level 3.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_3_2: CFString = "H264_High_3_2"
/// H.264 high, level 4.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_0: CFString = "H264_High_4_0"
/// H.264 high, level 4.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_1: CFString = "H264_High_4_1"
/// H.264 high, level 4.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_4_2: CFString = "H264_High_4_2"
/// H.264 high, level 5.0.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_5_0: CFString = "H264_High_5_0"
/// H.264 high, level 5.1.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_5_1: CFString = "H264_High_5_1"
/// H.264 high, level 5.2.
public nonisolated(unsafe) let kVTProfileLevel_H264_High_5_2: CFString = "H264_High_5_2"
/// H.264 baseline without tools that few decoders have.
public nonisolated(unsafe) let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString =
  "H264_ConstrainedBaseline_AutoLevel"
/// H.264 high, without B-frames.
public nonisolated(unsafe) let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString = "H264_ConstrainedHigh_AutoLevel"

/// The average bit rate in bits per second.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
/// The most bytes in a number of seconds: an array of both.
public nonisolated(unsafe) let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
/// Frames per second that the encoder is to expect.
public nonisolated(unsafe) let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
/// Whether frames may refer to others.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowTemporalCompression: CFString = "AllowTemporalCompression"
/// How H.264 is coded.
public nonisolated(unsafe) let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"
/// By variable-length codes.
public nonisolated(unsafe) let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
/// By arithmetic coding.
public nonisolated(unsafe) let kVTH264EntropyMode_CABAC: CFString = "CABAC"
/// The largest distance of key frames, in frames.
public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
/// The largest distance of key frames, in seconds.
public nonisolated(unsafe) let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString = "MaxKeyFrameIntervalDuration"
/// The profile and level.
public nonisolated(unsafe) let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
/// Whether frames may be stored in another order than that of time.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
/// The quality, 0 … 1.
public nonisolated(unsafe) let kVTCompressionPropertyKey_Quality: CFString = "Quality"
/// Whether frames are encoded as they arrive.
public nonisolated(unsafe) let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
/// Whether metadata of HDR is written.
public nonisolated(unsafe) let kVTCompressionPropertyKey_HDRMetadataInsertionMode: CFString = "HDRMetadataInsertionMode"
/// It is written if there is any.
public nonisolated(unsafe) let kVTHDRMetadataInsertionMode_Auto: CFString = "Auto"
/// It is not written.
public nonisolated(unsafe) let kVTHDRMetadataInsertionMode_None: CFString = "None"
