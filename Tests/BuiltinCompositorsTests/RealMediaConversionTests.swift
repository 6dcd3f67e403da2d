import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Foundation
import ReferenceCompositor
import CompositorTestSupport
import Testing

/// One real picture and what it is turned into, in our words and in zscale's.
private struct RealConversion: Sendable, CustomStringConvertible {
  let file: String
  let source: ColorTags
  let target: ColorTags
  let format: PixelFormat
  var pixelFormat = "yuv420p"
  /// Peak luminance as zscale takes it: light 1.
  var nits = 1000
  /// Whether there are colors outside the output's gamut.
  var narrows = false
  var description: String { "\(file) | \(source.inWords) | \(target.inWords)" }
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
  RealConversion(file: "sample_15fps_720p_1s.mp4", source: .bt709, target: pq, format: .yuv420p, nits: 203),
  RealConversion(file: "sample_15fps_720p_1s.mp4", source: .bt709, target: wide, format: .yuv420p),
  RealConversion(file: "bt601.mp4", source: p3Source, target: .bt709, format: .yuv420p, narrows: true),
  RealConversion(file: "bt601.mp4", source: .bt601_525, target: .bt709, format: .yuv420p),
  RealConversion(file: "karma.mp4", source: full709, target: .bt709, format: .yuv420p, pixelFormat: "yuvj420p"),
  RealConversion(file: "karma.mp4", source: full709, target: displayP3, format: .yuv420p, pixelFormat: "yuvj420p"),
  RealConversion(file: "greyscale-tv.mp4", source: .bt709, target: full709, format: .yuv420p),
  RealConversion(file: "greyscale-full.mp4", source: full709, target: .bt709, format: .yuv420p, pixelFormat: "yuvj420p"),
  RealConversion(file: "bt601.mp4", source: .bt601_525, target: pq, format: .yuv420p10, nits: 203),
  RealConversion(file: "portrait_4k60.mp4", source: full601, target: .bt709, format: .yuv420p, pixelFormat: "yuvj420p"),
]

/// The first picture of each file, its top left 480 x 270, converted by us, by zscale and in double precision; the table of
/// docs/color.md goes to the test's output.
@Suite(.enabled(if: mediaFolder != nil && ZScaleOracle.isAvailable)) struct RealMediaConversionTests {
  @Test fileprivate func convert_realPictures_isWhatZScaleMakes() throws {
    let converter = FrameConverter(policy: ColorConversionPolicy(srgb: .colorimetric, dithering: .none))
    for conversion in conversions {
      let frame = try picture(conversion)
      let attributes = FrameAttributes(color: conversion.target)
      let ours = try converter.convert(frame, to: conversion.format, attributes: attributes, pool: FramePool())
      let theirs = try ZScaleOracle.convert(
        frame, filters: filters(conversion), to: conversion.format.name + (conversion.format.bitDepth > 8 ? "le" : ""))
      let found = difference(ours, theirs)
      let exact = try reference(frame, conversion)
      let our = try FrameComparison(ours, exact)
      let their = try FrameComparison(ZScaleOracle.frame(theirs, conversion.format, frame.size, attributes), exact)
      print(
        "| \(conversion) | \(conversion.format.bitDepth) | \(found.largest) | \(found.mean.formatted(3))",
        "| \(our.largest.formatted(2)) | \(their.largest.formatted(2)) |")
      #expect(our.largest <= 1, "\(conversion): \(our)")
      // Where we differ by more than roundings, it is not we who are off: zscale leaves colors outside BT.709 in Y′CbCr as they are,
      // and SDR above white in PQ.
      let isLimited = conversion.target.transfer == .pq && !conversion.source.transfer.isHDR
      let limit = conversion.narrows || isLimited ? 0.4 : 0.2
      #expect(
        found.mean < limit && (found.largest <= 2 || their.largest >= Double(found.largest - 1)), "\(conversion): \(found)")
    }
  }

  private func reference(_ frame: Frame, _ conversion: RealConversion) throws -> ReferencePicture {
    let context = RenderContext(
      size: frame.size, outputFormat: conversion.format, outputAttributes: FrameAttributes(color: conversion.target),
      colorConversion: ColorConversionPolicy(srgb: .colorimetric))
    let whole = Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height))
    let layer = ReferenceLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
    return try ReferenceCompositor.compose([layer], background: .clear, context: context)
  }

  /// The same ramp, encoded once in each range: what is left are the codes that the encoder chose otherwise.
  @Test(arguments: [ColorTags.bt709, full709])
  fileprivate func greyscale_tvAndFull_comeOutEqual(target: ColorTags) throws {
    let ramps = try [("greyscale-tv.mp4", ColorTags.bt709, "yuv420p"), ("greyscale-full.mp4", full709, "yuvj420p")].map {
      let conversion = RealConversion(file: $0.0, source: $0.1, target: target, format: .yuv420p, pixelFormat: $0.2)
      let made = try FrameConverter.convert(
        try picture(conversion), to: .yuv420p, attributes: FrameAttributes(color: target), pool: FramePool())
      return (0..<150).flatMap { y in made.withRow(y, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } } }
    }
    let differences = zip(ramps[0], ramps[1]).map { abs($0 - $1) }
    #expect(differences.max() == 1)
    // A code of limited range is more than one of full range, which rounding then shows.
    let share = Double(differences.count { $0 == 0 }) / Double(differences.count)
    #expect(share > (target.range == .limited ? 0.98 : 0.85), "\(share)")
  }

  private func picture(_ conversion: RealConversion) throws -> Frame {
    let folder = try #require(mediaFolder)
    let size = try #require(PixelSize(crop: conversion.file))
    let arguments = [
      "-v", "error", "-noautorotate", "-i", folder.appending(path: conversion.file).path, "-frames:v", "1", "-vf",
      "crop=\(size.width):\(size.height):0:0", "-f",
      "rawvideo", "-pix_fmt", conversion.pixelFormat, "-",
    ]
    let data = try ZScaleOracle.run(arguments)
    return try ZScaleOracle.frame(
      data, conversion.pixelFormat.contains("10") ? .yuv420p10 : .yuv420p, size,
      FrameAttributes(color: conversion.source))
  }

  private func filters(_ conversion: RealConversion) -> String {
    let (from, to) = (conversion.source, conversion.target)
    // Without `agamma=0` zscale has HLG's OOTF on each component, not on luminance; with it SDR has no codes below black.
    return
      "zscale=agamma=\([from, to].contains { $0.transfer == .hlg } ? 0 : 1):f=bilinear:d=none:npl=\(conversion.nits):cin=left:c=left"
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

extension Double {
  fileprivate func formatted(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension ColorTags {
  fileprivate var inWords: String { "\(primaries.name) \(transfer.name) \(range.rawValue)" }
}

extension PixelSize {
  /// What is looked at of a file's picture.
  fileprivate init?(crop file: String) {
    switch file {
    case "bt601.mp4": self.init(width: 360, height: 240)
    case "greyscale-tv.mp4", "greyscale-full.mp4": self.init(width: 1024, height: 150)
    default: self.init(width: 480, height: 270)
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
