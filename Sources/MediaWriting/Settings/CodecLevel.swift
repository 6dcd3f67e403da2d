import CompositorAPI

extension VideoEncodingSettings {
  /// A profile of H.264 for 8-bit 4:2:0 frames (ITU-T H.264, A.2).
  public enum H264Profile: String, Hashable, Sendable, Codable, CaseIterable {
    /// Constrained Baseline: neither B-frames nor arithmetic coding.
    case baseline
    /// Main.
    case main
    /// High.
    case high
  }
}

/// A level of H.264 (ITU-T H.264, A.3) or HEVC (ITU-T H.265, A.4): limits that decoders state.
public struct CodecLevel: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The level's number, such as `4.1`.
  public let rawValue: String
  /// Ten times the number.
  let tenths: Int

  /// Creates a level from its number; `nil` if it isn't one of 1 … 9.9 with at most one decimal.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ $0.count == 1 }), let major = Int(parts[0]), major > 0,
      let minor = parts.count > 1 ? Int(parts[1]) : 0, minor >= 0
    else { return nil }
    self.init(major, minor)
  }

  /// Creates a level, such as 4 and 1 for 4.1. Both numbers must have one digit.
  public init(_ major: Int, _ minor: Int = 0) {
    precondition((1...9).contains(major) && (0...9).contains(minor), "a level has two digits")
    rawValue = minor == 0 ? "\(major)" : "\(major).\(minor)"
    tenths = major * 10 + minor
  }

  /// The level's number.
  public var description: String { rawValue }

  /// Compares numbers.
  public static func < (left: CodecLevel, right: CodecLevel) -> Bool { left.tenths < right.tenths }
}

/// Limits of a level.
struct LevelLimits {
  /// Maximum number of units in a frame and per second: macroblocks for H.264, luma samples for HEVC.
  let unitsPerFrame, unitsPerSecond: Int
  /// Maximum number of units in the decoded frames that a decoder keeps; 0 for HEVC.
  let unitsKept: Int
  /// Maximum bit rate in bits per second: of the High profile for H.264, of the Main tier for HEVC.
  let bitRate: Int

  /// The limits of a codec's level; `nil` if the codec has no such level.
  init?(_ level: CodecLevel, of codec: VideoEncodingSettings.Codec) {
    switch codec {
    case .h264: self.init(h264: level.tenths)
    case .hevc: self.init(hevc: level.tenths)
    default: return nil
    }
  }

  /// ITU-T H.264, table A-1: macroblocks per second, per frame and kept, and 1000 bits per second of the Main profile, of which the High
  /// profile has 1.25 times as many (table A-2).
  private init?(h264 tenths: Int) {
    let table = [
      10: (1485, 99, 396, 64), 11: (3000, 396, 900, 192), 12: (6000, 396, 2376, 384), 13: (11_880, 396, 2376, 768),
      20: (11_880, 396, 2376, 2000), 21: (19_800, 792, 4752, 4000), 22: (20_250, 1620, 8100, 4000),
      30: (40_500, 1620, 8100, 10_000), 31: (108_000, 3600, 18_000, 14_000), 32: (216_000, 5120, 20_480, 20_000),
      40: (245_760, 8192, 32_768, 20_000), 41: (245_760, 8192, 32_768, 50_000), 42: (522_240, 8704, 34_816, 50_000),
      50: (589_824, 22_080, 110_400, 135_000), 51: (983_040, 36_864, 184_320, 240_000),
      52: (2_073_600, 36_864, 184_320, 240_000), 60: (4_177_920, 139_264, 696_320, 240_000),
      61: (8_355_840, 139_264, 696_320, 480_000), 62: (16_711_680, 139_264, 696_320, 800_000),
    ]
    guard let (perSecond, perFrame, kept, rate) = table[tenths] else { return nil }
    (unitsPerSecond, unitsPerFrame, unitsKept, bitRate) = (perSecond, perFrame, kept, rate * 1250)
  }

  /// ITU-T H.265, tables A.8 and A.9: luma samples per frame and per second, and 1000 bits per second.
  private init?(hevc tenths: Int) {
    let table = [
      10: (36_864, 552_960, 128), 20: (122_880, 3_686_400, 1500), 21: (245_760, 7_372_800, 3000),
      30: (552_960, 16_588_800, 6000), 31: (983_040, 33_177_600, 10_000), 40: (2_228_224, 66_846_720, 12_000),
      41: (2_228_224, 133_693_440, 20_000), 50: (8_912_896, 267_386_880, 25_000), 51: (8_912_896, 534_773_760, 40_000),
      52: (8_912_896, 1_069_547_520, 60_000), 60: (35_651_584, 1_069_547_520, 60_000),
      61: (35_651_584, 2_139_095_040, 120_000), 62: (35_651_584, 4_278_190_080, 240_000),
    ]
    guard let (perFrame, perSecond, rate) = table[tenths] else { return nil }
    (unitsPerFrame, unitsPerSecond, unitsKept, bitRate) = (perFrame, perSecond, 0, rate * 1000)
  }

  /// Number of units in a frame of a size, and the maximum number of units in a row or a column.
  static func units(of size: PixelSize, in codec: VideoEncodingSettings.Codec) -> (count: Int, longest: Int) {
    guard codec == .h264 else { return (size.width * size.height, max(size.width, size.height)) }
    let (columns, rows) = ((size.width + 15) / 16, (size.height + 15) / 16)
    return (columns * rows, max(columns, rows))
  }

  /// Whether frames of a size and a rate keep the limits. Neither side may be longer than the root of eight frames.
  func hold(_ size: PixelSize, at rate: Rational, in codec: VideoEncodingSettings.Codec) -> Bool {
    let (count, longest) = Self.units(of: size, in: codec)
    return count <= unitsPerFrame && longest * longest <= 8 * unitsPerFrame
      && Double(count) * rate.value <= Double(unitsPerSecond)
  }

  /// Number of reference frames of a size that a decoder of H.264 keeps, 1 … 16.
  func referenceCount(of size: PixelSize) -> Int {
    min(max(unitsKept / max(Self.units(of: size, in: .h264).count, 1), 1), 16)
  }
}
