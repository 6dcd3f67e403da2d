import CompositorAPI

/// The items of a HEIF file (ISO/IEC 23008-12): images and their relations.
struct HEIFFile {
  /// A reference from one item to others, such as `auxl` from an alpha plane to its image.
  struct Reference {
    let type: String
    let from: Int
    let to: [Int]
  }

  /// The item to show.
  let primaryItem: Int
  private(set) var references: [Reference] = []
  private var types: [Int: String] = [:]
  private var extents: [Int: [Range<Int>]] = [:]
  private var idatItems: Set<Int> = []
  private var properties: [ISOBox] = []
  private var associations: [Int: [Int]] = [:]
  private let bytes: [UInt8]
  private var idat: ArraySlice<UInt8> = []

  /// Items beyond this number are ignored.
  private static let mostItems = 10_000

  /// `nil` if the file has no primary item.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A full box: four bytes of version and flags precede its content.
    guard let meta = ISOBox.all(in: bytes[...]).first(where: { $0.type == "meta" }) else { return nil }
    let boxes = ISOBox.all(in: meta.content.dropFirst(4))
    func content(_ type: String) -> ArraySlice<UInt8>? { boxes.first { $0.type == type }?.content }
    guard let pitm = content("pitm"), let version = pitm.first,
      let item = pitm.bigEndian(at: 4, byteCount: version == 0 ? 2 : 4)
    else { return nil }
    primaryItem = item
    idat = content("idat") ?? []
    if let box = content("iinf") { readTypes(box) }
    if let box = content("iloc") { readLocations(box) }
    if let box = content("iref") { readReferences(box) }
    if let box = content("iprp") { readProperties(ISOBox.all(in: box)) }
  }

  // MARK: questions

  /// The four-character type of an item: `av01`, `grid` …
  func type(of item: Int) -> String? { types[item] }

  /// The bytes of an item; `nil` if they aren't all in the file.
  func data(of item: Int) -> [UInt8]? {
    guard let ranges = extents[item] else { return nil }
    let source = idatItems.contains(item) ? idat : bytes[...]
    var data: [UInt8] = []
    for range in ranges {
      guard let part = source.part(at: range.lowerBound, byteCount: range.count), data.count + part.count <= bytes.count
      else { return nil }
      data += part
    }
    return data
  }

  /// The content of an item's first property of a type.
  func property(_ type: String, of item: Int) -> ArraySlice<UInt8>? { properties(type, of: item).first }

  /// The contents of all of an item's properties of a type.
  func properties(_ type: String, of item: Int) -> [ArraySlice<UInt8>] {
    (associations[item] ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
      .filter { $0.type == type }.map(\.content)
  }

  /// The largest size that any item states.
  var largestSize: (width: Int, height: Int)? {
    let sizes = properties.filter { $0.type == "ispe" }.compactMap { box in
      box.content.bigEndian(at: 4, byteCount: 4).flatMap { width in
        box.content.bigEndian(at: 8, byteCount: 4).map { (width: width, height: $0) }
      }
    }
    return sizes.max { Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height) }
  }

  /// The rotation by `irot` (counterclockwise), then the mirroring by `imir` (0 exchanges top and bottom, 1 left and right).
  func orientation(of item: Int) -> ExifOrientation {
    let turns = Int(property("irot", of: item)?.first ?? 0) & 3
    guard let axis = property("imir", of: item)?.first.map({ $0 & 1 }) else {
      return [.upright, .turned270, .turned180, .turned90][turns]
    }
    return axis == 1
      ? [.mirrored, .transverse, .flipped, .transposed][turns] : [.flipped, .transposed, .mirrored, .transverse][turns]
  }

  /// The item that is the alpha plane of another.
  func alphaItem(of item: Int) -> Int? {
    references.first { reference in
      guard reference.type == "auxl", reference.to.contains(item), let kind = property("auxC", of: reference.from) else {
        return false
      }
      let name = String(decoding: kind.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
      return ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"].contains(name)
    }?.from
  }

  // MARK: boxes

  private mutating func readTypes(_ box: ArraySlice<UInt8>) {
    let header = box.first == 0 ? 6 : 8
    for entry in ISOBox.all(in: box.dropFirst(header)).prefix(HEIFFile.mostItems) where entry.type == "infe" {
      guard let version = entry.content.first, version >= 2 else { continue }
      let width = version == 2 ? 2 : 4
      guard let item = entry.content.bigEndian(at: 4, byteCount: width) else { continue }
      types[item] = entry.content.text(at: 6 + width, byteCount: 4)
    }
  }

  private mutating func readLocations(_ box: ArraySlice<UInt8>) {
    guard let version = box.first, let sizes = box.bigEndian(at: 4, byteCount: 2) else { return }
    var reader = Cursor(box, at: 6)
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    guard let count = reader.read(version < 2 ? 2 : 4) else { return }
    for _ in 0..<min(count, HEIFFile.mostItems) {
      guard let item = reader.read(version < 2 ? 2 : 4) else { return }
      let method = version == 0 ? 0 : (reader.read(2) ?? 2) & 15
      guard reader.read(2) != nil, let base = reader.read(baseSize), let extentCount = reader.read(2) else { return }
      var ranges: [Range<Int>] = []
      for _ in 0..<extentCount {
        guard reader.read(indexSize) != nil, let offset = reader.read(offsetSize), let length = reader.read(lengthSize) else {
          return
        }
        let (start, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, start <= bytes.count else { return }
        // A missing length means the rest of the file.
        ranges.append(start..<(lengthSize == 0 ? bytes.count : start + min(length, bytes.count + 1)))
      }
      guard method < 2 else { continue }
      extents[item] = ranges
      if method == 1 { idatItems.insert(item) }
    }
  }

  private mutating func readReferences(_ box: ArraySlice<UInt8>) {
    let width = box.first == 0 ? 2 : 4
    for entry in ISOBox.all(in: box.dropFirst(4)).prefix(HEIFFile.mostItems) {
      var reader = Cursor(entry.content, at: 0)
      guard let from = reader.read(width), let count = reader.read(2) else { continue }
      references.append(Reference(type: entry.type, from: from, to: (0..<count).compactMap { _ in reader.read(width) }))
    }
  }

  private mutating func readProperties(_ boxes: [ISOBox]) {
    properties = boxes.first { $0.type == "ipco" }.map { ISOBox.all(in: $0.content) } ?? []
    for box in boxes where box.type == "ipma" {
      guard let version = box.content.first, let flags = box.content.bigEndian(at: 1, byteCount: 3) else { continue }
      var reader = Cursor(box.content, at: 4)
      for _ in 0..<min(reader.read(4) ?? 0, HEIFFile.mostItems) {
        guard let item = reader.read(version == 0 ? 2 : 4), let count = reader.read(1) else { return }
        // The highest bit says whether a property is essential.
        associations[item, default: []] += (0..<count).compactMap { _ in
          flags & 1 == 1 ? reader.read(2).map { $0 & 0x7fff } : reader.read(1).map { $0 & 0x7f }
        }
      }
    }
  }
}

/// Reads big-endian numbers one after another.
private struct Cursor {
  private let bytes: ArraySlice<UInt8>
  private var offset: Int

  init(_ bytes: ArraySlice<UInt8>, at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

  /// A number of up to 8 bytes; 0 if `count` is 0.
  mutating func read(_ count: Int) -> Int? {
    defer { offset += count }
    return bytes.bigEndian(at: offset, byteCount: count)
  }
}
