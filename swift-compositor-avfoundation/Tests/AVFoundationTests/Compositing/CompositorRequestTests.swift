import AVFoundation
import Compositor
import Synchronization
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// How requests are made, and how they end.
@Suite struct CompositorRequestTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func session(_ asset: AVAsset, _ video: AVVideoComposition) throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    session.outputURL = folder["out.mov"]
    session.outputFileType = .mov
    session.videoComposition = video
    return session
  }

  private func movie() async throws -> AVAsset { AVAsset(url: try await folder.movie("a.mp4", seconds: 1, tone: nil)) }

  /// Finishes a request with a gray that grows with time, on another thread, the later the earlier it comes.
  @Sendable private static func finishLate(_ request: AVAsynchronousVideoCompositionRequest) {
    let frame = Int((request.compositionTime.seconds * 25).rounded())
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(frame % 3 == 0 ? 30 : 1)) {
      guard let target = request.renderContext.newPixelBuffer() else { return request.finish(with: TestFailure(text: "none")) }
      fill(target, with: [UInt8](repeating: UInt8(frame * 8), count: 3) + [255])
      request.finish(withComposedVideoFrame: target)
      // The frame is what it was when the request was finished, and only the first end counts.
      fill(target, with: [255, 0, 255, 255])
      request.finish(with: TestFailure(text: "second"))
      request.finishCancelledRequest()
    }
  }

  @Test func requests_mayBeFinishedInAnyOrder_onAnyThread() async throws {
    let asset = try await movie()
    let session = try session(asset, testComposition(of: asset, [TestInstruction(range(0, 1), start: Self.finishLate)]))
    await session.export()
    #expect(session.status == .completed, "\(String(describing: session.error))")
    #expect(try info(folder["out.mov"]).duration == .seconds(1))
    for frame in stride(from: 1, to: 25, by: 4) {
      let color = meanColor(try await picture(folder["out.mov"], at: (Double(frame) + 0.5) / 25))
      #expect(color.allSatisfy { abs($0 - Double(frame * 8)) < 4 }, "frame \(frame): \(color)")
    }
  }

  /// Each object is found by the requests of its range, and one object of the compositor serves all.
  @Test func instructions_areToldApart() async throws {
    let asset = try await movie()
    let compositors = Mutex<Set<ObjectIdentifier>>([])
    func instruction(_ range: CMTimeRange, _ pixel: [UInt8]) -> TestInstruction {
      TestInstruction(range) { request in
        compositors.withLock { _ = $0.insert(ObjectIdentifier(request.renderContext)) }
        guard let target = request.renderContext.newPixelBuffer() else { return }
        #expect(range.containsTime(request.compositionTime))
        fill(target, with: pixel)
        request.finish(withComposedVideoFrame: target)
      }
    }
    let video = testComposition(
      of: asset, [instruction(range(0, 0.48), [200, 0, 0, 255]), instruction(range(0.48, 1), [0, 200, 0, 255])])
    let session = try session(asset, video)
    await session.export()
    #expect(session.status == .completed && compositors.withLock { $0.count } == 1)
    let colors = [
      meanColor(try await picture(folder["out.mov"], at: 0.45)), meanColor(try await picture(folder["out.mov"], at: 0.5)),
    ]
    #expect(colors[0][2] > 190 && colors[0][1] < 10 && colors[1][1] > 190 && colors[1][2] < 10, "\(colors)")
  }

  @Test func sources_areThoseThatTheInstructionNeeds() async throws {
    let asset = try await movie()
    let composition = AVMutableComposition()
    for id in [3, 5, 9] as [CMPersistentTrackID] {
      let track = composition.addMutableTrack(withMediaType: .video, preferredTrackID: id)
      try track?.insertTimeRange(range(0, 1), of: asset.tracks[0], at: id == 9 ? seconds(1) : .zero)
    }
    let seen = Mutex<[String]>([])
    @Sendable func note(_ request: AVAsynchronousVideoCompositionRequest) {
      let present = [3, 5, 9].filter { request.sourceFrame(byTrackID: $0) != nil }
      seen.withLock { $0.append("\(request.sourceTrackIDs.map(\.intValue)) \(present)") }
      request.finish(with: TestFailure(text: "seen"))
    }
    for (tracks, expected) in [(nil, "[3, 5] [3, 5]"), ([5, 9], "[5] [5]"), ([], "[] []")] as [([CMPersistentTrackID]?, String)]
    {
      let video = testComposition(of: composition, [TestInstruction(range(0, 2), tracks: tracks, start: note)])
      await #expect(throws: TestFailure(text: "seen")) { try await image(composition, video, at: 0.2) }
      #expect(seen.withLock { $0.popLast() } == expected)
    }
    let wrong = testComposition(of: composition, [TestInstruction(range(0, 2), tracks: [4], start: note)])
    let error = await #expect(throws: AVError.self) { try await image(composition, wrong, at: 0.2) }
    #expect(error?.code == .invalidVideoComposition)
  }

  /// A track that passes through is shown without a request; a source that is given back is shown.
  @Test func sources_passThrough() async throws {
    let asset = try await movie()
    let passing = testComposition(
      of: asset, [TestInstruction(range(0, 1), passthrough: 1) { $0.finish(with: TestFailure(text: "asked")) }])
    #expect(meanColor(try await image(asset, passing, at: 0.5))[0] > 240)
    let returning = testComposition(
      of: asset,
      [
        TestInstruction(range(0, 1), tracks: [1]) { request in
          guard let source = request.sourceFrame(byTrackID: 1) else { return }
          request.finish(withComposedVideoFrame: source)
        }
      ])
    let (shown, plain) = (try await image(asset, returning, at: 0.5), try await image(asset, nil, at: 0.5))
    #expect(middle(of: shown) == middle(of: plain))
  }

  @Test func context_describesTheFrames() async throws {
    let asset = try await movie()
    let video = testComposition(
      of: asset,
      [
        TestInstruction(range(0, 1)) { request in
          let context = request.renderContext
          #expect(context.size == CGSize(width: 160, height: 90) && context.renderScale == 1)
          #expect(context.renderTransform.isIdentity && context.pixelAspectRatio.horizontalSpacing == 1)
          #expect(context.edgeWidths.left == 0 && context.videoComposition.renderSize == context.size)
          let buffer = context.newPixelBuffer()
          #expect(buffer.map { CVPixelBufferGetWidth($0) } == 160)
          #expect(request.compositionTime == seconds(0.2))
          request.finish(with: TestFailure(text: "seen"))
        }
      ])
    video.renderSize = CGSize(width: 160, height: 90)
    await #expect(throws: TestFailure(text: "seen")) { try await image(asset, video, at: 0.2) }
  }

  /// The session ends with the program's own error, and leaves no file.
  @Test func error_endsTheSession() async throws {
    let asset = try await movie()
    let video = testComposition(
      of: asset, [TestInstruction(range(0, 1)) { $0.finish(with: TestFailure(text: "no paint")) }])
    let session = try session(asset, video)
    await session.export()
    #expect(session.status == .failed && session.error as? TestFailure == TestFailure(text: "no paint"))
    let other = try self.session(asset, video)
    await #expect(throws: TestFailure(text: "no paint")) { try await other.export(to: folder["b.mov"], as: .mov) }
    #expect(folder.names == ["a.mp4"])
  }

  /// What a compositor gets wrong is said: a request that it forgets, cancels unasked, or answers in another size.
  @Test func mistakes_areErrors() async throws {
    let asset = try await movie()
    let mistakes: [(String, @Sendable (AVAsynchronousVideoCompositionRequest) -> Void)] = [
      ("without finishing", { _ in }), ("still wanted", { $0.finishCancelledRequest() }),
      (
        "16x16",
        { request in
          var buffer: CVPixelBuffer?
          _ = CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, nil, &buffer)
          if let buffer { request.finish(withComposedVideoFrame: buffer) }
        }
      ),
    ]
    for (text, start) in mistakes {
      let session = try session(asset, testComposition(of: asset, [TestInstruction(range(0, 1), start: start)]))
      await session.export()
      let error = session.error as? AVError
      #expect(
        error?.code == .compositorFailed && error?.errorDescription?.contains(text) == true, "\(String(describing: error))")
    }
  }

  /// The compositor is asked once to finish its requests, and the session is canceled.
  @Test func cancel_reachesTheCompositor() async throws {
    let asset = try await movie()
    let held = Mutex<[AVAsynchronousVideoCompositionRequest]>([])
    let cancelCount = Mutex(0)
    let (started, starts) = AsyncStream<Void>.makeStream()
    let video = testComposition(
      of: asset,
      [
        TestInstruction(range(0, 1)) {
          cancelCount.withLock { $0 += 1 }
          for request in held.withLock({ $0 }) { request.finishCancelledRequest() }
        } start: { request in
          held.withLock { $0.append(request) }
          starts.yield()
        }
      ])
    let session = try session(asset, video)
    nonisolated(unsafe) let canceled = session
    async let end: Void = canceled.export()
    var requests = started.makeAsyncIterator()
    _ = await requests.next()
    canceled.cancelExport()
    await end
    #expect(canceled.status == .cancelled && (canceled.error as? AVError)?.code == .operationCancelled)
    #expect(cancelCount.withLock { $0 } == 1 && folder.names == ["a.mp4"])
  }

  /// An instruction of a program's subclass reaches its compositor as it is; one of the framework's classes as a copy.
  @Test func subclass_isKept() async throws {
    let asset = try await movie()
    let video = AVMutableVideoComposition(propertiesOf: asset)
    video.customVideoCompositorClass = LabelCompositor.self
    let instruction = LabeledInstruction()
    instruction.timeRange = range(0, 1)
    instruction.layerInstructions = [AVMutableVideoCompositionLayerInstruction(assetTrack: asset.tracks[0])]
    instruction.label = "mine"
    video.instructions = [instruction]
    await #expect(throws: TestFailure(text: "mine [1]")) { try await image(asset, video, at: 0) }
  }

  /// Exports with compositors do not need the threads that programs block.
  @Test func blockedPool_doesNotStopCompositors() async throws {
    let url = try await folder.movie("a.mp4", seconds: 1, tone: nil)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<4 {
        let target = folder["out\(number).mov"]
        group.addTask {
          let asset = AVAsset(url: url)
          let instruction = TestInstruction(range(0, 1)) { request in
            guard let source = request.sourceFrame(byTrackID: 1) else { return }
            fill(source, with: [0, 0, 90, 255])
            request.finish(withComposedVideoFrame: source)
          }
          guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset640x480) else { return false }
          (session.outputURL, session.outputFileType) = (target, .mov)
          session.videoComposition = testComposition(of: asset, [instruction])
          let done = DispatchSemaphore(value: 0)
          session.exportAsynchronously { done.signal() }
          return waitBlocking(done) && session.status == .completed
        }
      }
      for await succeeded in group { #expect(succeeded) }
    }
  }
}

/// Waits on this thread, as programs do that know no tasks.
private func waitBlocking(_ semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now() + 120) == .success }
