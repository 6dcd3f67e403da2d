import CCompositorFFmpeg
import CompositorAPI

/// Decodes AVIF stills: the primary item, and its alpha plane if it has one.
///
/// Color tags are those of the `colr` box (`nclx`), else those of the AV1 bitstream, else sRGB with the BT.601 matrix (MIAF). A
/// profile (`colr` of `prof` or `rICC`) takes precedence over both for primaries and curve (``StillProfile``).
/// Rotation and mirroring (`irot`, `imir`) become the track's preferred transform.
enum AVIFDecoder {
  static func decode(
    _ bytes: [UInt8], usesProfile: Bool
  ) throws(CompositorError) -> (frame: Frame, profile: StillProfile) {
    guard let file = HEIFFile(bytes), let type = file.type(of: file.primaryItem) else { throw damaged("no primary item") }
    guard type == "av01" else {
      throw CompositorError(
        .unreadableMedia, "The AVIF is composed of several images, which is not supported.",
        recoverySuggestion: "Convert the image to PNG.", cause: "item type \(type)")
    }
    let colors = file.properties("colr", of: file.primaryItem)
    let profile = colors.first { ["prof", "rICC"].contains($0.text(at: 0, byteCount: 4)) }?.dropFirst(4)
    return try ImageDecoder.still(
      try data(file.primaryItem, of: file), codec: "av1", title: "AVIF", containerColor: color(colors),
      profile: usesProfile ? profile.map { StillProfile(embedded: $0, in: nil) } : nil, usesProfile: usesProfile
    ) { picture throws(CompositorError) in
      guard let alphaItem = file.alphaItem(of: file.primaryItem) else { return picture }
      let isPremultiplied = file.references.contains { $0.type == "prem" && $0.from == file.primaryItem }
      let alpha = try ImageDecoder.frame(
        try data(alphaItem, of: file), codec: "av1", title: "AVIF",
        containerColor: color(file.properties("colr", of: alphaItem)))
      return try join(picture, alpha: alpha.frame, mode: isPremultiplied ? .premultiplied : .straight)
    }
  }

  private static func data(_ item: Int, of file: HEIFFile) throws(CompositorError) -> [UInt8] {
    guard let data = file.data(of: item), !data.isEmpty else { throw damaged("item \(item) is not all in the file") }
    return data
  }

  /// ISO/IEC 14496-12, 12.1.5.
  private static func color(_ boxes: [ArraySlice<UInt8>]) -> cff_color {
    guard let box = boxes.first(where: { $0.text(at: 0, byteCount: 4) == "nclx" }) else { return .unsaid }
    let codes = [4, 6, 8].compactMap { box.bigEndian(at: $0, byteCount: 2) }.map { UInt8(clamping: $0) }
    guard codes.count == 3, let range = box.bigEndian(at: 10, byteCount: 1) else { return .unsaid }
    return cff_color(primaries: codes[0], transfer: codes[1], matrix: codes[2], range: range & 0x80 != 0 ? 2 : 1, location: 0)
  }

  private static func damaged(_ cause: String) -> CompositorError {
    CompositorError(
      .unreadableMedia, "The AVIF is damaged.", recoverySuggestion: "Check that the file was copied whole.", cause: cause)
  }

  // MARK: alpha

  /// An image with another image's luma as its alpha.
  private static func join(_ picture: Frame, alpha: Frame, mode: AlphaMode) throws(CompositorError) -> Frame {
    guard picture.size == alpha.size, alpha.format.layout == .planar else {
      throw damaged("an alpha plane of \(alpha.size) for an image of \(picture.size)")
    }
    let format =
      picture.format.isRGB
      ? picture.format : PixelFormat.planar(picture.format.subsampling, bitDepth: picture.format.bitDepth, alpha: true)
    var attributes = picture.attributes
    attributes.alphaMode = mode
    var joined = MutableFrame(format: format, size: picture.size, attributes: attributes)
    let plane = format.planeCount - 1
    joined.withUnsafeMutablePlanes { target in
      copy(picture, to: target)
      write(alpha, to: target[plane], of: format, step: format.samplesPerPosition(plane: plane))
    }
    return joined.freeze()
  }

  /// Copies planes without their padding.
  private static func copy(_ picture: Frame, to target: MutablePlanes) {
    picture.withUnsafePlanes { source in
      for index in 0..<source.count {
        let rowBytes = picture.format.rowBytes(plane: index, of: picture.size)
        for y in 0..<source[index].height {
          let row = target[index].base + y * target[index].stride
          row.copyMemory(from: source[index].base + y * source[index].stride, byteCount: rowBytes)
        }
      }
    }
  }

  /// Writes luma as the last sample of each position of a plane, which is where packed formats have alpha.
  private static func write(_ alpha: Frame, to target: MutablePlane, of format: PixelFormat, step: Int) {
    let rescale = Rescaling(from: alpha.format.bitDepth, to: format.bitDepth)
    alpha.withUnsafePlanes { source in
      for y in 0..<alpha.size.height {
        let (from, to) = (source[0].base + y * source[0].stride, target.base + y * target.stride)
        for x in 0..<alpha.size.width {
          let value =
            alpha.format.bytesPerSample == 1
            ? UInt16(from.load(fromByteOffset: x, as: UInt8.self)) : from.load(fromByteOffset: 2 * x, as: UInt16.self)
          let place = x * step + step - 1
          if format.bytesPerSample == 1 {
            to.storeBytes(of: UInt8(truncatingIfNeeded: rescale(value)), toByteOffset: place, as: UInt8.self)
          } else {
            to.storeBytes(of: rescale(value), toByteOffset: 2 * place, as: UInt16.self)
          }
        }
      }
    }
  }

  /// Converts codes of one depth to another depth, full range, rounded to nearest.
  private struct Rescaling {
    private let from, to: UInt32

    init(from: Int, to: Int) { (self.from, self.to) = ((1 << UInt32(from)) - 1, (1 << UInt32(to)) - 1) }

    func callAsFunction(_ value: UInt16) -> UInt16 {
      from == to ? value : UInt16(truncatingIfNeeded: (min(UInt32(value), from) * to + from / 2) / from)
    }
  }
}
