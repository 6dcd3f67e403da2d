import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// What goes wrong with an export has its code, and AVFoundation's number where it has one.
@Suite(.enabled(if: hasFFmpeg)) struct ExportErrorTests {
  private func error(
    _ composition: ValidatedComposition, to path: String, _ change: (inout ExportSettings) -> Void = { _ in }
  ) async throws -> CompositorError {
    var settings = ExportSettings()
    change(&settings)
    return try #require(
      await #expect(throws: CompositorError.self, "\(path)") {
        try await Exporter.export(composition, to: path, settings: settings)
      })
  }

  @Test func outputs_thatCannotBe_haveTheirNumbers() async throws {
    let folder = try TemporaryFolder()
    let movie = try bars(seconds: 1)
    try Data("x".utf8).write(to: URL(filePath: folder.file("there.mp4")))
    let picture = folder.file("c.png")
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1", picture])
    let cases: [(String, CompositorError.Code, Int?, (inout ExportSettings) -> Void)] = [
      ("there.mp4", .outputExists, -11823, { _ in }),
      ("x.avi", .unsupportedOutput, -11861, { _ in }),
      ("x.mp4", .unsupportedOutput, -11861, { $0.video.codec = .proRes }),
      ("x.mp4", .unsupportedOutput, -11861, { $0.metadata = ["mood": "x"] }),
      ("x.wav", .unsupportedOutput, -11861, { $0.chapters = [Chapter(start: .zero, title: "a")] }),
      ("x.mov", .unsupportedOutput, -11861, { $0.cover = .file(path: picture) }),
      ("x.mkv", .unsupportedOutput, -11861, { $0.orientation = Orientation(quarterTurns: 1) }),
      ("x.mp4", .unsupportedOutput, -11861, { $0.cover = .file(path: #filePath) }),
      ("x.mp4", .fileNotFound, nil, { $0.cover = .file(path: "/nowhere/c.jpg") }),
      ("x.mp4", .noFrame, -11832, { $0.cover = .frame(at: .seconds(1)) }),
      ("x.mp4", .noFrame, -11832, { $0.cover = .frame(at: .invalid) }),
      ("x.mp4", .invalidValue, nil, { $0.chapters = [Chapter(start: .seconds(1), title: "a")] }),
      ("x.mp4", .invalidValue, nil, { $0.metadata = ["location": "+99+0/"] }),
      ("x.m4a", .invalidValue, nil, { $0.chapters = [Chapter(start: .invalid, title: "a")] }),
      ("x.mp4", .invalidValue, nil, { $0.timeRange = TimeRange(start: .seconds(5), end: .seconds(6)) }),
      ("no/x.mp4", .writeFailed, nil, { _ in }),
    ]
    for (name, code, number, change) in cases {
      let error = try await error(movie, to: folder.file(name), change)
      #expect(error.code == code && error.avFoundationCode == number, "\(name): \(error)")
      #expect(error.recoverySuggestion != nil || code == .noFrame, "\(error)")
      #expect(try folder.names == ["c.png", "there.mp4"], "\(name)")
    }
  }

  @Test func source_thatIsTheOutput_isRefused_evenWhenOverwriting() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mp4")
    try clip(path, seconds: 1)
    let error = try await error(try showing(path), to: path) { $0.overwrites = true }
    #expect(error.code == .outputIsInput && error.location.file == path)
  }

  /// A folder that may not be written to; root may write anywhere.
  @Test(.enabled(if: geteuid() != 0 || FileManager.default.fileExists(atPath: "/proc/self/status")))
  func folder_withoutPermission_isSaidSo() async throws {
    let error = try await error(try bars(seconds: 1), to: "/proc/self/x.mp4")
    #expect(error.code == .writeFailed && error.avFoundationCode == nil && error.location.file != nil, "\(error)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: [MovieContainer.mkv, .mov, .m4a])
  func disk_thatIsFull_hasAVFoundationsNumber(_ container: MovieContainer) throws {
    let description = MovieDescription(container: container, audioTracks: [AudioTrackDescription()])
    let error = try #require(
      throws: CompositorError.self,
      performing: {
        let writer = try MovieWriter(description, path: "/dev/full")
        let block = AudioBlock(channelCount: 2, capacity: 48_000)
        for _ in 0..<60 { try writer.append(block, count: 48_000) }
        _ = try writer.finish()
      })
    #expect(error.code == .writeFailed && error.systemErrorNumber == ENOSPC && error.avFoundationCode == -11807, "\(error)")
    #expect(error.recoverySuggestion?.contains("space") == true)
  }

  private func clip(_ path: String, seconds: Int) throws {
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=\(seconds)", "-c:v", "libx264", "-g", "25",
        "-preset",
        "ultrafast", "-pix_fmt", "yuv420p", path,
      ])
  }

  private func showing(_ path: String) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    return try CompositionValidator.validate(Edit(showing: .file(path: path), catalog: catalog), catalog: catalog).get()
  }

  @Test func source_thatGoesOrChanges_isSaidSo() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mp4")
    try clip(path, seconds: 2)
    let gone = try showing(path)
    try FileManager.default.removeItem(atPath: path)
    let missing = try await error(gone, to: folder.file("x.mp4"))
    #expect([.fileNotFound, .mediaChanged].contains(missing.code) && missing.location.file == path, "\(missing)")
    try clip(path, seconds: 2)
    let changed = try showing(path)
    try clip(path, seconds: 1)
    let other = try await error(changed, to: folder.file("x.mp4"))
    #expect(other.code == .mediaChanged && other.avFoundationCode == nil && other.location.file == path, "\(other)")
    #expect(try folder.names == ["a.mp4"])
  }

  @Test func sources_thatCannotBeRead_haveTheirNumbers() throws {
    let folder = try TemporaryFolder()
    try Data("no media at all, whatever it is called".utf8).write(to: URL(filePath: folder.file("text.mp4")))
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=1", folder.file("sound.wav")])
    let cases: [(String, CompositorError.Code, Int?)] = [
      ("nothing.mp4", .fileNotFound, nil), ("text.mp4", .unreadableMedia, -11829), ("sound.wav", .trackNotFound, -11869),
      ("", .sourceRefused, nil),
    ]
    for (name, code, number) in cases {
      let error = try #require(throws: CompositorError.self, "\(name)") { try showing(folder.file(name)) }
      #expect(error.code == code && error.avFoundationCode == number, "\(name): \(error)")
    }
  }

  @Test func source_whosePicturesAreDamaged_isDecodeFailed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mp4")
    try clip(path, seconds: 4)
    // Nothing of the second half's pictures is left.
    var data = try Data(contentsOf: URL(filePath: path))
    let media = try #require(data.range(of: Data("mdat".utf8))).upperBound
    let index = try #require(data.range(of: Data("moov".utf8), in: media..<data.count)).lowerBound
    for offset in (media + index) / 2..<index - 8 { data[offset] = 0xff }
    try data.write(to: URL(filePath: path))
    let error = try await error(try showing(path), to: folder.file("x.mp4"))
    #expect(error.code == .decodeFailed && error.avFoundationCode == -11821 && error.location.time != nil, "\(error)")
  }

  @Test func source_thatEndsEarly_isTruncated() async throws {
    let folder = try TemporaryFolder()
    let (whole, path) = (folder.file("w.mkv"), folder.file("a.mkv"))
    try clip(whole, seconds: 4)
    let data = try Data(contentsOf: URL(filePath: whole))
    try data.prefix(data.count / 2).write(to: URL(filePath: path))
    let error = try await error(try showing(path), to: folder.file("x.mp4"))
    #expect(error.code == .truncatedMedia && error.avFoundationCode == -11855, "\(error)")
  }

  @Test func numbers_areThoseOfAVError() {
    #expect(CompositorError(.decoderNotFound, "").avFoundationCode == -11833)
    #expect(CompositorError(.encoderNotFound, "").avFoundationCode == -11834)
    #expect(CompositorError(.writeFailed, "", systemErrorNumber: EDQUOT).avFoundationCode == -11807)
    #expect(CompositorError(.writeFailed, "", systemErrorNumber: EFBIG).avFoundationCode == -11811)
    #expect(CompositorError(.writeFailed, "", systemErrorNumber: EACCES).avFoundationCode == nil)
    #expect(CompositorError(.writeFailed, "").avFoundationCode == nil)
  }
}
