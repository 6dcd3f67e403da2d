import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Ogg files of which pages were lost or damaged: what follows stays in its place, and the positions of the pages say how long the whole is.
@Suite(.enabled(if: hasFFmpeg)) struct MissingPageTests {
  enum Damage: String, CaseIterable {
    /// Some bytes are wrong.
    case wrong
    /// All bytes are zero, also those of the header.
    case empty
    /// The bytes are missing.
    case missing
  }

  static let codings = [
    ("a.opus", ["-c:a", "libopus"]), ("a.ogg", ["-c:a", "libvorbis"]), ("a.oga", ["-c:a", "flac", "-page_duration", "100000"]),
    ("v.ogv", ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=5.01", "-c:v", "libtheora", "-c:a", "libvorbis"]),
  ]
  private static let rate = 48_000
  private static let count = 5 * rate + 480

  private func make(_ coding: (name: String, arguments: [String]), in folder: TemporaryFolder) throws -> String {
    let path = folder.file(coding.name)
    // Pages of about half a second.
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(Self.rate):a=0.3:seed=3,atrim=end_sample=\(Self.count)"]
        + coding.arguments + (coding.arguments.contains("-page_duration") ? [] : ["-page_duration", "500000"]) + [path])
    return path
  }

  private func damage(_ index: Int, of ogg: OggPages, _ kind: Damage, to path: String) throws {
    var ogg = ogg
    let size = ogg.pages[index].bytes.count
    switch kind {
    case .wrong: ogg.pages[index].bytes.replaceSubrange(size - 20..<size - 4, with: Data(count: 16))
    case .empty: ogg.pages[index].bytes = Data(count: size)
    case .missing: ogg.pages.remove(at: index)
    }
    try ogg.write(to: path)
  }

  private func samples(_ path: String) throws -> [Float] {
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: Self.rate, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: Self.count)
    try reader.read(frameCount: Self.count, at: 0, into: block.channels)
    return Array(UnsafeBufferPointer(start: block.channels[0], count: Self.count))
  }

  /// The audio outside of a gap equals that of the whole file, except where a decoder depends on what it lacks.
  private func expectInPlace(_ found: [Float], _ whole: [Float], gap: AudioGap, _ what: Comment) {
    let start = Int((gap.start.seconds * Double(Self.rate)).rounded())
    let end = start + Int((gap.duration.seconds * Double(Self.rate)).rounded())
    let outside = Array(0..<max(start - 2048, 0)) + Array(min(end + 12_000, Self.count)..<Self.count)
    #expect(outside.allSatisfy { abs(found[$0] - whole[$0]) < 0.02 }, what)
    #expect(found[min(start + 4096, end)..<max(end - 4096, min(start + 4096, end))].allSatisfy { $0 == 0 }, what)
    #expect(end <= Self.count, what)
  }

  /// {codecs} × {ways to damage a page} × {the first page with media, one in the middle, the last but one}
  @Test(arguments: codings, Damage.allCases)
  func pagesThatAreMissing_areSilentInTheirPlace(_ coding: (name: String, arguments: [String]), _ kind: Damage) throws {
    let folder = try TemporaryFolder()
    let path = try make(coding, in: folder)
    let (whole, ogg) = (try MediaProbe.probe(.file(path: path)), try OggPages(path))
    let (range, expected) = (try #require(whole.audioTracks.first).timeRange, try samples(path))
    #expect(whole.warnings.filter { $0.kind == .unsteadyAudio }.isEmpty)
    let serial = try #require(ogg.pages.last { $0.position == (coding.name == "a.opus" ? $0.position : Int64(Self.count)) })
      .serial
    let audible = ogg.pages.indices.filter { ogg.pages[$0].serial == serial && ogg.pages[$0].position > 0 }
    try #require(audible.count >= 4)
    for (place, index) in [
      ("first", audible[0]), ("middle", audible[audible.count / 2]), ("last but one", audible[audible.count - 2]),
    ] {
      // Of a stream without its first page nothing tells that it wasn't tuned in to.
      if place == "first", kind == .missing { continue }
      let damaged = folder.file("damaged." + coding.name)
      try damage(index, of: ogg, kind, to: damaged)
      let info = try MediaProbe.probe(.file(path: damaged))
      let track = try #require(info.audioTracks.first)
      let what: Comment = "\(coding.name), \(kind), \(place): \(info.warnings), \(track.timeRange)"
      #expect(track.timeRange == range, what)
      #expect(
        track.gaps.count == 1 && info.warnings.contains { $0.message.contains("a gap of") && $0.message.contains("is silent") },
        what)
      // Blocks of Vorbis differ in size, so that only the damaged page tells what is left out at the end.
      if place == "last but one", kind != .wrong, track.codec == "vorbis" { continue }
      if let gap = track.gaps.first { expectInPlace(try samples(damaged), expected, gap: gap, what) }
    }
  }

  /// The header of a damaged last page says where it ends.
  @Test(arguments: ["a.opus", "a.ogg"]) func lastPageThatIsDamaged_isSilent(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    let source = "anoisesrc=r=\(Self.rate):a=0.3:seed=3,atrim=end_sample=\(Self.count)"
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", source, "-c:a", name.hasSuffix("ogg") ? "libvorbis" : "libopus", "-page_duration",
        "300000", path,
      ])
    let (ogg, damaged) = (try OggPages(path), folder.file("damaged." + name))
    try damage(ogg.pages.count - 1, of: ogg, .wrong, to: damaged)
    let tracks = try [path, damaged].map { try #require(try MediaProbe.probe(.file(path: $0)).audioTracks.first) }
    #expect(tracks[0].timeRange == tracks[1].timeRange)
    #expect(tracks[1].gaps.last.map { $0.start + $0.duration } == tracks[0].timeRange.end)
    let (found, whole) = (try samples(damaged), try samples(path))
    if let gap = tracks[1].gaps.last { expectInPlace(found, whole, gap: gap, "\(name)") }
  }

  /// Streams that were tuned in to, cut within a page, numbered in another way, or that have bytes between their pages lack nothing.
  @Test(arguments: codings) func pagesThatLookStrange_areNoLosses(_ coding: (name: String, arguments: [String])) throws {
    let folder = try TemporaryFolder()
    let path = try make(coding, in: folder)
    let ogg = try OggPages(path)
    var variants: [String: OggPages] = [:]
    // Also of the streams beside it.
    variants["tuned in"] = ogg
    for serial in Set(ogg.pages.map(\.serial)) {
      let audible = ogg.pages.filter { $0.serial == serial && $0.position > 0 }.prefix(2).map(\.bytes)
      variants["tuned in"]?.pages.removeAll { audible.contains($0.bytes) }
    }
    variants["cut"] = ogg
    variants["cut"]?.pages[ogg.pages.count - 1].bytes.removeLast(9)
    variants["unnumbered"] = ogg
    variants["numbered twice"] = ogg
    for index in ogg.pages.indices {
      variants["unnumbered"]?.pages[index].replace([0, 0, 0, 0], at: 18)
      variants["numbered twice"]?.pages[index].replace([ogg.pages[index].bytes[18] &* 2], at: 18)
    }
    variants["foreign bytes"] = ogg
    variants["foreign bytes"]?.pages[ogg.firstWithMedia].bytes.append(Data("Oggs OggO".utf8))
    variants["foreign bytes"]?.pages[ogg.firstWithMedia - 1].bytes.append(Data(repeating: 255, count: 37))
    for (name, pages) in variants {
      let strange = folder.file("strange." + coding.name)
      try pages.write(to: strange)
      let track = try #require(try MediaProbe.probe(.file(path: strange)).audioTracks.first)
      #expect(track.gaps.isEmpty, "\(coding.name), \(name)")
      if name != "tuned in", name != "cut" {
        #expect(
          track.timeRange == (try MediaProbe.probe(.file(path: path)).audioTracks.first)?.timeRange, "\(coding.name), \(name)")
      }
    }
  }

  /// Frames after a lost page of Theora are shown when they were.
  @Test func framesAfterAMissingPage_areShownInTheirTime() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v.ogv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v", "libtheora", "-q:v", "6", "-g",
        "12", path,
      ])
    let ogg = try OggPages(path)
    let shown = ogg.pages.indices.filter { ogg.pages[$0].position > 0 }
    try #require(shown.count > 6)
    let (damaged, lost) = (folder.file("damaged.ogv"), shown.count / 2)
    try damage(shown[lost], of: ogg, .wrong, to: damaged)
    let tracks = try [path, damaged].map { try #require(try MediaProbe.probe(.file(path: $0)).videoTracks.first) }
    #expect(
      tracks[0].timeRange == tracks[1].timeRange && tracks[1].cadence?.isRegular == true && tracks[1].cadence?.hasGaps == true)
    let readers = try [path, damaged].map { try MediaOpener.openVideo(.file(path: $0)) }
    let held = try (0..<100).filter { index in
      let time = MediaTime(value: Int64(index), timescale: 25)
      return try readers[0].frame(at: time)?.presentationTime != readers[1].frame(at: time)?.presentationTime
    }
    // The position of a page: the number of its last key frame and of the frames after that, which FFmpeg counts in 6 bits.
    let ends = [shown[lost - 1], shown[lost]].map { index in
      Int(ogg.pages[index].position >> 6) + Int(ogg.pages[index].position & 63)
    }
    #expect(held == Array(ends[0]..<ends[1]))
  }
}
