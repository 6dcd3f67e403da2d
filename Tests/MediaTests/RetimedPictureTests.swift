import CompositorMedia
import CompositorMediaWriting
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMediaIO
import CompositorTestMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Numbered frames backward, along ramps and mixed: which frames are there.
@Suite(.enabled(if: hasFFmpeg)) struct RetimedPictureTests {
  static let containers = FrameTableTests.containers
  static let rates = ["24000/1001", "25", "30000/1001", "60"]

  static func edit(
    _ path: String, _ catalog: MediaCatalog, retiming: SegmentRetiming, speed: Rational = .one, count: Int? = nil
  ) throws -> Edit {
    var edit = try Edit(showing: .file(path: path), catalog: catalog)
    let track = try #require(edit.composition.tracks(.video).first)
    var segment = try #require(track.segments.first)
    let target = segment.timeMapping.target
    var range = segment.timeMapping.source
    if let count { range.duration = edit.videoComposition.frameDuration * count }
    let duration = MediaTime(
      value: range.duration.value * Int64(speed.denominator), timescale: range.duration.timescale * Int32(speed.numerator))
    segment.timeMapping = TimeMapping(source: range, target: TimeRange(start: target.start, duration: duration))
    segment.retiming = retiming
    var composition = Composition()
    let id = composition.addTrack(.video, preferredTrackID: track.trackID)
    try composition.setSegments([segment], ofTrack: id)
    edit.composition = composition
    edit.videoComposition.instructions[0].timeRange = TimeRange(start: .zero, duration: duration)
    return edit
  }

  static func numbers(_ edit: Edit, _ catalog: MediaCatalog, to path: String) async throws -> [Int] {
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = ExportSettings(overwrites: true)
    settings.video.codec = .ffv1
    settings.audio = nil
    _ = try await Exporter.export(valid, to: path, settings: settings)
    return try NumberedMovie.numbers(path)
  }

  /// `make test` takes two rates of each container.
  @Test(arguments: containers)
  func reversedClip_atItsOwnRate_showsEachFrameOnceFromTheLast(_ container: FrameTableTests.Container) async throws {
    let folder = try TemporaryFolder()
    let row = Self.containers.firstIndex { $0.name == container.name } ?? 0
    for rate in TableSelection.columns(Self.rates, ofRow: row, each: 2) where container.rates.contains(rate) {
      let source = folder.file("source.\(container.suffix)")
      try NumberedMovie.make(source, count: 40, rate: rate, options: container.options)
      let catalog = MediaCatalog()
      let edit = try Self.edit(source, catalog, retiming: SegmentRetiming(isReversed: true), count: 40)
      let found = try await Self.numbers(edit, catalog, to: folder.file("out.mkv"))
      #expect(found == Array((0..<40).reversed()), "\(container.name) at \(rate)")
    }
  }

  @Test(arguments: [1, 7, 250], [Rational(1, 2), Rational(3, 4), .one, Rational(5, 2), Rational(8, 1)])
  func reversedClip_ofAnyGOPAndSpeed_showsWhatFFmpegReversedAndStretchedShows(_ gop: Int, _ speed: Rational) async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("source.mp4")
    try NumberedMovie.make(
      source, count: 120, rate: "30", options: ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "\(gop)"])
    let catalog = MediaCatalog()
    let edit = try Self.edit(source, catalog, retiming: SegmentRetiming(isReversed: true), speed: speed)
    let found = try await Self.numbers(edit, catalog, to: folder.file("out.mkv"))
    // Frame k of the reversed movie is n − 1 − k; the one at output frame i starts no later than i · speed.
    let expected = (0..<found.count).map { 119 - $0 * speed.numerator / speed.denominator }
    #expect(found == expected && found.count == (120 * speed.denominator + speed.numerator - 1) / speed.numerator)
    if speed == .one {
      let other = folder.file("ffmpeg.mkv")
      try runProgram("ffmpeg", ["-v", "error", "-i", source, "-vf", "reverse", "-c:v", "ffv1", other])
      #expect(try NumberedMovie.numbers(other) == found)
    }
  }

  @Test func reader_goingBackInALongGOPWithASmallBudget_decodesInChunksAndStaysInside() throws {
    let folder = try TemporaryFolder()
    let source = folder.file("long.mp4")
    try NumberedMovie.make(
      source, count: 500, rate: "25", options: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-sc_threshold", "0"])
    // A third of the group of pictures: 250 + 167 + 84 frames for each.
    var options = VideoReaderOptions(cacheByteCount: 0)
    options.backwardByteCount = 84 * NumberedMovie.width * NumberedMovie.height * 3 / 2
    let reader = try MediaOpener.openVideo(.file(path: source), options: options)
    for number in (0..<500).reversed() {
      let shown = try #require(try reader.frame(before: MediaTime(value: Int64(number + 1), timescale: 25)))
      #expect(shown.presentationTime == MediaTime(value: Int64(number), timescale: 25))
      #expect(NumberedFrame.number(shown.frame) == number)
    }
    #expect(reader.decodedCount < 1100, "\(reader.decodedCount) of 500")
    #expect(try reader.frame(before: .zero) == nil)
  }

  @Test func reader_goingBackWithEnoughBudget_decodesEachFrameAboutOnce() throws {
    let folder = try TemporaryFolder()
    for gop in [1, 12, 250] {
      let source = folder.file("gop\(gop).mp4")
      try NumberedMovie.make(
        source, count: 500, rate: "25",
        options: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "\(gop)", "-sc_threshold", "0"])
      let reader = try MediaOpener.openVideo(.file(path: source), options: VideoReaderOptions())
      for number in (0..<500).reversed() {
        let shown = try #require(try reader.frame(before: MediaTime(value: Int64(number + 1), timescale: 25)))
        #expect(NumberedFrame.number(shown.frame) == number)
      }
      #expect(reader.decodedCount < 700, "GOP \(gop): \(reader.decodedCount) of 500")
    }
  }

  @Test func blend_atQuarterSpeed_mixesByDistance() async throws {
    let folder = try TemporaryFolder()
    for format in [PixelFormat.yuv420p, .yuv422p10, .nv12, .rgba] {
      for reversed in [false, true] {
        let frames = try await Self.blended(format, reversed: reversed, folder: folder)
        for (index, value) in frames.enumerated() {
          let place = Double(index) / 4
          let expected = 64 + 6 * (reversed ? 19 - place : min(place, 19))
          #expect(
            abs(value - max(expected, 64)) < 1.1, "\(format) reversed: \(reversed), frame \(index): \(value), \(expected)")
        }
      }
    }
  }

  /// The luma of the frames of a ramp of gray, 20 frames of 25 a second, at a quarter of its speed.
  static func blended(_ format: PixelFormat, reversed: Bool, folder: borrowing TemporaryFolder) async throws -> [Double] {
    let names: [PixelFormat: (String, String)] = [
      .yuv420p: ("yuv420p", "ffv1"), .yuv422p10: ("yuv422p10le", "ffv1"), .nv12: ("nv12", "rawvideo"), .rgba: ("rgba", "png"),
    ]
    let (name, codec) = try #require(names[format])
    let source = folder.file("ramp-\(name).mkv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "color=black:s=64x64:r=25:d=0.8,format=yuv444p,geq=lum='64+6*N':cb=128:cr=128", "-pix_fmt", name, "-c:v", codec, source,
      ])
    let catalog = MediaCatalog()
    let edit = try edit(
      source, catalog, retiming: SegmentRetiming(isReversed: reversed, frames: .blend), speed: Rational(1, 4))
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = ExportSettings(overwrites: true)
    settings.video.codec = .ffv1
    let path = folder.file("out-\(name)-\(reversed).mkv")
    _ = try await Exporter.export(valid, to: path, settings: settings)
    let data = try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-vf", "scale=1:1:flags=area,format=yuv444p16le", "-f", "rawvideo", "-"])
    return stride(from: 0, to: data.count - 5, by: 6).map { Double(UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8) / 256 }
  }

  @Test func motion_atQuarterSpeed_movesABarBetweenItsPlacesAndStopsAtCuts() async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("bar.mkv")
    // A textured square moves 8 pixels a frame; after 6 frames the scene is another one.
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "color=gray:s=192x128:r=25:d=0.48,format=yuv420p,geq=lum='if(lt(N,6),if(between(X,32+8*N,79+8*N)*between(Y,40,87),"
          + "120+100*sin((X-8*N)/3)*sin(Y/4),60),200-100*mod(floor(X/8)+floor(Y/8),2))':cb=128:cr=128", "-c:v", "ffv1", source,
      ])
    let catalog = MediaCatalog()
    let edit = try Self.edit(source, catalog, retiming: SegmentRetiming(frames: .motion), speed: Rational(1, 4))
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = ExportSettings(overwrites: true)
    settings.video.codec = .ffv1
    var runs: [Data] = []
    for threads in [1, 3] {
      let path = folder.file("out\(threads).mkv")
      settings.render.framesInFlight = threads
      _ = try await Exporter.export(valid, to: path, settings: settings)
      runs.append(try runProgram("ffmpeg", ["-v", "error", "-i", path, "-vf", "extractplanes=y", "-f", "rawvideo", "-"]))
    }
    #expect(runs[0] == runs[1] && runs[0].count == 48 * 192 * 128)
    for index in 0..<20 {
      let row = (0..<192).map { Double(runs[0][index * 192 * 128 + 64 * 192 + $0]) }
      let weights = row.map { abs($0 - 60) > 12 ? 1.0 : 0 }
      let total = weights.reduce(0, +)
      let middle = zip(weights, 0..<192).reduce(0) { $0 + $1.0 * Double($1.1) } / total
      #expect(abs(middle - (55.5 + 2 * Double(index))) < 3, "frame \(index): \(middle)")
    }
    // Neither scene shows through the other.
    for index in 21..<24 {
      let frame = runs[0][index * 192 * 128..<(index + 1) * 192 * 128]
      let isSecond = frame.filter { abs(Int($0) - 200) < 3 || abs(Int($0) - 100) < 3 }.count > 192 * 100
      let isFirst = frame.filter { abs(Int($0) - 60) < 3 }.count > 192 * 80
      #expect(isFirst != isSecond, "frame \(index)")
    }
  }

  @Test func motion_inTenBits_isADiagnosticThatSaysWhatToDo() throws {
    let folder = try TemporaryFolder()
    let source = folder.file("deep.mkv")
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", source])
    let catalog = MediaCatalog()
    let edit = try Self.edit(source, catalog, retiming: SegmentRetiming(frames: .motion), speed: Rational(1, 4))
    let errors = CompositionValidator.validate(edit, catalog: catalog).errors
    #expect(errors.map(\.code) == [.invalidSegments] && errors.first?.message.contains("yuv420p10") == true)
    #expect(errors.first?.recoverySuggestion?.contains("blend") == true)
  }

  @Test func speedOutsideTheRange_isADiagnostic() throws {
    let media = MemoryMedia(frameCount: 3000)
    let catalog = MediaCatalog()
    catalog.provide(media, as: "memory")
    for (speed, isFine) in [
      (Rational(10_000, 1), true), (Rational(10_001, 1), false), (Rational(1, 10_000), true), (Rational(1, 10_001), false),
    ] {
      var edit = try Edit(showing: .custom(name: "memory"), catalog: catalog)
      var segment = try #require(edit.composition.tracks(.video).first?.segments.first)
      let length = MediaTime(value: Int64(speed.numerator), timescale: 1)
      let target = TimeRange(start: .zero, duration: .seconds(Int64(speed.denominator)))
      segment.timeMapping = TimeMapping(source: TimeRange(start: .zero, duration: length), target: target)
      try edit.composition.setSegments([segment], ofTrack: edit.composition.tracks[0].trackID)
      edit.videoComposition.instructions[0].timeRange = target
      let result = CompositionValidator.validate(edit, catalog: catalog)
      // The fastest ones need more media than there is, which is another mistake.
      #expect(!result.diagnostics.contains { $0.code == .invalidSegments } == isFine, "\(speed)")
    }
  }
}

enum NumberedFrame {
  static func number(_ frame: Frame) -> Int {
    frame.withUnsafePlanes { planes in
      let row = planes[0].base + planes[0].stride * (NumberedMovie.height / 2)
      return (0..<10).reduce(0) { $0 | (row.load(fromByteOffset: $1 * 16 + 8, as: UInt8.self) > 128 ? 1 << $1 : 0) }
    }
  }
}
