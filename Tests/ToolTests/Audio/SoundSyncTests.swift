import Foundation
import CompositorTestSupport
import Testing

/// A flash and a click at the same time stay in sync, in every container and with every audio codec.
struct SoundSyncTests {
  private static let rate = 48_000
  /// Frame and sample at which both happen, at 25 frames a second.
  private static let (frame, sample) = (20, 38_400)

  /// 2 s of silent black, with one white frame and 40 ms of noise that begins with it.
  private func clip(_ scratch: Scratch) throws -> String {
    let path = scratch.folder.appending(path: "flash.mov").path
    let click = "aevalsrc='if(between(n,\(SoundSyncTests.sample),\(SoundSyncTests.sample + 1919)),0.8*(2*random(0)-1),0)'"
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "color=black:s=64x48:r=25:d=2,geq=lum='if(eq(N,\(SoundSyncTests.frame)),235,16)':cb=128:cr=128",
        "-f", "lavfi", "-i", "\(click):s=\(SoundSyncTests.rate):d=2", "-c:v", "ffv1", "-c:a", "pcm_f32le", path,
      ])
    return path
  }

  /// When the first bright frame is shown, in s.
  private func flashTime(_ path: String) throws -> Double {
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-f", "lavfi", "-i", "movie=\(path),signalstats", "-show_entries",
        "frame=pts_time:frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
      ])
    let rows = text.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
    return try #require(rows.first { $0.count == 2 && $0[1] > 100 })[0]
  }

  /// The sample, counted from time 0 of the container, at which the audio matches the input best.
  private func clickSample(_ path: String, original: [Float]) throws -> Int {
    // Timestamps are kept; samples before 0 are cut off, as in players.
    let data = try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-copyts", "-i", path, "-map", "0:a:0", "-af", "aresample=first_pts=0", "-ac", "1", "-f", "f32le", "-",
      ])
    let decoded = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let start = SoundSyncTests.sample
    let scores = (-2000...2000).map { lag in
      (0..<1920).reduce(Float(0)) { $0 + original[start + $1] * decoded[start + lag + $1] }
    }
    return start + (try #require(scores.indices.max { scores[$0] < scores[$1] })) - 2000
  }

  @Test(arguments: ["mp4", "mov", "mkv"], ["aac", "pcm-s16", "pcm-f32"])
  func clickAndFlash_afterARender_areWithinASample(container: String, codec: String) throws {
    guard container != "mp4" || codec == "aac" else { return }
    let scratch = try Scratch()
    let source = try clip(scratch)
    let raw = try runProgram("ffmpeg", ["-v", "error", "-i", source, "-ac", "1", "-f", "f32le", "-"])
    let original = raw.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let output = scratch.folder.appending(path: "out.\(container)").path
    let result = try ToolRun.compositor(["render", source, "-o", output, "--audio-codec", codec, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let picture = try flashTime(output)
    let sound = try clickSample(output, original: original)
    // Matroska counts milliseconds, in which a frame and the audio may each be rounded; the others count samples.
    let tolerance = container == "mkv" ? 48 : 1
    #expect(abs(sound - Int((picture * Double(SoundSyncTests.rate)).rounded())) <= tolerance, "\(sound), \(picture) s")
    // Once more through our own reader, which knows the priming to the sample.
    let again = scratch.folder.appending(path: "again.mov").path
    let second = try ToolRun.compositor(["render", output, "-o", again, "--audio-codec", "pcm-f32", "--progress", "none"])
    try #require(second.status == 0, "\(second.errors)")
    #expect(abs(try clickSample(again, original: original) - SoundSyncTests.sample) <= 1)
    #expect(abs(try flashTime(again) - 0.8) < 1e-6)
  }

  // MARK: Matroska

  /// An element of a Matroska file: ID, content, where the content begins.
  private struct Element {
    let id: Int
    let content: ArraySlice<UInt8>

    static func all(in bytes: ArraySlice<UInt8>) -> [Element] {
      var (found, offset): ([Element], Int) = ([], bytes.startIndex)
      func number(keepsMark: Bool) -> Int? {
        guard offset < bytes.endIndex else { return nil }
        let width = bytes[offset].leadingZeroBitCount + 1
        guard width <= 8, offset + width <= bytes.endIndex else { return nil }
        defer { offset += width }
        let first = keepsMark ? Int(bytes[offset]) : Int(bytes[offset]) & (0xff >> width)
        return bytes[(offset + 1)..<(offset + width)].reduce(first) { $0 << 8 | Int($1) }
      }
      while let id = number(keepsMark: true), let size = number(keepsMark: false) {
        let end = min(offset + size, bytes.endIndex)
        found.append(Element(id: id, content: bytes[offset..<end]))
        offset = end
      }
      return found
    }

    var number: Int { content.reduce(0) { $0 << 8 | Int($1) } }
    func children(_ id: Int) -> [Element] { Element.all(in: content).filter { $0.id == id } }
  }

  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(0xffff_ffff as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
  }

  @Test func matroskaWithAAC_statesItsPriming_andHasNoTimeBeforeZero() throws {
    let scratch = try Scratch()
    let output = scratch.folder.appending(path: "out.mkv").path
    let source = try clip(scratch)
    try #require(try ToolRun.compositor(["render", source, "-o", output, "--progress", "none"]).status == 0)
    let bytes = Array(try Data(contentsOf: URL(filePath: output)))
    let segment = try #require(Element.all(in: bytes[...]).first { $0.id == 0x1853_8067 })
    let tracks = try #require(segment.children(0x1654_ae6b).first)
    let checksum = try #require(tracks.children(0xbf).first)
    let covered = tracks.content[checksum.content.endIndex...]
    #expect(checksum.content.reversed().reduce(0) { $0 << 8 | UInt32($1) } == SoundSyncTests.crc32(covered))
    let entries = tracks.children(0xae)
    #expect(entries.count == 2 && entries.allSatisfy { $0.children(0x536e).isEmpty })
    let sound = try #require(entries.first { $0.children(0x83).first?.number == 2 })
    let delays = sound.children(0x56aa).map(\.number)
    // 1024 samples at 48 kHz, in ns.
    #expect(delays == [21_333_333])
    var times: [Int: [Int]] = [:]
    for cluster in segment.children(0x1f43_b675) {
      let origin = cluster.children(0xe7).first?.number ?? 0
      for block in cluster.children(0xa3) + cluster.children(0xa0).flatMap({ $0.children(0xa1) }) {
        let bytes = Array(block.content.prefix(3))
        let offset = Int(Int16(bitPattern: UInt16(bytes[1]) << 8 | UInt16(bytes[2])))
        times[Int(bytes[0] & 0x7f), default: []].append(origin + offset)
      }
    }
    #expect(times.count == 2 && times.values.allSatisfy { $0.min() == 0 }, "\(times.mapValues { $0.min() ?? -1 })")
  }
}
