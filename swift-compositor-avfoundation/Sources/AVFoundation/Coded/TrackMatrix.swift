internal import Compositor
internal import Foundation

/// The matrix by which players turn a track's pictures, in the header of a movie of the MPEG-4 family (ISO/IEC 14496-12, 8.3.2).
enum TrackMatrix {
  /// Replaces the matrices of tracks.
  ///
  /// - Parameter matrices: By the place of the track in the file.
  /// - Throws: If the file cannot be changed.
  static func set(_ matrices: [Int: CGAffineTransform], in url: URL) throws {
    guard !matrices.isEmpty else { return }
    let file = try FileHandle(forUpdating: url)
    defer { try? file.close() }
    guard let movie = try find("moov", in: file, from: 0, to: try file.seekToEnd()) else { return }
    var (offset, place) = (movie.lowerBound, 0)
    while let track = try find("trak", in: file, from: offset, to: movie.upperBound) {
      if let matrix = matrices[place], let header = try find("tkhd", in: file, from: track.lowerBound, to: track.upperBound) {
        try file.seek(toOffset: header.lowerBound)
        let isLong = try file.read(upToCount: 1)?.first == 1
        try file.seek(toOffset: header.lowerBound + (isLong ? 52 : 40))
        try file.write(contentsOf: bytes(of: matrix))
      }
      (offset, place) = (track.upperBound, place + 1)
    }
  }

  /// The contents of the next box of a type.
  private static func find(_ type: String, in file: FileHandle, from start: UInt64, to end: UInt64) throws -> Range<UInt64>? {
    func number(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    var offset = start
    while offset + 8 <= end {
      try file.seek(toOffset: offset)
      guard let head = try file.read(upToCount: 16), head.count >= 8 else { return nil }
      let isLong = number(head.prefix(4)) == 1 && head.count == 16
      let size = isLong ? number(head.suffix(8)) : number(head.prefix(4))
      let headCount: UInt64 = isLong ? 16 : 8
      guard size >= headCount, offset + size <= end else { return nil }
      if head[4..<8] == Data(type.utf8) { return offset + headCount..<offset + size }
      offset += size
    }
    return nil
  }

  /// Nine numbers: the last of each row has 30 bits after the point, the others 16.
  private static func bytes(of matrix: CGAffineTransform) -> Data {
    func fixed(_ value: CGFloat, _ bits: Int) -> UInt32 {
      UInt32(bitPattern: Int32(clamping: Int((Double(value) * Double(1 << bits)).rounded())))
    }
    let numbers = [
      fixed(matrix.a, 16), fixed(matrix.b, 16), 0, fixed(matrix.c, 16), fixed(matrix.d, 16), 0, fixed(matrix.tx, 16),
      fixed(matrix.ty, 16), fixed(1, 30),
    ]
    return numbers.reduce(into: Data()) { data, number in
      data.append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }
  }
}
