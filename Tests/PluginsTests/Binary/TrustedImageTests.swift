import CompositorAPI
import CompositorPlugins
import CompositorTestSupport
import Foundation
import Testing

/// The bytes that the digest of a plugin was computed from are those that run.
@Suite(.serialized) struct TrustedImageTests {
  @Test func image_ofAFileThatIsOverwritten_keepsItsBytes() throws {
    let folder = try TemporaryFolder()
    let compiler = PluginCompiler(in: folder.url)
    let plugin = try compiler.hostile("PRINT", fromFrame: 1000)
    let other = try compiler.compile(PluginCompiler.fixtures.appending(path: "placed.c"), name: "placed")
    let digest = try PluginTrust.digest(of: plugin.path)
    let image = try PluginImage(of: plugin.path)
    #expect(image.digest == digest)
    // The same inode, other bytes.
    let file = try FileHandle(forWritingTo: plugin)
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(contentsOf: other))
    try file.close()
    let opened = try PluginSpecification.binary(path: plugin.path).open(image)
    #expect(opened.factories.map(\.descriptor.id.rawValue) == ["org.example.hostile"])
    let trust: Set<PluginTrust> = [.file(path: plugin.path, digest: digest), .digest(digest)]
    #expect(try trust.open(.binary(path: plugin.path)) == nil)
  }

  @Test func image_ofALinkOrAFolder_isRefused() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "plugin.so")
    try Data("bytes".utf8).write(to: file)
    let link = folder.url.appending(path: "link.so")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    for path in [link.path, folder.path, folder.file("nothing.so")] {
      let error = #expect(throws: CompositorError.self) { try PluginImage(of: path) }
      #expect(error?.code == .fileNotFound, "\(path)")
    }
    #expect(try PluginImage(of: file.path).digest == PluginTrust.digest(of: file.path))
  }

  /// A sparse file takes no room on a disk, but its image would take memory.
  @Test(arguments: [false, true]) func image_ofALargeFileOfHoles_isRefusedBeforeItIsRead(_ isLibrary: Bool) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "sparse.so")
    try Data().write(to: file)
    if isLibrary {
      try FileManager.default.removeItem(at: file)
      let plugin = try PluginCompiler(in: folder.url).hostile("PRINT", fromFrame: 1000)
      try FileManager.default.copyItem(at: plugin, to: file)
    }
    truncate(file.path, 1 << 30)
    let start = ContinuousClock.now
    let error = #expect(throws: CompositorError.self) { try PluginImage(of: file.path) }
    let says = isLibrary ? "holes of more than 16 MiB" : "not a library"
    #expect(error?.code == .pluginFailed && error?.message.contains(says) == true, "\(String(describing: error))")
    #expect(error?.recoverySuggestion?.contains("sparse=never of cp") == isLibrary, "\(String(describing: error))")
    #expect(ContinuousClock.now - start < .seconds(1), "reading it takes seconds")
  }

  /// A file has no bytes at such an offset, not even one that ends early.
  @Test(arguments: [UInt64(Int64.max) + 1, UInt64.max - 255, UInt64(Int64.max)])
  func library_whoseHeadersAreFarBeyondItsEnd_isCutShort(_ offset: UInt64) throws {
    let folder = try TemporaryFolder()
    let plugin = try PluginCompiler(in: folder.url).hostile("PRINT", fromFrame: 1000)
    var bytes = try Data(contentsOf: plugin)
    // The place of the program headers.
    bytes.replaceSubrange(32..<40, with: withUnsafeBytes(of: offset.littleEndian) { Data($0) })
    try bytes.write(to: plugin)
    let image = try PluginImage(of: plugin.path)
    let error = #expect(throws: CompositorError.self) { try PluginSpecification.binary(path: plugin.path).open(image) }
    #expect(error?.code == .pluginFailed && error?.message.contains("cut short") == true, "\(String(describing: error))")
  }

  /// Its bytes are those of the file, whose holes take no memory.
  @Test func image_ofAFileWithSomeHoles_hasItsDigest() throws {
    let folder = try TemporaryFolder()
    let plugin = try PluginCompiler(in: folder.url).hostile("PRINT", fromFrame: 1000)
    for byteCount in [3 << 20, (15 << 20) + 123] as [Int] {
      truncate(plugin.path, byteCount)
      let image = try PluginImage(of: plugin.path)
      #expect(try image.digest == PluginTrust.digest(of: plugin.path))
      let file = try FileHandle(forWritingTo: plugin)
      try file.seekToEnd()
      try file.write(contentsOf: Data("the end".utf8))
      try file.close()
      #expect(try PluginImage(of: plugin.path).digest == PluginTrust.digest(of: plugin.path))
    }
  }
}
