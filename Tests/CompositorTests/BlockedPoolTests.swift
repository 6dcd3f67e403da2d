import Compositor
import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Callers that block every thread of the concurrency pool, as a program without `async` does: nothing that they wait for may need one
/// of these threads.
@Suite(.serialized) struct BlockedPoolTests {
  static func edit(loudness: Double? = nil) throws -> Edit {
    var edit = try FrontDoorTests.movie().edit(catalog: MediaCatalog())
    edit.audioMix.loudness = loudness.map { LoudnessTarget(integrated: $0) }
    return edit
  }

  @Test func exportSession_inAFullPool_returns() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let composition = try CompositionValidator.validate(try Self.edit(loudness: -20), catalog: MediaCatalog()).get()
    let results = try await BlockedPool.results {
      let session = ExportSession(composition, to: folder.appending(path: "\(UUID().uuidString).mp4").path)
      return try await session.export()
    }
    #expect(results.allSatisfy { $0.frameCount == 75 } && !results.isEmpty)
  }

  @Test func stillsAndRequests_inAFullPool_return() async throws {
    let edit = try Self.edit()
    let stills = try await BlockedPool.results { try await edit.stills(at: [.zero, .seconds(1), .seconds(2)]) }
    #expect(stills.allSatisfy { $0.count == 3 } && !stills.isEmpty)
    let composition = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
    let answers = try await BlockedPool.results {
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
    let counts = try await BlockedPool.results {
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
    let codes = try await BlockedPool.results { () -> CompositorError.Code? in
      let session = ExportSession(composition, to: NSTemporaryDirectory() + UUID().uuidString + ".mp4")
      session.cancel()
      do { try await session.export() } catch let error as CompositorError { return error.code }
      return nil
    }
    #expect(codes.allSatisfy { $0 == .cancelled } && !codes.isEmpty)
    let canceled = try await BlockedPool.results {
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
