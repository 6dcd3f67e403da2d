import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import CompositorMedia
import CompositorMediaIO
import CompositorValidation

/// The resources for making frames between frames.
struct InbetweenSurface: Sendable {
  var blending: BlendingSpace
  var colorConversion: ColorConversionPolicy
  var pool: FramePool
}

/// Makes frames between two frames of a source. It has one owner.
///
/// An intermediate frame depends only on its time and the frames around it, so requests in any order produce the same frames.
final class InbetweenMaker {
  private let surface: InbetweenSurface
  private var mixing: (format: PixelFormat, size: PixelSize, compositor: DissolveTransition, context: RenderContext)?

  init(_ surface: InbetweenSurface) { self.surface = surface }

  /// The frame at an order's time.
  ///
  /// - Parameter shown: The source frame at that time.
  /// - Throws: Any error of decoding; `.conversionNotPossible` if motion cannot be estimated in these frames.
  func frame(
    for order: SourceOrder, showing shown: DecodedVideoFrame, reader: any VideoReader
  ) throws(CompositorError) -> DecodedVideoFrame {
    guard shown.duration.isNumeric, shown.duration > .zero, let fraction = fraction(of: order, in: shown) else { return shown }
    // Passed frames are requested again for the next time.
    reader.keepPassed(shown.duration * 6)
    let way = Way(reader: reader, isBackward: order.isBackward, limit: order.mediaLimit)
    guard let next = try way.frame(after: shown), next.frame.size == shown.frame.size, next.frame.format == shown.frame.format
    else { return shown }
    var made = shown
    if order.frames == .blend {
      made.frame = try mix(drawable(shown), drawable(next), weight: fraction)
    } else {
      let before = try way.frame(before: shown, like: shown)
      let after = try way.frame(after: next, like: next)
      made.frame = try MotionInterpolation.frame(
        between: [drawable(before), drawable(shown), drawable(next), drawable(after)], at: fraction)
    }
    return made
  }

  private func drawable(_ decoded: DecodedVideoFrame) throws(CompositorError) -> Frame {
    try decoded.frame.downloaded(for: "frames between two", pool: surface.pool)
  }

  /// The position of the order's time between the frame and the next one, > 0 and < 1; `nil` at the frame's own time.
  private func fraction(of order: SourceOrder, in shown: DecodedVideoFrame) -> Double? {
    let passed =
      order.isBackward
      ? shown.presentationTime + shown.duration - order.mediaTime : order.mediaTime - shown.presentationTime
    let fraction = passed.seconds / shown.duration.seconds
    return fraction > Self.leastFraction && fraction < 1 ? fraction : nil
  }

  /// Less than one 10-bit code value.
  private static let leastFraction = 1.0 / 2048

  private func mix(_ old: Frame, _ new: Frame, weight: Double) throws(CompositorError) -> Frame {
    if old.format.hasAlpha { return try mixPremultiplied(old, new, weight: Float(weight)) }
    let (compositor, context) = try mixer(for: old)
    // Pixels are blended regardless of their shape.
    var (first, second) = (old, new)
    first.attributes = context.outputAttributes
    second.attributes = context.outputAttributes
    var instruction = Instruction(
      timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)),
      layers: [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)])
    instruction.compositor = CompositorID(rawValue: "builtin.dissolve")
    let (time, duration) = (MediaTime(seconds: weight, preferredTimescale: 1 << 20), MediaTime(value: 1, timescale: 1))
    let sources = [(TrackID(1), first), (2, second)].map { trackID, frame in
      (trackID, SourceFrame(trackID: trackID, frame: frame, presentationTime: .zero, duration: duration, requestedTime: time))
    }
    var mixed = try compositor.compose(
      CompositionRequest(
        time: time, instruction: instruction, sources: Dictionary(uniqueKeysWithValues: sources), context: context))
    mixed.attributes = old.attributes
    return mixed
  }

  /// Blends frames with alpha sample by sample, premultiplied, because layering one over the other would let the background
  /// through.
  private func mixPremultiplied(_ old: Frame, _ new: Frame, weight: Float) throws(CompositorError) -> Frame {
    let converter = FrameConverter(policy: surface.colorConversion)
    var attributes = old.attributes
    attributes.alphaMode = .premultiplied
    (attributes.color.matrix, attributes.color.range) = (.identity, .full)
    let first = try converter.convert(old, to: .rgbaFloat, attributes: attributes, pool: surface.pool)
    let second = try converter.convert(new, to: .rgbaFloat, attributes: attributes, pool: surface.pool)
    var mixed = try surface.pool.makeFrame(format: .rgbaFloat, size: old.size, attributes: attributes)
    mixed.withUnsafeMutablePlanes { output in
      first.withUnsafePlanes { first in
        second.withUnsafePlanes { second in
          for y in 0..<output[0].height {
            let row = (output[0].base + y * output[0].stride).assumingMemoryBound(to: Float.self)
            let a = (first[0].base + y * first[0].stride).assumingMemoryBound(to: Float.self)
            let b = (second[0].base + y * second[0].stride).assumingMemoryBound(to: Float.self)
            for sample in 0..<old.size.width * 4 { row[sample] = a[sample] + (b[sample] - a[sample]) * weight }
          }
        }
      }
    }
    return try converter.convert(mixed.freeze(), to: old.format, attributes: old.attributes, pool: surface.pool)
  }

  private func mixer(for frame: Frame) throws(CompositorError) -> (DissolveTransition, RenderContext) {
    var attributes = frame.attributes
    attributes.pixelAspectRatio = .one
    if let mixing, mixing.format == frame.format, mixing.size == frame.size, mixing.context.outputAttributes == attributes {
      return (mixing.compositor, mixing.context)
    }
    let context = RenderContext(
      size: frame.size, outputFormat: frame.format, outputAttributes: attributes, blending: surface.blending,
      colorConversion: surface.colorConversion, pool: surface.pool)
    let compositor = try DissolveTransition(parameters: [:], context: context)
    mixing = (frame.format, frame.size, compositor, context)
    return (compositor, context)
  }
}

/// The frames of a source in the direction in which a clip plays, up to the clip's end.
private struct Way {
  let reader: any VideoReader
  let isBackward: Bool
  let limit: MediaTime

  func frame(after frame: DecodedVideoFrame) throws(CompositorError) -> DecodedVideoFrame? {
    if isBackward { return frame.presentationTime > limit ? try reader.frame(before: frame.presentationTime) : nil }
    let next = frame.presentationTime + frame.duration
    return next < limit ? try distinct(reader.frame(at: next), from: frame) : nil
  }

  /// The preceding frame in the direction of play, which may be before the clip's start.
  func frame(before frame: DecodedVideoFrame) throws(CompositorError) -> DecodedVideoFrame? {
    if isBackward { return try distinct(reader.frame(at: frame.presentationTime + frame.duration), from: frame) }
    return try reader.frame(before: frame.presentationTime)
  }

  func frame(before frame: DecodedVideoFrame, like other: DecodedVideoFrame) throws(CompositorError) -> DecodedVideoFrame {
    other.replaced(by: try self.frame(before: frame))
  }

  func frame(after frame: DecodedVideoFrame, like other: DecodedVideoFrame) throws(CompositorError) -> DecodedVideoFrame {
    other.replaced(by: try self.frame(after: frame))
  }

  /// `nil` if the last frame of the media is held.
  private func distinct(_ found: DecodedVideoFrame?, from frame: DecodedVideoFrame) -> DecodedVideoFrame? {
    found.flatMap { $0.presentationTime == frame.presentationTime ? nil : $0 }
  }
}

extension DecodedVideoFrame {
  /// Another frame of the same size and format; this one if there is none.
  fileprivate func replaced(by other: DecodedVideoFrame?) -> DecodedVideoFrame {
    guard let other, other.frame.size == frame.size, other.frame.format == frame.format else { return self }
    return other
  }
}
