import Compositor
import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTimeline
import CompositorValidation
import Dispatch
import Foundation
import Synchronization
import Testing

/// Callers that block every thread of the concurrency pool, as a program without `async` does: nothing that they wait for may need one
/// of these threads.
@Suite(.serialized) struct BlockedPoolTests {
  /// A meeting of blocked callers, each on its own thread of the pool.
  private final class Meeting: Sendable {
    private let count: Int
    private let arrived = Atomic<Int>(0)
    private let all = DispatchSemaphore(value: 0)
    private let left = DispatchSemaphore(value: 0)

    init(_ count: Int) { self.count = count }

    /// Waits until all callers are here.
    func arrive() {
      if arrived.add(1, ordering: .relaxed).newValue == count { for _ in 0..<count { all.signal() } }
      all.wait()
    }

    func leave() { left.signal() }

    /// Whether all callers leave within a time.
    func isOver(within seconds: Double) -> Bool {
      let end = DispatchTime.now() + seconds
      return (0..<count).allSatisfy { _ in left.wait(timeout: end) == .success }
    }
  }

  /// Makes a call from as many blocked threads as the pool has.
  private static func results<Value: Sendable>(
    _ call: @escaping @Sendable () async throws -> Value
  ) async throws -> [Value] {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let meeting = Meeting(count)
    let results = Mutex<[Result<Value, any Error>]>([])
    let block: @Sendable () -> Void = {
      meeting.arrive()
      let result = Result { try BlockingCall.run(call) }
      results.withLock { $0.append(result) }
      meeting.leave()
    }
    for _ in 0..<count { Task.detached(operation: { block() }) }
    let isOver = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let isOver = meeting.isOver(within: 120)
        // Threads of the pool that stay blocked would stop every other test without a word.
        precondition(isOver, "a blocked caller waits for a thread of the pool")
        continuation.resume(returning: isOver)
      }
    }
    try #require(isOver)
    return try results.withLock { $0 }.map { try $0.get() }
  }

  private static func edit(loudness: Double? = nil) throws -> Edit {
    var edit = try FrontDoorTests.movie().edit(catalog: MediaCatalog())
    edit.audioMix.loudness = loudness.map { LoudnessTarget(integrated: $0) }
    return edit
  }

  @Test func exportSession_inAFullPool_returns() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let composition = try CompositionValidator.validate(try Self.edit(loudness: -20), catalog: MediaCatalog()).get()
    let results = try await Self.results {
      let session = ExportSession(composition, to: folder.appending(path: "\(UUID().uuidString).mp4").path)
      return try await session.export()
    }
    #expect(results.allSatisfy { $0.frameCount == 75 } && !results.isEmpty)
  }

  @Test func stillsAndRequests_inAFullPool_return() async throws {
    let edit = try Self.edit()
    let stills = try await Self.results { try await edit.stills(at: [.zero, .seconds(1), .seconds(2)]) }
    #expect(stills.allSatisfy { $0.count == 3 } && !stills.isEmpty)
    let composition = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
    let answers = try await Self.results {
      let generator = try ImageGenerator(composition)
      var count = 0
      for await answer in generator.requests(at: [.zero, .seconds(1), .seconds(1)]) {
        count += (try? answer.result.get()) == nil ? 0 : 1
      }
      await generator.close()
      return count
    }
    #expect(answers.allSatisfy { $0 == 3 } && !answers.isEmpty)
  }

  @Test func readerWithLoudness_inAFullPool_returns() async throws {
    let edit = try Self.edit(loudness: -20)
    let counts = try await Self.results {
      let reader = try await edit.reader()
      var (frames, samples) = (0, 0)
      while let media = try await reader.nextMedia() {
        switch media {
        case .frame: frames += 1
        case .audio(let audio): samples += audio.channels.first?.count ?? 0
        }
      }
      return [frames, samples]
    }
    #expect(counts.allSatisfy { $0 == [75, 144_000] } && !counts.isEmpty)
  }

  @Test func canceledSessionAndRequests_inAFullPool_end() async throws {
    let composition = try CompositionValidator.validate(try Self.edit(), catalog: MediaCatalog()).get()
    let codes = try await Self.results { () -> CompositorError.Code? in
      let session = ExportSession(composition, to: NSTemporaryDirectory() + UUID().uuidString + ".mp4")
      session.cancel()
      do { try await session.export() } catch let error as CompositorError { return error.code }
      return nil
    }
    #expect(codes.allSatisfy { $0 == .cancelled } && !codes.isEmpty)
    let canceled = try await Self.results {
      let generator = try ImageGenerator(composition)
      let requests = generator.requests(at: [.zero, .seconds(1)])
      requests.cancel(1)
      var codes: [CompositorError.Code?] = []
      for await answer in requests {
        if case .failure(let error) = answer.result { codes.append(error.code) } else { codes.append(nil) }
      }
      await generator.close()
      return codes
    }
    #expect(canceled.allSatisfy { $0 == [nil, .cancelled] } && !canceled.isEmpty)
  }
}
