internal import Compositor
internal import Foundation

/// What settings of a writer allow an encoder: profile and level, order of frames, and bit rate.
enum EncoderLimits {
  /// Takes over limits that settings name.
  ///
  /// - Returns: The format of frames that the profile asks for; `nil` if it asks for none.
  /// - Throws: `.formatUnsupported`: a limit that the codec does not have, or that is not known here.
  static func set(_ properties: SettingsValues, in encoding: inout VideoEncodingSettings) throws(AVError) -> PixelFormat? {
    let format = try setProfile(properties, in: &encoding)
    try setEntropyMode(properties, in: encoding)
    let isIntraOnly = encoding.codec == .proRes
    if properties.bool(AVVideoAllowFrameReorderingKey) == false, !isIntraOnly { encoding.maximumBFrameCount = 0 }
    if properties.bool("AllowTemporalCompression") == false, !isIntraOnly { encoding.keyFrameInterval = 1 }
    try setRate(properties, in: &encoding)
    return format
  }

  /// Names such as `H264_High_4_1`, `HEVC_Main_AutoLevel`.
  private static func setProfile(
    _ properties: SettingsValues, in encoding: inout VideoEncodingSettings
  ) throws(AVError) -> PixelFormat? {
    guard let name = properties.string(AVVideoProfileLevelKey) else { return nil }
    let parts = name.split(separator: "_").map(String.init)
    let unknown = AVError(
      .formatUnsupported, "\(encoding.codec.rawValue) has no profile and level “\(name)” that is known here.",
      suggestion: "Use AVVideoProfileLevelH264HighAutoLevel or kVTProfileLevel_HEVC_Main_AutoLevel.")
    guard parts.count >= 3 else { throw unknown }
    let level = parts.dropFirst(2).joined(separator: ".")
    if level != "AutoLevel" {
      guard let known = CodecLevel(rawValue: level) else { throw unknown }
      encoding.level = known
    }
    switch (encoding.codec, parts[0], parts[1]) {
    case (.h264, "H264", "Baseline"), (.h264, "H264", "ConstrainedBaseline"): encoding.h264Profile = .baseline
    case (.h264, "H264", "Main"): encoding.h264Profile = .main
    case (.h264, "H264", "High"), (.h264, "H264", "ConstrainedHigh"): encoding.h264Profile = .high
    case (.hevc, "HEVC", "Main"): return .yuv420p
    case (.hevc, "HEVC", "Main10"): return .yuv420p10
    case (.hevc, "HEVC", "Main42210"): return .yuv422p10
    default: throw unknown
    }
    if parts[1] == "ConstrainedHigh" { encoding.maximumBFrameCount = 0 }
    return nil
  }

  /// The profile decides how H.264 is coded: CAVLC in the baseline profile, CABAC in others.
  private static func setEntropyMode(_ properties: SettingsValues, in encoding: VideoEncodingSettings) throws(AVError) {
    guard let mode = properties.string(AVVideoH264EntropyModeKey) else { return }
    let usual = encoding.h264Profile == .baseline ? AVVideoH264EntropyModeCAVLC : AVVideoH264EntropyModeCABAC
    guard encoding.codec == .h264, mode == usual else {
      throw AVError(
        .formatUnsupported, "\(encoding.codec.rawValue) of this profile cannot be coded by \(mode).",
        suggestion: "Use AVVideoH264EntropyModeCAVLC with the baseline profile, and CABAC with others.")
    }
  }

  /// Pairs of bytes and seconds, of which one can be kept.
  private static func setRate(_ properties: SettingsValues, in encoding: inout VideoEncodingSettings) throws(AVError) {
    guard properties.has("DataRateLimits") else { return }
    let limits = properties.doubles("DataRateLimits")
    guard encoding.codec != .proRes, limits.count == 2, limits[0] > 0, limits[1] > 0 else {
      throw AVError(
        .formatUnsupported, "The limits of the data rate cannot be kept.",
        suggestion: "Set kVTCompressionPropertyKey_DataRateLimits to a number of bytes and one of seconds, for H.264 or HEVC.")
    }
    encoding.maximumBitRate = Int((limits[0] * 8 / limits[1]).rounded())
    encoding.bufferSize = Int((limits[0] * 8).rounded())
  }
}
