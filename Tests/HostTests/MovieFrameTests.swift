import CompositorMedia
import CompositorMediaWriting
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMediaIO
import CompositorOverlay
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Movies as layers of titles, from real containers: their numbers, and their very samples.
@Suite(.enabled(if: hasFFmpeg)) struct MovieFrameTests {
  /// A black timeline under layers, as large and at the rate that is asked for.
  static func edit(
    _ layers: [Layer], _ assets: [String: MediaSource], canvas: PixelSize, rate: Rational, lasting duration: MediaTime,
    catalog: MediaCatalog = MediaCatalog(), change: (inout Timeline) -> Void = { _ in }
  ) throws -> ValidatedComposition {
    var timeline = Timeline(canvas: canvas, frameRate: rate)
    let back = GeneratedSource(pattern: .color(.black), size: canvas, frameRate: rate)
    timeline.tracks = [
      TimelineTrack(clips: [TimelineClip(.generated(back), duration: duration)])
    ]
    timeline.titles = layers.map { TimelineTitle($0) }
    timeline.images = assets
    change(&timeline)
    return try CompositionValidator.validate(timeline.edit(catalog: catalog), catalog: catalog).get()
  }

  static func numbers(_ composition: ValidatedComposition, _ folder: TemporaryFolder, threads: Int? = nil) async throws -> [Int]
  {
    var settings = ExportSettings(overwrites: true)
    settings.video.codec = .ffv1
    settings.render.threadCount = threads
    let path = folder.file("out.mkv")
    _ = try await Exporter.export(composition, to: path, settings: settings)
    return try NumberedMovie.numbers(path)
  }

  /// A movie that fills the canvas of numbered movies.
  static func whole(_ change: (inout MovieContent) -> Void = { _ in }) -> Layer {
    var content = MovieContent("movie")
    change(&content)
    return Layer(
      frame: Rect(x: 0, y: 0, width: Double(NumberedMovie.width), height: Double(NumberedMovie.height)),
      content: .movie(content))
  }

  static let canvas = PixelSize(width: NumberedMovie.width, height: NumberedMovie.height)

  /// `make test` takes three rates of each container.
  @Test(
    arguments: TableSelection.pairs(
      ["mp4", "mkv", "ts", "mov", "webm", "flv"], ["24", "24000/1001", "25", "30", "30000/1001", "60", "60000/1001"], each: 3))
  func movieLayer_atItsOwnRate_showsEveryFrameOnceWhateverTheContainer(suffix: String, rate: String) async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("source.\(suffix)")
    let codec =
      suffix == "webm"
      ? ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "2M"] : ["-c:v", "libx264", "-preset", "ultrafast"]
    try NumberedMovie.make(
      source, count: 40, rate: rate, options: codec + (suffix == "mov" ? ["-video_track_timescale", "600"] : []))
    let parts = rate.split(separator: "/").compactMap { Int($0) }
    let frameRate = Rational(parts[0], parts.count > 1 ? parts[1] : 1)
    // From the eleventh frame on, and twice around: what loops is 30 frames long.
    let length = 30 / frameRate.value
    let layer = MovieFrameTests.whole { ($0.from, $0.duration, $0.loops) = (10 / frameRate.value, length, true) }
    let info = try MediaProbe.probe(.file(path: source))
    let first = try #require(info.videoTracks.first).timeRange.start.seconds
    let moved = layer.changed {
      guard case .movie(var movie) = $0.content else { return }
      movie.from = first + 10 / frameRate.value
      $0.content = .movie(movie)
    }
    let edit = try MovieFrameTests.edit(
      [moved], ["movie": .file(path: source)], canvas: MovieFrameTests.canvas, rate: frameRate,
      lasting: MediaTime(value: Int64(45 * frameRate.denominator), timescale: Int32(frameRate.numerator)))
    let shown = try await MovieFrameTests.numbers(edit, folder, threads: 4)
    #expect(shown.count == 45 && shown.enumerated().allSatisfy { $1 == 10 + $0 % 30 }, "\(shown)")
  }

  @Test func variableRateMovie_showsTheLastFrameThatHasStarted() async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("vfr.mp4")
    try NumberedMovie.make(
      source, count: 60, rate: "30",
      options: [
        "-vf", "settb=1/90000,select='not(between(mod(n,17),3,6))'", "-fps_mode", "passthrough", "-enc_time_base", "1/90000",
        "-c:v", "libx264", "-preset", "ultrafast",
      ])
    let edit = try MovieFrameTests.edit(
      [MovieFrameTests.whole()], ["movie": .file(path: source)], canvas: MovieFrameTests.canvas, rate: Rational(30, 1),
      lasting: .frames(57, at: Rational(30, 1)))
    let expected = (0..<57).map { frame in (0...frame).last { !(3...6).contains($0 % 17) } ?? 0 }
    #expect(try await MovieFrameTests.numbers(edit, folder, threads: 1) == expected)
    #expect(try await MovieFrameTests.numbers(edit, folder, threads: 8) == expected)
  }

  /// Noise of all codes, 64 × 48, 8 frames.
  static func noise(_ folder: TemporaryFolder, format: String = "yuv420p", name: String = "noise.mkv") throws -> (
    path: String, frames: [[UInt8]]
  ) {
    let path = folder.file(name)
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
        "color=gray:s=64x48:r=25:d=0.32,format=\(format),geq=lum='random(1)*255':cb='random(2)*255':cr='random(3)*255'", "-c:v",
        "ffv1",
        "-pix_fmt", format, "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        path,
      ])
    let raw = [UInt8](
      try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"]))
    let size = raw.count / 8
    return (path, (0..<8).map { Array(raw[$0 * size..<($0 + 1) * size]) })
  }

  /// Planes of a frame of 8 bits, row by row.
  static func planes(_ frame: Frame) -> [[[UInt8]]] {
    frame.withUnsafePlanes { planes in
      (0..<planes.count).map { index in
        (0..<planes[index].height).map { y in
          let row = (planes[index].base + y * planes[index].stride).assumingMemoryBound(to: UInt8.self)
          return (0..<planes[index].width).map { row[$0] }
        }
      }
    }
  }

  static let cards: [(String, @Sendable (Layer) -> [Layer])] = [
    ("bare", { [$0] }),
    (
      "rounded, with border and shadow",
      { layer in
        [
          layer.changed {
            ($0.cornerRadius, $0.masksToBounds, $0.borderWidth, $0.borderColor) = (8, true, 2, .white)
            ($0.shadowOpacity, $0.shadowRadius) = (0.8, 4)
          }
        ]
      }
    ),
    (
      "in a card of its own",
      { layer in
        [
          Layer(frame: Rect(x: 10, y: 6, width: 100, height: 80)).changed { card in
            (card.backgroundColor, card.cornerRadius, card.masksToBounds, card.shadowOpacity) = (
              Color(red: 1, green: 0.2, blue: 0), 10, true, 0.5
            )
            card.sublayers = [
              layer.changed {
                $0.position.x -= 10; $0.position.y -= 6
              }
            ]
          }
        ]
      }
    ),
    (
      "masked by a shape",
      { layer in
        [layer.changed { $0.mask = Layer(.ellipse(in: Rect(x: 4, y: 4, width: 56, height: 40)), fill: .black) }]
      }
    ),
    (
      "under a text",
      { layer in
        [
          Layer(canvas: PixelSize(width: 128, height: 96)) {
            layer
            Layer(frame: Rect(x: 20, y: 14, width: 6, height: 6)).changed { $0.backgroundColor = .white }
          }.changed { $0.masksToBounds = true }
        ]
      }
    ),
  ]

  @Test(arguments: cards.indices) func unscaledMovie_inACard_isItsOwnFramesSampleBySample(_ index: Int) async throws {
    let folder = try TemporaryFolder()
    let (path, frames) = try MovieFrameTests.noise(folder)
    var layer = Layer(frame: Rect(x: 16, y: 10, width: 64, height: 48), content: .movie(MovieContent("movie")))
    layer.name = "video"
    let edit = try MovieFrameTests.edit(
      MovieFrameTests.cards[index].1(layer), ["movie": .file(path: path)], canvas: PixelSize(width: 128, height: 96),
      rate: Rational(25, 1), lasting: .frames(8, at: Rational(25, 1)))
    let generator = try ImageGenerator(edit, settings: ImageSettings(format: .yuv420p).exactly)
    for number in [0, 3, 7, 2] {
      let shown = MovieFrameTests.planes(try await generator.image(at: MediaTime(value: Int64(number), timescale: 25)).frame)
      var worst = 0
      for y in 12..<36 {
        for x in 18..<46 {
          worst = max(worst, abs(Int(shown[0][10 + y][16 + x]) - Int(frames[number][y * 64 + x])))
          guard x % 2 == 0, y % 2 == 0 else { continue }
          for plane in 1...2 {
            let code = frames[number][64 * 48 + (plane - 1) * 32 * 24 + y / 2 * 32 + x / 2]
            worst = max(worst, abs(Int(shown[plane][5 + y / 2][8 + x / 2]) - Int(code)))
          }
        }
      }
      #expect(worst == 0, "\(MovieFrameTests.cards[index].0), frame \(number): \(worst) codes")
    }
    await generator.close()
  }

  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// A source of libavfilter, and how it is encoded.
    var filter: String
    var options: [String] = ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]
    var suffix = "mkv"
    var color: ColorTags = .bt709
    /// How the media says that it is turned.
    var turn: AffineMatrix = .identity
    /// The size of the upright frame.
    var size = Size(width: 64, height: 48)
    var frames = [Rect(x: 16, y: 10, width: 64, height: 48)]
    /// Whether only what lies two pixels inside is compared: where colors are converted, chroma of the edge is mixed differently.
    var inside = false
    /// Codes that luma and chroma may differ by.
    var luma = 1, chroma = 1
  }

  static let tags = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
  static let noisy =
    "color=gray:s=64x48:r=25:d=0.32,format=yuv420p,geq=lum='random(1)*255':cb='random(2)*255':cr='random(3)*255'"
  static let soft = "testsrc2=s=64x48:r=25:d=0.32"

  static let clips: [Clip] = [
    Clip(
      testDescription: "noise, unscaled and scaled", filter: noisy, options: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"] + tags,
      frames: [
        Rect(x: 16, y: 10, width: 64, height: 48), Rect(x: 8, y: 8, width: 32, height: 24),
        Rect(x: 4, y: 2, width: 120, height: 90),
      ]),
    Clip(
      testDescription: "turned by a quarter", filter: noisy, options: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"] + tags,
      turn: AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0), size: Size(width: 48, height: 64),
      frames: [Rect(x: 20, y: 12, width: 48, height: 64), Rect(x: 20, y: 12, width: 24, height: 32)]),
    Clip(
      testDescription: "wide pixels", filter: soft + ",setsar=3/2", options: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"] + tags,
      size: Size(width: 96, height: 48), frames: [Rect(x: 16, y: 10, width: 96, height: 48)]),
    Clip(
      testDescription: "10 bits, 4:2:2", filter: soft, options: ["-c:v", "ffv1", "-pix_fmt", "yuv422p10"] + tags,
      frames: [Rect(x: 16, y: 10, width: 64, height: 48), Rect(x: 16, y: 10, width: 32, height: 24)], inside: true),
    Clip(
      testDescription: "PQ in SDR", filter: soft,
      options: [
        "-c:v", "ffv1", "-pix_fmt", "yuv420p10", "-color_range", "tv", "-colorspace", "bt2020nc", "-color_primaries", "bt2020",
        "-color_trc", "smpte2084",
      ], inside: true),
    Clip(
      testDescription: "SDR in HLG", filter: soft, options: ["-c:v", "ffv1", "-pix_fmt", "yuv420p"] + tags,
      color: ColorTags(primaries: .bt2020, transfer: .hlg, matrix: .bt2020, range: .limited), inside: true, chroma: 2),
    Clip(
      testDescription: "ProRes 4444 with alpha",
      filter: "color=red@0.5:s=64x48:r=25:d=0.32,format=rgba,geq=r='X*4':g='Y*5':b=128:a='X*4'",
      options: ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10"] + tags, suffix: "mov", inside: true,
      luma: 2, chroma: 3),
    Clip(
      testDescription: "VP9 with alpha",
      filter: "color=red@0.5:s=64x48:r=25:d=0.32,format=yuva420p,geq=lum='90+X':cb=115:cr=140:a='40+X*3'",
      options: ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-lossless", "1"] + tags, suffix: "webm", inside: true, luma: 2,
      chroma: 4),
  ]

  /// Media that says that it is turned.
  struct Turned: MediaProvider {
    let path: String
    let turn: AffineMatrix

    func describe() throws(CompositorError) -> MediaInfo {
      var info = try MediaProbe.probe(.file(path: path))
      info.videoTracks[0].preferredTransform = turn
      return info
    }

    func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
      Reader(try MediaOpener.openVideo(.file(path: path), trackIndex: trackIndex, options: options), turn)
    }

    final class Reader: VideoReader {
      private let inner: any VideoReader
      let info: VideoTrackInfo

      init(_ inner: any VideoReader, _ turn: AffineMatrix) {
        self.inner = inner
        var info = inner.info
        info.preferredTransform = turn
        self.info = info
      }

      func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? { try inner.frame(at: time) }
    }
  }

  /// As a layer of a title, and on a track.
  @Test(arguments: clips) func movieLayer_ofAnyKind_isTheSameAsTheClipOnATrack(_ clip: Clip) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("clip.\(clip.suffix)")
    try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", clip.filter] + clip.options + [path])
    let canvas = PixelSize(width: 128, height: 96)
    for frame in clip.frames {
      func generator(_ change: @escaping (inout Timeline) -> Void) throws -> ImageGenerator {
        let catalog = MediaCatalog()
        catalog.provide(Turned(path: path, turn: clip.turn), as: "clip")
        let edit = try MovieFrameTests.edit(
          [], [:], canvas: canvas, rate: Rational(25, 1), lasting: .frames(8, at: Rational(25, 1)), catalog: catalog
        ) {
          ($0.output.color, $0.output.format) = (clip.color, clip.color.transfer == .hlg ? .yuv420p10 : .yuv420p)
          change(&$0)
        }
        return try ImageGenerator(edit, settings: ImageSettings(format: .yuv420p).exactly)
      }
      let titled = try generator {
        $0.titles = [TimelineTitle(Layer(frame: frame, content: .movie(MovieContent("movie"))))]
        $0.images = ["movie": .custom(name: "clip")]
      }
      let onTrack = try generator {
        var placed = TimelineClip(.custom(name: "clip"))
        placed.fit = .none
        // As movies of titles are resampled.
        placed.sampling = .fast
        var placement = ClipPlacement()
        (placement.x, placement.y) = (frame.minX + frame.size.width / 2, frame.minY + frame.size.height / 2)
        placement.scale = Size(width: frame.size.width / clip.size.width, height: frame.size.height / clip.size.height)
        placed.placement = .constant(placement)
        $0.tracks.append(TimelineTrack(clips: [placed]))
      }
      for number in [0, 5] {
        let time = MediaTime(value: Int64(number), timescale: 25)
        let layer = MovieFrameTests.planes(try await titled.image(at: time).frame)
        let track = MovieFrameTests.planes(try await onTrack.image(at: time).frame)
        for plane in 0..<3 {
          var worst = 0
          let (scale, margin) = (plane == 0 ? 1.0 : 2.0, clip.inside ? 2.0 : -1000)
          for (y, rows) in zip(layer[plane], track[plane]).enumerated() {
            for (x, codes) in zip(rows.0, rows.1).enumerated() {
              let place = Point(x: Double(x) * scale, y: Double(y) * scale)
              guard place.x >= frame.minX + margin, place.x < frame.maxX - margin, place.y >= frame.minY + margin,
                place.y < frame.maxY - margin
              else { continue }
              worst = max(worst, abs(Int(codes.0) - Int(codes.1)))
            }
          }
          #expect(
            worst <= (plane == 0 ? clip.luma : clip.chroma), "\(frame), frame \(number), plane \(plane): \(worst) codes")
          #expect(Set(layer[plane].joined()).count > 1, "something shows")
        }
      }
      await titled.close()
      await onTrack.close()
    }
  }
}
