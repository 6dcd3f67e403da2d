import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorTestSupport
import CompositorValidation
import Foundation

/// Movies of numbered frames, and compositions that cut them.
enum CopyingSupport {
  /// A movie of 150 numbered frames.
  struct Source: Sendable, CustomStringConvertible {
    let name: String
    let rate: Rational
    let options: [String]
    /// Whether smart rendering can encode its frames at cuts.
    var isEncodable = true
    var description: String { name }
  }

  private static func x264(_ parameters: String) -> [String] {
    ["-c:v", "libx264", "-x264-params", "scenecut=0:" + parameters]
  }
  private static func x265(_ parameters: String) -> [String] {
    ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none:scenecut=0:" + parameters]
  }

  static let sources: [Source] = [
    Source(
      name: "closed.mp4", rate: Rational(25, 1), options: x264("keyint=30:min-keyint=30:bframes=3:b-pyramid=normal:open-gop=0")),
    Source(name: "open.mp4", rate: Rational(25, 1), options: x264("keyint=30:min-keyint=30:bframes=3:open-gop=1")),
    Source(name: "ntsc.mov", rate: Rational(30000, 1001), options: x264("keyint=30:min-keyint=30:bframes=0")),
    Source(name: "film.mkv", rate: Rational(24000, 1001), options: x264("keyint=30:min-keyint=30:bframes=5:b-pyramid=normal")),
    Source(name: "broadcast.ts", rate: Rational(25, 1), options: x264("keyint=30:min-keyint=30:bframes=3")),
    Source(
      name: "fragments.mp4", rate: Rational(50, 1),
      options: x264("keyint=30:min-keyint=30:bframes=2") + ["-movflags", "frag_keyframe+empty_moov"]),
    Source(
      name: "baseline.m4v", rate: Rational(25, 1),
      options: ["-c:v", "libx264", "-profile:v", "baseline", "-g", "30", "-f", "mp4"]),
    Source(
      name: "hevc-open.mp4", rate: Rational(25, 1), options: x265("keyint=30:min-keyint=30:bframes=4:open-gop=1"),
      isEncodable: false),
    Source(
      name: "hevc.mov", rate: Rational(25, 1), options: x265("keyint=30:min-keyint=30:bframes=4:open-gop=0"), isEncodable: false
    ),
    Source(name: "prores.mov", rate: Rational(25, 1), options: ["-c:v", "prores_ks", "-profile:v", "1"]),
    Source(
      name: "mpeg4.mp4", rate: Rational(25, 1), options: ["-c:v", "mpeg4", "-g", "15", "-bf", "2", "-q:v", "2"],
      isEncodable: false),
  ]

  /// On a key frame, before it, after it; one frame, on a B frame; the first and the last frame; longer than two groups.
  private static let cuts = [0..<30, 29..<31, 33..<34, 61..<149, 149..<150]

  /// The cuts that are made of a source in one test, and in another turn those of another test.
  static func cuts(of source: Source, turn: Int) -> [Range<Int>] {
    TableSelection.columns(cuts, ofRow: turn + (sources.firstIndex { $0.name == source.name } ?? 0), each: 3)
  }

  static func make(_ source: Source, in folder: TemporaryFolder) throws -> String {
    let path = folder.file(source.name)
    try MadeOnce.file(URL(filePath: path), key: ["copying", source.name]) { try encode(source, path) }
    return path
  }

  private static func encode(_ source: Source, _ path: String) throws {
    let format = source.options.firstIndex(of: "prores_ks") == nil ? [] : ["-vf", "format=yuv422p10"]
    let raw = path + ".mkv"
    try NumberedMovie.make(
      raw, count: 150, rate: "\(source.rate.numerator)/\(source.rate.denominator)", options: ["-c:v", "ffv1"])
    var options = source.options
    if format.isEmpty { options += ["-pix_fmt", "yuv420p"] }
    try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", raw] + format + options + [path])
  }

  /// Parts of files one after another: frames of a movie at a rate. Audio goes with the video where there is any.
  static func composition(_ parts: [(path: String, frames: Range<Int>)], rate: Rational) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    let frame = MediaTime(value: Int64(rate.denominator), timescale: Int32(rate.numerator))
    var (composition, start) = (Composition(), MediaTime.zero)
    let video = composition.addTrack(.video)
    var segments: [CompositionTrackSegment] = []
    var heard: [CompositionTrackSegment] = []
    for part in parts {
      let source = MediaSource.file(path: part.path)
      let length = frame.multiplied(by: Int64(part.frames.count), over: 1)
      let info = try catalog.info(for: source)
      let origin = info.videoTracks[0].timeRange.start
      let media = TimeRange(start: origin + frame.multiplied(by: Int64(part.frames.lowerBound), over: 1), duration: length)
      let mapping = TimeMapping(source: media, target: TimeRange(start: start, duration: length))
      segments.append(CompositionTrackSegment(source: source, timeMapping: mapping))
      if !info.audioTracks.isEmpty { heard.append(CompositionTrackSegment(source: source, timeMapping: mapping)) }
      start = start + length
    }
    try composition.setSegments(segments, ofTrack: video)
    if !heard.isEmpty { try composition.setSegments(heard, ofTrack: composition.addTrack(.audio)) }
    let instruction = Instruction(timeRange: TimeRange(start: .zero, duration: start), passthroughTrackID: video)
    let size = try catalog.info(for: .file(path: parts[0].path)).videoTracks[0].displaySize
    let edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: [instruction], frameDuration: frame,
        renderSize: PixelSize(width: Int(size.width.rounded()), height: Int(size.height.rounded()))))
    return try CompositionValidator.validate(edit, catalog: catalog).get()
  }

  static func export(
    _ composition: ValidatedComposition, to path: String, _ mode: PassthroughMode
  ) async throws -> ExportResult {
    var settings = ExportSettings()
    settings.passthrough = mode
    return try await Exporter.export(composition, to: path, settings: settings)
  }

  /// Times in seconds and hashes of the frames that ffmpeg decodes with its default options.
  static func frames(_ path: String) throws -> (times: [Double], hashes: [Substring]) {
    let text = try runTool("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-f", "framemd5", "-"])
    var unit = 0.0
    var (times, hashes) = ([Double](), [Substring]())
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#tb 0:") {
        let parts = line.dropFirst(6).split(separator: "/").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        if parts.count == 2 { unit = parts[0] / parts[1] }
      }
      guard !line.hasPrefix("#") else { continue }
      let fields = line.split(separator: ",")
      times.append((Double(fields[2].trimmingCharacters(in: .whitespaces)) ?? .nan) * unit)
      hashes.append(fields[fields.count - 1])
    }
    return (times, hashes)
  }

  /// Seconds that a file says its video lasts.
  static func duration(_ path: String) throws -> Double {
    let text = try runTool(
      "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=duration", "-of", "csv=p=0", path])
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
  }
}
