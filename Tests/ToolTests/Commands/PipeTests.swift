import CompositorTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `render -o -` and the program that reads it.
@Suite(.enabled(if: hasFFmpeg)) struct PipeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var format = "yuv420p"
    var rate = "25"
    var channels = 2
    var hasVideo = true
    var tags = "color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv"
    /// Keys of the project's output.
    var output = ""
    var testDescription: String { "\(hasVideo ? "\(format) \(rate)" : "no video"), \(channels) channels \(output)" }

    static let all = [
      Case(), Case(rate: "24000/1001", channels: 1), Case(format: "yuv420p10le", rate: "30000/1001", channels: 6),
      Case(format: "yuv422p", rate: "24"), Case(format: "yuv422p10le", rate: "30000/1001", channels: 0),
      Case(format: "yuv444p", rate: "50", channels: 0), Case(format: "yuv444p10le", channels: 1),
      Case(format: "yuva444p10le", rate: "25", channels: 2, output: "alpha: true"),
      Case(
        format: "yuv420p10le", rate: "25", channels: 2,
        tags: "color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv"),
      Case(
        format: "yuv422p10le", rate: "60000/1001", channels: 0,
        tags: "color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc:range=tv"),
      Case(channels: 2, hasVideo: false), Case(channels: 6, hasVideo: false), Case(channels: 1, hasVideo: false),
    ]
  }

  private func shell(_ script: String, in scratch: Scratch) throws -> ToolRun.Result {
    try ToolRun.run(URL(filePath: "/bin/bash"), ["-c", "set -o pipefail; " + script, ToolRun.tool.path], in: scratch.folder)
  }

  /// Without `--container` the first of the preset's that can be streamed.
  @Test(arguments: [("archive", "ffv1"), ("vp9", "vp9"), ("h264", "h264")])
  func presetAlone_toTheStandardOutput_takesAContainerOfItsOwn(_ preset: String, _ codec: String) throws {
    let scratch = try project(Case(), seconds: 0.2)
    let result = try shell("\"$0\" render p.json5 -o - --preset \(preset) > out", in: scratch)
    try #require(result.status == 0, "\(result.errors)")
    let probe = try shell(
      "ffprobe -v error -select_streams v -show_entries stream=codec_name:format=format_name -of default=nw=1:nk=1 out",
      in: scratch)
    #expect(probe.output.split(separator: "\n") == [Substring(codec), "matroska,webm"], "\(probe.output)")
  }

  @Test func presetWithoutAStream_toTheStandardOutput_isRefused() throws {
    let scratch = try project(Case(), seconds: 0.2)
    let result = try shell("\"$0\" render p.json5 -o - --preset phone > out", in: scratch)
    #expect(
      result.status == 64 && result.errors.contains("preset phone writes nothing that can be streamed"), "\(result.errors)")
  }

  /// A project of one clip that ffmpeg makes.
  private func project(_ test: Case, seconds: Double = 0.6) throws -> Scratch {
    let scratch = try Scratch()
    let name = test.hasVideo ? "in.mkv" : "in.wav"
    var arguments = ["ffmpeg", "-v", "error", "-y"]
    if test.hasVideo {
      arguments += ["-f", "lavfi", "-i", "testsrc2=size=70x46:rate=\(test.rate):duration=\(seconds)"]
    }
    if test.channels > 0 {
      let tones = (0..<test.channels).map { "0.3*sin(\(300 + 90 * $0)*2*PI*t)" }.joined(separator: "|")
      arguments += ["-f", "lavfi", "-i", "aevalsrc=\(tones):d=\(seconds):s=48000", "-c:a", "pcm_s16le"]
    }
    if test.hasVideo { arguments += ["-vf", "format=\(test.format),setparams=\(test.tags)", "-c:v", "ffv1"] }
    let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), arguments + [name], in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    let format = test.hasVideo ? "format: \"\(test.format.replacing("le", with: ""))\"," : ""
    let audio = test.channels > 0 ? "audio: { channels: \(test.channels) }," : ""
    _ = try scratch.file(
      "p.json5",
      "{ version: 1, output: { \(format) \(audio) \(test.output) }, assets: { a: \"\(name)\" }, tracks: [{ clips: [{ asset: \"a\" }] }] }"
    )
    return scratch
  }

  /// Frames and samples in a file, as ffmpeg's sums.
  private static func sums(_ test: Case) -> String {
    (test.hasVideo ? "-map 0:v -f framemd5 V " : "") + (test.channels > 0 ? "-map 0:a -c:a pcm_s24le -f md5 A" : "")
  }

  private func read(_ scratch: Scratch, _ names: [String]) throws -> [String] {
    try names.filter { FileManager.default.fileExists(atPath: scratch.folder.appending(path: $0).path) }.map {
      try String(contentsOf: scratch.folder.appending(path: $0), encoding: .utf8)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    }
  }

  @Test(arguments: Case.all) func render_toAPipe_givesTheFramesAndSamplesOfTheFile(_ test: Case) throws {
    let scratch = try project(test)
    let sums = Self.sums(test)
    let file = test.hasVideo ? "out.mkv --codec ffv1 --audio-codec pcm-s24" : "out.wav --audio-codec pcm-s24"
    let written = try shell("\"$0\" render p.json5 -o \(file) && ffmpeg -v error -i out.* \(sums)", in: scratch)
    try #require(written.status == 0, "\(written.errors)")
    let expected = try read(scratch, ["V", "A"])
    let piped = try shell(
      """
      rm -f V A; "$0" render p.json5 -o - | tee pipe.nut | ffmpeg -v error -i - \(sums) && \
      ffprobe -v error -show_entries stream=pix_fmt,sample_rate,channels:stream_tags -of flat pipe.nut
      """, in: scratch)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try read(scratch, ["V", "A"]) == expected)
    #expect(expected.allSatisfy { !$0.isEmpty } && expected.count == (test.hasVideo ? 1 : 0) + (test.channels > 0 ? 1 : 0))
    if test.hasVideo {
      #expect(expected[0].split(separator: "\n").count > 10)
      #expect(piped.output.contains("pix_fmt=\"\(test.format)\""), "\(piped.output)")
      let transfer = try #require(test.tags.split(separator: ":").first { $0.hasPrefix("color_trc=") }?.dropFirst(10))
      #expect(piped.output.contains("color_transfer=\"\(transfer)\""), "\(piped.output)")
    }
    if test.channels > 0 { #expect(piped.output.contains("channels=\(test.channels)")) }
    #expect(piped.errors.contains("wrote <standard output>"), "\(piped.errors)")
  }

  @Test(arguments: [
    ("yuv420p", "C420mpeg2"), ("yuv420p10le", "C420p10"), ("yuv422p", "C422"), ("yuv422p10le", "C422p10"),
    ("yuv444p", "C444"), ("yuv444p12le", "C444p12"),
  ]) func render_asY4M_saysFormatRateAndAspect(_ format: String, _ tag: String) throws {
    let test = Case(format: format, rate: "30000/1001", channels: 2)
    let scratch = try project(test)
    let result = try shell(
      """
      "$0" render p.json5 -o - --container y4m --progress none > out.y4m && "$0" render p.json5 -o out2.y4m --progress none && \
      cmp out.y4m out2.y4m && "$0" render p.json5 -o out.mkv --codec ffv1 --no-audio --progress none && \
      for f in out.y4m out.mkv; do ffmpeg -v error -i $f -map 0:v -f framemd5 $f.sums; done; head -n 1 out.y4m | head -c 80 | head -n 1
      """, in: scratch)
    #expect(result.errors == "")
    let header = result.output.split(separator: "\n").first.map { $0.split(separator: " ").map(String.init) } ?? []
    #expect(Set(["YUV4MPEG2", "W70", "H46", "F30000:1001", "Ip", "A1:1", tag]).isSubset(of: header), "\(header)")
    let sums = try read(scratch, ["out.y4m.sums", "out.mkv.sums"])
    #expect(sums[0] == sums[1] && sums[0].split(separator: "\n").count == 18)
  }

  @Test func render_asWAV_streamsWithOpenSizes() throws {
    let scratch = try project(Case())
    let result = try shell(
      """
      "$0" render p.json5 -o - --container wav --progress none | tee out.wav | ffmpeg -v error -i - -f md5 A && \
      "$0" render p.json5 -o f.wav --progress none && ffmpeg -v error -i f.wav -f md5 B && cmp A B
      """, in: scratch)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    let bytes = try Data(contentsOf: scratch.folder.appending(path: "out.wav"))
    #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes[4..<8] == Data(repeating: 0xff, count: 4))
  }

  @Test func render_asMatroska_carriesColorToTheNextProgram() throws {
    let scratch = try project(Case.all[8])
    let result = try shell(
      """
      "$0" render p.json5 -o - --container mkv --codec ffv1 --audio-codec flac --progress none | cat > out && \
      ffprobe -v error -show_entries stream=codec_name,color_transfer,color_primaries -of flat out
      """, in: scratch)
    #expect(result.errors == "")
    for text in ["\"ffv1\"", "\"flac\"", "\"smpte2084\"", "\"bt2020\""] { #expect(result.output.contains(text)) }
  }

  @Test func progress_besideAPipe_goesToTheStandardError() throws {
    let scratch = try project(Case())
    let result = try shell("\"$0\" render p.json5 -o - --progress json | head -c 5 && cat > /dev/null", in: scratch)
    #expect(result.output.hasPrefix("nut/m") || result.output.hasPrefix("NM"), "\(result.output)")
    let whole = try shell(
      "\"$0\" render p.json5 -o - --progress json > out.nut; ffprobe -v error out.nut 2> /dev/null", in: scratch)
    let lines = whole.errors.split(separator: "\n")
    #expect(lines.count > 1 && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(whole.errors)")
    #expect(whole.errors.contains("\"fraction\":1"))
  }

  @Test func render_whoseReaderGoes_ends74WithOneLine() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("\"1s\"", with: "\"20000s\""))
    let start = ContinuousClock.now
    let result = try shell("\"$0\" render p.json5 -o - --progress none | head -c 100000 | wc -c", in: scratch)
    #expect(result.status == 74)
    #expect(result.output.split(separator: "\n") == ["100000"])
    #expect(result.errors.split(separator: "\n").count == 1 && result.errors.contains("reader closed the output early"))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func signal_whileThePipeIsBlocked_endsInUnderTwoSeconds(_ signal: (Int32, Int32)) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("\"1s\"", with: "\"20000s\""))
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "p.json5", "-o", "-", "--progress", "none"]
    process.currentDirectoryURL = scratch.folder
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
    try process.run()
    var query = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&query, 1, 20_000) == 1)
    // Frames of 21 kB: a pipe of 1 MiB is full by then, and memory no longer grows.
    usleep(1_500_000)
    let start = ContinuousClock.now
    kill(process.processIdentifier, signal.0)
    while process.isRunning, ContinuousClock.now - start < .seconds(10) { usleep(5000) }
    let isLate = process.isRunning
    if isLate { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(!isLate && ContinuousClock.now - start < .seconds(2))
    #expect(process.terminationStatus == signal.1)
    #expect(try scratch.names() == ["p.json5"], "no file was written")
    withExtendedLifetime(pipe) {}
  }

  @Test func render_toATerminal_isRefused() throws {
    let scratch = try project(Case())
    // bsdutils' script runs a command on a terminal of its own.
    let result = try shell("TOOL=\"$0\" script -qec '\"$TOOL\" render p.json5 -o - 2> errors' /dev/null", in: scratch)
    let errors = try String(contentsOf: scratch.folder.appending(path: "errors"), encoding: .utf8)
    #expect(result.status == 64)
    #expect(errors.split(separator: "\n").count == 1 && errors.contains("terminal"), "\(errors)")
    #expect(result.output == "")
  }

  @Test(arguments: [
    (["-o", "-", "--container", "mp4"], "nut, y4m, wav"), (["-o", "-", "--container", "avi"], "--container"),
    (["-o", "x.nut", "--container", "nut"], "--container is for"), (["-o", "-", "--overwrite"], "--overwrite"),
    (["-o", "-", "--container", "y4m", "--audio-codec", "pcm-s16"], "video only"),
    (["-o", "-", "--container", "wav", "--codec", "ffv1"], "audio only"),
    (["-o", "-", "--codec", "h264"], "cannot hold h264"),
    (["-o", "-", "--container", "wav", "--no-audio"], "nothing to write"),
  ]) func options_thatDoNotGoWithAStream_end64(_ arguments: [String], _ words: String) throws {
    let scratch = try project(Case())
    let result = try ToolRun.compositor(["render", "p.json5"] + arguments, in: scratch.folder)
    #expect(result.status == 64 && result.output == "", "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(try !scratch.names().contains("-"))
  }
}
