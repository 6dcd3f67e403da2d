import CompositorAPI
import CompositorMediaIO
import Synchronization
import CompositorTestSupport
import Testing

/// Pictures that are decoded into an allocator's memory.
@Suite struct ReadMemoryTests {
  /// A way to make a clip, and whether its decoder can use memory that is given to it.
  struct Clip: Sendable, CustomTestStringConvertible {
    var size = "1918x1078"
    var arguments: [String]
    var name = "clip.mkv"
    var isDirect = true
    var testDescription: String { "\(size) \(arguments.joined(separator: " "))" }
  }

  static let clips = [
    Clip(arguments: ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-g", "12", "-pix_fmt", "yuv420p"]),
    Clip(
      size: "638x358", arguments: ["-c:v", "libx264", "-preset", "veryfast", "-flags", "+ildct+ilme", "-pix_fmt", "yuv422p10"]),
    Clip(size: "638x358", arguments: ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10"]),
    Clip(size: "161x91", arguments: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
    Clip(size: "162x90", arguments: ["-c:v", "mpeg4", "-bf", "2"]),
    Clip(size: "162x90", arguments: ["-c:v", "mjpeg", "-pix_fmt", "yuvj422p"]),
    Clip(size: "162x90", arguments: ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10"], name: "clip.mov"),
    Clip(size: "35x17", arguments: ["-c:v", "ffv1", "-pix_fmt", "yuv444p"]),
    Clip(size: "162x90", arguments: ["-c:v", "qtrle", "-pix_fmt", "rgb24"], name: "clip.mov", isDirect: false),
  ]

  private static func file(_ clip: Clip, in folder: TemporaryFolder) throws -> String {
    try folder.make(clip.name, ["-f", "lavfi", "-i", "testsrc2=s=\(clip.size):r=25", "-frames:v", "24"] + clip.arguments)
  }

  /// Frame numbers, forwards and then backwards in strides.
  private static let tour = Array(0..<24) + stride(from: 23, through: 0, by: -3)

  private static func frame(_ number: Int, of reader: any VideoReader) throws -> Frame {
    try #require(try reader.frame(at: MediaTime(value: Int64(number * 40 + 1), timescale: 1000))).frame
  }

  /// `make test` decodes each with one thread or two.
  @Test(arguments: TableSelection.pairs(clips, [2, 1], each: 1))
  func givenMemory_holdsTheSamePictures(_ clip: Clip, _ threadCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(clip, in: folder)
    let options = VideoReaderOptions(threadCount: threadCount, cacheByteCount: 0)
    let (plain, frames) = (try MediaOpener.openVideo(.file(path: path), options: options), GuardedFrames())
    let reader = try MediaOpener.openVideo(.file(path: path), options: options, allocator: frames)
    for number in Self.tour {
      let (expected, frame) = (try Self.frame(number, of: plain), try Self.frame(number, of: reader))
      #expect(expected.memoryOwner == nil)
      #expect(checksum(frame) == checksum(expected), "frame \(number)")
      let pages = frame.memoryOwner as? GuardedFrames.Pages
      #expect((pages != nil) == clip.isDirect, "frame \(number)")
      #expect(pages?.holds(frame) ?? true, "frame \(number)")
    }
    #expect(frames.made.load(ordering: .relaxed) <= 48)
  }

  @Test func memoryThatRunsOut_isReplacedByTheHeap() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Self.clips[0], in: folder)
    let (plain, frames) = (try MediaOpener.openVideo(.file(path: path)), GuardedFrames(limit: 3))
    let reader = try MediaOpener.openVideo(.file(path: path), options: VideoReaderOptions(threadCount: 2), allocator: frames)
    var owned = 0
    var kept: [Frame] = []
    for number in Self.tour {
      let frame = try Self.frame(number, of: reader)
      #expect(checksum(frame) == checksum(try Self.frame(number, of: plain)), "frame \(number)")
      owned += frame.memoryOwner == nil ? 0 : 1
      kept.append(frame)
    }
    #expect((1..<Self.tour.count).contains(owned), "\(owned)")
  }

  @Test func memory_staysAsLongAsItsFramesAndNoLonger() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Self.clips[0], in: folder)
    let frames = GuardedFrames()
    var reader: (any VideoReader)? = try MediaOpener.openVideo(
      .file(path: path), options: VideoReaderOptions(threadCount: 2, cacheByteCount: 0), allocator: frames)
    var kept = try reader.map { try Self.frame(7, of: $0) }
    let sum = kept.map(checksum)
    _ = try reader.map { try Self.frame(23, of: $0) }
    reader = nil
    #expect(kept.map(checksum) == sum)
    // The decoder's buffer pool releases the reader's last two frames together with this one.
    #expect((1...3).contains(frames.live.load(ordering: .relaxed)))
    kept = nil
    #expect(frames.live.load(ordering: .relaxed) == 0)
  }

  /// The deinterlacer's pictures are its own.
  @Test func deinterlacedPictures_doNotClaimTheDecodersMemory() throws {
    let folder = try TemporaryFolder()
    let path = try Self.file(Self.clips[1], in: folder)
    let options = VideoReaderOptions(deinterlacing: .sameRate)
    let plain = try MediaOpener.openVideo(.file(path: path), options: options)
    let reader = try MediaOpener.openVideo(.file(path: path), options: options, allocator: GuardedFrames())
    for number in 0..<10 {
      let frame = try Self.frame(number, of: reader)
      #expect(frame.memoryOwner == nil)
      #expect(checksum(frame) == checksum(try Self.frame(number, of: plain)))
    }
  }
}
