import CompositorAPI

/// A box of an MP4 or QuickTime file (ISO/IEC 14496-12).
package struct FileBox: Hashable, Sendable {
  /// The four-character code; for `uuid`, with the first bytes of its type.
  package let name: String
  /// The whole box, header included.
  package let bytes: ArraySlice<UInt8>
  /// Number of bytes of its header.
  let headSize: Int

  /// The contents from an offset on.
  func contents(from offset: Int = 0) -> ArraySlice<UInt8> { bytes.dropFirst(headSize + offset) }

  /// The boxes inside, from an offset of the contents on.
  func children(from offset: Int = 0) -> [FileBox] { FileBox.list(in: contents(from: offset)) }

  func child(_ name: String) -> FileBox? { children().first { $0.name == name } }

  /// The boxes that follow one another in bytes. Ends at a size that is impossible.
  static func list(in bytes: ArraySlice<UInt8>) -> [FileBox] {
    var (rest, boxes) = (bytes, [FileBox]())
    while let head = BoxHead(rest), head.size <= rest.count {
      boxes.append(FileBox(name: head.name, bytes: rest.prefix(head.size), headSize: head.headSize))
      rest = rest.dropFirst(head.size)
    }
    return boxes
  }
}

/// The size and the name of a box.
struct BoxHead {
  let size: Int
  let name: String
  let headSize: Int
  /// Whether it goes on to the end of the file.
  let isOpen: Bool

  /// - Returns: `nil` if the bytes are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    let short = Int(bytes.number(4))
    guard short != 1 || bytes.count >= 16 else { return nil }
    headSize = short == 1 ? 16 : 8
    isOpen = short == 0
    size = short == 1 ? Int(clamping: bytes.number(8, at: 8)) : short == 0 ? bytes.count : short
    guard size >= headSize else { return nil }
    let code = bytes.dropFirst(4).prefix(4)
    guard code.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
    name = String(code.map { Character(Unicode.Scalar($0)) })
  }
}

extension ArraySlice<UInt8> {
  /// A big-endian number at an offset. The bytes must be there.
  func number(_ width: Int, at offset: Int = 0) -> UInt64 {
    dropFirst(offset).prefix(width).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The index of an MP4 or QuickTime file, and the names of the boxes beside it.
package struct BoxFile: Sendable {
  /// The `moov` box.
  package let movie: FileBox
  /// Names of the other boxes of the file, each once, in their order.
  let names: [String]
  /// Where a second movie begins that was appended byte by byte, in bytes; `nil` if there is none. It is not read. An index that is repeated
  /// between fragments that follow one another, as recorders and packagers write it, begins none.
  let appendedMovie: Int?

  /// The greatest index that is read, in bytes.
  private static let maximumByteCount = 256 << 20
  private static let maximumBoxCount = 100_000

  /// Reads the index of a file; `nil` if it has none, or cannot be read. The demuxer reports what is damaged.
  package init?(path: String) {
    guard let file = PartialFile(path: path) else { return nil }
    var (position, found, names) = (0, FileBox?.none, [String]())
    // A movie begins with the box of its brands, or, in old QuickTime files, with anything.
    var (brands, appended, fragment, isSeparate) = (Int?.none, Int?.none, Range<Int>?.none, false)
    for _ in 0..<Self.maximumBoxCount {
      guard let head = file.bytes(16, at: position).flatMap({ BoxHead($0[...]) }) else { break }
      let end = head.isOpen ? file.size - position : head.size
      if head.name == "ftyp", position > 0 { brands = brands ?? position }
      if head.name == "moov", found == nil {
        guard end <= Self.maximumByteCount, let bytes = file.bytes(end, at: position), bytes.count == end else { return nil }
        found = FileBox(name: "moov", bytes: bytes[...], headSize: head.headSize)
      } else if head.name == "moov" {
        appended = appended ?? brands ?? position
      } else if !names.contains(head.name) {
        names.append(head.name)
      }
      guard end > 0, position <= file.size - end else { break }
      if head.name == "moof", !isSeparate {
        let here = position..<position + end
        if appended != nil {
          isSeparate = !Self.fragment(here, follows: fragment, in: file)
          if !isSeparate { (brands, appended) = (nil, nil) }
        }
        fragment = here
      }
      position += end
    }
    guard let found else { return nil }
    (movie, self.names, appendedMovie) = (found, names, appended)
  }

  /// Whether a fragment's media is decoded later than that of an earlier one.
  private static func fragment(_ later: Range<Int>, follows earlier: Range<Int>?, in file: borrowing PartialFile) -> Bool {
    guard let earlier else { return false }
    let (before, after) = (decodeTimes(earlier, in: file), decodeTimes(later, in: file))
    let shared = before.keys.filter { after[$0] != nil }
    return !shared.isEmpty && shared.allSatisfy { (before[$0] ?? 0) < (after[$0] ?? 0) }
  }

  /// The decoding times (`tfdt`) of a fragment's tracks, by the tracks' numbers.
  private static func decodeTimes(_ range: Range<Int>, in file: borrowing PartialFile) -> [UInt64: UInt64] {
    guard range.count <= maximumByteCount, let bytes = file.bytes(range.count, at: range.lowerBound),
      let head = BoxHead(bytes[...])
    else { return [:] }
    let box = FileBox(name: head.name, bytes: bytes[...], headSize: head.headSize)
    var times: [UInt64: UInt64] = [:]
    for track in box.children() where track.name == "traf" {
      guard let header = track.child("tfhd")?.contents(from: 4), header.count >= 4, let time = track.child("tfdt")?.contents(),
        let version = time.first, time.count >= (version == 1 ? 12 : 8)
      else { continue }
      times[header.number(4)] = time.number(version == 1 ? 8 : 4, at: 4)
    }
    return times
  }

  /// Whether a file begins as an MP4 or QuickTime file with media and has no index.
  static func lacksIndex(_ path: String) -> Bool {
    guard let head = try? RegularFile.beginning(of: path, count: 12), head.count == 12,
      ["ftyp", "mdat", "wide"].contains(String(decoding: head[4..<8], as: UTF8.self))
    else { return false }
    // Images have none.
    let images = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "miaf", "avif", "avis", "avci"]
    return !images.contains(String(decoding: head[8...], as: UTF8.self)) && BoxFile(path: path) == nil
  }

  /// The tracks of a kind (`vide`, `soun`) in the order of the file.
  package func tracks(_ handler: String) -> [TrackBox] {
    movie.children().filter { $0.name == "trak" }.compactMap(TrackBox.init).filter { $0.handler == handler }
  }
}

/// A `trak` box.
package struct TrackBox: Sendable {
  let box: FileBox
  let handler: String
  /// The description of the samples: of a codec, with boxes of what else is known.
  package let entry: FileBox
  /// The names of all descriptions: of the codecs, if the media was joined of several recordings.
  let codings: [String]
  /// The sizes in pixels that descriptions of video state, each once, in their order; empty for other media.
  let sizes: [PixelSize]

  init?(_ box: FileBox) {
    guard let media = box.child("mdia"), let handler = media.child("hdlr")?.contents(from: 8).prefix(4), handler.count == 4,
      let table = media.child("minf")?.child("stbl"), let entries = table.child("stsd")?.children(from: 8),
      let entry = entries.first
    else { return nil }
    (self.box, self.entry) = (box, entry)
    codings = entries.map(\.name)
    self.handler = String(decoding: handler, as: UTF8.self)
    let stated = self.handler == "vide" ? entries.map { $0.contents(from: 24) }.filter { $0.count >= 4 } : []
    sizes = stated.map { PixelSize(width: Int($0.number(2)), height: Int($0.number(2, at: 2))) }.reduce(into: []) {
      known, size in
      if !known.contains(size) { known.append(size) }
    }
  }

  /// The name in the track's user data, which libavformat writes for its title and, before version 7, doesn't read.
  var name: String? {
    guard let bytes = box.child("udta")?.child("name")?.contents(), let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    let name = text.prefix { $0 != "\0" }
    return name.isEmpty || name.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : String(name)
  }

  /// The boxes in a description of video.
  package var videoBoxes: [FileBox] { entry.bytes.count > 86 ? entry.children(from: 78) : [] }

  /// Units of media times per second.
  private var timescale: Int {
    guard let header = box.child("mdia")?.child("mdhd")?.contents(), header.count >= 24 else { return 0 }
    return Int(header.number(4, at: header.first == 1 ? 20 : 12))
  }

  /// The entries of the edit list.
  ///
  /// - Parameter movieTimescale: Units of their durations per second.
  func edits(_ movieTimescale: Int) -> [TrackEdit] {
    guard let list = box.child("edts")?.child("elst")?.contents(), list.count >= 8, timescale > 0, movieTimescale > 0 else {
      return []
    }
    let isLong = list.first == 1
    let (size, width) = isLong ? (20, 8) : (12, 4)
    let count = min(Int(list.number(4, at: 4)), (list.count - 8) / size)
    return (0..<count).map { index in
      let entry = list.dropFirst(8 + index * size)
      let stated = entry.number(width, at: width)
      let start = isLong ? Int64(bitPattern: stated) : Int64(Int32(truncatingIfNeeded: stated))
      let duration = Int64(clamping: entry.number(width))
      let rate = Double(Int32(truncatingIfNeeded: entry.number(4, at: 2 * width))) / 65_536
      return TrackEdit(
        mediaStart: start < 0 ? nil : MediaTime(value: start, timescale: Int32(clamping: timescale)),
        duration: MediaTime(value: duration, timescale: Int32(clamping: movieTimescale)), rate: rate)
    }
  }
}

extension BoxFile {
  /// The duration in the movie's header (ISO/IEC 14496-12, 8.2.2); `nil` if it states that it is unknown.
  var headerDuration: MediaTime? {
    guard let header = movie.child("mvhd")?.contents(), header.count >= 32, movieTimescale > 0 else { return nil }
    let isLong = header.first == 1
    let value = header.number(isLong ? 8 : 4, at: isLong ? 24 : 16)
    guard value < (isLong ? UInt64(Int64.max) : UInt64(UInt32.max)) else { return nil }
    return MediaTime(value: Int64(value), timescale: Int32(clamping: movieTimescale))
  }

  /// Units of the durations of edits per second.
  var movieTimescale: Int {
    guard let header = movie.child("mvhd")?.contents(), header.count >= 24 else { return 0 }
    return Int(header.number(4, at: header.first == 1 ? 20 : 12))
  }
}
