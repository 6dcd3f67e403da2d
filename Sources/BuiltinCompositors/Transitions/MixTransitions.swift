public import CompositorAPI
import CompositorConversion
import CompositorKernels

/// Cross-dissolves from the outgoing to the incoming clip, (1 − t) · outgoing + t · incoming, by fading layers.
///
/// The frames equal those of the layers that a timeline writes for a dissolve (`DissolveFades`), in the instruction's
/// blending space.
public struct DissolveTransition: VideoCompositor {
  /// Parameter: `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "dissolve", "Dissolve", "Cross-dissolves from the outgoing to the incoming clip.")

  private let easing: Easing
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    easing = try BuiltinParameters(parameters, Self.descriptor).easing()
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let scene = try TransitionScene(request, easing: easing, compositor: compositor)
    let fades = DissolveFades(
      old: scene.coverage(of: scene.from), new: scene.coverage(of: scene.to), canvas: request.context.canvas)
    var (old, new) = (scene.from, scene.to)
    if fades.oldFadesOut { old.fade(1.0.interpolated(to: 0, fraction: scene.progress), at: request.time) }
    if fades.newFadesIn { new.fade(0.0.interpolated(to: 1, fraction: scene.progress), at: request.time) }
    return try scene.finish(fades.oldIsOnTop ? [old, new] : [new, old])
  }
}

/// Dissolves from the outgoing clip to a color, then to the incoming clip.
///
/// If layers lie below, the color fills the area of the clips. Otherwise it fills the canvas.
public struct DipTransition: VideoCompositor {
  /// Parameters: `color` (sRGB, black by default) and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "dip", "Dip to color", "Dissolves from the outgoing clip to a color, then to the incoming clip.",
    [
      ParameterDescription(
        "color", .color, default: .list([.integer(0), .integer(0), .integer(0)]), isAnimatable: true,
        summary: "The color, in sRGB; black by default.")
    ])

  private let easing: Easing
  private let compositor: LayerCompositor
  private let parameters: BuiltinParameters

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    self.parameters = try BuiltinParameters(parameters, Self.descriptor)
    easing = try self.parameters.easing()
    _ = try self.parameters.color("color")
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let color = try parameters.updated(with: request.instruction.parameters).color("color")
    let scene = try TransitionScene(request, easing: easing, compositor: compositor)
    guard scene.progress > 0 else { return try scene.finish(scene.fromPicture()) }
    guard scene.progress < 1 else { return try scene.finish(scene.toPicture()) }
    let isOld = scene.progress < 0.5
    let picture = isOld ? try scene.fromPicture() : try scene.toPicture()
    let weight = 1 - abs(2 * scene.progress - 1)
    let dipped = try picture.mixed(with: color, weight: weight, scene.surface.context, compositor.curves)
    return try scene.finish(scene.limiting(dipped, to: isOld ? scene.from : scene.to, of: picture))
  }
}

extension Frame {
  /// This frame mixed with another of the same size and format, in the context's blending space.
  func mixed(
    with other: Frame, weight: Double, _ context: RenderContext, _ curves: CurveTables
  ) throws(CompositorError) -> Frame {
    if context.blending == .linear {
      let (mixer, width) = (LightMixer(context, curves: curves), context.size.width)
      return try mixer.frame(mixer.mixing(self, other) { $1.update(repeating: Float(weight), count: width) })
    }
    var output = try context.makeFrame()
    output.withUnsafeMutablePlanes { output in
      withUnsafePlanes { first in
        other.withUnsafePlanes { second in
          for plane in 0..<output.count {
            let (out, a, b) = (output[plane], first[plane], second[plane])
            for y in 0..<out.height {
              out.mix(y, a.base + y * a.stride, b.base + y * b.stride, format.bytesPerSample, weight)
            }
          }
        }
      }
    }
    return output.freeze()
  }

  /// This frame mixed with a color, in the context's blending space.
  func mixed(
    with color: Color, weight: Double, _ context: RenderContext, _ curves: CurveTables
  ) throws(CompositorError) -> Frame {
    if context.blending == .linear {
      let mixer = LightMixer(context, curves: curves)
      return try mixer.frame(mixer.mixing(self, with: color, weight: weight))
    }
    let codes = try color.codes(
      format: context.outputFormat, attributes: context.outputAttributes, policy: context.colorConversion)
    var output = try context.makeFrame()
    var rows = try ScratchArena.frame(byteCount: size.width * format.bytesPerSample, pool: context.pool)
    rows.withUnsafeMutablePlanes { rows in
      let row = rows[0].base
      output.withUnsafeMutablePlanes { output in
        withUnsafePlanes { first in
          for plane in 0..<output.count {
            let (out, a) = (output[plane], first[plane])
            row.fill(codes[plane], count: out.width, bytesPerSample: format.bytesPerSample)
            for y in 0..<out.height {
              out.mix(y, a.base + y * a.stride, row, format.bytesPerSample, weight)
            }
          }
        }
      }
    }
    return output.freeze()
  }
}

extension MutablePlane {
  fileprivate func mix(
    _ y: Int, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ bytesPerSample: Int, _ weight: Double
  ) {
    let out = base + y * stride
    if bytesPerSample == 1 {
      PlaneKernels.fastest.mix(
        out.assumingMemoryBound(to: UInt8.self), a.assumingMemoryBound(to: UInt8.self),
        b.assumingMemoryBound(to: UInt8.self), count: width, weight: weight)
    } else {
      PlaneKernels.fastest.mix(
        out.assumingMemoryBound(to: UInt16.self), a.assumingMemoryBound(to: UInt16.self),
        b.assumingMemoryBound(to: UInt16.self), count: width, weight: weight)
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Writes a code `count` times.
  fileprivate func fill(_ code: Double, count: Int, bytesPerSample: Int) {
    if bytesPerSample == 1 {
      assumingMemoryBound(to: UInt8.self).update(repeating: UInt8(clampedInt(code, in: 0...255)), count: count)
    } else {
      assumingMemoryBound(to: UInt16.self).update(repeating: UInt16(clampedInt(code, in: 0...65535)), count: count)
    }
  }
}
