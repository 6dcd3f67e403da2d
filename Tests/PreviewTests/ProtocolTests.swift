import CompositorAPI
import CompositorPreview
import CompositorTestSupport
import Foundation
import Testing

/// Bytes in, bytes out, and the small decisions of a session.
@Suite struct ProtocolTests {
  @Test func frames_inAnyPieces_areParsedOnceTheyAreWhole() throws {
    // RFC 6455 section 5.7: a masked text "Hello".
    let sample: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    for count in 0..<sample.count {
      let part = try WebSocketFrame.parse(Array(sample[..<count]), limit: 100)
      #expect(part == nil)
    }
    let (frame, count) = try #require(try WebSocketFrame.parse(sample + [1, 2], limit: 100))
    #expect(frame == WebSocketFrame(kind: .text, isFinal: true, payload: Array("Hello".utf8)) && count == sample.count)
    for size in [0, 1, 125, 126, 127, 65_535] {
      let bytes = PageClient.frame(0x82, [UInt8](repeating: 7, count: size))
      let parsed = try #require(try WebSocketFrame.parse(bytes, limit: 65_535))
      #expect(parsed.frame.payload.count == size && parsed.count == bytes.count)
    }
  }

  @Test func frames_thatBreakTheProtocol_endTheConnection() {
    let rows: [(bytes: [UInt8], mistake: WebSocketFrame.Mistake)] = [
      (PageClient.frame(0x81, [1], isMasked: false), .protocolError), (PageClient.frame(0xC1, [1]), .protocolError),
      (PageClient.frame(0x83, [1]), .protocolError),
      (PageClient.frame(0x09, [1]), .protocolError),
      (PageClient.frame(0x89, [UInt8](repeating: 0, count: 126)), .protocolError),
      (PageClient.frame(0x81, [UInt8](repeating: 0, count: 101)), .tooLarge),
      (PageClient.frame(0x81, [], length: [127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), .tooLarge),
      (PageClient.frame(0x81, [], length: [127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), .tooLarge),
    ]
    for row in rows {
      #expect(throws: row.mistake) { try WebSocketFrame.parse(row.bytes, limit: 100) }
    }
  }

  @Test func headers_ofAnyLength_areThoseOfTheProtocol() {
    #expect(WebSocketFrame.header(.text, count: 5) == Data([0x81, 5]))
    #expect(WebSocketFrame.header(.binary, count: 256) == Data([0x82, 126, 1, 0]))
    #expect(WebSocketFrame.header(.binary, count: 65_536) == Data([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]))
    #expect(WebSocketFrame.header(.close, count: 2) == Data([0x88, 2]))
  }

  @Test func heads_withEveryByteMissingOrChanged_neverCrashAndNeverPass() {
    let good = Array("GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:1\r\nCookie: x=1; y=2\r\n\r\n".utf8)
    #expect((try? RequestHead(good))?.cookies == ["x": "1", "y": "2"])
    #expect((try? RequestHead(good))?.query == ["b": "c"])
    #expect(RequestHead.end(in: good) == good.count)
    for index in good.indices {
      for byte: UInt8 in [0, 10, 13, 32, 58, 255] {
        var bytes = good
        bytes[index] = byte
        let admission = Admission(token: AccessToken(), port: 1)
        if let head = try? RequestHead(bytes) {
          let verdict = admission.verdict(on: head)
          #expect(verdict == .unauthorized || verdict == .forbidden)
        }
      }
      _ = try? RequestHead(good[..<index])
    }
  }

  @Test func theScale_asPlayingGoes_followsWhatCanBeMade() {
    var scale = ProxyScale()
    var now = ContinuousClock.Instant.now
    func second(dropped: Int, load: Double) -> Bool {
      now += .seconds(1)
      return scale.learn(due: 25, dropped: dropped, load: load, over: .seconds(1), now: now)
    }
    #expect(!second(dropped: 2, load: 0.9) && scale.level == .full)
    #expect(second(dropped: 5, load: 1.2) && scale.level == .threeQuarters)
    #expect(second(dropped: 5, load: 1.0) && scale.level == .half)
    #expect(second(dropped: 25, load: 1.0) && scale.level == .quarter)
    #expect(!second(dropped: 25, load: 1.0) && scale.level == .quarter)
    // Time to spare for four seconds, but what failed a moment ago is not tried again.
    for _ in 0..<8 { #expect(!second(dropped: 0, load: 0.1)) }
    for _ in 0..<40 where scale.level == .quarter { _ = second(dropped: 0, load: 0.15) }
    #expect(scale.level == .half)
    // Four times the pixels would be too many.
    for _ in 0..<60 { _ = second(dropped: 0, load: 0.5) }
    #expect(scale.level == .half)
    for _ in 0..<60 { _ = second(dropped: 0, load: 0.05) }
    #expect(scale.level == .full)
    #expect(!second(dropped: 0, load: 0) && !scale.learn(due: 0, dropped: 0, load: 0, over: .seconds(1), now: now))
  }

  @Test func sizes_atEveryLevel_areEvenAndInShape() {
    let canvas = PixelSize(width: 1918, height: 1080)
    #expect(ProxyScale.size(of: canvas, at: .full) == canvas)
    #expect(ProxyScale.size(of: canvas, at: .half) == PixelSize(width: 960, height: 540))
    #expect(ProxyScale.size(of: PixelSize(width: 3, height: 3), at: .quarter) == PixelSize(width: 2, height: 2))
  }

  /// Also projects that are not valid are on the page.
  @Test func frames_ofMoviesOfAnyLength_areCounted() {
    func grid(_ end: MediaTime, _ frame: MediaTime = MediaTime(value: 1, timescale: 25)) -> FrameGrid {
      FrameGrid(frameDuration: frame, end: end)
    }
    #expect(grid(MediaTime(value: 4, timescale: 1)).count == 100)
    #expect(grid(MediaTime(value: 101, timescale: 50)).count == 51)
    #expect(grid(MediaTime(value: 1001, timescale: 1000), MediaTime(value: 1001, timescale: 30_000)).count == 30)
    #expect(grid(MediaTime(value: 400_000_000_000_000_000, timescale: 1)).count == Int(Int32.max))
    for end in [MediaTime.positiveInfinity, .invalid, .indefinite, .zero, MediaTime(value: -3, timescale: 1)] {
      #expect(grid(end).count == 0)
    }
    #expect(grid(MediaTime(value: 4, timescale: 1), .zero).count == 0)
    let third = MediaTime(value: 3, timescale: 25)
    #expect(grid(MediaTime(value: 4, timescale: 1)).start(of: MediaTime(value: 13, timescale: 100)) == third)
  }

  @Test func files_howeverTheyChange_areSeen() throws {
    let folder = try TemporaryFolder()
    let (kept, changed, late) = (folder.file("kept"), folder.file("changed"), folder.file("late"))
    for path in [kept, changed] { try Data("one".utf8).write(to: URL(filePath: path)) }
    var watcher = FileWatcher([kept, changed, late])
    #expect(watcher.changes().isEmpty)
    // In place, at the same length.
    try Data("two".utf8).write(to: URL(filePath: changed))
    #expect(watcher.changes() == [changed])
    // By another file that takes its place.
    try Data("three".utf8).write(to: URL(filePath: folder.file("new")))
    try #require(rename(folder.file("new"), changed) == 0)
    try Data().write(to: URL(filePath: late))
    #expect(watcher.changes() == [changed, late])
    try FileManager.default.removeItem(atPath: changed)
    #expect(watcher.changes() == [changed])
    // A watcher that goes on from an earlier one misses nothing in between.
    try Data("four".utf8).write(to: URL(filePath: kept))
    var next = FileWatcher([kept], continuing: watcher)
    #expect(next.changes() == [kept])
    #expect(next.changes().isEmpty)
  }
}
