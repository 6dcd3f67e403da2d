internal import Foundation

// Codes of four characters, as files and other systems have them.

/// 8-bit A, R, G, B.
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
/// 8-bit R, G, B.
public let kCVPixelFormatType_24RGB: OSType = 0x0000_0018
/// 8-bit B, G, R. “24BG”
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// 8-bit B, G, R, A. “BGRA”
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// 8-bit A, B, G, R. “ABGR”
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// 8-bit R, G, B, A. “RGBA”
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// 16-bit R, G, B, A, least significant byte first. “l64r”
public let kCVPixelFormatType_64RGBALE: OSType = 0x6c36_3472
/// Half-float R, G, B, A. “RGhA”
public let kCVPixelFormatType_64RGBAHalf: OSType = 0x5247_6841
/// 32-bit float R, G, B, A. “RGfA”
public let kCVPixelFormatType_128RGBAFloat: OSType = 0x5247_6641
/// 8-bit 4:2:2: Cb, Y′0, Cr, Y′1. “2vuy”
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// 8-bit 4:2:2: Y′0, Cb, Y′1, Cr. “yuvs”
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
/// 8-bit 4:2:0 in three planes, video range. “y420”
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// 8-bit 4:2:0 in three planes, full range. “f420”
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
/// 8-bit 4:2:0: Y′, and CbCr interleaved; video range. “420v”
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// 8-bit 4:2:0: Y′, and CbCr interleaved; full range. “420f”
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// 10-bit 4:2:0 in the high bits of 16: Y′, and CbCr interleaved; video range. “x420”
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// 10-bit 4:2:0 in the high bits of 16: Y′, and CbCr interleaved; full range. “xf20”
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
/// 8-bit gray. “L008”
public let kCVPixelFormatType_OneComponent8: OSType = 0x4c30_3038

/// The code of a pixel format.
public nonisolated(unsafe) let kCVPixelFormatConstant: CFString = "PixelFormat"
/// Whether a pixel format has an alpha component.
public nonisolated(unsafe) let kCVPixelFormatContainsAlpha: CFString = "ContainsAlpha"
/// Whether a pixel format has red, green and blue.
public nonisolated(unsafe) let kCVPixelFormatContainsRGB: CFString = "ContainsRGB"
/// Whether a pixel format has Y′, Cb and Cr.
public nonisolated(unsafe) let kCVPixelFormatContainsYCbCr: CFString = "ContainsYCbCr"
/// Whether a pixel format has gray alone.
public nonisolated(unsafe) let kCVPixelFormatContainsGrayscale: CFString = "ContainsGrayscale"
