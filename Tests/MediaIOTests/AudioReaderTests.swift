import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

@Suite struct AudioReaderTests {
  /// Noise below 1/4 of the sample rate's band with a click train in it: no two places look alike.
  private static func signal(_ count: Int, channels: Int = 2) -> [Float] {
    var state: UInt32 = 77
    var smooth = [Float](repeating: 0, count: channels)
    var samples: [Float] = []
    for index in 0..<count {
      for channel in 0..<channels {
        state = state &* 1_664_525 &+ 1_013_904_223
        smooth[channel] = smooth[channel] * 0.8 + (Float(state >> 8) / Float(1 << 24) - 0.5) * 0.2
        samples.append(smooth[channel] + (index % 4801 == 0 ? 0.4 : 0))
      }
    }
    return samples
  }

  private static func make(_ path: String, _ arguments: [String], rate: Int = 48_000, channels: Int = 2, seconds: Double = 3)
    throws
  {
    let raw = path + ".raw"
    try signal(Int(seconds * Double(rate)), channels: channels).withUnsafeBytes { Data($0) }.write(
      to: URL(fileURLWithPath: raw))
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "f32le", "-ar", "\(rate)", "-ac", "\(channels)", "-i", raw] + arguments + [path])
  }

  /// Whether a Matroska file's track has the element CodecDelay (0x56AA), with a length of 1 to 8 bytes.
  private static func declaresCodecDelay(_ path: String) throws -> Bool {
    guard path.hasSuffix(".mkv") || path.hasSuffix(".webm") else { return false }
    let head = try Data(contentsOf: URL(filePath: path)).prefix(4096)
    guard let element = head.range(of: Data([0x56, 0xaa])), element.upperBound < head.endIndex else { return false }
    return (0x81...0x88).contains(head[element.upperBound])
  }

  private static func read(_ reader: any AudioReader, from position: Int64, count: Int, blocks: Int = 1000) throws -> [[Float]]
  {
    let block = AudioBlock(channelCount: reader.options.channelCount, capacity: count)
    var done = 0
    while done < count {
      let step = min(blocks, count - done)
      try reader.read(frameCount: step, at: position + Int64(done), into: block.channels.map { $0 + done })
      done += step
    }
    return block.channels.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }

  struct Coding: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    /// Largest difference that a jump may leave: 0 but for decoders that make up noise of their own (this signal is noise).
    var tolerance: Float = 0
    var testDescription: String { name }
  }

  static let codings: [Coding] = [
    Coding(name: "a.wav", arguments: ["-c:a", "pcm_s16le"]),
    Coding(name: "a.mov", arguments: ["-c:a", "pcm_f32le"]),
    Coding(name: "a.flac", arguments: ["-c:a", "flac"]),
    Coding(name: "a.mp4", arguments: ["-c:a", "aac", "-aac_pns", "0"]),
    Coding(name: "pns.mp4", arguments: ["-c:a", "aac", "-b:a", "64k"], tolerance: 0.3),
    Coding(name: "a.mkv", arguments: ["-c:a", "aac", "-aac_pns", "0"]),
    Coding(name: "pns.mkv", arguments: ["-c:a", "aac", "-b:a", "64k"], tolerance: 0.3),
    Coding(name: "a.aac", arguments: ["-c:a", "aac", "-aac_pns", "0"]),
    Coding(name: "flac.mka", arguments: ["-c:a", "flac"]),
    Coding(name: "opus.mka", arguments: ["-c:a", "libopus"]),
    Coding(name: "mp3.mka", arguments: ["-c:a", "libmp3lame"]),
    Coding(name: "vorbis.mka", arguments: ["-c:a", "libvorbis"]),
    Coding(name: "vbr.mp3", arguments: ["-c:a", "libmp3lame", "-q:a", "3"]),
    Coding(name: "ac3.mka", arguments: ["-c:a", "ac3"]),
    Coding(name: "a.mp3", arguments: ["-c:a", "libmp3lame"]),
    Coding(name: "mp3.mov", arguments: ["-c:a", "libmp3lame"]),
    Coding(name: "a.opus", arguments: ["-c:a", "libopus"]),
    Coding(name: "opus.mp4", arguments: ["-c:a", "libopus"], tolerance: 0.0005),
    Coding(name: "a.ogg", arguments: ["-c:a", "libvorbis"]),
    Coding(name: "a.webm", arguments: ["-c:a", "libvorbis"]),
    Coding(name: "ac3.mov", arguments: ["-c:a", "ac3"], tolerance: 0.1),
    Coding(name: "a.ts", arguments: ["-c:a", "mp2"]),
  ]

  @Test(arguments: codings)
  func read_atRandom_givesWhatReadingInOrderGives(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(coding.name)
    try Self.make(path, coding.arguments)
    let source = MediaSource.file(path: path)
    let all = try Self.read(try MediaOpener.openAudio(source), from: -500, count: 147_000)
    let reader = try MediaOpener.openAudio(source)
    var worst: Float = 0
    for position in [100_000, 3, 143_000, 70_011, 70_500, 40_000, 139_999, 0, 9_600] as [Int64] {
      let part = try Self.read(reader, from: position, count: 2500)
      for channel in 0..<2 {
        for index in 0..<2500 where Int(position) + 500 + index < 147_000 {
          worst = max(worst, abs(part[channel][index] - all[channel][Int(position) + 500 + index]))
        }
      }
    }
    if coding.tolerance > 0 { print("\(coding.name): largest difference after a jump \(worst)") }
    #expect(worst <= coding.tolerance)
  }

  @Test(arguments: codings)
  func read_eachCodec_isInSync(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(coding.name)
    try Self.make(path, coding.arguments)
    let original = Self.signal(144_000)
    let read = try Self.read(try MediaOpener.openAudio(.file(path: path)), from: 0, count: 144_000)[0]
    // The lag at which what was read resembles the original most.
    let base = 50_000
    let correlations = (-3000...3000).map { lag in
      (0..<2000).reduce(0.0) { $0 + Double(original[(base + $1) * 2]) * Double(read[base + lag + $1]) }
    }
    let best = try #require(correlations.indices.max { correlations[$0] < correlations[$1] }) - 3000
    // The muxer of MPEG-TS leaves the encoder's delay in, those of Matroska do up to FFmpeg 6; the others declare it.
    // A decoder of Vorbis returns nothing for the first packet, whose 128 samples Matroska counts.
    let undeclared =
      [
        "a.ts": 481, "a.mkv": 1024, "pns.mkv": 1024, "a.aac": 1024, "a.webm": 128, "vorbis.mka": 128, "mp3.mka": 1105,
        "ac3.mka": 256,
      ][coding.name] ?? 0
    let delay = try Self.declaresCodecDelay(path) ? 0 : undeclared
    #expect(best == delay, "lag \(best)")
  }

  @Test func read_outsideTheTrack_isSilent() throws {
    let folder = try TemporaryFolder()
    try Self.make(folder.file("a.wav"), ["-c:a", "pcm_f32le"], seconds: 0.1)
    let reader = try MediaOpener.openAudio(.file(path: folder.file("a.wav")))
    let read = try Self.read(reader, from: -1000, count: 8000)[1]
    let original = Self.signal(4800)
    #expect(read[0..<1000].allSatisfy { $0 == 0 } && read[5800...].allSatisfy { $0 == 0 })
    #expect((0..<4800).allSatisfy { read[1000 + $0] == original[2 * $0 + 1] })
    #expect(try Self.read(reader, from: 1 << 40, count: 10)[0].allSatisfy { $0 == 0 })
    #expect(try Self.read(reader, from: 0, count: 1)[0][0] == original[0])
  }

  @Test(arguments: [
    (44_100, 48_000, 1.0), (48_000, 44_100, 1.0), (48_000, 48_000, 2.0), (44_100, 48_000, 0.37), (8_000, 48_000, 1.0),
  ])
  func read_otherRateOrSpeed_isTheSameSine(_ rate: Int, _ output: Int, _ speed: Double) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sine.wav")
    let samples = (0..<rate * 4).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / Double(rate))) }
    try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path + ".raw"))
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "f32le", "-ar", "\(rate)", "-ac", "1", "-i", path + ".raw", "-c:a", "pcm_f32le", path])
    let options = AudioReaderOptions(sampleRate: output, channelCount: 1, speed: speed)
    let reader = try MediaOpener.openAudio(.file(path: path), options: options)
    let read = try Self.read(reader, from: 20_000, count: 20_000)[0]
    var (noise, power) = (0.0, 0.0)
    for (index, value) in read.enumerated() {
      let expected = 0.5 * sin(2 * .pi * 997 * speed * Double(20_000 + index) / Double(output))
      noise += (Double(value) - expected) * (Double(value) - expected)
      power += expected * expected
    }
    let ratio = 10 * log10(power / noise)
    print("\(rate) → \(output) Hz at speed \(speed): \(Int(ratio)) dB")
    #expect(ratio > 85)
    let again = try Self.read(reader, from: 30_000, count: 1000, blocks: 77)[0]
    #expect(again == Array(read[10_000..<11_000]))
  }

  @Test func read_otherChannels_areMixedAsStated() throws {
    let folder = try TemporaryFolder()
    func gains(_ channels: Int, only: Int, to count: Int) throws -> [Float] {
      let path = folder.file("c\(channels)-\(only)-\(count).wav")
      let samples = (0..<4800).flatMap { _ in (0..<channels).map { Float($0 == only ? 0.25 : 0) } }
      try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path + ".raw"))
      let layout = [1: "mono", 2: "stereo", 6: "5.1"][channels] ?? ""
      try runProgram(
        "ffmpeg",
        [
          "-v", "error", "-f", "f32le", "-ar", "48000", "-ac", "\(channels)", "-channel_layout", layout, "-i", path + ".raw",
          "-c:a", "pcm_f32le", path,
        ])
      let reader = try MediaOpener.openAudio(.file(path: path), options: AudioReaderOptions(channelCount: count))
      return try Self.read(reader, from: 1000, count: 1).map { $0[0] * 4 }
    }
    func isNear(_ a: [Float], _ b: [Float]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) < 0.0005 } }
    let cases: [(Int, Int, Int, [Float])] = [
      (1, 0, 2, [1, 1]), (2, 0, 1, [0.5]), (6, 0, 2, [1, 0]), (6, 1, 2, [0, 1]), (6, 2, 2, [0.7071, 0.7071]),
      (6, 3, 2, [0, 0]), (6, 4, 2, [0.7071, 0]), (6, 5, 2, [0, 0.7071]),
    ]
    for (channels, only, count, expected) in cases {
      let found = try gains(channels, only: only, to: count)
      #expect(isNear(found, expected), "\(channels) → \(count), channel \(only): \(found)")
    }
  }

  @Test func open_whatIsNotThere_isAnError() throws {
    let folder = try TemporaryFolder()
    try Self.make(folder.file("a.wav"), ["-c:a", "pcm_s16le"], seconds: 0.1)
    let source = MediaSource.file(path: folder.file("a.wav"))
    func code(_ body: () throws -> Void) -> CompositorError.Code? {
      do { try body() } catch { return (error as? CompositorError)?.code }
      return nil
    }
    #expect(code { _ = try MediaOpener.openAudio(source, trackIndex: 1) } == .trackNotFound)
    #expect(code { _ = try MediaOpener.openAudio(source, trackIndex: -1) } == .trackNotFound)
    #expect(code { _ = try MediaOpener.openAudio(.file(path: "/nonexistent.wav")) } == .fileNotFound)
    for options in [AudioReaderOptions(sampleRate: 0), AudioReaderOptions(channelCount: 0), AudioReaderOptions(speed: .nan)] {
      #expect(code { _ = try MediaOpener.openAudio(source, options: options) } == .invalidValue)
    }
    let reader = try MediaOpener.openAudio(source)
    let block = AudioBlock(channelCount: 2, capacity: 10)
    #expect(code { try reader.read(frameCount: -1, at: 0, into: block.channels) } == .invalidValue)
    #expect(code { try reader.read(frameCount: 1, at: .max, into: block.channels) } == .invalidValue)
    #expect(code { try reader.read(frameCount: 1, at: 0, into: [block.channels[0]]) } == .invalidValue)
  }

  @Test func openTone_generatedSource_isASineOfItsFrequency() throws {
    let source = GeneratedSource(pattern: .bars, duration: MediaTime(value: 1, timescale: 1), toneFrequency: 1000)
    let reader = try MediaOpener.openAudio(.generated(source))
    let read = try Self.read(reader, from: 47_990, count: 20)[0]
    #expect(abs(Double(read[2]) - 0.25 * sin(2 * .pi * 1000 * 47_992 / 48_000)) < 1e-6)
    #expect(read[10...].allSatisfy { $0 == 0 })
  }
}
