import Clocks
import Compositor
import Foundation

/// Titles only: frames of 1920 × 1080, 8-bit 4:2:0, in memory, one thread. drawtext with the same appearance is measured in
/// the same run, as the time of an FFmpeg filter chain with it minus the time of one without.
@main
struct TitleBenchmark {
  static let size = PixelSize(width: 1920, height: 1080)
  static let frameCount = 300

  static func main() throws {
    let frames = FrameStore(count: 8, size: size)
    print("titles at 1920x1080, 8-bit 4:2:0, milliseconds of processor time a frame, best of 5 runs of \(frameCount) frames")
    let moving = try measure("W4: two lines, outline, shadow, moving and fading", TitleScenes.w4, frames)
    _ = try measure("static title of the same look", TitleScenes.still, frames)
    _ = try measure("500 animated shape layers", TitleScenes.shapes, frames, frameCount: 60)
    _ = try measure("spinning ring of 12 stars and a word, fading", TitleScenes.magic, frames)
    try glass(frames)
    try letters(frames)
    _ = try measure("motion blur: the two lines of W4, 16 moments", TitleScenes.blurredLines, frames, frameCount: 20)
    try firstFrames(frames)
    if let peer = try Drawtext.millisecondsPerFrame(size: size, frameCount: frameCount) {
      row("drawtext (FFmpeg), look of W4", peer)
      print("W4 is \(rounded(peer / moving)) times as fast as drawtext")
    } else {
      print("drawtext: FFmpeg is not there")
    }
  }

  /// Glass of 800 by 400 pixels, a blur of 20 pixels.
  static func glass(_ frames: FrameStore) throws {
    _ = try measure("glass: the blur", TitleScenes.glass(), frames, frameCount: 60)
    _ = try measure("glass: the blur, more saturated", TitleScenes.glass(saturation: 1.3), frames, frameCount: 60)
    _ = try measure("glass: the blur, its group fading in", TitleScenes.glass(fades: true), frames, frameCount: 60)
  }

  static func measure(
    _ name: String, _ scene: Layer, _ frames: FrameStore, frameCount: Int = frameCount
  ) throws -> Double {
    let renderer = try OverlayRenderer(root: scene, renderSize: size)
    var best = Double.infinity
    for _ in 0..<5 {
      let start = ProcessorTime.own
      for index in 0..<frameCount { try frames.draw(renderer, index) }
      best = min(best, (ProcessorTime.own - start) / Double(frameCount))
    }
    row(name, best)
    return best
  }

  /// 200 animated letters, compared with the same text at rest: time, slowest frame, and difference of the last frame from
  /// the text at rest.
  static func letters(_ frames: FrameStore) throws {
    let still = try measure("200 letters at rest", TitleScenes.restingLetters, frames)
    let moving = try measure("200 letters, one by one", TitleScenes.letters, frames)
    let renderer = try OverlayRenderer(root: TitleScenes.letters, renderSize: size)
    var slowest = 0.0
    for index in 0..<2 * frameCount {
      let start = ProcessorTime.own
      try frames.draw(renderer, index % frameCount)
      // The masks of the letters are made in the first cycle.
      if index >= frameCount { slowest = max(slowest, ProcessorTime.own - start) }
    }
    row("200 letters, one by one: the slowest frame", slowest)
    let resting = try OverlayRenderer(root: TitleScenes.restingLetters, renderSize: size)
    let difference = try FrameStore.difference(renderer, resting, at: frameCount, size: size)
    print(
      "letters one by one: \(rounded(moving / still)) × the time of those at rest; at rest they differ by \(difference) of 255 codes"
    )
  }

  /// The cost of the first frame, in which glyphs are made.
  static func firstFrames(_ frames: FrameStore) throws {
    for (name, scene) in [
      ("first frame of W4", TitleScenes.w4), ("first frame of an emoji with an outline", TitleScenes.emoji),
    ] {
      let warm = try OverlayRenderer(root: TitleScenes.plain, renderSize: size)
      try frames.draw(warm, 60)
      let library = try FontLibrary()
      var best = Double.infinity
      for _ in 0..<5 {
        var options = OverlayRenderer.Options()
        options.fontLibrary = library
        let renderer = try OverlayRenderer(root: scene, renderSize: size, options: options)
        let start = ProcessorTime.own
        do { try frames.draw(renderer, 60) } catch let error as CompositorError where error.code == .fileNotFound {
          print("\(name): \(error)")
          break
        }
        best = min(best, ProcessorTime.own - start)
      }
      if best.isFinite { row(name, best) }
    }
  }

  static func row(_ name: String, _ value: Double) {
    print(name.padding(toLength: 52, withPad: " ", startingAt: 0), rounded(value))
  }

  static func rounded(_ value: Double) -> String { String(format: "%.3f", value) }
}

/// Frames to draw into, cyclically, more than the caches hold.
final class FrameStore {
  private var frames: [Frame]
  private let pool = FramePool()

  init(count: Int, size: PixelSize) {
    frames = (0..<count).map { index in
      var frame = MutableFrame(format: .yuv420p, size: size)
      frame.withUnsafeMutablePlanes { planes in
        for plane in 0..<planes.count {
          let target = planes[plane]
          for y in 0..<target.height {
            let row = (target.base + y * target.stride).assumingMemoryBound(to: UInt8.self)
            for x in 0..<target.width { row[x] = UInt8(truncatingIfNeeded: 60 + (x &* 31 ^ y &* 17 ^ index &* 7) & 63) }
          }
        }
      }
      return frame.freeze()
    }
  }

  /// The largest difference between two renderers over gray, in luma codes.
  static func difference(_ one: OverlayRenderer, _ other: OverlayRenderer, at index: Int, size: PixelSize) throws -> Int {
    let pool = FramePool()
    let drawn = try [one, other].map { renderer in
      var gray = MutableFrame(format: .yuv420p, size: size)
      gray.withUnsafeMutablePlanes { planes in
        for plane in 0..<planes.count {
          planes[plane].base.initializeMemory(
            as: UInt8.self, repeating: 128, count: planes[plane].stride * planes[plane].height)
        }
      }
      return try renderer.draw(over: gray.freeze(), at: MediaTime(value: Int64(index), timescale: 30), pool: pool)
    }
    var largest = 0
    for y in 0..<size.height {
      drawn[0].withRow(y, as: UInt8.self) { left in
        drawn[1].withRow(y, as: UInt8.self) { right in
          for x in 0..<size.width { largest = max(largest, abs(Int(left[x]) - Int(right[x]))) }
        }
      }
    }
    return largest
  }

  func draw(_ renderer: OverlayRenderer, _ index: Int) throws {
    let frame = frames.removeFirst()
    frames.append(try renderer.draw(over: consume frame, at: MediaTime(value: Int64(index), timescale: 30), pool: pool))
  }
}
