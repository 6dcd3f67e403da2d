import Clocks
import Compositor
import Foundation

/// Mixes four tracks with volume ramps over their whole length to raw floats, and does the same with ffmpeg's `volume` and
/// `amix`, alternating.
///
///     swift run -c release --package-path Benchmarks mix [SECONDS] [ROUNDS]
///
/// Prints processor time, peak memory and the largest difference of any sample. The mixer's memory is that of this process,
/// which does nothing else; a tenth of the length is mixed first to show that memory does not grow with the length.
@main struct MixBenchmark {
  static let trackCount = 4

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap(Int.init)
    let (seconds, rounds) = (arguments.first ?? 600, arguments.dropFirst().first ?? 3)
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "mix-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try (0..<trackCount).map { try makeFile($0, seconds, folder) }
    print("\(trackCount) tracks of \(seconds) s, 48 kHz stereo s16, each with one ramp; user and system time of a process")
    let output = folder.appending(path: "ours.f32"), theirs = folder.appending(path: "theirs.f32")
    _ = try mix(files, seconds: max(1, seconds / 10), to: output)
    let earlyMemory = try peakMemory()
    var (ours, other) = ([Double](), [Double]())
    for _ in 0..<rounds {
      ours.append(try mix(files, seconds: seconds, to: output))
      other.append(try ffmpeg(files, seconds: seconds, to: theirs))
    }
    // Before the files are compared, which maps them.
    let memory = try peakMemory()
    let difference = try greatestDifference(output, theirs)
    print("compositor  \(list(ours)) s, peak \(memory) MiB (\(earlyMemory) MiB after a tenth of the length)")
    print("ffmpeg      \(list(other)) s")
    print(
      "ratio       \(two(ours.sorted()[rounds / 2] / other.sorted()[rounds / 2])) (medians); greatest difference \(difference)")
  }

  /// A tone with noise, different for each track.
  static func makeFile(_ index: Int, _ seconds: Int, _ folder: URL) throws -> URL {
    let file = folder.appending(path: "\(index).wav")
    let source =
      "sine=f=\(220 * (index + 1)):r=48000:d=\(seconds),volume=0.5[t];anoisesrc=r=48000:d=\(seconds):a=0.2:seed=\(index + 1)[n];"
      + "[t][n]amix=normalize=0,aformat=channel_layouts=stereo"
    _ = try run(["-v", "error", "-y", "-filter_complex", source, "-c:a", "pcm_s16le", file.path])
    return file
  }

  /// - Returns: Processor time in seconds.
  static func mix(_ files: [URL], seconds: Int, to output: URL) throws -> Double {
    let before = ProcessorTime.own
    var (composition, mix) = (Composition(), AudioMix())
    let range = TimeRange(start: .zero, duration: .seconds(seconds))
    for file in files {
      let track = composition.addTrack(.audio)
      let segment = CompositionTrackSegment(
        source: .file(path: file.path), timeMapping: TimeMapping(source: range, target: range))
      try composition.setSegments([segment], ofTrack: track)
      var parameters = AudioMixInputParameters(trackID: track)
      try parameters.volume.setRamp(from: 0.1, to: 0.4, timeRange: range)
      mix.inputParameters.append(parameters)
    }
    let mixer = AudioMixer(composition, mix: mix, sources: MediaCatalog())
    try Data().write(to: output)
    let file = try FileHandle(forWritingTo: output)
    defer { try? file.close() }
    let block = AudioBlock(channelCount: 2, capacity: 4096)
    var interleaved = [Float](repeating: 0, count: 2 * 4096)
    var left = seconds * 48_000
    while left > 0 {
      let count = min(left, block.capacity)
      try mixer.mix(count, into: block)
      let (first, second) = (block.channels[0], block.channels[1])
      for index in 0..<count { (interleaved[2 * index], interleaved[2 * index + 1]) = (first[index], second[index]) }
      try interleaved.withUnsafeBytes { try file.write(contentsOf: Data($0.prefix(count * 8))) }
      left -= count
    }
    return (ProcessorTime.own - before) / 1000
  }

  static func ffmpeg(_ files: [URL], seconds: Int, to output: URL) throws -> Double {
    let volumes = files.indices.map { "[\($0):a]volume='0.1+0.3*t/\(seconds)':eval=frame[v\($0)];" }.joined()
    let inputs = files.indices.map { "[v\($0)]" }.joined()
    return try run(
      ["-v", "error", "-y"] + files.flatMap { ["-i", $0.path] } + [
        "-filter_complex", "\(volumes)\(inputs)amix=inputs=\(files.count):normalize=0", "-c:a", "pcm_f32le", "-f", "f32le",
        output.path,
      ])
  }

  /// - Returns: Processor time in seconds.
  static func run(_ arguments: [String]) throws -> Double {
    let before = ProcessorTime.children
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "ffmpeg \(arguments.joined(separator: " ")) failed")
    }
    return (ProcessorTime.children - before) / 1000
  }

  static func greatestDifference(_ one: URL, _ other: URL) throws -> Float {
    let (a, b) = (try Data(contentsOf: one, options: .alwaysMapped), try Data(contentsOf: other, options: .alwaysMapped))
    guard a.count == b.count else { throw Failure(description: "\(a.count) bytes against \(b.count)") }
    return a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        let (a, b) = (a.bindMemory(to: Float.self), b.bindMemory(to: Float.self))
        return a.indices.reduce(Float(0)) { max($0, abs(a[$1] - b[$1])) }
      }
    }
  }

  /// The peak memory of this process, in MiB.
  static func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) / 1024
  }

  static func two(_ value: Double) -> String { String(format: "%.2f", value) }
  static func list(_ values: [Double]) -> String { values.map(two).joined(separator: " ") }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}
