import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Remains of killed writers are removed by the next one, without listing the folder for each file of it.
@Suite struct SweepingTests {
  private static let frame = patternFrame(
    .rgba, PixelSize(width: 8, height: 8), index: 0, attributes: FrameAttributes(color: .sRGB, alphaMode: .opaque))

  /// The name of a folder that a process of this machine left behind.
  private static func remains(_ number: Int) throws -> String {
    let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8).filter(\.isHexDigit).prefix(16)
    return ".compositor-partial-\(boot)-4000000-\(number)"
  }

  private static func leave(_ name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file(name + "/a.png")))
  }

  @Test func imagesOneByOne_sweepTheirFolderOnce() throws {
    let folder = try TemporaryFolder()
    let (first, second, locked) = (try Self.remains(1), try Self.remains(2), try Self.remains(3))
    for name in [first, locked] { try Self.leave(name, in: folder) }
    let writer = open(folder.file(locked), O_RDONLY | O_DIRECTORY)
    defer { close(writer) }
    try #require(flock(writer, LOCK_EX | LOCK_NB) == 0)
    try ImageFileWriter.write(Self.frame, to: folder.file("1.png"))
    #expect(try folder.names.sorted() == [locked, "1.png"].sorted())
    try Self.leave(second, in: folder)
    try ImageFileWriter.write(Self.frame, to: folder.file("2.png"))
    #expect(try folder.names.sorted() == [second, locked, "1.png", "2.png"].sorted())
    // An output of many files, such as a movie or a sequence, looks again.
    try AtomicOutput(in: folder.path, overwrites: false).discard()
    #expect(try folder.names.sorted() == [locked, "1.png", "2.png"].sorted())
  }

  @Test func anotherFolderAtTheSamePath_isSwept() throws {
    let folder = try TemporaryFolder()
    let inner = folder.file("inner")
    for number in 1...2 {
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
      let left = try Self.remains(number)
      try Self.leave("inner/" + left, in: folder)
      try AtomicOutput.write(Array("text".utf8), to: inner + "/a.txt", overwrites: false)
      #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == ["a.txt"])
      // Still there, so that its number isn't used again.
      try FileManager.default.moveItem(atPath: inner, toPath: folder.file("moved\(number)"))
    }
  }
}
