import CompositorAPI
import CompositorMedia
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// Tracks whose frames do not follow each other evenly, or do not start at 0: the rate that is chosen, and the frames that are
/// shown.
@Suite(.enabled(if: hasFFmpeg)) struct VariableRateTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var suffix: String
    /// Rate of the frames before the filter takes some away or moves them.
    var rate: String
    var filter: String
    var expectedRate: Rational
    /// Whether the measured cadence is regular.
    var isRegular: Bool
    var testDescription: String { "\(name), \(suffix)" }
  }

  static let rows = ["mp4", "mkv", "ts"].flatMap { suffix in
    [
      Row(
        name: "25 with holes", suffix: suffix, rate: "25", filter: "select='not(between(mod(n,17),3,6))'",
        expectedRate: Rational(25, 1), isRegular: true),
      Row(
        name: "60 with three dropped", suffix: suffix, rate: "60", filter: "select='not(eq(n,20)+eq(n,41)+eq(n,77))'",
        expectedRate: Rational(60, 1), isRegular: true),
      Row(
        name: "29.97 with a third dropped", suffix: suffix, rate: "30000/1001", filter: "select='mod(n,3)+eq(n,0)'",
        expectedRate: Rational(30000, 1001), isRegular: true),
      Row(
        name: "30 with jitter of 3 ms", suffix: suffix, rate: "30", filter: "setpts='(N/30+0.003*sin(N*2.7)+0.003)/TB'",
        expectedRate: Rational(30, 1), isRegular: true),
      Row(
        name: "30 that slows down to 15", suffix: suffix, rate: "30", filter: "setpts='(if(lt(N,50),N/30,50/30+(N-50)/15))/TB'",
        expectedRate: Rational(30, 1), isRegular: true),
      Row(
        name: "100 a second, uneven", suffix: suffix, rate: "100", filter: "setpts='(N/100+0.004*sin(N*1.3)+0.004)/TB'",
        expectedRate: Rational(60, 1), isRegular: false),
    ]
  }

  @Test(arguments: rows)
  func unevenTrack_render_takesTheShortestRegularStepAndLosesNoLongFrame(_ row: Row) async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("source.\(row.suffix)")
    try NumberedMovie.make(
      source, count: 100, rate: row.rate,
      options: [
        "-vf", "settb=1/90000,\(row.filter)", "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-c:v", "libx264",
        "-preset",
        "ultrafast", "-bf", "0",
      ])
    let info = try MediaProbe.probe(.file(path: source))
    let track = try #require(info.videoTracks.first)
    #expect(track.outputFrameRate == row.expectedRate, "\(track.rateDescription)")
    #expect(track.cadence?.isRegular == row.isRegular)
    try await NumberedRender.export([source], to: folder.file("out.mkv"))
    let shown = try NumberedMovie.numbers(folder.file("out.mkv"))
    #expect(shown == shown.sorted())
    // Frames that last at least one step of the output, to the millisecond that Matroska rounds by.
    let numbers = try NumberedMovie.numbers(source)
    let times = try packetTimes(source)
    try #require(numbers.count == times.count)
    let step = 1 / row.expectedRate.value
    let long = zip(numbers, zip(times, times.dropFirst() + [times[times.count - 1] + step]))
      .filter { $0.1.1 - $0.1.0 >= step + 0.001 }.map(\.0)
    #expect(Set(shown).isSuperset(of: long), "lost \(Set(long).subtracting(shown).sorted())")
    if row.isRegular { #expect(Set(shown) == Set(numbers)) }
  }

  /// Rising presentation times in seconds, as ffprobe reads them.
  private func packetTimes(_ path: String) throws -> [Double] {
    try runTool("ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path])
      .split(separator: "\n").compactMap { Double($0.split(separator: ",")[0]) }.sorted()
  }

  @Test(arguments: ["mp4", "mkv", "ts", "flv", "mov"], ["0.033", "0.4", "1.00067"])
  func firstStampNotZero_render_startsWithTheFirstFrameAndShowsEachOnce(_ suffix: String, _ offset: String) async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("source.\(suffix)")
    try NumberedMovie.make(
      source, count: 60, rate: "30000/1001",
      options: ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-output_ts_offset", offset])
    try await NumberedRender.export([source], to: folder.file("out.mkv"))
    #expect(try NumberedMovie.numbers(folder.file("out.mkv")) == Array(0..<60))
  }

  @Test func remuxedFromMatroska_keepsTheCoarserClock_showsEachFrameOnce() async throws {
    let folder = try TemporaryFolder()
    try NumberedMovie.make(folder.file("a.mkv"), count: 60, rate: "60", options: ["-c:v", "libx264", "-preset", "ultrafast"])
    try runTool("ffmpeg", ["-v", "error", "-i", folder.file("a.mkv"), "-c", "copy", folder.file("b.mp4")])
    try await NumberedRender.export([folder.file("b.mp4")], to: folder.file("out.mkv"))
    #expect(try NumberedMovie.numbers(folder.file("out.mkv")) == Array(0..<60))
  }
}

extension VideoTrackInfo {
  fileprivate var rateDescription: String { "\(nominalFrameRate) stated, \(String(describing: cadence))" }
}
