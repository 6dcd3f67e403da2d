import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

/// What must never be opened, and what must never crash.
struct ReadRefusalTests {
  /// The code of the error that opening and probing give; nil where one of them gives none.
  func code(_ path: String) -> CompositorError.Code? {
    do {
      _ = try MediaProbe.probe(.file(path: path))
      return nil
    } catch {
      do {
        _ = try MediaOpener.openVideo(.file(path: path))
        return nil
      } catch let second {
        return second.code == error.code ? error.code : nil
      }
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:9/x.mp4", "https://example.invalid/x.mp4", "concat:a.mp4|b.mp4", "pipe:0", "data:video/mp4;base64,AAAA",
    "file:///etc/hostname", "tcp://127.0.0.1:9", "subfile,,start,0,end,0,,:x.mp4", "crypto:x",
  ])
  func openingAnAddress_anyScheme_isRefused(address: String) {
    #expect(code(address) == .sourceRefused)
  }

  @Test func openingSomethingElseThanAFile_isRefusedWithoutWaiting() throws {
    let scratch = try TemporaryFolder()
    let fifo = scratch.file("fifo.mp4")
    _ = try runTool("mkfifo", [fifo])
    let began = Date()
    #expect(code(fifo) == .sourceRefused)
    #expect(code(scratch.url.path) == .sourceRefused)
    #expect(code("/dev/zero") == .sourceRefused)
    #expect(Date().timeIntervalSince(began) < 10)
  }

  @Test func openingAMissingFile_isNotFound() {
    #expect(code("/nonexistent/clip.mp4") == .fileNotFound)
    #expect(code("") == .fileNotFound)
  }

  @Test func openingNonsense_isUnreadable() throws {
    let scratch = try TemporaryFolder()
    let contents: [String: Data] = [
      "empty.mp4": Data(), "text.mp4": Data("not media at all, only words".utf8),
      "list.m3u8": Data("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:9/a.ts\n".utf8),
      "list.ffconcat": Data("ffconcat version 1.0\nfile http://127.0.0.1:9/a.mp4\n".utf8),
      "cut.png": Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]), "cut.jpg": Data([0xff, 0xd8, 0xff, 0xe0]),
    ]
    for (name, data) in contents {
      try data.write(to: URL(filePath: scratch.file(name)))
      #expect(code(scratch.file(name)) == .unreadableMedia, "\(name)")
    }
  }

  @Test func openingAFileWhoseNameLooksLikeAnAddress_isOpened() throws {
    let scratch = try TemporaryFolder()
    let made = try scratch.make("a.mkv", ["-f", "lavfi", "-i", "testsrc=d=0.2:s=64x48", "-c:v", "ffv1"])
    let named = scratch.file("concat:b.mkv")
    try FileManager.default.moveItem(atPath: made, toPath: named)
    #expect(try MediaProbe.probe(.file(path: named)).videoTracks.count == 1)
  }

  @Test func damagedFiles_anyByteChangedOrCut_neverCrash() throws {
    let scratch = try TemporaryFolder()
    // A night of damage where COMPOSITOR_TEST_FULL is set.
    let isFull = ProcessInfo.processInfo.environment["COMPOSITOR_TEST_FULL"] != nil
    // Debian's libjxl prints what it finds wrong.
    let noisy = isFull ? ["a.jxl"] : []
    let sources =
      [
        try scratch.make("a.mp4", ["-f", "lavfi", "-i", "testsrc=d=0.4:s=64x48", "-c:v", "libx264", "-pix_fmt", "yuv420p"]),
        try scratch.make("a.mkv", ["-f", "lavfi", "-i", "testsrc=d=0.4:s=64x48", "-c:v", "mpeg4"]),
        try scratch.make("a.png", ["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1"]),
      ]
      + (try (["a.jpg", "a.tiff", "a.bmp", "a.tga", "a.ppm", "a.jp2", "a.gif", "a.webp", "a.avif"] + noisy).map { name in
        try scratch.make(name, ["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1"])
      })
      + (try [("m.gif", "gif"), ("m.apng", "apng"), ("m.webp", "webp")].map { name, format in
        try scratch.make(name, ["-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=0.4", "-f", format])
      })
    let rounds = isFull ? 1500 : 12
    var random = ReadRandom(state: 7)
    var readable = 0
    for source in sources {
      let whole = try Data(contentsOf: URL(filePath: source))
      for round in 0..<rounds {
        var data = round % 3 == 0 ? whole.prefix(Int.random(in: 1..<whole.count, using: &random)) : whole
        for _ in 0..<(round % 3 * 20) {
          data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        let path = scratch.file("damaged.\(URL(filePath: source).pathExtension)")
        try data.write(to: URL(filePath: path))
        readable += readAll(path)
      }
    }
    #expect(readable > 0)
  }

  /// 1 where at least one frame came out.
  func readAll(_ path: String) -> Int {
    guard let reader = try? MediaOpener.openVideo(.file(path: path), options: VideoReaderOptions(damaged: .keep)) else {
      return 0
    }
    var found = 0
    for step in 0..<12 {
      let time = MediaTime(value: Int64(step), timescale: 25)
      if let shown = try? reader.frame(at: time), checksum(shown.frame) != 0 { found = 1 }
    }
    return found
  }

  /// Bytes lost inside a codec's configuration move every length after them: damage, and no want of memory.
  @Test(arguments: [1, 2, 3, 5], ["faststart", "write_colr"])
  func probe_bytesLostInCodecConfiguration_isDamage(_ count: Int, _ flags: String) throws {
    let scratch = try TemporaryFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "libaom-av1", "-cpu-used", "8"]
    let path = try scratch.make("whole.mp4", source + ["-movflags", "+\(flags)"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let box = try #require(bytes.range(of: Data("av1C".utf8)))
    let damaged = scratch.file("damaged.mp4")
    for offset in (box.lowerBound - 4)..<(box.upperBound + 12) {
      try (bytes.prefix(offset) + bytes.dropFirst(offset + count)).write(to: URL(filePath: damaged))
      let error = #expect(throws: CompositorError.self, "\(count) bytes at \(offset - box.lowerBound)") {
        try MediaProbe.probe(.file(path: damaged))
      }
      #expect(error?.code == .unreadableMedia, "\(count) bytes at \(offset - box.lowerBound): \(String(describing: error))")
    }
  }
}
