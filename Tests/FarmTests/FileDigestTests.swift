import CCompositorDigest
import CompositorAPI
import CompositorFarm
import CompositorTestSupport
import Foundation
import Testing

/// SHA-256 against FIPS 180-4's examples, the portable implementation and the system's own program.
@Suite struct FileDigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digest_ofTheStandardsExamples(_ text: String, _ expected: String) {
    #expect(FileDigest(of: Array(text.utf8)).sha256 == expected)
    #expect(FileDigest(of: text.utf8).sha256 == expected)
  }

  /// Every length around the ends of blocks, in pieces of every kind.
  @Test func digest_isThatOfThePortableImplementation() {
    var state: UInt64 = 1
    let bytes = (0..<1000).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for count in Array(0...260) + [511, 512, 513, 1000] {
      var (plain, pieces) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
      cdg_plain(bytes, count, &plain)
      var digest = cdg_sha256()
      cdg_begin(&digest)
      var at = 0
      while at < count {
        let step = min(1 + at % 71, count - at)
        bytes[at..<at + step].withUnsafeBufferPointer { cdg_add(&digest, $0.baseAddress, $0.count) }
        at += step
      }
      cdg_end(&digest, &pieces)
      #expect(pieces == plain, "\(count) bytes")
    }
    print("SHA-256 runs as \(String(cString: cdg_tier()))")
  }

  @Test func digest_ofAFile_isWhatTheSystemsProgramSays() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("bytes")
    try Data((0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
    let digest = try FileDigest(ofFile: path)
    let expected = try runTool("sha256sum", [path]).prefix(64)
    #expect(digest.sha256 == expected && digest.byteCount == 3_000_001)
  }

  /// Files of sizes around the ends of blocks and of what is read at a time, in all pairs: two are made at a time.
  @Test func digests_ofTwoFiles_areThoseOfEach() throws {
    let folder = try TemporaryFolder()
    let sizes = [0, 1, 63, 64, 65, 5000, (1 << 20) - 1, 1 << 20, (1 << 20) + 64, 2_500_001]
    var expected: [String: FileDigest] = [:]
    for (number, size) in sizes.enumerated() {
      let path = folder.file("\(number)")
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7 &+ number) }
      try Data(bytes).write(to: URL(filePath: path))
      expected[path] = FileDigest(of: bytes)
      #expect(try FileDigest(ofFile: path) == expected[path])
    }
    for first in expected.keys {
      for second in expected.keys {
        let found = FileDigest.digests(ofFiles: [first, second])
        #expect(try found.map { try $0.get() } == [expected[first], expected[second]])
      }
    }
    let some = Array(expected.keys.prefix(3))
    let found = FileDigest.digests(ofFiles: some + [folder.file("nothing")])
    #expect(try found.prefix(3).map { try $0.get() } == some.map { expected[$0] })
    #expect(throws: CompositorError.self) { try found[3].get() }
    #expect(FileDigest.digests(ofFiles: []).isEmpty)
  }

  @Test func digest_ofWhatIsNoFile_isAnError() throws {
    let folder = try TemporaryFolder()
    #expect(code { () throws(CompositorError) in try FileDigest(ofFile: folder.file("nothing")) } == .fileNotFound)
    #expect(code { () throws(CompositorError) in try FileDigest(ofFile: folder.path) } == .sourceRefused)
    try runTool("mkfifo", [folder.file("pipe")])
    #expect(code { () throws(CompositorError) in try FileDigest(ofFile: folder.file("pipe")) } == .sourceRefused)
  }

  private func code<Value>(_ body: () throws(CompositorError) -> Value) -> CompositorError.Code? {
    do throws(CompositorError) {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }
}
