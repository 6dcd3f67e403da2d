import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// MP3 files that lost frames: the encoder's first frame states how many there were.
@Suite(.enabled(if: hasFFmpeg)) struct MissingFrameTests {
  private static let rate = 44_100
  private static let count = 4 * rate

  private func make(_ name: String, _ coding: [String], in folder: borrowing TemporaryFolder) throws -> (
    path: String, bytes: Data
  ) {
    let path = folder.file(name)
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=4:r=\(Self.rate):a=0.3:seed=3", "-c:a", "libmp3lame"] + coding + [path])
    return (path, try Data(contentsOf: URL(filePath: path)))
  }

  private func samples(_ path: String) throws -> [Float] {
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: Self.rate, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: Self.count)
    try reader.read(frameCount: Self.count, at: 0, into: block.channels)
    return Array(UnsafeBufferPointer(start: block.channels[0], count: Self.count))
  }

  private static let codings = [["-b:a", "128k"], ["-q:a", "4"]]

  /// {constant, variable bit rate} × {a frame, parts of two frames, three frames}: what follows is in its place, or it is said that it is early.
  @Test(arguments: codings, [417, 800, 1254]) func framesThatAreMissing_areSaid(_ coding: [String], _ lost: Int) throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try make("whole.mp3", coding, in: folder)
    let (whole, expected) = (try MediaProbe.probe(.file(path: path)), try samples(path))
    let range = try #require(whole.audioTracks.first).timeRange
    #expect(whole.warnings.isEmpty && range.duration == .seconds(4), "\(whole.warnings), \(range)")
    var placed = 0
    for place in [9000, 15_001, 22_222, 31_000] {
      let damaged = folder.file("damaged.mp3")
      try (bytes.prefix(place) + bytes.dropFirst(place + lost)).write(to: URL(filePath: damaged))
      let info = try MediaProbe.probe(.file(path: damaged))
      let track = try #require(info.audioTracks.first)
      let said = try #require(info.warnings.first { $0.kind == .incompletePackets }).message
      let what: Comment = "\(coding), \(lost) bytes at \(place): \(info.warnings), \(track.timeRange)"
      #expect(said.contains("frames that the file states") && info.warnings.count == 1, what)
      guard let gap = track.gaps.first else {
        let missing = range.end - track.timeRange.end
        #expect(said.contains("is heard \(Int((missing.seconds * 1000).rounded())) ms early"), what)
        continue
      }
      placed += 1
      #expect(track.timeRange == range && track.gaps.count == 1 && said.contains("are silent"), what)
      // Half a second after a gap, decoders don't lack bits any more.
      let (found, end) = (try samples(damaged), Int(((gap.start + gap.duration).seconds * Double(Self.rate)).rounded()))
      let start = Int((gap.start.seconds * Double(Self.rate)).rounded())
      let outside = Array(0..<start - 2400) + Array(min(end + Self.rate / 2, Self.count)..<Self.count)
      #expect(outside.allSatisfy { abs(found[$0] - expected[$0]) < 0.001 }, what)
    }
    #expect(placed >= 2)
  }

  /// Counts of frames and bytes that are left open, as all ones, state nothing: the file is read to its end.
  @Test(arguments: codings) func openCounts_stateNothing(_ coding: [String]) throws {
    let folder = try TemporaryFolder()
    var (path, bytes) = try make("open.mp3", coding, in: folder)
    let counts = try #require(bytes.range(of: Data("Info".utf8)) ?? bytes.range(of: Data("Xing".utf8))).upperBound + 4
    bytes.replaceSubrange(counts..<counts + 8, with: Data(repeating: 0xff, count: 8))
    try bytes.write(to: URL(filePath: path))
    let track = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first)
    // The last packet's padding is unknown.
    #expect(track.readableEnd == nil && (4...4.06).contains(track.timeRange.end.seconds), "\(track.timeRange)")
    path = folder.file("cut.mp3")
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: path))
    let cut = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first)
    #expect(cut.readableEnd == nil && (1.5...2.5).contains(cut.timeRange.end.seconds), "\(cut.timeRange)")
  }

  /// A seek finds the samples that reading in order does.
  @Test func seekBehindAGap_findsTheSameSamples() throws {
    let folder = try TemporaryFolder()
    let (_, bytes) = try make("whole.mp3", ["-b:a", "128k"], in: folder)
    let damaged = folder.file("damaged.mp3")
    try (bytes.prefix(22_222) + bytes.dropFirst(23_022)).write(to: URL(filePath: damaged))
    let expected = try samples(damaged)
    let probed = try MediaProbe.examine(.file(path: damaged))
    let reader = try MediaOpener.openAudio(
      .file(path: damaged), trackIndex: 0, options: AudioReaderOptions(sampleRate: Self.rate, channelCount: 1),
      info: probed.info.audioTracks.first, facts: probed.facts)
    let block = AudioBlock(channelCount: 1, capacity: 4000)
    for first in [170_000, 60_000, 140_000, 50_000, 100_000] {
      try reader.read(frameCount: 4000, at: Int64(first), into: block.channels)
      #expect((0..<4000).allSatisfy { abs(block[0, $0] - expected[first + $0]) < 0.001 }, "from \(first)")
    }
  }

  /// Tags, other counts and joined files are no losses.
  @Test(arguments: codings) func filesThatLookStrange_lackNothing(_ coding: [String]) throws {
    let folder = try TemporaryFolder()
    let (_, bytes) = try make("whole.mp3", coding, in: folder)
    let statement = try #require(bytes.range(of: Data("Info".utf8)) ?? bytes.range(of: Data("Xing".utf8))).upperBound + 4
    func counting(_ difference: Int) -> Data {
      var bytes = bytes
      let count = max(bytes[statement..<statement + 4].reduce(0) { $0 << 8 | Int($1) } + difference, 0)
      bytes.replaceSubrange(statement..<statement + 4, with: withUnsafeBytes(of: UInt32(count).bigEndian) { Data($0) })
      return bytes
    }
    let id3 = Data("TAG".utf8) + Data(count: 125)
    let ape = Data("APETAGEX".utf8) + Data([208, 7, 0, 0, 208, 7, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]) + Data(count: 8)
    let lyrics = Data("LYRICSBEGININD0000200LYR00011Hello world000053LYRICS200".utf8)
    let variants: [(String, Data)] = [
      ("ID3v1", bytes + id3), ("Lyrics3", bytes + lyrics + id3), ("a frame more", counting(1)), ("a frame less", counting(-1)),
      ("no frames", counting(-1_000_000)), ("joined", bytes + bytes),
      ("inserted", bytes.prefix(20_000) + Data(count: 500) + bytes.dropFirst(20_000)),
    ]
    for (name, data) in variants {
      let path = folder.file("strange.mp3")
      try data.write(to: URL(filePath: path))
      let info = try MediaProbe.probe(.file(path: path))
      #expect(!info.warnings.contains { $0.kind == .incompletePackets }, "\(coding), \(name): \(info.warnings)")
    }
    // Tags don't replace frames.
    let tag = Data(count: 2000 - ape.count) + ape
    let path = folder.file("tagged.mp3")
    try (bytes.prefix(20_000) + bytes.dropFirst(20_800) + tag + id3).write(to: URL(filePath: path))
    #expect(try MediaProbe.probe(.file(path: path)).warnings.contains { $0.message.contains("frames that the file states") })
  }

  /// A file that was cut at its end by less than the tolerance of sizes is as long as it states, with silence.
  @Test func endThatIsMissing_isSilent() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try make("whole.mp3", ["-b:a", "128k"], in: folder)
    let cut = folder.file("cut.mp3")
    try bytes.dropLast(2000).write(to: URL(filePath: cut))
    let infos = try [path, cut].map { try MediaProbe.probe(.file(path: $0)) }
    #expect(infos[0].audioTracks.first?.timeRange == infos[1].audioTracks.first?.timeRange)
    #expect(infos[1].warnings.contains { $0.message.contains("are silent") }, "\(infos[1].warnings)")
  }

  /// AVI numbers its packets: those after damaged ones have the numbers of the index.
  @Test func packetsOfAVIThatAreEmpty_areSilentInTheirPlace() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("whole.avi")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=4", "-f", "lavfi", "-i",
        "anoisesrc=d=4:r=\(Self.rate):a=0.3:seed=3", "-c:v", "mpeg4", "-c:a", "libmp3lame", "-q:a", "4", path,
      ])
    var bytes = try Data(contentsOf: URL(filePath: path))
    // Chunks of audio, each with its header.
    var (chunks, place) = ([Range<Int>](), try #require(bytes.range(of: Data("movi".utf8))).upperBound)
    while place + 8 < bytes.count, !bytes[place...].starts(with: Data("idx1".utf8)) {
      let size = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + size + size % 2
      if bytes[place...].starts(with: Data("01wb".utf8)) { chunks.append(place..<end) }
      place = end
    }
    try #require(chunks.count > 100)
    for chunk in chunks[60..<62] { bytes.replaceSubrange(chunk, with: Data(count: chunk.count)) }
    let damaged = folder.file("damaged.avi")
    try bytes.write(to: URL(filePath: damaged))
    let infos = try [path, damaged].map { try MediaProbe.probe(.file(path: $0)) }
    let tracks = infos.compactMap(\.audioTracks.first)
    #expect(tracks.count == 2 && tracks[0].timeRange == tracks[1].timeRange && tracks[0].gaps.isEmpty, "\(tracks)")
    #expect(tracks.last?.gaps.map(\.duration) == [MediaTime(value: 2304, timescale: Int32(Self.rate))], "\(tracks)")
    let (found, expected) = (try samples(damaged), try samples(path))
    #expect((Self.count / 2..<Self.count - 4000).allSatisfy { abs(found[$0] - expected[$0]) < 0.001 })
  }
}
