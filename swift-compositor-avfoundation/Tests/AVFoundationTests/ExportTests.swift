import AVFoundation
import Compositor
import Synchronization
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

@Suite struct ExportTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func session(
    _ asset: AVAsset, to name: String, as type: AVFileType = .mp4, preset: String = AVAssetExportPresetHighestQuality
  ) throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    session.outputURL = folder[name]
    session.outputFileType = type
    return session
  }

  @Test func asset_isWrittenWhole() async throws {
    let session = try session(AVAsset(url: try await folder.movie("a.mp4")), to: "b.mp4")
    #expect(session.status == .unknown && session.progress == 0)
    await session.export()
    #expect(session.status == .completed && session.error == nil && session.progress == 1)
    let written = try info(folder["b.mp4"])
    #expect(written.videoTracks.map(\.codec) == ["h264"] && written.audioTracks.map(\.codec) == ["aac"])
    #expect(written.duration == .seconds(2) && folder.names == ["a.mp4", "b.mp4"])
    let color = meanColor(try await picture(folder["b.mp4"], at: 1))
    #expect(color[0] > 240 && color[1] < 12 && color[2] < 12, "\(color)")
  }

  @Test func range_isCutAtTheEnd() async throws {
    let session = try session(AVAsset(url: try await folder.movie("a.mp4")), to: "b.mov", as: .mov)
    session.timeRange = range(1.5, 99)
    await session.export()
    // Frames begin on the grid of the track: 1.52 s is the first one inside.
    #expect(try info(folder["b.mov"]).duration == MediaTime(value: 12, timescale: 25))
  }

  /// The format is the type's, whatever the suffix.
  @Test func suffix_isNotTheFormat() async throws {
    let session = try session(AVAsset(url: try await folder.movie("a.mp4")), to: "b.mp4", as: .mov)
    await session.export()
    let head = try FileHandle(forReadingFrom: folder["b.mp4"]).read(upToCount: 12)
    #expect(head?.dropFirst(8) == Data("qt  ".utf8))
  }

  @Test func existingFile_isAnError_andStays() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    try Data("mine".utf8).write(to: folder["b.mp4"])
    let session = try session(asset, to: "b.mp4")
    await session.export()
    #expect(session.status == .failed && (session.error as? AVError)?.code == .fileAlreadyExists)
    #expect(try Data(contentsOf: folder["b.mp4"]) == Data("mine".utf8))
    await #expect(throws: AVError.self) { try await self.session(asset, to: "b.mp4").export(to: folder["b.mp4"], as: .mp4) }
  }

  @Test func session_exportsOnce() async throws {
    let session = try session(AVAsset(url: try await folder.movie("a.mp4")), to: "b.mp4")
    try await session.export(to: folder["b.mp4"], as: .mp4)
    await #expect(throws: AVError.self) { try await session.export(to: folder["c.mp4"], as: .mp4) }
    #expect(folder.names == ["a.mp4", "b.mp4"])
  }

  /// The closure is called once, from another thread; progress never falls.
  @Test func closure_isCalledOnce() async throws {
    let session = try session(AVAsset(url: try await folder.movie("a.mp4", seconds: 4)), to: "b.mp4")
    let calls = Mutex(0)
    await withCheckedContinuation { continuation in
      session.exportAsynchronously {
        calls.withLock { $0 += 1 }
        continuation.resume()
      }
    }
    #expect(calls.withLock { $0 } == 1 && session.status == .completed)
  }

  /// What cannot start says so before the call returns.
  @Test func preparation_failsAtOnce() throws {
    let session = try session(AVAsset(url: folder["none.mp4"]), to: "b.mp4")
    let called = Mutex(false)
    session.exportAsynchronously { called.withLock { $0 = true } }
    #expect(called.withLock { $0 } && session.status == .failed && session.error is AVError)
  }

  @Test(arguments: [0, 20, 120]) func canceledExport_leavesNoFile(milliseconds: Int) async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 20, size: PixelSize(width: 1280, height: 720)))
    let session = try session(asset, to: "b.mp4")
    await withCheckedContinuation { continuation in
      session.exportAsynchronously { continuation.resume() }
      // Not a task: other tests block the threads of the pool.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: session.canceler)
    }
    #expect(session.status == .cancelled && (session.error as? AVError)?.code == .operationCancelled)
    #expect(folder.names == ["a.mp4"])
  }

  /// Width and height of a source, a preset, and the size that is written: never enlarged, even, the box turned for portraits.
  @Test(arguments: [
    (320, 180, AVAssetExportPreset1280x720, 320, 180), (1280, 720, AVAssetExportPreset640x480, 640, 360),
    (720, 1280, AVAssetExportPreset960x540, 540, 960), (322, 182, AVAssetExportPresetHighestQuality, 322, 182),
  ])
  func presets_keepTheShape(width: Int, height: Int, preset: String, newWidth: Int, newHeight: Int) async throws {
    let url = try await folder.movie("a.mp4", seconds: 1, size: PixelSize(width: width, height: height), rate: 5)
    let session = try session(AVAsset(url: url), to: "b.mp4", preset: preset)
    await session.export()
    #expect(try info(folder["b.mp4"]).videoTracks.first?.size == PixelSize(width: newWidth, height: newHeight))
  }

  @Test func turnedMovie_staysTurned() async throws {
    let session = try session(AVAsset(url: try await folder.movie("a.mov", quarterTurns: 1)), to: "b.mov", as: .mov)
    await session.export()
    let track = try #require(AVAsset(url: folder["b.mov"]).tracks(withMediaType: .video).first)
    #expect(
      CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform).size == CGSize(width: 180, height: 320))
  }

  @Test func audioPreset_writesAudioAlone() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let session = try session(asset, to: "b.m4a", as: .m4a, preset: AVAssetExportPresetAppleM4A)
    await session.export()
    let written = try info(folder["b.m4a"])
    #expect(written.videoTracks.isEmpty && written.audioTracks.count == 1 && written.duration == .seconds(2))
    let silent = AVAsset(url: try await folder.movie("c.mp4", tone: nil))
    #expect(!AVAssetExportSession.exportPresets(compatibleWith: silent).contains(AVAssetExportPresetAppleM4A))
    let other = try self.session(silent, to: "d.m4a", as: .m4a, preset: AVAssetExportPresetAppleM4A)
    await other.export()
    #expect(other.status == .failed && folder.names == ["a.mp4", "b.m4a", "c.mp4"])
  }

  @Test func passthrough_copiesPackets() async throws {
    let url = try await folder.movie("a.mp4")
    let session = try session(AVAsset(url: url), to: "b.mp4", preset: AVAssetExportPresetPassthrough)
    #expect(!AVAssetExportSession.allExportPresets().contains(AVAssetExportPresetPassthrough))
    await session.export()
    #expect(session.status == .completed, "\(String(describing: session.error))")
    #expect(try info(folder["b.mp4"]).duration == .seconds(2))
  }
}

extension AVAssetExportSession {
  /// Cancels the session from any thread.
  fileprivate var canceler: @Sendable () -> Void {
    nonisolated(unsafe) let session = self
    return { session.cancelExport() }
  }
}
