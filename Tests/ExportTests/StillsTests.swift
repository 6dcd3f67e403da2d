import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

@Suite struct StillsTests {
  /// H.264 with B frames, some of which no other refers to, and groups of 60 pictures.
  private static let options = ["-c:v", "libx264", "-bf", "3", "-g", "60", "-sc_threshold", "0", "-crf", "10"]
  private static let exact = ImageSettings(format: .yuv420p).exactly

  private static func answers(
    _ generator: ImageGenerator, _ times: [MediaTime]
  ) async -> [(index: Int, time: MediaTime, number: Int?, actual: MediaTime?)] {
    var answers: [(index: Int, time: MediaTime, number: Int?, actual: MediaTime?)] = []
    for await answer in generator.requests(at: times) {
      let image = try? answer.result.get()
      answers.append((answer.index, answer.requestedTime, image?.frame.number, image?.actualTime))
    }
    return answers
  }

  @Test(arguments: ["mp4", "mov", "mkv", "ts"], ["25", "30000/1001", "60"])
  func stills_atAnyTimesInAnyOrder_areExactlyTheFramesShownThere(_ container: String, _ rate: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("n.\(container)")
    try NumberedMovie.make(file, count: 400, rate: rate, options: Self.options)
    let parts = rate.split(separator: "/").compactMap { Int64($0) }
    let (numerator, denominator) = (parts[0], parts.count > 1 ? parts[1] : 1)
    let numbers = [399, 7, 250, 251, 7, 0, 61, 59, 60, 333, 180, 121]
    // In the middle of each frame, so that the frame begins earlier than asked for.
    let times = numbers.map { MediaTime(value: (2 * Int64($0) + 1) * denominator, timescale: Int32(2 * numerator)) }
    let generator = try ImageGenerator(.file(path: file), settings: Self.exact)
    let answers = await Self.answers(generator, times + [.invalid, MediaTime(value: -1, timescale: 1), .positiveInfinity])
    await generator.close()
    #expect(answers.map(\.index).sorted() == Array(0..<15))
    for answer in answers where answer.index < 12 {
      #expect(answer.number == numbers[answer.index])
      let start = MediaTime(value: Int64(numbers[answer.index]) * denominator, timescale: Int32(numerator))
      #expect(abs((try #require(answer.actual) - start).seconds) < 1e-6)
    }
    for answer in answers where answer.index >= 12 { #expect(answer.number == nil) }
    let made = answers.filter { $0.index < 12 }.map(\.time)
    #expect(made == made.sorted())
  }

  @Test func strip_ofExactStills_decodesLessThanTheWholeFileOnce() async throws {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("n.mp4"), count: 1000, rate: "25", options: Self.options)
    let generator = try ImageGenerator(.file(path: folder.file("n.mp4")), settings: Self.exact)
    let numbers = Array(stride(from: 20, to: 1000, by: 100))
    let answers = await Self.answers(generator, numbers.shuffled().map { MediaTime(value: Int64($0), timescale: 25) })
    await generator.close()
    #expect(answers.map(\.number) == numbers)
    // From a key frame every 60 to the ten frames asked for there are 200 frames on average, of which half are referred to by none.
    #expect(await generator.decodedFrameCount < 400)
  }

  @Test(arguments: [
    (Double.infinity, Double.infinity, 90, 60), (0.5, 0, 63, 60), (0.5, 0, 90, 90), (0, 1, 90, 90), (0, 1.5, 90, 120),
    (0, .infinity, 61, 120), (0.2, 0.2, 118, 120), (.infinity, .infinity, 60, 60), (.infinity, 0, 399, 360),
    (0, .infinity, 399, 399),
  ])
  func tolerance_takesAKeyFrameInsideIt_orElseTheExactFrame(
    _ before: Double, _ after: Double, _ asked: Int, _ given: Int
  ) async throws {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("n.mkv"), count: 400, rate: "25", options: Self.options)
    var settings = ImageSettings(format: .yuv420p)
    settings.toleranceBefore = MediaTime(seconds: before, preferredTimescale: 1000)
    settings.toleranceAfter = MediaTime(seconds: after, preferredTimescale: 1000)
    let generator = try ImageGenerator(.file(path: folder.file("n.mkv")), settings: settings)
    let image = try await generator.image(at: MediaTime(value: Int64(asked), timescale: 25))
    await generator.close()
    #expect(image.frame.number == given)
    #expect(abs(image.actualTime.seconds - Double(given) / 25) < 1e-6)
  }

  @Test(arguments: [MediaTime(value: -1, timescale: 1), .invalid, .indefinite, .negativeInfinity])
  func tolerance_thatIsNone_isRefused(_ tolerance: MediaTime) throws {
    var settings = ImageSettings.exact
    settings.toleranceAfter = tolerance
    #expect {
      try ImageGenerator(.generated(GeneratedSource(pattern: .bars)), settings: settings)
    } throws: {
      ($0 as? CompositorError)?.code == .invalidValue
    }
  }

  @Test func frames_ofAVariableRate_areThoseThatFFmpegNames() async throws {
    let folder = try TemporaryFolder()
    // Gaps of one to nine frames: passing over frames on the way must not lose the one that is shown through a gap.
    try NumberedMovie.make(
      folder.file("v.mkv"), count: 400, rate: "25",
      options: ["-vf", "select='not(mod(n,7))+not(mod(n,9))+lt(mod(n,100),20)'", "-fps_mode", "vfr"] + Self.options)
    let listed = try runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", folder.file("v.mkv")])
    let stamps = listed.split(whereSeparator: \.isNewline).compactMap { Double($0.split(separator: ",")[0]) }
    let numbers = try NumberedMovie.numbers(folder.file("v.mkv"))
    try #require(stamps.count == numbers.count && numbers.count > 100)
    let times = stride(from: 0.013, to: 15.5, by: 0.731).map { MediaTime(seconds: $0, preferredTimescale: 1000) }
    let generator = try ImageGenerator(.file(path: folder.file("v.mkv")), settings: Self.exact)
    let answers = await Self.answers(generator, times)
    await generator.close()
    let first = stamps[0]
    for answer in answers {
      let shown = try #require(stamps.lastIndex { $0 - first <= answer.time.seconds + 0.0005 })
      #expect(answer.number == numbers[shown], "at \(answer.time.seconds)")
      #expect(abs(try #require(answer.actual).seconds - (stamps[shown] - first)) < 0.0006)
    }
  }

  @Test func cancel_ofOneRequest_leavesTheOthers() async throws {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("n.mp4"), count: 200, rate: "25", options: Self.options)
    let generator = try ImageGenerator(.file(path: folder.file("n.mp4")), settings: Self.exact)
    let requests = generator.requests(at: [6, 0, 4, 2].map { MediaTime.seconds($0) })
    requests.cancel(2)
    requests.cancel(17)
    var answers: [Int: Int?] = [:]
    for await answer in requests {
      switch answer.result {
      case .success(let image): answers[answer.index] = image.frame.number
      case .failure(let error):
        #expect(error.code == .cancelled)
        answers[answer.index] = Int?.none
      }
    }
    #expect(answers == [0: 150, 1: 0, 2: nil, 3: 50])

    let all = generator.requests(at: (0..<5).map { MediaTime.seconds($0) })
    var codes: [CompositorError.Code?] = []
    for await answer in all {
      if case .failure(let error) = answer.result { codes.append(error.code) } else { codes.append(nil) }
      all.cancel()
    }
    #expect(codes == [nil, .cancelled, .cancelled, .cancelled, .cancelled])
    await generator.close()
  }

  @Test func request_thatFails_failsAlone() async throws {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("n.mp4"), count: 200, rate: "25", options: ["-c:v", "libx264", "-g", "25", "-bf", "0"])
    // The second of the groups is overwritten: its pictures are gone, the others are not.
    let packets = try runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0", folder.file("n.mp4")])
    let rows = packets.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").compactMap { Int($0) } }
    var bytes = try Data(contentsOf: URL(filePath: folder.file("n.mp4")))
    for row in rows[50..<75] { bytes.replaceSubrange(row[1]..<row[1] + row[0], with: Data(repeating: 0xff, count: row[0])) }
    try bytes.write(to: URL(filePath: folder.file("bad.mp4")))
    let generator = try ImageGenerator(.file(path: folder.file("bad.mp4")), settings: Self.exact)
    let answers = await Self.answers(generator, [1, 2, 4, 6].map { MediaTime.seconds($0) })
    await generator.close()
    #expect(answers.map(\.number) == [25, nil, 100, 150])
  }

  @Test func image_withAnyTolerance_isTheOneShownAtItsActualTime() async throws {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("a.mp4"), count: 200, rate: "25", options: Self.options)
    try NumberedMovie.make(folder.file("b.mp4"), count: 200, first: 500, rate: "25", options: Self.options)
    var composition = Composition()
    let tracks = [composition.addTrack(.video), composition.addTrack(.video)]
    let source = TimeRange(start: .seconds(1), duration: .seconds(6))
    for (track, name, start) in [(tracks[0], "a.mp4", 0), (tracks[1], "b.mp4", 4)] {
      try composition.setSegments(
        (start > 0 ? [CompositionTrackSegment(empty: TimeRange(start: .zero, duration: .seconds(Int64(start))))] : []) + [
          CompositionTrackSegment(
            source: .file(path: folder.file(name)),
            timeMapping: TimeMapping(source: source, target: TimeRange(start: .seconds(Int64(start)), duration: .seconds(6))))
        ], ofTrack: track)
    }
    var dissolve = Instruction(timeRange: TimeRange(start: .seconds(4), duration: .seconds(2)))
    dissolve.layers = [LayerInstruction(trackID: tracks[0]), LayerInstruction(trackID: tracks[1])]
    try dissolve.layers[0].opacity.setRamp(from: 1, to: 0, timeRange: dissolve.timeRange)
    let edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: [
          Instruction(
            timeRange: TimeRange(start: .zero, duration: .seconds(4)), layers: [LayerInstruction(trackID: tracks[0])]),
          dissolve,
          Instruction(
            timeRange: TimeRange(start: .seconds(6), duration: .seconds(4)), layers: [LayerInstruction(trackID: tracks[1])]),
        ], frameDuration: MediaTime(value: 1, timescale: 25), renderSize: PixelSize(width: 160, height: 32)))
    let valid = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
    let (near, exact) = (
      try ImageGenerator(valid, settings: ImageSettings(format: .yuv420p)), try ImageGenerator(valid, settings: Self.exact)
    )
    for seconds in [0.5, 3.3, 4.5, 5.9, 6.1, 9.9] {
      let image = try await near.image(at: MediaTime(seconds: seconds, preferredTimescale: 100))
      let reference = try await exact.image(at: image.actualTime)
      #expect(image.frame.row == reference.frame.row, "asked at \(seconds), given \(image.actualTime.seconds)")
      #expect(reference.actualTime == image.actualTime)
    }
    await near.close()
    await exact.close()
  }

  @Test(arguments: [true, false]) func still_ofATurnedAndCutMovie_isUprightAndCountsFromItsEditList(_ isTurned: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("n.mp4"), count: 100, rate: "25", options: Self.options)
    // A copy from the middle of a group: an edit list hides what precedes.
    try runProgram("ffmpeg", ["-v", "error", "-ss", "1", "-i", folder.file("n.mp4"), "-c", "copy", folder.file("cut.mp4")])
    if isTurned { try Self.turn(folder.file("cut.mp4"), height: NumberedMovie.height) }
    let generator = try ImageGenerator(.file(path: folder.file("cut.mp4")), settings: Self.exact)
    let image = try await generator.image(at: MediaTime(value: 21, timescale: 50))
    await generator.close()
    #expect(image.actualTime == MediaTime(value: 10, timescale: 25))
    let (width, height) = (NumberedMovie.width, NumberedMovie.height)
    #expect(image.frame.size == (isTurned ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)))
    if !isTurned { #expect(image.frame.number == 35) }
  }

  /// Gives the first track's header a matrix of a quarter turn clockwise.
  private static func turn(_ path: String, height: Int) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let header = try #require(bytes.range(of: Data("tkhd".utf8)))
    let matrix: [Int32] = [0, 1 << 16, 0, -1 << 16, 0, 0, Int32(height) << 16, 0, 1 << 30]
    let coded = matrix.flatMap { value in withUnsafeBytes(of: value.bigEndian, Array.init) }
    bytes.replaceSubrange(header.upperBound + 40..<header.upperBound + 40 + coded.count, with: coded)
    try bytes.write(to: URL(filePath: path))
  }
}

extension MediaTime {
  fileprivate static func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }
}

extension Frame {
  /// The number that a frame of ``NumberedMovie`` carries.
  fileprivate var number: Int {
    withRow(16, as: UInt8.self) { row in (0..<10).reduce(0) { $0 | (row[$1 * 16 + 8] > 128 ? 1 << $1 : 0) } }
  }

  /// A row of luma.
  fileprivate var row: [UInt8] { withRow(16, as: UInt8.self) { row in (0..<row.count).map { row[$0] } } }
}
