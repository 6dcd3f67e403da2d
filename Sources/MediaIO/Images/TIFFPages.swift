import CompositorAPI

/// What a TIFF has beside its first image, and kinds of TIFF that cannot be read (TIFF 6.0; JPEG: sections 22 and Technical Note 2).
struct TIFFPages {
  /// The number of images in full size.
  private(set) var count = 0
  /// Whether the first image, which is shown, is a preview.
  private(set) var beginsWithPreview = false
  private static let mostDirectories = 10_000
  private static let (reducedSize, subfileType) = (1, 254)

  init(_ bytes: [UInt8]) {
    let tiff = TIFFBytes(bytes)
    var known: Set<Int> = []
    var next = tiff.number(at: 4, 4)
    while let directory = next, directory > 0, known.insert(directory).inserted, known.count < Self.mostDirectories,
      let entries = tiff.number(at: directory, 2)
    {
      let kinds = (0..<entries).first { tiff.number(at: directory + 2 + 12 * $0, 2) == Self.subfileType }
      let kind = kinds.flatMap { tiff.number(at: directory + 2 + 12 * $0 + 8, 4) } ?? 0
      if kind & Self.reducedSize == 0 { count += 1 } else if known.count == 1 { beginsWithPreview = true }
      next = tiff.number(at: directory + 2 + 12 * entries, 4)
    }
  }

  /// A warning if only the first of several images is used.
  var warnings: [MediaWarning] {
    if beginsWithPreview, count > 0 {
      return [
        MediaWarning(
          .unreadBytes,
          "The TIFF begins with a preview, which is shown instead of its \(count == 1 ? "image" : "\(count) images"); "
            + "magick image.tiff image.png extracts \(count == 1 ? "it" : "them").")
      ]
    }
    guard count > 1 else { return [] }
    return [MediaWarning(.unreadBytes, "The TIFF has \(count) images; the first one is shown.")]
  }

  /// - Throws: `.decoderNotFound` for JPEG data and tiles, of which libavcodec makes black images; `.conversionNotPossible` for inks without a profile.
  static func check(_ bytes: [UInt8]) throws(CompositorError) {
    guard let directory = TIFFDirectory(bytes) else { return }
    let conversion = "Convert it, for example with ImageMagick: magick image.tiff image.png."
    if let compression = directory[.compression], [6, 7].contains(compression) {
      throw CompositorError(
        .decoderNotFound, "The TIFF contains JPEG data, for which libavcodec has no decoder.", recoverySuggestion: conversion)
    }
    if directory[.tileWidth] != nil {
      throw CompositorError(
        .decoderNotFound, "The TIFF is stored in tiles, for which libavcodec has no decoder.", recoverySuggestion: conversion)
    }
    if directory[.photometry] == inks, directory.profile == nil { throw ICCProfile.unknownInks(of: "TIFF") }
  }

  /// The bytes of a TIFF in inks, called one of R, G, B and alpha: libavcodec then gives the four samples as they are, instead of
  /// converting those of 8 bits by a formula that knows no profile.
  static func withoutInks(_ bytes: [UInt8]) -> [UInt8] {
    let tiff = TIFFBytes(bytes)
    let tag = TIFFDirectory.Tag.photometry.rawValue
    guard let directory = tiff.number(at: 4, 4), let count = tiff.number(at: directory, 2),
      let index = (0..<count).first(where: { tiff.number(at: directory + 2 + 12 * $0, 2) == tag })
    else { return bytes }
    var result = bytes
    let (kind, value) = (tiff.number(at: directory + 2 + 12 * index + 2, 2), directory + 2 + 12 * index + 8)
    guard tiff.number(at: value, 4) != nil else { return bytes }
    // A number of 16 bits, or of 32.
    result[value + (tiff.isLittleEndian ? 0 : kind == 4 ? 3 : 1)] = 2
    return result
  }

  /// The photometric interpretation of separated inks.
  private static let inks = 5
}

extension ICCProfile {
  /// The error for an image in inks whose colors nothing tells.
  static func unknownInks(of format: String, cause: String? = nil) -> CompositorError {
    CompositorError(
      .conversionNotPossible, "The \(format) is C, M, Y, K, and has no ICC profile that says what its inks look like.",
      recoverySuggestion: "Convert it to R, G, B, or save it with its profile.", cause: cause)
  }
}
