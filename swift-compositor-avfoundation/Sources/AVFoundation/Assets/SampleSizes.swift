internal import Compositor
internal import Foundation

/// How many bytes the tracks of a file of the MPEG-4 family have, as its index says.
struct SampleSizes {
  /// The handler of a track: `vide`, `soun` or another.
  private(set) var tracks: [(handler: String, byteCount: Int)] = []
  private let index: Data

  /// Reads the index of a file; `nil` if there is none, or if the file has fragments, which are not in it.
  init?(_ url: URL) {
    guard let file = try? FileHandle(forReadingFrom: url), let index = Self.index(in: file) else { return nil }
    self.index = index
    var isFragmented = false
    for atom in atoms(in: 0..<index.count) {
      if atom.type == "mvex" { isFragmented = true }
      if atom.type == "trak" { addTrack(atom.range) }
    }
    if isFragmented { return nil }
  }

  /// The contents of `moov`.
  private static func index(in file: FileHandle) -> Data? {
    var offset: UInt64 = 0
    while (try? file.seek(toOffset: offset)) != nil, let head = try? file.read(upToCount: 16), head.count >= 8 {
      let short = UInt64(head.number(at: 0, count: 4))
      let long = short == 1 && head.count == 16
      let size = long ? UInt64(head.number(at: 8, count: 8)) : short
      let headCount: UInt64 = long ? 16 : 8
      guard size > headCount else { return nil }
      if head[4..<8] == Data("moov".utf8) {
        guard size < 1 << 30, (try? file.seek(toOffset: offset + headCount)) != nil else { return nil }
        return try? file.read(upToCount: Int(size - headCount))
      }
      offset += size
    }
    return nil
  }

  private func atoms(in range: Range<Int>) -> [(type: String, range: Range<Int>)] {
    var result: [(String, Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      let size = index.number(at: offset, count: 4)
      guard size >= 8, offset + size <= range.upperBound else { break }
      result.append((String(decoding: index[offset + 4..<offset + 8], as: UTF8.self), offset + 8..<offset + size))
      offset += size
    }
    return result
  }

  private func atom(_ path: String..., in range: Range<Int>) -> Range<Int>? {
    path.reduce(Optional(range)) { range, type in range.flatMap { atoms(in: $0).first { $0.type == type }?.range } }
  }

  private mutating func addTrack(_ range: Range<Int>) {
    guard let media = atom("mdia", in: range), let handler = atom("hdlr", in: media), handler.count >= 12,
      let sizes = atom("minf", "stbl", "stsz", in: media), sizes.count >= 12
    else { return }
    let (common, count) = (index.number(at: sizes.lowerBound + 4, count: 4), index.number(at: sizes.lowerBound + 8, count: 4))
    let first = sizes.lowerBound + 12
    let last = min(first + count * 4, sizes.upperBound)
    let sum = stride(from: first, to: last - 3, by: 4).reduce(0) { $0 + index.number(at: $1, count: 4) }
    let type = String(decoding: index[handler.lowerBound + 8..<handler.lowerBound + 12], as: UTF8.self)
    tracks.append((type, common > 0 ? common * count : sum))
  }
}

extension Data {
  /// A number of some bytes, the most significant one first.
  fileprivate func number(at offset: Int, count: Int) -> Int {
    self[startIndex + offset..<startIndex + offset + count].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension AssetFacts {
  /// Bits per second of a track, on average; 0 if they are not known.
  func dataRate(of track: SourceTrack) -> Float {
    let seconds = track.timeRange.duration.seconds
    guard seconds > 0 else { return 0 }
    if let sizes = SampleSizes(url) {
      let handler = AVMediaType(track.type).rawValue
      let alike = sizes.tracks.filter { $0.handler == handler }
      return alike.indices.contains(track.index) ? Float(Double(alike[track.index].byteCount) * 8 / seconds) : 0
    }
    guard (try? SourceTrack.all(of: self).count) == 1,
      let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int64
    else { return 0 }
    return Float(Double(size) * 8 / seconds)
  }
}
