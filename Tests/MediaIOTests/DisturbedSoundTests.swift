import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Sound in MP4 whose times or packets are not what a decoder expects: the samples are those of an undisturbed file.
@Suite(.enabled(if: hasFFmpeg)) struct DisturbedSoundTests {
  /// The samples of a file's first audio track, in one channel.
  private static func samples(_ path: String, rate: Int, from first: Int64 = 0, count: Int) throws -> [Float] {
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: rate, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: count)
    try reader.read(frameCount: count, at: first, into: block.channels)
    return Array(UnsafeBufferPointer(start: block.channels[0], count: count))
  }

  private static func difference(_ left: [Float], _ right: [Float]) -> Float {
    zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// Recorders that derive times from a clock write AAC packets of 1023, 1024 and 1025 samples, though all have 1024.
  @Test(arguments: ["mod(N\\,3)-1", "(1-mod(N\\,2))*2", "if(mod(N\\,7)\\,0\\,1)"], ["m4a", "mov"])
  func read_timesThatWaver_givesTheSamplesOfExactTimes(_ offset: String, _ suffix: String) throws {
    let folder = try TemporaryFolder()
    let (exact, wavering) = (folder.file("exact.\(suffix)"), folder.file("wavering.\(suffix)"))
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.3:seed=3", "-c:a", "aac", "-aac_pns", "0", exact])
    try runProgram(
      "ffmpeg", ["-v", "error", "-i", exact, "-c", "copy", "-bsf:a", "setts=ts=TS+if(gt(N\\,1)\\,\(offset)\\,0)", wavering])
    let expected = try Self.samples(exact, rate: 48_000, count: 190_000)
    #expect(Self.difference(try Self.samples(wavering, rate: 48_000, count: 190_000), expected) == 0, "in order")
    for first in [Int64(30_000), 100_001, 150_000] {
      let part = try Self.samples(wavering, rate: 48_000, from: first, count: 30_000)
      #expect(Self.difference(part, Array(expected[Int(first)...])) == 0, "from \(first)")
    }
  }

  /// QuickTime and telephones store several frames of AMR in a packet.
  @Test(arguments: [2, 5, 10], [false, true])
  func read_packetsOfSeveralAMRFrames_givesAllSamples(_ frames: Int, _ isWide: Bool) throws {
    let folder = try TemporaryFolder()
    let (single, several) = (folder.file("single.mov"), folder.file("several.mov"))
    try Self.makeAMR(single, isWide: isWide, in: folder)
    try Self.pack(single, frames: frames, samples: isWide ? 320 : 160, to: several)
    let rate = isWide ? 16_000 : 8000
    let count = rate * 2
    let expected = try Self.samples(single, rate: rate, count: count)
    #expect(expected.contains { abs($0) > 0.01 })
    #expect(Self.difference(try Self.samples(several, rate: rate, count: count), expected) == 0)
    let first = count / 2 + 7
    let part = try Self.samples(several, rate: rate, from: Int64(first), count: 1000)
    #expect(Self.difference(part, Array(expected[first...])) < 0.01, "after a seek")
  }

  /// Telephones write what a pause sounds like instead of speech, and then nothing: neither is damage, and what follows is in its place.
  @Test(arguments: [1, 2, 10], [false, true]) func read_pausesOfAMR_areSilent(_ length: Int, _ isWide: Bool) throws {
    let folder = try TemporaryFolder()
    let rate = isWide ? 16_000 : 8000
    let frame = rate / 50
    for name in ["pauses.mov", "pauses.amr"] {
      let path = folder.file(name)
      try Self.makeAMR(path, isWide: isWide, pause: 40..<40 + length, in: folder)
      let reader = try MediaOpener.openAudio(.file(path: path), options: AudioReaderOptions(sampleRate: rate, channelCount: 1))
      let block = AudioBlock(channelCount: 1, capacity: 2 * rate)
      try reader.read(frameCount: 2 * rate, at: 0, into: block.channels)
      #expect(reader.damage.isEmpty, "\(name): \(reader.damage)")
      func peak(_ first: Int, _ end: Int) -> Float { (first * frame..<end * frame).reduce(0) { max($0, abs(block[0, $1])) } }
      #expect(peak(20, 40) > 0.01 && peak(40, 40 + length) == 0 && peak(40 + length, 60 + length) > 0.01, "\(name)")
      let info = try MediaProbe.probe(.file(path: path))
      #expect(info.audioTracks.first?.timeRange.duration == .seconds(2), "\(name): \(info.audioTracks)")
    }
  }

  /// A tag, zeros or text after the last frame are no sound, and take nothing from it.
  @Test(arguments: ["zeros", "text"]) func read_bytesAfterMP3_areNoSound(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let (plain, followed) = (folder.file("plain.mp3"), folder.file("followed.mp3"))
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=8:r=44100:a=0.3:seed=3", "-c:a", "libmp3lame", "-b:a", "192k", plain])
    let tail = kind == "zeros" ? Data(count: 2048) : Data("LYRICSBEGININD0000200LYR00011Hello world000053LYRICS200".utf8)
    try (try Data(contentsOf: URL(filePath: plain)) + tail).write(to: URL(filePath: followed))
    let tracks = try [plain, followed].map { try #require(try MediaProbe.probe(.file(path: $0)).audioTracks.first) }
    #expect(tracks[0].timeRange == tracks[1].timeRange)
    let reader = try MediaOpener.openAudio(
      .file(path: followed), options: AudioReaderOptions(sampleRate: 44_100, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: 360_000)
    try reader.read(frameCount: 360_000, at: 0, into: block.channels)
    #expect(reader.damage.isEmpty, "\(reader.damage)")
    let found = Array(UnsafeBufferPointer(start: block.channels[0], count: 360_000))
    #expect(found == (try Self.samples(plain, rate: 44_100, count: 360_000)))
  }

  /// Parts of podcasts are joined byte by byte, with their tags: no frame is lost, and the second part is where the first one ends.
  @Test(arguments: ["", "zeros"], ["3", "4"]) func read_MP3JoinedByteByByte_isWhole(_ between: String, _ version: String) throws
  {
    let folder = try TemporaryFolder()
    let paths = ["one.mp3", "two.mp3"].map { folder.file($0) }
    for (index, path) in paths.enumerated() {
      try runProgram(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=4:r=44100:a=0.3:seed=\(index)", "-c:a", "libmp3lame", "-b:a", "192k",
          "-id3v2_version", version, "-metadata", "title=Größe", path,
        ])
    }
    let parts = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    let joined = folder.file("joined.mp3")
    try (parts[0] + (between.isEmpty ? Data() : Data(count: 3000)) + parts[1]).write(to: URL(filePath: joined))
    let reader = try MediaOpener.openAudio(
      .file(path: joined), options: AudioReaderOptions(sampleRate: 44_100, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: 360_000)
    try reader.read(frameCount: 360_000, at: 0, into: block.channels)
    #expect(reader.damage.isEmpty, "\(reader.damage)")
    let found = Array(UnsafeBufferPointer(start: block.channels[0], count: 360_000))
    let second = try Self.samples(paths[1], rate: 44_100, count: 170_000)
    // A passage of the second part, wherever the first one ends.
    let passage = Array(second[80_000..<80_400])
    let place = (200_000..<300_000).first { start in zip(passage, found[start...]).allSatisfy { abs($0 - $1) < 0.001 } }
    let offset = try #require(place) - 80_000
    #expect(Self.difference(Array(second[10_000..<160_000]), Array(found[(offset + 10_000)..<(offset + 160_000)])) < 0.001)
    #expect((176_400..<182_000).contains(offset), "\(offset)")
    // What the second encoder states is no audio: after 155 frames come the first one's padding and the second one's delay.
    #expect(!between.isEmpty || offset == 155 * 1152, "\(offset)")
  }

  /// Two seconds of AMR frames of one size with random bits, which sound like noise.
  private static func makeAMR(
    _ path: String, isWide: Bool, pause: Range<Int> = 0..<0, in folder: borrowing TemporaryFolder
  ) throws {
    let (header, bytes): (UInt8, Int) = isWide ? (0x44, 60) : (0x3c, 31)
    var data = Data((isWide ? "#!AMR-WB\n" : "#!AMR\n").utf8)
    var state: UInt32 = 7
    for number in 0..<100 {
      guard !pause.contains(number) else {
        // The first frame describes the noise, the others nothing.
        data += number == pause.lowerBound ? Data([isWide ? 0x4c : 0x44, 1, 2, 3, 4, 5]) : Data([0x7c])
        continue
      }
      data.append(header)
      for _ in 0..<bytes {
        state = state &* 1_664_525 &+ 1_013_904_223
        data.append(UInt8(state >> 24))
      }
    }
    let raw = folder.file("raw.amr")
    try data.write(to: URL(filePath: raw))
    try runProgram("ffmpeg", ["-v", "error", "-f", "amr", "-i", raw, "-c", "copy", path])
  }

  /// Writes the tables of a file anew, so that a packet has `frames` of its frames.
  private static func pack(_ path: String, frames: Int, samples: Int, to packed: String) throws {
    var data = try Data(contentsOf: URL(filePath: path))
    func set(_ box: String, _ offset: Int, _ value: Int) throws {
      let start = try #require(data.range(of: Data(box.utf8))).upperBound + offset
      withUnsafeBytes(of: UInt32(value).bigEndian) { data.replaceSubrange(start..<start + 4, with: $0) }
    }
    let size = try #require(data.range(of: Data("stsz".utf8))).upperBound + 4
    let frameSize = data[size..<size + 4].reduce(0) { $0 << 8 | Int($1) }
    try set("stsz", 4, frameSize * frames)
    for (box, offset) in [("stsz", 8), ("stsc", 12), ("stts", 8)] { try set(box, offset, 100 / frames) }
    try set("stts", 12, samples * frames)
    try data.write(to: URL(filePath: packed))
  }
}
