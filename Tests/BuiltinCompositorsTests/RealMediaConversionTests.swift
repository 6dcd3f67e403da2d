import BuiltinCompositors
import CompositorAPI
import Foundation
import Testing

/// The folder of real media: named by the environment, or beside the checkout.
private let mediaFolder: URL? = {
  let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/media").standardized
  let folder = ProcessInfo.processInfo.environment["COMPOSITOR_TEST_MEDIA"].map { URL(filePath: $0) } ?? beside
  return FileManager.default.fileExists(atPath: folder.appending(path: "MANIFEST.md").path) ? folder : nil
}()

/// One real picture and what it is turned into, in our words and in zscale's.
private struct RealConversion: Sendable, CustomStringConvertible {
  let file: String
  let source: ColorTags
  let target: ColorTags
  let format: PixelFormat
  var pixelFormat = "yuv420p"
  /// Peak luminance as zscale takes it: light 1.
  var nits = 1000
  var touchesHLG: Bool { source.transfer == .hlg || target.transfer == .hlg }
  var description: String { "\(file) to \(target.transfer.zscale) \(target.primaries.zscale)" }
}

private let displayP3 = ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .full)
private let p3Source = ColorTags(primaries: .displayP3, transfer: .bt709, matrix: .bt709, range: .limited)
private let full709 = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .full)
private let full601 = ColorTags(primaries: .bt601_625, transfer: .bt601, matrix: .bt601_625, range: .full)
private let hlg = ColorTags(primaries: .bt2020, transfer: .hlg, matrix: .bt2020, range: .limited)
private let pq = ColorTags(primaries: .bt2020, transfer: .pq, matrix: .bt2020, range: .limited)
private let wide = ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited)

private let conversions = [
  RealConversion(file: "output_hdr10.mp4", source: pq, target: hlg, format: .yuv420p10, pixelFormat: "yuv420p10le"),
  RealConversion(
    file: "hdr10-video-with-sdr-container.mp4", source: pq, target: hlg, format: .yuv420p10, pixelFormat: "yuv420p10le"),
  RealConversion(file: "hlg10-color-test.mp4", source: hlg, target: pq, format: .yuv420p10, pixelFormat: "yuv420p10le"),
  RealConversion(file: "dolbyVision-hdr.MOV", source: hlg, target: pq, format: .yuv420p10, pixelFormat: "yuv420p10le"),
  RealConversion(file: "chaplin.mp4", source: .bt709, target: pq, format: .yuv420p, nits: 203),
  RealConversion(file: "chaplin.mp4", source: .bt709, target: wide, format: .yuv420p),
  RealConversion(file: "chaplin.mp4", source: p3Source, target: .bt709, format: .yuv420p),
  RealConversion(file: "bt601.mp4", source: .bt601_525, target: .bt709, format: .yuv420p),
  RealConversion(file: "karma.mp4", source: full709, target: .bt709, format: .yuv420p, pixelFormat: "yuvj420p"),
  RealConversion(file: "karma.mp4", source: full709, target: displayP3, format: .yuv420p, pixelFormat: "yuvj420p"),
  RealConversion(file: "portrait_4k60.mp4", source: full601, target: .bt709, format: .yuv420p, pixelFormat: "yuvj420p"),
]

/// The first picture of each file, its top left 640 x 360, converted by us and by zscale; the table goes to the test's output.
///
/// zimg applies HLG's OOTF to each component, BT.2100 to luminance: colours of HLG differ by that, greys do not. So pictures that
/// come from or go to HLG are compared once without their colours, within the limits, and once with them, for the table.
@Suite(.enabled(if: mediaFolder != nil && ZScaleOracle.isAvailable)) struct RealMediaConversionTests {
  @Test fileprivate func convert_realPictures_isWhatZScaleMakes() throws {
    let converter = FrameConverter(policy: ColorConversionPolicy(dithering: .none))
    for (conversion, isGrey) in conversions.flatMap({ $0.touchesHLG ? [($0, true), ($0, false)] : [($0, false)] }) {
      let frame = try picture(conversion, isGrey: isGrey)
      let ours = try converter.convert(
        frame, to: conversion.format, attributes: FrameAttributes(color: conversion.target), pool: FramePool())
      let theirs = try ZScaleOracle.convert(
        frame, filters: filters(conversion), to: conversion.format.name + (conversion.format.bitDepth > 8 ? "le" : ""))
      let found = difference(ours, theirs)
      let name = "\(conversion)\(isGrey ? ", its greys" : "")"
      print("\(name): largest \(found.largest), mean \((found.mean * 1000).rounded() / 1000) codes")
      if isGrey || !conversion.touchesHLG {
        #expect(found.largest <= 2 && found.mean < 0.2, "\(name): \(found)")
      } else {
        #expect(found.mean < 6, "\(name): \(found)")
      }
    }
  }

  @Test fileprivate func greyscale_tvAndFull_comeOutEqual() throws {
    var rows: [[Int]] = []
    for (file, color, name) in [
      ("greyscale-tv.mp4", ColorTags.bt709, "yuv420p"), ("greyscale-full.mp4", full709, "yuvj420p"),
    ] {
      let conversion = RealConversion(file: file, source: color, target: full709, format: .yuv420p, pixelFormat: name)
      let made = try FrameConverter.convert(
        try picture(conversion), to: .yuv420p, attributes: FrameAttributes(color: full709), pool: FramePool())
      rows.append(made.withRow(75, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } })
    }
    // Limited codes are coarser than full ones: rounding alone makes up to a code of difference.
    let largest = zip(rows[0], rows[1]).map { abs($0 - $1) }.max() ?? .max
    #expect(largest <= 2, "\(largest)")
  }

  private func picture(_ conversion: RealConversion, isGrey: Bool = false) throws -> Frame {
    let folder = try #require(mediaFolder)
    let size = try #require(PixelSize(crop: conversion.file))
    let arguments = [
      "-v", "error", "-noautorotate", "-i", folder.appending(path: conversion.file).path, "-frames:v", "1", "-vf",
      "crop=\(size.width):\(size.height):0:0", "-f",
      "rawvideo", "-pix_fmt", conversion.pixelFormat, "-",
    ]
    var data = try ZScaleOracle.run(arguments)
    if isGrey {
      for index in stride(from: size.width * size.height * 2, to: data.count, by: 2) { (data[index], data[index + 1]) = (0, 2) }
    }
    return try ZScaleOracle.frame(
      data, conversion.pixelFormat.contains("10") ? .yuv420p10 : .yuv420p, size,
      FrameAttributes(color: conversion.source))
  }

  private func filters(_ conversion: RealConversion) -> String {
    let (from, to) = (conversion.source, conversion.target)
    return "zscale=f=bilinear:d=none:npl=\(conversion.nits):cin=left:c=left"
      + ":min=\(from.matrix.zscale):tin=\(from.transfer.zscale):pin=\(from.primaries.zscale):rin=\(from.range.rawValue)"
      + ":m=\(to.matrix.zscale):t=\(to.transfer.zscale):p=\(to.primaries.zscale):r=\(to.range.rawValue)"
  }

  private func difference(_ frame: Frame, _ data: Data) -> (largest: Int, mean: Double) {
    var (largest, sum, count, offset) = (0, 0, 0, 0)
    let width = frame.format.bytesPerSample
    frame.withUnsafePlanes { planes in
      for index in 0..<planes.count {
        for y in 0..<planes[index].height {
          for x in 0..<planes[index].width where offset + width <= data.count {
            let base = planes[index].base + y * planes[index].stride
            let mine =
              width == 1
              ? Int(base.load(fromByteOffset: x, as: UInt8.self)) : Int(base.load(fromByteOffset: 2 * x, as: UInt16.self))
            let theirs = width == 1 ? Int(data[offset]) : Int(data[offset]) | Int(data[offset + 1]) << 8
            largest = max(largest, abs(mine - theirs))
            sum += abs(mine - theirs)
            count += 1
            offset += width
          }
        }
      }
    }
    return offset == data.count && count > 0 ? (largest, Double(sum) / Double(count)) : (.max, .infinity)
  }
}

extension PixelSize {
  /// What is looked at of a file's picture.
  fileprivate init?(crop file: String) {
    switch file {
    case "bt601.mp4": self.init(width: 360, height: 240)
    case "greyscale-tv.mp4", "greyscale-full.mp4": self.init(width: 1024, height: 150)
    default: self.init(width: 640, height: 360)
    }
  }
}

extension TransferFunction {
  fileprivate var zscale: String {
    switch self {
    case .pq: "smpte2084"
    case .hlg: "arib-std-b67"
    case .sRGB: "iec61966-2-1"
    case .bt601: "601"
    case .bt2020_10: "2020_10"
    default: "709"
    }
  }
}

extension ColorPrimaries {
  fileprivate var zscale: String {
    switch self {
    case .bt2020: "2020"
    case .displayP3: "smpte432"
    case .bt601_525: "smpte170m"
    case .bt601_625: "bt470bg"
    default: "709"
    }
  }
}

extension MatrixCoefficients {
  fileprivate var zscale: String {
    switch self {
    case .bt2020: "2020_ncl"
    case .bt601_525: "170m"
    case .bt601_625: "470bg"
    default: "709"
    }
  }
}
