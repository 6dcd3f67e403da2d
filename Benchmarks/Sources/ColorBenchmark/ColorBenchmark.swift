import Clocks
import Compositor
import CompositorBenchmark
import Foundation

/// HDR only: frames in memory, one thread, milliseconds of processor time per frame. The same work in a chain of zscale
/// filters is measured in the same run, minus FFmpeg's time to read the same frames. Errors are relative to double precision,
/// in code values.
@main
struct ColorBenchmark {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "color-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    print("work                                       size       route         ms  zscale ms   ratio  max err  mean    theirs")
    let hd = PixelSize(width: 1920, height: 1080)
    let uhd = PixelSize(width: 3840, height: 2160)
    try measure(Work.w5, hd, frameCount: 60, folder)
    try measure(Work.w5, uhd, frameCount: 16, folder)
    let chain = try measure(Work.w5tHable, hd, frameCount: 60, folder)
    try measure(Work.w5t, hd, frameCount: 60, folder, chain: chain)
    try measure(Work.w5tDithered, hd, frameCount: 60, folder, chain: chain)
  }

  @discardableResult
  static func measure(
    _ work: Work, _ size: PixelSize, frameCount: Int, _ folder: URL, chain: Double? = nil
  ) throws -> Double? {
    let frames = work.sources.enumerated().map { index, color in
      (0..<4).map { Sources.frame(color, size, seed: UInt64(index * 10 + $0 + 1)) }
    }
    let peer = ZScaleChain(work: work, folder: folder)
    let (own, route) = try ours(work, frames, size: size, frameCount: frameCount)
    let theirs = try chain ?? peer.millisecondsPerFrame(frames, size: size, frameCount: frameCount)
    let small = PixelSize(width: 320, height: 180)
    let samples = work.sources.enumerated().map { Sources.frame($1, small, seed: UInt64($0 + 77)) }
    let context = work.context(small, FramePool())
    let request = try work.request(samples, context)
    let exact = try ReferenceCompositor.compose(request)
    let mine = try FrameComparison(LayerCompositor(context: context).compose(request), exact)
    let other = try peer.frame(samples, size: small).map { try FrameComparison($0, exact) }
    print(
      work.name.padding(toLength: 40, withPad: " ", startingAt: 0),
      "\(size)".padding(toLength: 11, withPad: " ", startingAt: 0), route.padding(toLength: 8, withPad: " ", startingAt: 0),
      text(own), theirs.map(text) ?? "-", theirs.map { text($0 / own) } ?? "-", errors(mine), other.map(errors) ?? "-",
      separator: "  ")
    return theirs
  }

  static func ours(
    _ work: Work, _ frames: [[Frame]], size: PixelSize, frameCount: Int
  ) throws -> (milliseconds: Double, route: String) {
    let routes = Routes()
    var context = work.context(size, FramePool())
    context.observer = routes
    let compositor = try LayerCompositor(context: context)
    let requests = try (0..<4).map { index in try work.request(frames.map { $0[index] }, context) }
    var best = Double.infinity
    for _ in 0..<5 {
      let start = ProcessorTime.own
      for index in 0..<frameCount { _ = try compositor.compose(requests[index % 4]) }
      best = min(best, (ProcessorTime.own - start) / Double(frameCount))
    }
    return (best, routes.names)
  }

  static func errors(_ comparison: FrameComparison) -> String {
    let mean = comparison.components.map(\.mean).max() ?? .nan
    return String(format: "%.3f  %.4f", comparison.largest, mean)
  }

  static func text(_ value: Double) -> String {
    let number = String(format: "%.2f", value)
    return String(repeating: " ", count: max(0, 7 - number.count)) + number
  }
}
