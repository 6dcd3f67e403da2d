import Foundation
import Testing

/// Ogg files in which streams follow each other, as recorders of radio stations and `cat` make them, and files that are cut in the middle.
@Suite struct ChainedOggTests {
  private static func encode(_ codec: String, _ frequency: Int, _ seconds: Int, serial: Int, to url: URL) throws {
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=\(frequency):d=\(seconds):r=48000", "-c:a", codec, "-serial_offset",
      "\(serial)", "-f", "ogg", url.path)
    try #require(made.status == 0, "\(made.errors)")
  }

  private static func samples(of url: URL, in scratch: Scratch) throws -> [Float] {
    let raw = try scratch.file("raw.f32")
    let made = try ToolRun.program("ffmpeg", "-v", "error", "-y", "-i", url.path, "-ac", "1", "-f", "f32le", raw.path)
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: raw).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The share of a tone in 50 ms from a time on (Goertzel).
  private static func share(of tone: Int, in samples: [Float], at time: Double) -> Double {
    let factor = 2 * cos(2 * Double.pi * Double(tone) / 48_000)
    var (one, two, energy) = (0.0, 0.0, 0.0)
    for sample in samples.dropFirst(Int(time * 48_000)).prefix(2400) {
      (one, two) = (Double(sample) + factor * one - two, one)
      energy += Double(sample) * Double(sample)
    }
    return energy < 1e-6 ? 0 : (one * one + two * two - factor * one * two) / (energy * 1200)
  }

  /// {codecs} × {streams of one page, of many} × {two, three of them}: each is heard whole, behind the one before.
  @Test(arguments: ["libvorbis", "libopus", "flac"], [[1, 1], [5, 2], [1, 3, 1]])
  func eachStream_isHeardWhole(_ codec: String, _ lengths: [Int]) throws {
    let scratch = try Scratch()
    var whole = Data()
    for (index, seconds) in lengths.enumerated() {
      let part = try scratch.file("part\(index).ogg")
      try Self.encode(codec, 400 * (index + 1), seconds, serial: index * 7, to: part)
      whole += try Data(contentsOf: part)
    }
    try whole.write(to: scratch.file("chained.ogg"))
    let result = try ToolRun.compositor(
      ["render", "chained.ogg", "-o", "out.wav", "--audio-codec", "pcm-f32", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let found = try Self.samples(of: scratch.file("out.wav"), in: scratch)
    print("\(codec), \(lengths): \(found.count) samples")
    #expect(found.count == lengths.reduce(0, +) * 48_000)
    var start = 0
    for (index, seconds) in lengths.enumerated() {
      for time in [Double(start) + 0.1, Double(start) + 0.5, Double(start + seconds) - 0.1] {
        #expect(Self.share(of: 400 * (index + 1), in: found, at: time) > 0.9, "\(codec) \(lengths), stream \(index) at \(time)")
      }
      start += seconds
    }
  }

  /// A stream of one page keeps the samples that libavformat drops at its end, as libvorbis does.
  @Test(arguments: [0.2, 0.7, 1.5, 4]) func vorbis_hasEverySample(_ seconds: Double) throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=\(seconds):r=44100", "-c:a", "libvorbis",
      scratch.file("tone.ogg").path)
    try #require(made.status == 0, "\(made.errors)")
    let result = try ToolRun.compositor(["render", "tone.ogg", "-o", "out.wav", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Self.samples(of: scratch.file("out.wav"), in: scratch).count == Int((seconds * 44_100).rounded()))
  }

  /// Cut files of formats that state their length: `validate` and `render` say so alike.
  @Test(arguments: ["flac", "wv", "tta", "mp3"]) func cutFile_isFoundByValidateAsByRender(_ format: String) throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=6:r=44100", scratch.file("whole.\(format)").path)
    try #require(made.status == 0, "\(made.errors)")
    let whole = try Data(contentsOf: scratch.file("whole.\(format)"))
    try whole.prefix(whole.count * 6 / 10).write(to: scratch.file("cut.\(format)"))
    #expect(try ToolRun.compositor(["validate", "whole.\(format)"], in: scratch.folder).status == 0)
    let validated = try ToolRun.compositor(["validate", "cut.\(format)"], in: scratch.folder)
    #expect(validated.status == 66 && validated.output.contains("cut short"), "\(validated.status) \(validated.output)")
    let rendered = try ToolRun.compositor(["render", "cut.\(format)", "-o", "o.wav", "--progress", "none"], in: scratch.folder)
    #expect(rendered.status == 66 && rendered.errors.contains("cut short"), "\(rendered.errors)")
  }

  /// The least and the greatest alpha of a movie's first frame, of 255.
  private static func alpha(of url: URL, in scratch: Scratch) throws -> ClosedRange<UInt8> {
    let raw = try scratch.file("alpha.gray")
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-i", url.path, "-vf", "alphaextract", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
      "gray", raw.path)
    try #require(made.status == 0, "\(made.errors)")
    let bytes = try Data(contentsOf: raw)
    return try #require(bytes.min())...(try #require(bytes.max()))
  }

  /// Alpha that the output cannot have is not dropped in silence; an output that has it keeps it and says nothing.
  @Test func alphaThatIsNotKept_isSaid() throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "testsrc2=s=64x48:r=25:d=0.2,format=yuva444p10,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='512'", "-c:v", "prores_ks",
      "-profile:v", "4444", scratch.file("a.mov").path)
    try #require(made.status == 0, "\(made.errors)")
    let plain = try ToolRun.compositor(["render", "a.mov", "-o", "o.mp4", "--progress", "none"], in: scratch.folder)
    #expect(plain.status == 0 && plain.errors.contains("a.mov: its alpha is not kept"), "\(plain.errors)")
    let kept = try ToolRun.compositor(
      ["render", "a.mov", "-o", "o.mov", "--preset", "prores-4444", "--progress", "none"], in: scratch.folder)
    #expect(kept.status == 0 && !kept.errors.contains("alpha"), "\(kept.errors)")
    let source = try Self.alpha(of: scratch.file("a.mov"), in: scratch)
    let encoded = try Self.alpha(of: scratch.file("o.mov"), in: scratch)
    #expect(source.upperBound < 130 && encoded == source, "\(source), \(encoded)")
    _ = try scratch.file(
      "p.json5",
      "{ version: 1, output: { alpha: true, video: { codec: 'ffv1' } }, assets: { a: 'a.mov' }, tracks: [{ clips: [{ asset: 'a' }] }] }"
    )
    let project = try ToolRun.compositor(["render", "p.json5", "-o", "p.mkv", "--progress", "none"], in: scratch.folder)
    #expect(project.status == 0 && !project.errors.contains("alpha"), "\(project.errors)")
    // Rounded to 10 bits.
    let lossless = try Self.alpha(of: scratch.file("p.mkv"), in: scratch)
    #expect(abs(Int(lossless.lowerBound) - Int(source.lowerBound)) <= 1 && lossless.count == 1, "\(source), \(lossless)")
  }

  /// Frames a millisecond beside others, as bursts of a recorder make them.
  @Test func framesBesideTheGrid_areCounted() throws {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "40", "-vf",
      "settb=1/1000,setpts='if(lt(N,20),N*40,(N-mod(N,2))*40+mod(N,2))'", "-enc_time_base", "1/1000", "-fps_mode",
      "passthrough",
      "-c:v", "ffv1", scratch.file("burst.mkv").path)
    try #require(made.status == 0, "\(made.errors)")
    let result = try ToolRun.compositor(["validate", "burst.mkv"], in: scratch.folder)
    #expect(result.output.contains("10 of its frames are not shown"), "\(result.output)")
  }
}
