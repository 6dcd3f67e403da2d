import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestMedia
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Titles that follow audio, as frames.
@Suite struct AudioTitleTests {
  /// A white box that is as opaque as a tone from 1 s to 2 s is loud, which fades out in its last half second.
  private static let project = """
    { version: 1, output: { size: "64x36", frameRate: 25 },
      assets: { back: { generate: "color", color: "black" }, tone: { generate: "color", tone: 400 } },
      tracks: [
        { clips: [{ asset: "back", duration: "3s" }] },
        { name: "music", clips: [{ asset: "tone", at: "1s", duration: "1s", fadeOut: "0.5s", video: false }] },
      ],
      titles: [{ layer: {
        bounds: [64, 36], position: [32, 18], backgroundColor: "white",
        animations: [{ property: "opacity", from: 0, to: 1, audio: { track: "music", attack: "0s", release: "0s" } }],
      } }] }
    """

  private func composition() throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    return try CompositionValidator.validate(try ProjectFile(Self.project).edit(catalog: catalog), catalog: catalog).get()
  }

  private func lumas(at frames: [Int], of composition: ValidatedComposition) async throws -> [Int: UInt8] {
    let generator = try ImageGenerator(composition, settings: ImageSettings(format: .yuv420p).exactly)
    var found: [Int: UInt8] = [:]
    for frame in frames {
      found[frame] = try await generator.image(at: MediaTime(value: Int64(frame), timescale: 25)).frame.firstLuma
    }
    await generator.close()
    return found
  }

  @Test func frames_showTheLevelOfTheirTime_inAnyOrder() async throws {
    let frames = Array(0..<75)
    let found = try await lumas(at: frames, of: composition())
    for frame in [0, 10, 24, 51, 74] { #expect(found[frame] == 16, "\(frame): \(found[frame] ?? 0)") }
    for frame in 26..<37 { #expect((found[frame] ?? 0) >= 233, "\(frame): \(found[frame] ?? 0)") }
    // 6 of 30 dB lower in the middle of the fade.
    let middle = Double(found[43] ?? 0)
    #expect(abs(middle - (16 + 219 * (1 + 20 * log10(0.56) / 30))) < 4, "\(middle)")
    #expect(zip(38..<49, 39..<50).allSatisfy { (found[$0] ?? 0) >= (found[$1] ?? 0) })
    // Another composition, and another order.
    #expect(try await lumas(at: frames.reversed(), of: composition()) == found)
  }
}
