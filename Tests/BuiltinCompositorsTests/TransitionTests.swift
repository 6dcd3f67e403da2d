import BuiltinCompositors
import CompositorAPI
import Foundation
import Testing

extension Frame {
  /// One sample of a planar frame.
  func code(_ plane: Int, _ x: Int, _ y: Int) -> Double {
    withUnsafePlanes { planes in
      let row = planes[plane].base + y * planes[plane].stride
      return format.bytesPerSample == 1
        ? Double(row.load(fromByteOffset: x, as: UInt8.self)) : Double(row.load(fromByteOffset: 2 * x, as: UInt16.self))
    }
  }

  /// Every sample of a planar frame, plane by plane.
  var codes: [[Double]] {
    (0..<format.planeCount).map { plane in
      let extent = format.planeSize(plane, of: size)
      return (0..<extent.width * extent.height).map { code(plane, $0 % extent.width, $0 / extent.width) }
    }
  }
}

/// A transition between two frames.
enum TransitionRun {
  static func context(_ format: PixelFormat, _ size: PixelSize) -> RenderContext {
    RenderContext(size: size, outputFormat: format, outputAttributes: TestFrames.attributes(format))
  }

  /// - Parameter time: In 600ths of a transition of one second.
  static func request(
    _ from: Frame, _ to: Frame, time: Int64, _ context: RenderContext, over: [LayerInstruction] = [],
    change: (inout Instruction) -> Void = { _ in }
  ) -> CompositionRequest {
    var instruction = Instruction(
      timeRange: TestTimes.second, layers: over + [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)])
    instruction.additionalTrackIDs = [1, 2]
    change(&instruction)
    func source(_ trackID: TrackID, _ frame: Frame) -> SourceFrame {
      SourceFrame(trackID: trackID, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
    }
    return CompositionRequest(
      time: MediaTime(value: time, timescale: 600), instruction: instruction,
      sources: [1: source(1, from), 2: source(2, to), 3: source(3, to)], context: context)
  }

  static func frame(
    _ type: any VideoCompositor.Type, _ parameters: ParameterValues, _ request: CompositionRequest
  ) async throws -> Frame {
    try await type.init(parameters: parameters, context: request.context).compose(request)
  }

  static func frame(_ type: any VideoCompositor.Type, _ request: CompositionRequest) async throws -> Frame {
    try await frame(type, [:], request)
  }

  static let formats: [PixelFormat] = [.yuv420p, .yuv420p10, .yuv422p, .yuv444p10]
  static let size = PixelSize(width: 67, height: 45)
}

/// A transition by a mask, and what its weights should be at a place of the frame.
struct MaskCase: Sendable, CustomTestStringConvertible {
  let name: String
  let type: any VideoCompositor.Type
  let parameters: ParameterValues
  /// x, y, progress → weight of the new picture.
  let weight: @Sendable (Double, Double, Double) -> Double
  var testDescription: String { name }

  private static let (width, height) = (Double(TransitionRun.size.width), Double(TransitionRun.size.height))
  private static func edge(_ way: Double, of length: Double, _ feather: Double, _ progress: Double) -> Double {
    let depth = progress * (length + feather) - feather / 2 - way
    return min(max(depth / feather + 0.5, 0), 1)
  }

  static let all: [MaskCase] = [
    MaskCase(name: "wipe left", type: WipeTransition.self, parameters: [:]) { x, _, p in edge(width - x, of: width, 1, p) },
    MaskCase(
      name: "soft wipe right", type: WipeTransition.self, parameters: ["direction": .string("right"), "softness": .number(0.4)]
    ) {
      x, _, p in edge(x, of: width, 0.4 * width, p)
    },
    MaskCase(name: "wipe down", type: WipeTransition.self, parameters: ["direction": .string("down")]) { _, y, p in
      edge(y, of: height, 1, p)
    },
    MaskCase(
      name: "soft wipe up", type: WipeTransition.self, parameters: ["direction": .string("up"), "softness": .number(0.2)]
    ) {
      _, y, p in edge(height - y, of: height, 0.2 * height, p)
    },
    MaskCase(
      name: "wipe down-right", type: WipeTransition.self,
      parameters: ["direction": .string("down-right"), "softness": .number(0.1)]
    ) {
      x, y, p in
      let diagonal = (width * width + height * height).squareRoot()
      let length = 2 * width * height / diagonal
      return edge((x * height + y * width) / diagonal, of: length, max(1, 0.1 * length), p)
    },
    MaskCase(name: "iris circle", type: IrisTransition.self, parameters: [:]) { x, y, p in
      let reach = (width * width + height * height).squareRoot() / 2
      let distance = ((x - width / 2) * (x - width / 2) + (y - height / 2) * (y - height / 2)).squareRoot()
      return edge(distance, of: reach, 1, p)
    },
    MaskCase(
      name: "soft iris circle, closing, off centre", type: IrisTransition.self,
      parameters: ["direction": .string("close"), "softness": .number(0.3), "centerX": .number(0.25)]
    ) { x, y, p in
      let reach = (0.5625 * width * width + height * height / 4).squareRoot()
      let distance = ((x - width / 4) * (x - width / 4) + (y - height / 2) * (y - height / 2)).squareRoot()
      return 1 - edge(distance, of: reach, 0.3 * reach, 1 - p)
    },
    MaskCase(name: "iris rectangle", type: IrisTransition.self, parameters: ["shape": .string("rectangle")]) { x, y, p in
      min(edge(abs(x - width / 2), of: width / 2, 1, p), edge(abs(y - height / 2), of: height / 2, 1, p))
    },
    MaskCase(
      name: "iris rectangle, closing", type: IrisTransition.self,
      parameters: ["shape": .string("rectangle"), "direction": .string("close"), "softness": .number(0.25)]
    ) { x, y, p in
      let feather = 0.25 * height / 2
      return 1
        - min(
          edge(abs(x - width / 2), of: width / 2, feather, 1 - p), edge(abs(y - height / 2), of: height / 2, feather, 1 - p))
    },
    MaskCase(name: "iris diamond", type: IrisTransition.self, parameters: ["shape": .string("diamond")]) { x, y, p in
      let steep = (1 / (width * width) + 1 / (height * height)).squareRoot()
      return edge((abs(x - width / 2) / width + abs(y - height / 2) / height) / steep, of: 1 / steep, 1, p)
    },
    MaskCase(name: "barn door", type: BarnDoorTransition.self, parameters: ["softness": .number(0.1)]) { x, _, p in
      edge(abs(x - width / 2), of: width / 2, 0.1 * width / 2, p)
    },
    MaskCase(
      name: "barn door, closing, horizontal", type: BarnDoorTransition.self,
      parameters: ["edge": .string("horizontal"), "direction": .string("close")]
    ) { _, y, p in 1 - edge(abs(y - height / 2), of: height / 2, 1, 1 - p) },
    MaskCase(name: "blinds", type: BlindsTransition.self, parameters: ["count": .integer(3)]) { _, y, p in
      stripe(y, period: height / 3, p)
    },
    MaskCase(
      name: "blinds, vertical", type: BlindsTransition.self, parameters: ["count": .integer(5), "edge": .string("vertical")]
    ) {
      x, _, p in stripe(x, period: width / 5, p)
    },
    MaskCase(name: "checker", type: CheckerTransition.self, parameters: ["count": .integer(4)]) { x, y, p in
      stripe(x - (Int(y / (width / 4)) % 2 == 1 ? width / 4 : 0), period: width / 2, p)
    },
  ]

  /// A stripe from 0 to its width in each period.
  private static func stripe(_ position: Double, period: Double, _ progress: Double) -> Double {
    let end = progress * (period + 1) - 0.5
    let place = position - end / 2
    let nearest = abs(place - period * (place / period).rounded())
    return min(max(end / 2 - nearest + 0.5, 0), 1)
  }
}

@Suite struct TransitionTests {
  static let all = Builtins.transitions.map { $0.descriptor.id.rawValue }
  private func type(_ id: String) throws -> any VideoCompositor.Type {
    try #require(Builtins.transitions.first { $0.descriptor.id.rawValue == id })
  }

  @Test(arguments: MaskCase.all)
  func mask_atEveryProgress_isTheFormulaOnEachPlanesOwnGrid(_ test: MaskCase) async throws {
    for format in TransitionRun.formats {
      let context = TransitionRun.context(format, TransitionRun.size)
      let (from, to) = (TestFrames.noise(format, 67, 45, seed: 1), TestFrames.noise(format, 67, 45, seed: 2))
      let location = context.outputAttributes.color.resolved(for: context.size).chromaLocation
      for time: Int64 in [1, 60, 200, 301, 590] {
        let request = TransitionRun.request(from, to, time: time, context)
        let frame = try await TransitionRun.frame(test.type, test.parameters, request)
        var worst = 0.0
        for plane in 0..<3 {
          let extent = format.planeSize(plane, of: context.size)
          let isChroma = plane > 0
          let (h, v) = (isChroma ? format.subsampling.horizontalShift : 0, isChroma ? format.subsampling.verticalShift : 0)
          for y in 0..<extent.height {
            for x in 0..<extent.width {
              let px = Double(x << h) + 0.5 + (h == 1 ? location.horizontalOffset : 0)
              let py = Double(y << v) + 0.5 + (v == 1 ? location.verticalOffset : 0)
              let weight = test.weight(px, py, Double(time) / 600)
              let (a, b) = (from.code(plane, x, y), to.code(plane, x, y))
              worst = max(worst, abs(frame.code(plane, x, y) - (a + (b - a) * weight)))
            }
          }
        }
        #expect(worst <= 0.6, "\(format) at \(time): \(worst)")
      }
    }
  }

  @Test(arguments: all)
  func ends_areThePicturesExactly(_ id: String) async throws {
    let type = try type(id)
    for format in TransitionRun.formats + [.nv12, .planar(.s444, bitDepth: 8, alpha: true)] {
      let context = TransitionRun.context(format, TransitionRun.size)
      let (from, to) = (TestFrames.noise(format, 67, 45, seed: 1), TestFrames.noise(format, 67, 45, seed: 2))
      for (time, expected) in [(Int64(0), from), (600, to)] {
        let frame = try await TransitionRun.frame(type, TransitionRun.request(from, to, time: time, context))
        #expect(frame.format == format && frame.size == context.size)
        // Alpha is multiplied in and taken out again where the output keeps it.
        if format.layout == .planar, !format.hasAlpha { #expect(frame.codes == expected.codes, "\(format) at \(time)") }
      }
    }
  }

  @Test(arguments: all)
  func middle_isNeitherPicture_andTheSameFromAnyThread(_ id: String) async throws {
    let type = try type(id)
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let (from, to) = (TestFrames.noise(.yuv420p, 67, 45, seed: 1), TestFrames.noise(.yuv420p, 67, 45, seed: 2))
    let compositor = try type.init(parameters: [:], context: context)
    let times: [Int64] = [100, 250, 400]
    var alone: [[[Double]]] = []
    for time in times { alone.append(try await compositor.compose(TransitionRun.request(from, to, time: time, context)).codes) }
    #expect(alone[1] != from.codes && alone[1] != to.codes)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        for (index, time) in times.enumerated() {
          let expected = alone[index]
          group.addTask {
            let frame = try await compositor.compose(TransitionRun.request(from, to, time: time, context))
            #expect(frame.codes == expected)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: all)
  func layersOverTheTransition_stayWhereTheyAre(_ id: String) async throws {
    let context = TransitionRun.context(.yuv444p, PixelSize(width: 64, height: 48))
    let (from, to) = (TestFrames.noise(.yuv444p, 64, 48, seed: 1), TestFrames.noise(.yuv444p, 64, 48, seed: 2))
    let logo = try LayerInstruction(3, crop: Rect(x: 8, y: 8, width: 16, height: 12))
    let frame = try await TransitionRun.frame(
      type(id), TransitionRun.request(from, to, time: 222, context, over: [logo]))
    for y in 8..<20 { for x in 8..<24 { #expect(frame.code(0, x, y) == to.code(0, x, y)) } }
  }

  @Test func placement_ofSourcesOfAnotherSize_isThatOfTheirLayers() async throws {
    let context = TransitionRun.context(.yuv420p, PixelSize(width: 64, height: 48))
    let (from, to) = (TestFrames.noise(.yuv420p, 40, 30, seed: 1), TestFrames.noise(.rgba, 20, 70, seed: 2))
    let place = AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 60, ty: 3)
    func layers(_ instruction: inout Instruction) {
      instruction.layers[1].transform = PropertyTimeline(default: place)
    }
    let wiped = try await TransitionRun.frame(
      WipeTransition.self, TransitionRun.request(from, to, time: 300, context, change: layers))
    let left = try Comparison.frame([LayerInstruction(1)], [1: from], context)
    let right = try Comparison.frame([try LayerInstruction(2, transform: place)], [2: to], context)
    for y in 0..<48 {
      for x in 0..<64 where abs(x - 32) > 1 {
        #expect(wiped.code(0, x, y) == (x < 32 ? left : right).code(0, x, y), "\(x), \(y)")
      }
    }
  }

  @Test func progressRange_ofATransitionInSeveralInstructions_goesOn() async throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let (from, to) = (TestFrames.noise(.yuv420p, 67, 45, seed: 1), TestFrames.noise(.yuv420p, 67, 45, seed: 2))
    let whole = try await TransitionRun.frame(ClockTransition.self, TransitionRun.request(from, to, time: 400, context))
    let part = try await TransitionRun.frame(
      ClockTransition.self,
      TransitionRun.request(from, to, time: 400, context) { instruction in
        instruction.progressRange = instruction.timeRange
        instruction.timeRange = TimeRange(
          start: MediaTime(value: 300, timescale: 600), duration: MediaTime(value: 300, timescale: 600))
      })
    #expect(whole.codes == part.codes)
  }

  @Test func clock_awayFromItsHands_showsTheSector() async throws {
    let context = TransitionRun.context(.yuv444p, TransitionRun.size)
    let (from, to) = (TestFrames.noise(.yuv444p, 67, 45, seed: 1), TestFrames.noise(.yuv444p, 67, 45, seed: 2))
    for time: Int64 in [50, 150, 290, 310, 450, 560] {
      let frame = try await TransitionRun.frame(ClockTransition.self, TransitionRun.request(from, to, time: time, context))
      let turn = Double(time) / 600 * 2 * .pi
      for y in 0..<45 {
        for x in 0..<67 {
          let (dx, dy) = (Double(x) + 0.5 - 33.5, Double(y) + 0.5 - 22.5)
          var angle = atan2(dx, -dy)
          if angle < 0 { angle += 2 * .pi }
          let radius = (dx * dx + dy * dy).squareRoot()
          let nearest = min(angle, 2 * .pi - angle, abs(angle - turn), 2 * .pi - abs(angle - turn)) * radius
          guard nearest > 2 else { continue }
          #expect(frame.code(0, x, y) == (angle < turn ? to : from).code(0, x, y), "\(x), \(y) at \(time)")
        }
      }
    }
  }

  @Test func noiseDissolve_showsAsManyCellsAsHavePassed_andTakesNoneBack() async throws {
    let context = TransitionRun.context(.yuv420p, PixelSize(width: 256, height: 256))
    func flat(_ value: Double) -> Frame {
      TestFrames.make(.yuv420p, 256, 256, TestFrames.attributes(.yuv420p)) { _, _, _ in value }
    }
    var before = [Double](repeating: 0, count: 65536)
    for time: Int64 in [60, 150, 300, 450, 540] {
      let frame = try await TransitionRun.frame(
        NoiseDissolveTransition.self, TransitionRun.request(flat(0), flat(1), time: time, context))
      let lumas = frame.codes[0]
      let share: Double = lumas.reduce(0, +) / (255 * 65536)
      #expect(abs(share - Double(time) / 600) < 0.02)
      #expect(zip(before, lumas).allSatisfy { $0 <= $1 })
      before = lumas
    }
  }

  @Test(arguments: ["up", "left"])
  func pushAndCover_copyWholeSamples(_ direction: String) async throws {
    let context = TransitionRun.context(.yuv420p, PixelSize(width: 64, height: 48))
    let (from, to) = (TestFrames.noise(.yuv420p, 64, 48, seed: 1), TestFrames.noise(.yuv420p, 64, 48, seed: 2))
    // A cover rounds to whole samples; a push is at them at some times only, such as three eighths of the way.
    let request = TransitionRun.request(from, to, time: 225, context)
    let pushed = try await TransitionRun.frame(PushTransition.self, ["direction": .string(direction)], request)
    let covered = try await TransitionRun.frame(
      CoverTransition.self, ["direction": .string(direction)], TransitionRun.request(from, to, time: 227, context))
    let length = direction == "left" ? 64 : 48
    let offset = length * 3 / 8
    for y in 0..<48 {
      for x in 0..<64 {
        let place = (direction == "left" ? x : y) + offset
        let isNew = place >= length
        let (sx, sy) = direction == "left" ? (place % 64, y) : (x, place % 48)
        #expect(pushed.code(0, x, y) == (isNew ? to : from).code(0, sx, sy))
        #expect(covered.code(0, x, y) == (isNew ? to.code(0, sx, sy) : from.code(0, x, y)))
      }
    }
  }

  @Test func dip_halfWay_isTheColor() async throws {
    let context = TransitionRun.context(.yuv422p, TransitionRun.size)
    let (from, to) = (TestFrames.noise(.yuv422p, 67, 45, seed: 1), TestFrames.noise(.yuv422p, 67, 45, seed: 2))
    let white = ParameterValue.list([.integer(1), .integer(1), .integer(1)])
    let frame = try await TransitionRun.frame(
      DipTransition.self, ["color": white], TransitionRun.request(from, to, time: 300, context))
    #expect(Set(frame.codes[0]) == [235] && Set(frame.codes[1] + frame.codes[2]) == [128])
  }

  @Test(arguments: [PixelFormat.yuv422p, .yuv420p10]) func dip_ofSmallClips_leavesWhatIsBelow(format: PixelFormat) async throws
  {
    let context = TransitionRun.context(format, PixelSize(width: 64, height: 48))
    let (from, to) = (TestFrames.noise(format, 64, 48, seed: 1), TestFrames.noise(format, 64, 48, seed: 2))
    let request = TransitionRun.request(from, to, time: 300, context) { instruction in
      for index in 0...1 { instruction.layers[index].transform = PropertyTimeline(default: .scale(x: 0.5, y: 0.5)) }
      instruction.layers.append(LayerInstruction(trackID: 3))
    }
    let white = ParameterValue.list([.integer(1), .integer(1), .integer(1)])
    let frame = try await TransitionRun.frame(DipTransition.self, ["color": white], request)
    let code = Double(235 << (format.bitDepth - 8))
    for y in 0..<48 {
      for x in 0..<64 { #expect(frame.code(0, x, y) == (x < 32 && y < 24 ? code : to.code(0, x, y)), "\(x), \(y)") }
    }
  }

  /// An eased transition is the linear one at the eased progress; one that overshoots stays at its end.
  @Test(arguments: [
    "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.1, 0.9, 0.2, 1)", "steps(5, jump-both)",
    "cubic-bezier(0.34, 1.9, 0.64, 1)",
  ])
  func easing_changesWhenNotWhat(_ text: String) async throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let (from, to) = (TestFrames.noise(.yuv420p, 67, 45, seed: 1), TestFrames.noise(.yuv420p, 67, 45, seed: 2))
    let easing = try #require(Easing(text))
    let (old, new) = (from.codes, to.codes)
    for time: Int64 in [0, 120, 300, 431, 600] {
      let eased = try await TransitionRun.frame(
        DissolveTransition.self, ["easing": .string(text)], TransitionRun.request(from, to, time: time, context))
      let progress = min(max(easing.value(at: Double(time) / 600), 0), 1)
      for (plane, codes) in eased.codes.enumerated() {
        for (index, code) in codes.enumerated() {
          let mixed = old[plane][index] + (new[plane][index] - old[plane][index]) * progress
          guard abs(code - mixed) > 0.51 else { continue }
          Issue.record("\(text) at \(time): \(code) instead of \(mixed)")
          return
        }
      }
    }
  }

  @Test(arguments: all)
  func wrongParameters_areRefused(_ id: String) async throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    for parameters: ParameterValues in [
      ["sofness": .number(1)], ["easing": .string("jerk")], ["easing": .integer(1)],
      ["easing": .string("cubic-bezier(2, 0, 0, 1)")],
    ] {
      let error = #expect(throws: CompositorError.self) { try type(id).init(parameters: parameters, context: context) }
      #expect(error?.code == .invalidParameter)
    }
  }

  @Test(arguments: all)
  func oneTrack_isRefused(_ id: String) async throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let frame = TestFrames.noise(.yuv420p, 67, 45)
    var request = TransitionRun.request(frame, frame, time: 100, context)
    request.instruction.layers = [LayerInstruction(trackID: 1)]
    request.instruction.additionalTrackIDs = []
    let (type, asked) = (try type(id), request)
    let error = await #expect(throws: CompositorError.self) { try await TransitionRun.frame(type, asked) }
    #expect(error?.code == .invalidComposition)
  }
}
