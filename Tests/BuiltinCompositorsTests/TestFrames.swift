import BuiltinCompositors
import CompositorAPI
import ReferenceCompositor
import Synchronization

/// Remembers the routes that frames took.
final class RouteRecorder: RenderObserver {
  private let recorded = Mutex<[RenderRoute]>([])
  var routes: [RenderRoute] { recorded.withLock { $0 } }
  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime) {
    recorded.withLock { $0.append(route) }
  }
}

/// The same numbers for the same seed, everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

enum TestFrames {
  /// Any code in any sample, which is harder than any picture. Premultiplied components do not exceed alpha.
  static func noise(
    _ format: PixelFormat, _ width: Int, _ height: Int, attributes: FrameAttributes? = nil, seed: UInt64 = 1
  ) -> Frame {
    let attributes = attributes ?? TestFrames.attributes(format)
    var random = SplitMix(state: seed)
    return make(format, width, height, attributes) { _, _, _ in Double.random(in: 0...1, using: &random) }
  }

  /// Attributes that fit a format: BT.709 or sRGB, straight alpha.
  static func attributes(_ format: PixelFormat) -> FrameAttributes {
    FrameAttributes(color: format.isRGB ? .sRGB : .bt709, alphaMode: format.hasAlpha ? .straight : .opaque)
  }

  /// A frame with a value of 0 … 1 (0 … the largest code) per sample: plane, column in samples, row.
  static func make(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ attributes: FrameAttributes,
    _ value: (Int, Int, Int) -> Double
  ) -> Frame {
    var frame = MutableFrame(format: format, size: PixelSize(width: width, height: height), attributes: attributes)
    let largest = Double(1 << min(format.bitDepth, 16)) - 1
    let padding = UInt16(format.lowPadding)
    let isPremultiplied = format.isRGB && attributes.alphaMode == .premultiplied
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let count = plane.width * format.samplesPerPosition(plane: index)
        for y in 0..<plane.height {
          var row = (0..<count).map { value(index, $0, y) }
          if isPremultiplied { for x in 0..<count where x % 4 != 3 { row[x] *= row[x | 3] } }
          let base = plane.base + y * plane.stride
          for x in 0..<count {
            switch format.sample {
            case .unsigned where format.bitDepth == 8:
              base.storeBytes(of: UInt8((row[x] * largest).rounded(.down)), toByteOffset: x, as: UInt8.self)
            case .unsigned:
              base.storeBytes(of: UInt16((row[x] * largest).rounded(.down)) << padding, toByteOffset: 2 * x, as: UInt16.self)
            case .half: base.storeBytes(of: Float16(row[x]), toByteOffset: 2 * x, as: Float16.self)
            case .float: base.storeBytes(of: Float(row[x]), toByteOffset: 4 * x, as: Float.self)
            }
          }
        }
      }
    }
    return frame.freeze()
  }
}

/// One frame through the layer compositor and through the reference.
struct Comparison {
  let route: RenderRoute?
  let frame: Frame
  let difference: FrameComparison

  init(
    _ layers: [LayerInstruction], _ frames: [TrackID: Frame], at time: MediaTime = .zero, background: Color? = nil,
    _ context: RenderContext
  ) throws {
    let recorder = RouteRecorder()
    var context = context
    context.observer = recorder
    let request = Comparison.request(layers, frames, at: time, background: background, context)
    frame = try LayerCompositor(context: context).compose(request)
    route = recorder.routes.first
    difference = try FrameComparison(frame, ReferenceCompositor.compose(request))
  }

  /// The frame alone.
  static func frame(_ layers: [LayerInstruction], _ frames: [TrackID: Frame], _ context: RenderContext) throws -> Frame {
    try LayerCompositor(context: context).compose(request(layers, frames, at: .zero, background: nil, context))
  }

  private static func request(
    _ layers: [LayerInstruction], _ frames: [TrackID: Frame], at time: MediaTime, background: Color?,
    _ context: RenderContext
  ) -> CompositionRequest {
    var instruction = Instruction(timeRange: TestTimes.second, layers: layers)
    instruction.backgroundColor = background
    let sources = Dictionary(
      uniqueKeysWithValues: frames.map { trackID, frame in
        (
          trackID,
          SourceFrame(
            trackID: trackID, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
        )
      })
    return CompositionRequest(time: time, instruction: instruction, sources: sources, context: context)
  }
}

enum TestTimes {
  static let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
  /// Through a second, both ends included.
  static let through = [0, 1, 300, 599].map { MediaTime(value: $0, timescale: 600) }
}

extension LayerInstruction {
  /// A layer with values that hold.
  init(_ trackID: TrackID, opacity: Double = 1, transform: AffineMatrix = .identity, crop: Rect? = nil) throws {
    self.init(trackID: trackID)
    try self.opacity.set(opacity, at: .zero)
    try self.transform.set(transform, at: .zero)
    if let crop { try self.crop.set(crop, at: .zero) }
  }
}
