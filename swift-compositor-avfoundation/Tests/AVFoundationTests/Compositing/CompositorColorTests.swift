import AVFoundation
import Compositor
import Synchronization
import Testing

/// A compositor that takes colors beyond BT.709.
final class WideCompositor: TestCompositor, @unchecked Sendable { override var supportsWideColorSourceFrames: Bool { true } }

/// The colors in which sources come.
@Suite struct CompositorColorTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// What a compositor receives of a red movie in BT.709: the primaries that sources and new buffers state, and the middle of the source.
  private func seen(
    by type: any AVVideoCompositing.Type, _ change: (AVMutableVideoComposition) -> Void
  ) async throws -> (tags: [String], pixel: [UInt8]) {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 1, tone: nil))
    let found = Mutex<(tags: [String], pixel: [UInt8])>(([], []))
    let video = testComposition(
      of: asset, by: type,
      [
        TestInstruction(CMTimeRange(start: .zero, duration: .positiveInfinity)) { request in
          guard let source = request.sourceFrame(byTrackID: 1), let new = request.renderContext.newPixelBuffer() else { return }
          let tags = [source, new].map { CVBufferCopyAttachment($0, kCVImageBufferColorPrimariesKey, nil) as? String ?? "none" }
          let pixel = middle(of: source)
          found.withLock { $0 = (tags, pixel) }
          request.finish(with: TestFailure(text: "seen"))
        }
      ])
    change(video)
    await #expect(throws: TestFailure(text: "seen")) { try await image(asset, video, at: 0) }
    try FileManager.default.removeItem(at: folder["a.mp4"])
    return found.withLock { $0 }
  }

  /// Without colors of its own, a video composition has those of its sources.
  @Test func noColors_areTheSources() async throws {
    for type in [TestCompositor.self, WideCompositor.self] {
      let result = try await seen(by: type) { _ in }
      #expect(result.tags == ["ITU_R_709_2", "ITU_R_709_2"])
      #expect(result.pixel[2] > 250 && result.pixel[0] < 5 && result.pixel[1] < 5, "\(result.pixel)")
    }
  }

  /// Sources come converted to the colors that are set. The numbers are those of ITU-R BT.2087, which goes over light with a power of 2.4:
  /// red of BT.709 is 0.6274, 0.0691 and 0.0164 of the primaries of BT.2020.
  @Test func setColors_areThoseOfEverything() async throws {
    let result = try await seen(by: WideCompositor.self) { video in
      video.colorPrimaries = AVVideoColorPrimaries_ITU_R_2020
      video.colorTransferFunction = AVVideoTransferFunction_ITU_R_709_2
      video.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_2020
    }
    #expect(result.tags == ["ITU_R_2020", "ITU_R_2020"])
    #expect(zip(result.pixel, [46, 84, 210, 255]).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(result.pixel)")
  }
}
