import CompositorAPI
import CompositorFilters
import CompositorPlugins
import CompositorMediaIO
import CompositorTestMedia
import Testing

/// xfade as a compositor against xfade in ffmpeg, bit for bit.
@Suite(.enabled(if: FFmpegOracle.isAvailable, "needs ffmpeg"))
struct XfadeTests {
  private static let size = PixelSize(width: 98, height: 66)
  private static let count = 10

  /// Every transition that this machine's libavfilter has a word for.
  static let transitions: [String] =
    FilterCatalog.options(of: "xfade").first { $0.name == "transition" }?
    .words.filter { $0.value >= 0 }.map(\.word) ?? []

  /// In their first frame these read a sample past the picture's edge, whatever is there in memory: at progress 1, column x comes
  /// from `(x - width) % width + width`, which is the width itself for x = 0, and rows alike (vf_xfade.c).
  private static let readsOutside: Set = ["slideleft", "slideup", "revealleft", "revealup"]

  @Test func transitions_ofThisLibrary_areAtLeast46() {
    #expect(Self.transitions.count >= 46)
  }

  @Test func xfade_everyTransition_givesTheFramesOfFFmpeg() async throws {
    try await compare(Self.transitions, format: .yuv444p)
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv444p10, .yuv420p10, .rgba, .rgba16])
  func xfade_otherFormats_givesTheFramesOfFFmpeg(_ format: PixelFormat) async throws {
    try await compare(["fade", "dissolve", "circleopen", "fadeblack", "pixelize"], format: format)
  }

  private func compare(_ transitions: [String], format: PixelFormat) async throws {
    let factory = try #require(AVFilterCompositors.factories().first { $0.descriptor.id == "avfilter.xfade" })
    let from = try FFmpegOracle.pictures("testsrc2", count: Self.count, size: Self.size, format: format)
    let to = try FFmpegOracle.pictures("mandelbrot", count: Self.count, size: Self.size, format: format)
    let context = TestSurface.context(Self.size, format)
    for transition in transitions {
      let expected = try FFmpegOracle.filter([from, to], graph: "[0][1]xfade=transition=\(transition):duration=0.4:offset=0")
      try #require(expected.count == Self.count)
      let compositor = try factory.makeCompositor(parameters: ["transition": .string(transition)], context: context)
      // Out of order: a frame is a function of its own time and sources. Not at the start of the timeline either.
      for number in [7, 3, 0, 9] where number > 0 || !Self.readsOutside.contains(transition) {
        let request = TestSurface.request(
          [from[number], to[number]], number: number, of: Self.count, start: 40, context: context)
        let made = try await compositor.compose(request)
        let difference = FFmpegOracle.difference(made, expected[number])
        #expect(difference == nil, "\(transition), frame \(number), \(format)")
      }
    }
  }
}
