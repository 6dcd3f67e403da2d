import CompositorTestSupport
import Foundation
import Testing

/// Files that are complete although their headers state no size or a wrong one: all samples are read. A file that lacks samples is
/// still cut short.
@Suite struct OpenSizeTests {
  /// Samples per channel at 48 kHz: 0.2 s.
  private static let count = 9600

  /// How the header's size relates to the samples.
  enum Size: String, CaseIterable {
    case right, open, zero, tooLarge = "too large", tooSmall = "too small", odd
  }

  /// A container and the extension of its files.
  enum Container: String, CaseIterable {
    case wav, rf64, bw64, w64, caf, aiff, aifc, au
    var suffix: String { [.rf64, .bw64].contains(self) ? "wav" : rawValue }
    var isBigEndian: Bool { [.aiff, .aifc, .au].contains(self) }
  }

  // MARK: files

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  /// A tone in 16 bits; for odd numbers of bytes, in 24 bits of an odd number of samples.
  private static func samples(_ container: Container, isOdd: Bool) -> (bytes: [UInt8], width: Int, count: Int) {
    let count = isOdd ? Self.count + 1 : Self.count
    let bytes = (0..<count).flatMap { index -> [UInt8] in
      let value = Int16((16_000 * sin(2 * Double.pi * 440 * Double(index) / 48_000)).rounded())
      let sample = container.isBigEndian ? big(value) : little(value)
      return isOdd ? (container.isBigEndian ? sample + [0] : [0] + sample) : sample
    }
    return (bytes, isOdd ? 3 : 2, count)
  }

  /// The bytes of a file whose header states `size` bytes of samples; -1 for all ones.
  private static func file(_ container: Container, stating size: Int64, of data: [UInt8], width: Int, count: Int) -> [UInt8] {
    let format =
      little(UInt16(1)) + little(UInt16(1)) + little(UInt32(48_000)) + little(UInt32(48_000 * width))
      + little(UInt16(width)) + little(UInt16(8 * width))
    func text(_ string: String) -> [UInt8] { Array(string.utf8) }
    func short(_ size: Int64) -> UInt32 { size < 0 ? .max : UInt32(size) }
    let pad = data.count % 2 == 0 ? [] : [UInt8(0)]
    switch container {
    case .wav:
      let body = text("WAVEfmt ") + little(UInt32(16)) + format + text("data") + little(short(size)) + data + pad
      return text("RIFF") + little(size < 0 ? .max : size == 0 ? 0 : UInt32(body.count)) + body
    case .rf64, .bw64:
      let sizes = little(UInt64(bitPattern: size < 0 ? -1 : size + 72)) + little(UInt64(bitPattern: size)) + little(UInt64(0))
      let chunk = text("ds64") + little(UInt32(28)) + sizes + little(UInt32(0))
      let body =
        text("WAVE") + chunk + text("fmt ") + little(UInt32(16)) + format + text("data") + little(UInt32.max) + data + pad
      return text(container == .rf64 ? "RF64" : "BW64") + little(UInt32.max) + body
    case .w64:
      let tail: [UInt8] = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]
      let riff: [UInt8] = [0x72, 0x69, 0x66, 0x66, 0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00]
      let chunk = text("data") + tail + little(UInt64(bitPattern: size <= 0 ? size : size + 24)) + data
      let padding = [UInt8](repeating: 0, count: (8 - data.count % 8) % 8)
      let body = text("wave") + tail + text("fmt ") + tail + little(UInt64(40)) + format + chunk + padding
      return riff + little(UInt64(bitPattern: size <= 0 ? size : Int64(body.count + 24))) + body
    case .caf:
      let description =
        big((48_000.0).bitPattern) + text("lpcm") + big(UInt32(2)) + big(UInt32(width)) + big(UInt32(1))
        + big(UInt32(1)) + big(UInt32(8 * width))
      let head = text("caff") + big(UInt16(1)) + big(UInt16(0)) + text("desc") + big(Int64(32)) + description
      return head + text("data") + big(size <= 0 ? size : size + 4) + big(UInt32(0)) + data
    case .aiff, .aifc:
      let rate: [UInt8] = [0x40, 0x0e, 0xbb, 0x80, 0, 0, 0, 0, 0, 0]
      let frames = size < 0 ? UInt32.max : size == 0 ? 0 : UInt32(count)
      let common =
        big(UInt16(1)) + big(frames) + big(UInt16(8 * width)) + rate + (container == .aifc ? text("NONE") + [0, 0] : [])
      let chunk = text("SSND") + big(size <= 0 ? short(size) : UInt32(size + 8)) + big(UInt64(0)) + data + pad
      let body = text(container == .aifc ? "AIFC" : "AIFF") + text("COMM") + big(UInt32(common.count)) + common + chunk
      return text("FORM") + big(size < 0 ? .max : size == 0 ? 0 : UInt32(body.count)) + body
    case .au:
      return text(".snd") + big(UInt32(28)) + big(short(size)) + big(UInt32(width + 1)) + big(UInt32(48_000)) + big(UInt32(1))
        + big(UInt32(0)) + data
    }
  }

  private static func write(_ container: Container, _ size: Size, in scratch: Scratch) throws -> (name: String, count: Int) {
    let (data, width, count) = samples(container, isOdd: size == .odd)
    let stated: Int64 =
      switch size {
      case .right, .odd: Int64(data.count)
      case .open: -1
      case .zero: 0
      case .tooLarge: Int64(data.count + 20_000)
      case .tooSmall: Int64(data.count / 2)
      }
    let name = "\(container.rawValue)-\(size.rawValue.replacing(" ", with: "-")).\(container.suffix)"
    let bytes = file(container, stating: stated, of: data, width: width, count: count)
    try Data(bytes).write(to: scratch.file(name))
    // Everything after the header of an AU file is samples.
    return (name, size == .tooSmall && container != .au ? count / 2 : count)
  }

  /// Samples per channel of a movie, as ffprobe counts them.
  private static func length(_ name: String, in scratch: Scratch) throws -> Int? {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", try scratch.file(name).path)
    return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Samples that ffmpeg and SoX decode; `nil` where they refuse the file.
  private static func others(_ name: String, width: Int, in scratch: Scratch) throws -> (ffmpeg: Int?, sox: Int?) {
    let raw = try scratch.file("raw.s16").path
    let path = try scratch.file(name).path
    let ffmpeg = try ToolRun.program("ffmpeg", "-v", "quiet", "-y", "-i", path, "-f", "s16le", raw)
    // A file that ffmpeg refuses leaves none behind.
    let counted = ffmpeg.status == 0 ? try FileManager.default.attributesOfItem(atPath: raw)[.size] as? Int : nil
    let sox = try ToolRun.program("sh", "-c", "command -v soxi >/dev/null && soxi -s '\(path)' 2>/dev/null")
    return (counted.map { $0 / 2 }, Int(sox.output.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  // MARK: tests

  /// {containers} × {sizes} × {render, join, validate, probe}. `make test` runs half of the sizes of each container, the other half of the next.
  @Test(arguments: Container.allCases) func everySize_isReadToItsEnd(_ container: Container) throws {
    let scratch = try Scratch()
    let row = Container.allCases.firstIndex(of: container) ?? 0
    for size in TableSelection.columns(Size.allCases, ofRow: row, each: 3) {
      let (name, count) = try Self.write(container, size, in: scratch)
      let isCut = size == .tooLarge
      let rendered = try ToolRun.compositor(
        ["render", name, "-o", "r.wav", "--overwrite", "--progress", "none"], in: scratch.folder)
      let joined = try ToolRun.compositor(
        ["join", name, name, "-o", "j.wav", "--overwrite", "--progress", "none"], in: scratch.folder)
      let validated = try ToolRun.compositor(["validate", name], in: scratch.folder)
      let probed = try ToolRun.compositor(["probe", name], in: scratch.folder)
      let others = try Self.others(name, width: size == .odd ? 3 : 2, in: scratch)
      let found = isCut ? nil : try Self.length("r.wav", in: scratch)
      print(
        "\(name): \(found.map(String.init) ?? "cut short, \(rendered.status)") of \(count), ffmpeg "
          + "\(others.ffmpeg.map(String.init) ?? "refuses"), sox \(others.sox.map(String.init) ?? "unknown")")
      #expect(rendered.status == (isCut ? 66 : 0), "\(name): \(rendered.errors)")
      #expect(joined.status == (isCut ? 66 : 0), "\(name): \(joined.errors)")
      #expect(validated.status == (isCut ? 66 : 0), "\(name): \(validated.output)")
      #expect(probed.output.contains("cut short") == isCut, "\(name): \(probed.output)")
      guard !isCut else { continue }
      #expect(abs((found ?? 0) - count) <= (container == .w64 ? 3 : 0), "\(name): \(found ?? 0) of \(count)")
      #expect(abs((try Self.length("j.wav", in: scratch) ?? 0) - 2 * count) <= (container == .w64 ? 6 : 0), "\(name)")
      if let ffmpeg = others.ffmpeg, size == .right || size == .odd || size == .tooSmall { #expect(found == ffmpeg, "\(name)") }
      #expect(probed.output.contains("leaves the size") == (size == .open || size == .zero), "\(name): \(probed.output)")
      #expect(
        probed.output.contains("belong to nothing") == (size == .tooSmall && container != .au), "\(name): \(probed.output)")
      #expect(
        rendered.errors.contains("belong to nothing") == probed.output.contains("belong to nothing"), "\(rendered.errors)")
    }
  }

  /// A cut file keeps all samples that are there.
  @Test func cutFile_kept_hasEverySample() throws {
    let scratch = try Scratch()
    let (name, count) = try Self.write(.wav, .right, in: scratch)
    let bytes = try Data(contentsOf: scratch.file(name))
    try bytes.prefix(bytes.count - 6000).write(to: scratch.file("cut.wav"))
    let failed = try ToolRun.compositor(["render", "cut.wav", "-o", "x.wav", "--progress", "none"], in: scratch.folder)
    #expect(failed.status == 66 && failed.errors.contains("0.1375 s"), "\(failed.errors)")
    let kept = try ToolRun.compositor(
      ["render", "cut.wav", "-o", "x.wav", "--damaged", "keep", "--audio-codec", "pcm-s16", "--progress", "none"],
      in: scratch.folder)
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try Self.length("x.wav", in: scratch) == count)
  }

  /// Streams of programs that cannot go back: what ffmpeg, SoX and this tool write to a pipe.
  @Test(arguments: [
    "flac", "ogg", "opus", "wav", "w64", "caf", "aiff", "au", "wv", "tta", "avi", "matroska", "webm", "mpegts", "flv", "mp4",
  ])
  func streamOfAPipe_isComplete(_ format: String) throws {
    let scratch = try Scratch()
    let isMovie = ["avi", "matroska", "webm", "mpegts", "flv", "mp4"].contains(format)
    let video =
      isMovie
      ? "-f lavfi -i testsrc2=r=25:d=2:s=160x120 -c:v \(["webm": "libvpx", "avi": "mpeg4"][format] ?? "libx264") -pix_fmt yuv420p"
      : ""
    let codecs = [
      "ogg": "-c:a libvorbis", "opus": "-c:a libopus", "webm": "-c:a libopus", "avi": "-c:a pcm_s16le", "flv": "-c:a aac",
      "matroska": "-c:a flac -live 1", "mpegts": "-c:a aac", "mp4": "-c:a aac -movflags frag_keyframe+empty_moov",
    ]
    let path = try scratch.file("pipe.\(["matroska": "mkv", "mpegts": "ts", "opus": "opus"][format] ?? format)").path
    let command =
      "ffmpeg -v error -f lavfi -i sine=440:d=2:r=48000 \(video) \(codecs[format] ?? "") -flags +bitexact -f \(format) - | cat > '\(path)'"
    let made = try ToolRun.program("sh", "-c", command)
    try #require(made.errors.isEmpty, "\(made.errors)")
    let name = URL(filePath: path).lastPathComponent
    let rendered = try ToolRun.compositor(["render", name, "-o", "x.wav", "--progress", "none"], in: scratch.folder)
    let validated = try ToolRun.compositor(["validate", name], in: scratch.folder)
    #expect(rendered.status == 0 && validated.status == 0, "\(format): \(rendered.errors)\(validated.output)")
    let found = try Self.length("x.wav", in: scratch) ?? 0
    print("\(name): \(found) samples of 96000")
    guard format == "mp4" else {
      #expect(found >= 96_000 && found <= 98_400, "\(format): \(found)")
      return
    }
    // Fragments without a delayed header state a hole of 2,816 samples after the first packet of 1,024, which is said.
    #expect(found == 95 * 1024 + 2816, "\(found)")
    #expect(rendered.errors.contains("a gap of 59 ms at 0.021 s is silent"), "\(rendered.errors)")
  }

  /// The tool's own WAV on the standard output.
  @Test func ownStream_isReadWhole() throws {
    let scratch = try Scratch()
    let (name, count) = try Self.write(.wav, .right, in: scratch)
    let made = try ToolRun.program(
      "sh", "-c",
      "cd '\(scratch.folder.path)' && '\(ToolRun.tool.path)' render \(name) -o - --container wav --progress none | cat > own.wav"
    )
    try #require(made.status == 0, "\(made.errors)")
    let rendered = try ToolRun.compositor(["render", "own.wav", "-o", "x.wav", "--progress", "none"], in: scratch.folder)
    #expect(rendered.status == 0, "\(rendered.errors)")
    #expect(try Self.length("x.wav", in: scratch) == count)
  }

  /// Counts of frames that an AVI's header leaves 0, and a size of the file that exceeds it, do not matter if the packets are there.
  @Test(arguments: ["counts", "size", "index"]) func avi_withAWrongHeader_isComplete(_ what: String) throws {
    let scratch = try Scratch()
    let url = try scratch.file("a.avi")
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=r=25:d=2:s=160x120", "-f", "lavfi", "-i", "sine=440:d=2:r=48000",
      "-c:v", "mpeg4", "-c:a", "pcm_s16le", url.path)
    try #require(made.status == 0, "\(made.errors)")
    var bytes = try Data(contentsOf: url)
    func range(_ name: String) -> Range<Data.Index>? { bytes.range(of: Data(name.utf8)) }
    switch what {
    case "counts":
      let place = try #require(range("avih")).upperBound + 4 + 16
      bytes.replaceSubrange(place..<place + 4, with: Data(count: 4))
      var from = bytes.startIndex
      while let found = bytes.range(of: Data("strh".utf8), in: from..<bytes.endIndex) {
        bytes.replaceSubrange(found.upperBound + 36..<found.upperBound + 40, with: Data(count: 4))
        from = found.upperBound
      }
    case "size": bytes.replaceSubrange(4..<8, with: Data([0xff, 0xff, 0x7f, 0x00]))
    default: bytes = bytes.prefix(upTo: try #require(range("idx1")).lowerBound)
    }
    try bytes.write(to: url)
    let rendered = try ToolRun.compositor(["render", "a.avi", "-o", "x.mkv", "--progress", "none"], in: scratch.folder)
    #expect(rendered.status == 0, "\(rendered.errors)")
    #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "50")
  }
}
