import BuiltinCompositors
import CompositorAPI
import Testing

/// `blending: linear` means one thing: whatever mixes white and black by a share gives that share of white's light.
struct LinearBlendingTests {
  /// An output in 16 bits, in which codes say light exactly.
  struct Output: Sendable, CustomTestStringConvertible {
    let name: String
    let color: ColorTags
    /// cd/m² of light 1.
    let unit: Double
    var testDescription: String { name }

    static let all = [
      Output(name: "SDR", color: .bt709, unit: 203), Output(name: "HLG", color: .bt2100HLG, unit: 1000),
      Output(name: "PQ", color: .bt2100PQ, unit: 10_000),
    ]

    func context(_ blending: BlendingSpace, format: PixelFormat = .planar(.s444, bitDepth: 16)) -> RenderContext {
      RenderContext(
        size: TransitionRun.size, outputFormat: format, outputAttributes: FrameAttributes(color: color), blending: blending)
    }

    func luma(_ code: Double) -> Double { (code / 256 - 16) / 219 }

    /// The light of a gray, cd/m².
    func light(_ code: Double) throws -> Double {
      try LightConversion(from: color, to: color).light(of: SIMD3(repeating: luma(code))).x * unit
    }
  }

  static let softTransitions: [(id: String, parameters: ParameterValues)] = Builtins.transitions.map { type in
    let isSoft = type.descriptor.parameters.contains { $0.key == "softness" }
    return (type.descriptor.id.rawValue, isSoft ? ["softness": .number(0.5)] : [:])
  }

  @Test(arguments: Builtins.transitions.indices, Output.all)
  func transition_inLight_showsTheShareOfLight(index: Int, output: Output) async throws {
    let (type, parameters) = (Builtins.transitions[index], Self.softTransitions[index].parameters)
    var mixed = 0
    for time in [150, 300, 450] as [Int64] {
      func frame(_ blending: BlendingSpace) async throws -> Frame {
        let context = output.context(blending)
        let (white, black) = (try context.makeFrame(filledWith: .white), try context.makeFrame(filledWith: .black))
        let request = TransitionRun.request(white, black, time: time, context)
        return try await TransitionRun.frame(type, parameters, request)
      }
      let (encoded, linear) = (try await frame(.encoded), try await frame(.linear))
      let white = try output.context(.linear).makeFrame(filledWith: .white).code(0, 0, 0)
      #expect(abs(try output.light(white) - 203) < 0.05)
      var worst = 0.0
      for y in 0..<TransitionRun.size.height {
        for x in 0..<TransitionRun.size.width {
          let share = output.luma(encoded.code(0, x, y)) / output.luma(white)
          if share > 0.02, share < 0.98 { mixed += 1 }
          worst = max(worst, abs(try output.light(linear.code(0, x, y)) - share * 203))
        }
      }
      #expect(worst < 0.15, "\(Self.softTransitions[index].id) at \(time): \(worst) cd/m²")
    }
    // Without an edge between samples there is nothing to mix.
    let sharp = ["builtin.push", "builtin.squeeze", "builtin.cover", "builtin.uncover"]
    #expect(mixed > 0 || sharp.contains(Self.softTransitions[index].id))
  }

  /// Half-transparent white over black is 101.5 cd/m² everywhere, in the outputs that people have.
  @Test(arguments: Output.all) func dissolve_halfWay_isHalfTheLight(output: Output) async throws {
    for format in [PixelFormat.yuv420p10, .yuv444p10, .planar(.s422, bitDepth: 12)] {
      let context = output.context(.linear, format: format)
      let (white, black) = (try context.makeFrame(filledWith: .white), try context.makeFrame(filledWith: .black))
      for (type, time) in [(DissolveTransition.self as any VideoCompositor.Type, 300), (DipTransition.self, 150)] {
        let frame = try await TransitionRun.frame(type, TransitionRun.request(white, black, time: Int64(time), context))
        let code = frame.code(0, 20, 20) * Double(1 << (16 - format.bitDepth))
        // Half a code of 10 bits.
        #expect(abs(try output.light(code) - 101.5) < 0.9)
      }
    }
  }

  /// Where a mask is whole, the pictures' own samples stay, chroma too.
  @Test func wipe_inLight_keepsWholeParts() async throws {
    var context = TransitionRun.context(.yuv420p, TransitionRun.size)
    context.blending = .linear
    let from = TestFrames.noise(.yuv420p, TransitionRun.size.width, TransitionRun.size.height, seed: 3)
    let to = TestFrames.noise(.yuv420p, TransitionRun.size.width, TransitionRun.size.height, seed: 4)
    let frame = try await TransitionRun.frame(
      WipeTransition.self, ["direction": .string("right")], TransitionRun.request(from, to, time: 300, context))
    for plane in 0..<3 {
      for x in [0, 5, 10] { #expect(frame.code(plane, x, 3) == to.code(plane, x, 3)) }
      for x in plane == 0 ? [40, 50, 60] : [24, 28, 32] { #expect(frame.code(plane, x, 3) == from.code(plane, x, 3)) }
    }
  }

  @Test(arguments: Output.all) func blur_inLight_spreadsLight(output: Output) async throws {
    func frame(_ blending: BlendingSpace) async throws -> Frame {
      let context = output.context(blending)
      let (white, black) = (try context.makeFrame(filledWith: .white), try context.makeFrame(filledWith: .black))
      // A sharp edge to blur.
      let wipe = try await TransitionRun.frame(
        WipeTransition.self, ["direction": .string("right")], TransitionRun.request(white, black, time: 300, context))
      var request = TransitionRun.request(wipe, black, time: 300, context) { $0.layers = [LayerInstruction(trackID: 1)] }
      request.instruction.additionalTrackIDs = []
      return try await TransitionRun.frame(GaussianBlurEffect.self, ["radius": .number(4)], request)
    }
    let (encoded, linear) = (try await frame(.encoded), try await frame(.linear))
    let white = try output.context(.linear).makeFrame(filledWith: .white).code(0, 0, 0)
    for x in 15..<50 where x != 33 {
      let share = output.luma(encoded.code(0, x, 20)) / output.luma(white)
      // The edge of the wipe itself is half a sample of another share.
      #expect(abs(try output.light(linear.code(0, x, 20)) - share * 203) < 0.1 * 203 * 0.5)
    }
  }
}
