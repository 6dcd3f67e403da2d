import CompositorAPI

/// Formats that people try as media and that are not read, recognized by their first bytes, so that an error can name them.
struct ForeignFormat: Equatable {
  /// The format as the rest of a sentence: "is a PDF document".
  let description: String
  /// What to do instead.
  let suggestion: String

  /// Number of bytes that ``init(beginning:name:)`` examines.
  static let byteCount = 1024

  private init(_ description: String, _ suggestion: String) { (self.description, self.suggestion) = (description, suggestion) }

  private static let photo = "Convert it to JPEG or PNG"
  private static let raw = "Develop it to TIFF or PNG first, for example with darktable-cli or dcraw_emu -T."
  private static let still = "\(photo), for example with ImageMagick."

  /// `nil` if the bytes don't begin one of these formats.
  ///
  /// - Parameter name: The file's name, which tells photos of cameras from other TIFF files.
  init?(beginning bytes: [UInt8], name: String) {
    let named = Self.json(bytes, name) ?? Self.data(name)
    guard let found = Self.box(bytes) ?? Self.camera(bytes, name) ?? Self.signed(bytes) ?? Self.text(bytes) ?? named
    else { return nil }
    self = found
  }

  // MARK: files of boxes

  private static func box(_ bytes: [UInt8]) -> ForeignFormat? {
    guard bytes.text(at: 4, byteCount: 4) == "ftyp", let brand = bytes.text(at: 8, byteCount: 4) else { return nil }
    switch brand {
    case "heic", "heix", "heim", "heis", "mif1", "mif2":
      return ForeignFormat(
        "is a photo in HEIC (HEIF)", "\(photo), for example with heif-convert photo.heic photo.jpg (package libheif-examples).")
    case "crx ": return ForeignFormat("is a raw photo (CR3)", raw)
    case "aax ", "aaxc": return ForeignFormat("is an audio book with copy protection (AAX)", "Use a file without protection.")
    default: return nil
    }
  }

  // MARK: raw photos

  private static let cameras: Set<String> = [
    "3fr", "arw", "cr2", "crw", "dcr", "dng", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw", "nef", "nrw", "orf", "pef",
    "raf",
    "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]

  /// Most raw photos are TIFF files, whose first image is only a thumbnail.
  private static func camera(_ bytes: [UInt8], _ name: String) -> ForeignFormat? {
    let suffix = name.fileExtension ?? ""
    let isTIFF = bytes.starts(with: [0x49, 0x49, 0x2a, 0]) || bytes.starts(with: [0x4d, 0x4d, 0, 0x2a])
    let isDNG = isTIFF && TIFFDirectory(bytes)?[.rawVersion] != nil
    let signatures = ["IIRO", "IIRS", "MMOR", "IIU\0", "FUJIFILMCCD-RAW", "FOVb", "\0MRM"]
    let isOther = signatures.contains { bytes.starts(with: $0.utf8) } || bytes.text(at: 8, byteCount: 2) == "CR" && isTIFF
    guard isDNG || isOther || isTIFF && cameras.contains(suffix) else { return nil }
    return ForeignFormat("is a raw photo" + (suffix.isEmpty ? "" : " (\(suffix.uppercased()))"), raw)
  }

  // MARK: signatures

  private static let signatures: [(signature: [UInt8], description: String, suggestion: String)] = [
    (Array("8BPS".utf8), "is a Photoshop document", "Export it as PNG."),
    ([0x76, 0x2f, 0x31, 0x01], "is an OpenEXR image", "Convert it to a 16-bit PNG or TIFF, for example with oiiotool."),
    (Array("#?RADIANCE".utf8), "is a Radiance HDR image", "Convert it to a 16-bit PNG or TIFF, for example with oiiotool."),
    (Array("SDPX".utf8), "is a DPX image", "Convert it to a 16-bit PNG or TIFF, for example with ffmpeg."),
    (Array("XPDS".utf8), "is a DPX image", "Convert it to a 16-bit PNG or TIFF, for example with ffmpeg."),
    (Array("gimp xcf".utf8), "is a GIMP document", "Export it as PNG."),
    (Array("qoif".utf8), "is a QOI image", still),
    (Array("DDS ".utf8), "is a DDS texture", still),
    ([0x49, 0x49, 0xbc], "is a JPEG XR image", still),
    (Array("SIMPLE  =".utf8), "is a FITS image", still),
    (Array("icns".utf8), "is an icon of macOS", still),
    (Array("%PDF".utf8), "is a PDF document", "Convert its page to PNG, for example with pdftoppm -png -r 200."),
    (Array("%!PS".utf8), "is a PostScript document", "Convert it to PNG, for example with Ghostscript."),
    (Array("PK\u{3}\u{4}".utf8), "is a ZIP archive or an office document", "Unpack it, or export its contents as media."),
    ([0x1f, 0x8b], "is compressed with gzip", "Unpack it first: gunzip."),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "is compressed with xz", "Unpack it first: unxz."),
    ([0x28, 0xb5, 0x2f, 0xfd], "is compressed with Zstandard", "Unpack it first: unzstd."),
    (Array("Rar!".utf8), "is a RAR archive", "Unpack it first."),
    ([0x37, 0x7a, 0xbc, 0xaf], "is a 7-Zip archive", "Unpack it first."),
    (Array("MThd".utf8), "is a MIDI file, notes without audio", "Render it to WAV, for example with fluidsynth."),
    (Array("FWS".utf8), "is a Flash movie", "Convert it to MP4."),
    (Array("CWS".utf8), "is a Flash movie", "Convert it to MP4."),
    (Array(".RMF".utf8), "is a RealMedia file", "Convert it to MP4, for example with ffmpeg."),
    (Array("BLENDER".utf8), "is a Blender project", "Render it to a movie first."),
    ([0x7f, 0x45, 0x4c, 0x46], "is a program or a library", "Name a media file."),
  ]

  private static func signed(_ bytes: [UInt8]) -> ForeignFormat? {
    func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    if let found = signatures.first(where: { bytes.starts(with: $0.signature) }) {
      return ForeignFormat(found.description, found.suggestion)
    }
    // A version, and a number of images that is not 0: MPEG-4 video begins similarly.
    if bytes.starts(with: [0, 0, 1, 0]), let count = bytes.littleEndian(at: 4, byteCount: 2), 1...64 ~= count {
      return ForeignFormat("is a Windows icon", still)
    }
    if begins("RED1", at: 4) || begins("RED2", at: 4) {
      return ForeignFormat("is a RED raw movie (R3D)", "Transcode it to ProRes with the camera maker's software.")
    }
    return nil
  }

  // MARK: text

  /// A project or other data, by its name and the beginning of an object, a list or a comment.
  private static func json(_ bytes: [UInt8], _ name: String) -> ForeignFormat? {
    let first = bytes.first { !Character(UnicodeScalar($0)).isWhitespace }
    guard ["json5", "json"].contains(name.fileExtension), let first, "{[/".utf8.contains(first) else { return nil }
    return ForeignFormat("is JSON", "If it is a project, render it first, and name the movie.")
  }

  /// Text that is known by its name only.
  private static func data(_ name: String) -> ForeignFormat? {
    let kinds = [".yaml": "YAML", ".yml": "YAML", ".toml": "TOML", ".csv": "a table (CSV)", ".txt": "a text"]
    guard let kind = kinds.first(where: { name.lowercased().hasSuffix($0.key) }) else { return nil }
    let isProject = kind.value == "YAML" || kind.value == "TOML"
    return ForeignFormat(
      "is \(kind.value)",
      isProject
        ? "A project is JSON5: convert it, for example with yq -o=json \(name) > project.json, and name that file."
        : "Name a media file, or a project with the extension .json5.")
  }

  /// Whether a text begins with a tag, a declaration or a comment of XML or HTML. A stream of coded media may begin with `<`, too, but has control characters,
  /// which no text contains (XML 1.0, 2.2). Zeros at the end of a file may have been added.
  private static func isMarkup(_ text: String) -> Bool {
    guard text.hasPrefix("<"), let second = text.dropFirst().first else { return false }
    let scalars = text.unicodeScalars.reversed().drop { $0 == "\0" }
    return (second.isLetter || "?!_:".contains(second))
      && scalars.allSatisfy { $0.value >= 32 || "\t\n\r\u{c}".unicodeScalars.contains($0) }
  }

  private static func text(_ bytes: [UInt8]) -> ForeignFormat? {
    let head = String(decoding: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
    let words = head.drop { $0.isWhitespace }.lowercased()
    if words.hasPrefix("#extm3u") {
      return ForeignFormat(
        "is a playlist (HLS, M3U)", "Download the stream to a file first, for example with ffmpeg -i LIST -c copy movie.mp4.")
    }
    if isMarkup(words) {
      if words.contains("<svg") {
        return ForeignFormat(
          "is an SVG drawing", "Convert it to PNG, for example with rsvg-convert -o drawing.png drawing.svg.")
      }
      if words.contains("<mpd") {
        return ForeignFormat(
          "is a DASH manifest", "Download the stream to a file first, for example with ffmpeg -i MANIFEST -c copy movie.mp4.")
      }
      if words.hasPrefix("<!doctype html") || words.hasPrefix("<html") {
        return ForeignFormat("is a web page, probably what a download gave instead of the file", "Download the file itself.")
      }
      if words.contains("<fcpxml") || words.contains("<xmeml") {
        return ForeignFormat("is an edit of another program", "Render it there, and use the movie.")
      }
      return ForeignFormat("is an XML document", "Name a media file.")
    }
    if words.hasPrefix("version https://git-lfs") {
      return ForeignFormat("is a pointer of Git LFS, not the file itself", "Fetch the file: git lfs pull.")
    }
    return nil
  }
}

extension ForeignFormat {
  /// The error for a file of this format.
  func error(_ path: String) -> CompositorError {
    CompositorError(
      .unreadableMedia, "The file \(description), which is not supported.", recoverySuggestion: suggestion,
      at: ErrorLocation(file: path))
  }
}
