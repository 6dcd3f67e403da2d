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

/// The average bit rate in bits per second.
public nonisolated(unsafe) let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
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
