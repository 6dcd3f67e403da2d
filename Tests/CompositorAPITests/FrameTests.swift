import CompositorAPI
import Synchronization
import Testing

@Suite struct FrameTests {
  static let sizes = [(1, 1), (3, 5), (17, 9), (64, 2), (333, 1)].map { PixelSize(width: $0.0, height: $0.1) }

  /// Fills every byte of every row with a number made of plane, row and column.
  func stamp(_ frame: inout MutableFrame) {
    let (format, size) = (frame.format, frame.size)
    frame.withUnsafeMutablePlanes { planes in
      for plane in 0..<planes.count {
        for y in 0..<planes[plane].height {
          let row = planes[plane].base + y * planes[plane].stride
          for x in 0..<format.rowBytes(plane: plane, of: size) {
            row.storeBytes(of: UInt8(truncatingIfNeeded: plane * 67 + y * 13 + x * 7), toByteOffset: x, as: UInt8.self)
          }
        }
      }
    }
  }

  func isStamped(_ frame: Frame) -> Bool {
    frame.withUnsafePlanes { planes in
      (0..<planes.count).allSatisfy { plane in
        (0..<planes[plane].height).allSatisfy { y in
          let row = planes[plane].base + y * planes[plane].stride
          return (0..<frame.format.rowBytes(plane: plane, of: frame.size)).allSatisfy { x in
            row.load(fromByteOffset: x, as: UInt8.self) == UInt8(truncatingIfNeeded: plane * 67 + y * 13 + x * 7)
          }
        }
      }
    }
  }

  @Test(arguments: PixelFormat.all, FrameTests.sizes)
  func planes_oddSizes_holdEverySampleApart(format: PixelFormat, size: PixelSize) {
    var draft = MutableFrame(format: format, size: size)
    stamp(&draft)
    let frame = draft.freeze()
    #expect(isStamped(frame))
    frame.withUnsafePlanes { planes in
      #expect(planes.count == format.planeCount)
      for index in 0..<planes.count {
        #expect(UInt(bitPattern: planes[index].base) % 64 == 0 && planes[index].stride % 64 == 0)
        #expect(planes[index].stride >= format.rowBytes(plane: index, of: size))
        let extent = format.planeSize(index, of: size)
        #expect((planes[index].width, planes[index].height) == (extent.width, extent.height))
      }
    }
  }

  @Test func format_name_roundTrips() {
    #expect(Set(PixelFormat.all.map(\.name)).count == PixelFormat.all.count)
    for format in PixelFormat.all { #expect(PixelFormat(named: format.name) == format) }
    #expect(PixelFormat.yuv420p.planeSize(1, of: PixelSize(width: 5, height: 3)) == PixelSize(width: 3, height: 2))
    #expect(PixelFormat.p010.byteCount(of: PixelSize(width: 4, height: 4)) == 48)
  }

  @Test func freeze_keepsMemory_attributesChangeWithoutCopy() {
    let draft = MutableFrame(format: .rgba, size: PixelSize(width: 8, height: 8))
    let frame = draft.freeze()
    var tagged = frame
    tagged.attributes.alphaMode = .straight
    #expect(tagged.isSameMemory(as: frame) && tagged.attributes != frame.attributes)
    let other = MutableFrame(format: .rgba, size: PixelSize(width: 8, height: 8)).freeze()
    #expect(!other.isSameMemory(as: frame))
  }

  @Test func rows_typedSpans_readWhatWasWritten() {
    var draft = MutableFrame(format: .yuv420p10, size: PixelSize(width: 5, height: 3))
    draft.withMutableRow(1, plane: 2, as: UInt16.self) { row in
      for index in row.indices { row[index] = UInt16(index) + 700 }
    }
    let values = draft.freeze().withRow(1, plane: 2, as: UInt16.self) { row in row.indices.map { row[$0] } }
    #expect(values == [700, 701, 702])
    let packed = MutableFrame(format: .rgbaFloat, size: PixelSize(width: 5, height: 3)).freeze()
    #expect(packed.withRow(0, as: Float.self) { $0.count } == 20)
  }

  @Test func wrapped_lastCopyGone_releasedExactlyOnce() {
    let releases = Counter()
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    defer { bytes.deallocate() }
    for offset in 0..<64 { bytes.storeBytes(of: UInt8(offset), toByteOffset: offset, as: UInt8.self) }
    do {
      // Bottom up: the first row is the last in memory.
      let frame = Frame(
        wrapping: [bytes + 48], strides: [-16], format: .rgba, size: PixelSize(width: 4, height: 4),
        attributes: FrameAttributes()
      ) { releases.increment() }
      var copies = Array(repeating: frame, count: 10)
      copies[3].attributes.alphaMode = .straight
      #expect(copies.allSatisfy { $0.isSameMemory(as: frame) })
      #expect(frame.withRow(0, as: UInt8.self) { $0[0] } == 48)
      #expect(frame.withRow(3, as: UInt8.self) { $0[15] } == 15)
      #expect(releases.value == 0)
    }
    #expect(releases.value == 1)
  }

  @Test func displaySize_pixelAspect_widensOnly() {
    let attributes = FrameAttributes(pixelAspectRatio: Rational(4, 3))
    let frame = MutableFrame(format: .nv12, size: PixelSize(width: 1440, height: 1080), attributes: attributes).freeze()
    #expect(frame.displaySize == Size(width: 1920, height: 1080))
  }
}

/// A number that any thread may raise.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
