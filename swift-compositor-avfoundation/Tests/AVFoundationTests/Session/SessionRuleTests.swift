import AVFoundation
import Compositor
import Synchronization
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// When a session reads, what it reports, and how it ends.
@Suite struct SessionRuleTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func session(_ asset: AVAsset, to name: String = "out.mov") throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    (session.outputURL, session.outputFileType) = (folder[name], .mov)
    return session
  }

  /// Changes before the start count, later ones do not.
  @Test func asset_isReadAtTheStart() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 1), of: asset, at: .zero)
    let session = try session(composition)
    #expect(session.asset === composition && session.timeRange == CMTimeRange(start: .zero, duration: .positiveInfinity))
    try composition.insertTimeRange(range(0, 2), of: asset, at: composition.duration)
    await withCheckedContinuation { continuation in
      session.exportAsynchronously { continuation.resume() }
      composition.removeTimeRange(range(0, 3))
    }
    #expect(session.status == .completed && composition.duration == .zero)
    #expect(try info(folder["out.mov"]).duration == .seconds(3))
  }

  /// The status goes from one to the next, and progress from 0 to 1 without falling.
  @Test func statusAndProgress_onlyRise() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 8, size: PixelSize(width: 640, height: 360)))
    let session = try session(asset)
    let seen = Mutex<(statuses: [AVAssetExportSession.Status], progress: [Float])>(([session.status], [session.progress]))
    nonisolated(unsafe) let watched = session
    let watcher = Thread {
      while watched.status.rawValue < AVAssetExportSession.Status.completed.rawValue {
        let (status, progress) = (watched.status, watched.progress)
        seen.withLock { seen in
          if seen.statuses.last != status { seen.statuses.append(status) }
          seen.progress.append(progress)
        }
        usleep(500)
      }
    }
    watcher.start()
    await watched.export()
    let (statuses, progress) = seen.withLock { ($0.statuses, $0.progress) }
    #expect(session.status == .completed && session.progress == 1)
    #expect(statuses.first == .unknown && statuses.contains(.exporting))
    #expect(statuses.map(\.rawValue) == statuses.map(\.rawValue).sorted(), "\(statuses)")
    #expect(progress == progress.sorted() && progress.first == 0)
    #expect(Set(progress).count > 3, "progress is reported on the way")
  }

  /// Both asynchronous methods end when their task is canceled; one of them throws.
  @Test(arguments: [false, true]) func canceledTask_cancelsTheExport(throwing: Bool) async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 20, size: PixelSize(width: 1280, height: 720)))
    nonisolated(unsafe) let session = try session(asset)
    let target = folder["out.mov"]
    let task = Task<Bool, Never> {
      guard throwing else {
        await session.export()
        return true
      }
      do {
        try await session.export(to: target, as: .mov)
        return false
      } catch {
        return error is CancellationError
      }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(60)) { task.cancel() }
    #expect(await task.value)
    #expect(session.status == .cancelled && (session.error as? AVError)?.code == .operationCancelled)
    #expect(folder.names == ["a.mp4"])
  }

  /// A session that is canceled before its start ends as soon as it starts [m]. One that has ended remains as it is [m].
  @Test func endedSession_remains() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 1))
    let early = try session(asset)
    early.cancelExport()
    await early.export()
    #expect(early.status == .cancelled && folder.names == ["a.mp4"])
    let session = try session(asset)
    await session.export()
    session.cancelExport()
    #expect(session.status == .completed && session.error == nil)
    let called = Mutex(false)
    session.exportAsynchronously { called.withLock { $0 = true } }
    #expect(called.withLock { $0 } && session.status == .completed && session.progress == 1)
    #expect(folder.names == ["a.mp4", "out.mov"])
  }

  /// The folder for temporary files holds one during the export and none after it, however it ends.
  @Test(arguments: ["completes", "fails", "is canceled"]) func temporaryFiles_areRemoved(end: String) async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 2, tone: nil))
    let other = try TestFolder()
    let most = Mutex(0)
    let session = try session(asset)
    nonisolated(unsafe) let canceled = session
    session.directoryForTemporaryFiles = other.url
    session.videoComposition = testComposition(
      of: asset,
      [
        TestInstruction(range(0, 2), tracks: [1]) { request in
          most.withLock { $0 = max($0, other.names.count) }
          if request.compositionTime > seconds(1), end == "fails" { return request.finish(with: TestFailure(text: "end")) }
          if request.compositionTime > seconds(1), end == "is canceled" { canceled.cancelExport() }
          guard let source = request.sourceFrame(byTrackID: 1) else { return }
          request.finish(withComposedVideoFrame: source)
        }
      ])
    await session.export()
    let statuses = ["completes": AVAssetExportSession.Status.completed, "fails": .failed, "is canceled": .cancelled]
    #expect(session.status == statuses[end] && most.withLock { $0 } == 1)
    #expect(other.names.isEmpty && folder.names == (end == "completes" ? ["a.mp4", "out.mov"] : ["a.mp4"]))
  }

  /// Where Apple's systems raise an exception, the program stops.
  @Test func wrongCalls_stopTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let session = AVAssetExportSession(asset: AVMutableComposition(), presetName: AVAssetExportPresetHighestQuality)
      session?.outputURL = URL(fileURLWithPath: "/tmp/none.mov")
      session?.exportAsynchronously {}
      exit(0)
    }
    await #expect(processExitsWith: .failure) {
      let session = AVAssetExportSession(asset: AVMutableComposition(), presetName: AVAssetExportPresetAppleM4A)
      session?.outputURL = URL(fileURLWithPath: "/tmp/none.mov")
      session?.outputFileType = .mov
      session?.exportAsynchronously {}
      exit(0)
    }
    await #expect(processExitsWith: .failure) {
      let layer = AVMutableVideoCompositionLayerInstruction()
      let half = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
      layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: half)
      layer.setOpacityRamp(fromStartOpacity: 0, toEndOpacity: 1, timeRange: half)
      exit(0)
    }
  }
}
