import CompositorAPI
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// An image appears under its name complete or not at all, and replaces another file only if that is requested.
@Suite struct ImageOverwritingTests {
  private static func frame(_ format: PixelFormat, alpha: AlphaMode = .opaque) -> Frame {
    patternFrame(
      format, PixelSize(width: 32, height: 16), index: 0, attributes: FrameAttributes(color: .sRGB, alphaMode: alpha))
  }

  private static func format(of name: String) -> PixelFormat { name.hasSuffix("webp") ? .bgra : .rgba }

  @Test(arguments: ["a.png", "a.jpg", "a.webp", ".a.png"]) func write_existingFile_isRefusedAndKept(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    try Data("mine".utf8).write(to: URL(filePath: path))
    let error = try #require(throws: CompositorError.self) {
      try ImageFileWriter.write(Self.frame(Self.format(of: name)), to: path)
    }
    #expect(error.code == .outputExists && error.location.file == path && error.recoverySuggestion != nil, "\(error)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    let count = try ImageFileWriter.write(Self.frame(Self.format(of: name)), to: path, overwrites: true)
    #expect(try Data(contentsOf: URL(filePath: path)).count == Int(count))
    #expect(try folder.names == [name])
  }

  @Test func write_thatFails_keepsTheFileThatIsThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.jpg")
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(throws: CompositorError.self) {
      try ImageFileWriter.write(Self.frame(.rgba, alpha: .straight), to: path, overwrites: true)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    #expect(try folder.names == ["a.jpg"])
  }

  @Test func write_intoADanglingLinkOrAFolder_isRefused() throws {
    let folder = try TemporaryFolder()
    let (link, inner) = (folder.file("link.png"), folder.file("folder.png"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("gone.png"))
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let refused = try #require(throws: CompositorError.self) { try ImageFileWriter.write(Self.frame(.rgba), to: link) }
    #expect(refused.code == .outputExists)
    for overwrites in [false, true] {
      let error = try #require(throws: CompositorError.self) {
        try ImageFileWriter.write(Self.frame(.rgba), to: inner, overwrites: overwrites)
      }
      #expect(error.code == .writeFailed && error.location.file == inner && error.recoverySuggestion != nil, "\(error)")
    }
    #expect(try folder.names.sorted() == ["folder.png", "link.png"])
  }

  @Test func write_nameOf255Bytes_works() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(String(repeating: "n", count: 251) + ".png")
    #expect(try ImageFileWriter.write(Self.frame(.rgba), to: path) > 0)
    #expect(try folder.names.count == 1)
  }
}
