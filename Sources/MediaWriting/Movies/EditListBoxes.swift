package import CompositorAPI
package import CompositorMediaIO
import CompositorPlatform

/// A section of a track to play: an entry of an edit list (ISO/IEC 14496-12, 8.6.6).
package struct EditListEntry: Hashable, Sendable {
  /// Start time, relative to the track's first decoding time; `nil` for a pause, during which the track plays nothing.
  package var mediaStart: MediaTime?
  /// Duration of the section.
  package var duration: MediaTime

  package init(mediaStart: MediaTime?, duration: MediaTime) { (self.mediaStart, self.duration) = (mediaStart, duration) }
}

/// Writes edit lists into the index of an otherwise complete MP4 or QuickTime file.
package enum EditListBoxes {
  /// Replaces the edit lists of tracks, and the durations stated in the file.
  ///
  /// The index must be followed by free space (a `free` box) or by the end of the file.
  ///
  /// - Parameters:
  ///   - lists: The entries by track index.
  ///   - carried: Boxes to add by the index of a video track, except those that it has.
  /// - Throws: `.writeFailed` if the file cannot be written; `.internalFault` if its structure is not as expected.
  package static func write(
    _ lists: [Int: [EditListEntry]], carrying carried: [Int: CarriedBoxes] = [:], to path: String
  ) throws(CompositorError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw WriteFailure(errno: errno).writing(path) }
    defer { close(descriptor) }
    let place = try Place(descriptor, path)
    let index = try place.read()
    let changed = try MovieBox(index, lists: lists, carried: carried, path: path).bytes
    try place.write(changed)
  }

  /// The position of the index.
  private struct Place {
    let descriptor: Int32
    let path: String
    var start = 0
    var size = 0
    /// Number of bytes up to the next box that must stay in place.
    var capacity: Int?

    init(_ descriptor: Int32, _ path: String) throws(CompositorError) {
      (self.descriptor, self.path) = (descriptor, path)
      var at = 0
      var isAfter = false
      while let (size, name) = try box(at) {
        if isAfter {
          guard name == "free" || name == "skip" else { break }
          capacity = self.size + size
          break
        }
        if name == "moov" {
          (start, self.size, isAfter) = (at, size, true)
          capacity = size
        }
        at += size
        if isAfter, try box(at) == nil { capacity = nil }
      }
      guard isAfter else { throw damaged(path) }
    }

    private func box(_ at: Int) throws(CompositorError) -> (size: Int, name: String)? {
      var head = [UInt8](repeating: 0, count: 16)
      let count = pread(descriptor, &head, 16, off_t(at))
      guard count >= 8 else { return nil }
      let short = Int(head.number(4, at: 0))
      let name = String(decoding: head[4..<8], as: UTF8.self)
      let size = short == 1 ? Int(clamping: head.number(8, at: 8)) : short
      guard size >= 8 else { throw damaged(path) }
      return (size, name)
    }

    func read() throws(CompositorError) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: size)
      var done = 0
      while done < size {
        let count = bytes.withUnsafeMutableBytes { buffer in
          let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
          return pread(descriptor, rest.baseAddress, rest.count, off_t(start + done))
        }
        guard count > 0 else { throw WriteFailure(errno: count < 0 ? errno : EIO).writing(path) }
        done += count
      }
      return bytes
    }

    func write(_ index: [UInt8]) throws(CompositorError) {
      var bytes = index
      if let capacity {
        let left = capacity - index.count
        guard left == 0 || left >= 8 else { throw damaged(path) }
        if left > 0 { bytes += UInt32(left).bytes + Array("free".utf8) }
      }
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
          let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
          return pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
        }
        guard count > 0 else { throw WriteFailure(errno: count < 0 ? errno : EIO).writing(path) }
        done += count
      }
      guard fsync(descriptor) == 0 else { throw WriteFailure(errno: errno).writing(path) }
    }
  }

  fileprivate static func damaged(_ path: String) -> CompositorError {
    CompositorError(.internalFault, "The index of the movie has no room for its edit lists.", at: ErrorLocation(file: path))
  }
}

/// A `moov` box with replaced edit lists.
private struct MovieBox {
  private(set) var bytes: [UInt8]
  private let path: String

  init(
    _ moov: [UInt8], lists: [Int: [EditListEntry]], carried: [Int: CarriedBoxes], path: String
  ) throws(CompositorError) {
    self.path = path
    bytes = []
    let boxes = moov.boxes(from: 8)
    guard let header = boxes.first(where: { $0.name == "mvhd" }) else { throw EditListBoxes.damaged(path) }
    var movie = Array(moov[header.range])
    let timescale = movie.movieTimescale
    var tracks: [UInt8] = []
    var longest: UInt64 = 0
    var number = 0
    for box in boxes where box.name != "mvhd" {
      var content = Array(moov[box.range])
      if box.name == "trak" {
        if let list = lists[number] { content = try MovieBox.track(content, list, timescale, path) }
        if let boxes = carried[number] { content = content.carrying(boxes) }
        longest = max(longest, content.trackDuration)
        number += 1
      }
      tracks += content
    }
    movie.set(duration: longest, at: 16, longAt: 24)
    bytes = (movie + tracks).boxed("moov")
  }

  private static func track(
    _ box: [UInt8], _ list: [EditListEntry], _ timescale: Int, _ path: String
  ) throws(CompositorError) -> [UInt8] {
    let boxes = box.boxes(from: 8)
    guard let media = boxes.first(where: { $0.name == "mdia" }),
      let mediaHeader = Array(box[media.range]).boxes(from: 8).first(where: { $0.name == "mdhd" })
    else { throw EditListBoxes.damaged(path) }
    let mediaTimescale = Array(Array(box[media.range])[mediaHeader.range]).movieTimescale
    let edits = Array(list: list, timescale, mediaTimescale)
    var result: [UInt8] = []
    for child in boxes where child.name != "edts" {
      var content = Array(box[child.range])
      if child.name == "tkhd" {
        let duration = list.reduce(0) { $0 + UInt64(max(0, $1.duration.rounded(toUnitsOf: Rational(1, timescale)))) }
        content.set(duration: duration, at: 20, longAt: 28)
        content += edits
      }
      result += content
    }
    return result.boxed("trak")
  }
}

extension [UInt8] {
  /// A `trak` box with boxes of another file.
  fileprivate func carrying(_ carried: CarriedBoxes) -> [UInt8] {
    let described = replacing(["mdia", "minf", "stbl", "stsd"], headSize: 8) { description in
      guard description.count > 24 else { return description }
      // One description, whose boxes follow the fields of video.
      let entry = Array(description[16...])
      let (boxes, fields) = (entry.boxes(from: 86), 86)
      guard entry.count >= fields, boxes.count > 0 else { return description }
      let end = boxes.last?.range.upperBound ?? fields
      let known = Set(boxes.map(\.name))
      let added = carried.entry.filter { !known.contains($0.name) }.flatMap(\.bytes)
      let changed = Array(entry[..<end]) + added + Array(entry[end...])
      let whole = Array(description[..<16]) + UInt32(changed.count).bytes + Array(changed[4...])
      return UInt32(whole.count).bytes + Array(whole[4...])
    }
    return Array((described[8...] + carried.track.flatMap(\.bytes))).boxed("trak")
  }

  /// A box in which one of its boxes was changed, found by its path.
  ///
  /// - Parameter change: Receives and returns a box with a header of 8 bytes.
  private func replacing(_ path: [String], headSize: Int, _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var result = Array(self[..<headSize])
    var isFound = false
    for box in boxes(from: headSize) {
      let content = Array(self[box.range])
      guard box.name == path.first, !isFound else {
        result += content
        continue
      }
      isFound = true
      result += path.count == 1 ? change(content) : content.replacing(Array<String>(path.dropFirst()), headSize: 8, change)
    }
    result.replaceSubrange(0..<4, with: UInt32(result.count).bytes)
    return result
  }

  fileprivate struct Box {
    let name: String
    let range: Range<Int>
  }

  /// The boxes inside a box, from an offset.
  fileprivate func boxes(from offset: Int) -> [Box] {
    var (at, boxes) = (offset, [Box]())
    while at + 8 <= count {
      let size = Int(number(4, at: at))
      guard size >= 8, at + size <= count else { break }
      boxes.append(Box(name: String(decoding: self[at + 4..<at + 8], as: UTF8.self), range: at..<at + size))
      at += size
    }
    return boxes
  }

  fileprivate func number(_ width: Int, at offset: Int) -> UInt64 {
    self[offset..<offset + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  fileprivate func boxed(_ name: String) -> [UInt8] { UInt32(count + 8).bytes + Array(name.utf8) + self }

  /// The timescale of an `mvhd` or `mdhd` box.
  fileprivate var movieTimescale: Int { Int(number(4, at: self[8] == 1 ? 28 : 20)) }

  /// The duration in a `trak` box.
  fileprivate var trackDuration: UInt64 {
    guard let header = boxes(from: 8).first(where: { $0.name == "tkhd" }) else { return 0 }
    let box = Array(self[header.range])
    return box[8] == 1 ? box.number(8, at: 36) : box.number(4, at: 28)
  }

  /// Sets the duration of an `mvhd` or `tkhd` box.
  ///
  /// - Parameters:
  ///   - offset: Offset of the field in version 0, from the content's start.
  ///   - longOffset: Offset of the field in version 1.
  fileprivate mutating func set(duration: UInt64, at offset: Int, longAt longOffset: Int) {
    let isLong = self[8] == 1
    let bytes = isLong ? duration.bytes : UInt32(clamping: duration).bytes
    let start = 8 + (isLong ? longOffset : offset)
    replaceSubrange(start..<start + bytes.count, with: bytes)
  }

  /// An `edts` box.
  fileprivate init(list: [EditListEntry], _ timescale: Int, _ mediaTimescale: Int) {
    let entries = list.map { entry in
      (
        duration: entry.duration.rounded(toUnitsOf: Rational(1, timescale)),
        start: entry.mediaStart.map { $0.rounded(toUnitsOf: Rational(1, mediaTimescale)) } ?? -1
      )
    }
    let isLong = entries.contains { $0.duration > Int64(UInt32.max) || $0.start > Int64(Int32.max) }
    var content: [UInt8] = [isLong ? 1 : 0, 0, 0, 0] + UInt32(entries.count).bytes
    for entry in entries {
      if isLong {
        content += UInt64(bitPattern: entry.duration).bytes + UInt64(bitPattern: entry.start).bytes
      } else {
        content += UInt32(clamping: entry.duration).bytes + UInt32(bitPattern: Int32(clamping: entry.start)).bytes
      }
      content += [0, 1, 0, 0]
    }
    self = content.boxed("elst").boxed("edts")
  }
}

extension FixedWidthInteger {
  /// The number's big-endian bytes.
  fileprivate var bytes: [UInt8] { (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) } }
}
