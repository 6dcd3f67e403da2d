import CompositorAPI
import Testing

@Suite struct PropertyTimelineTests {
  static func volume() throws -> PropertyTimeline<Double> {
    var volume = PropertyTimeline(default: 1.0)
    try volume.set(1, at: .zero)
    try volume.setRamp(from: 0.5, to: 0.2, timeRange: range(4, 9))
    return volume
  }

  @Test func value_audioMixExample_asStated() throws {
    var parameters = AudioMixInputParameters(trackID: 3)
    parameters.volume = try Self.volume()
    let mix = AudioMix(inputParameters: [parameters])
    for (at, expected) in [(0, 1.0), (3.999, 1), (4, 0.5), (6.5, 0.35), (9, 0.2), (1000, 0.2)] {
      let volume = mix.volume(ofTrack: 3, at: MediaTime(seconds: at, preferredTimescale: 1000))
      #expect(abs(volume - expected) < 1e-12, "at \(at)")
    }
    #expect(mix.volume(ofTrack: 3, at: time(4) - time(1, 1_000_000)) == 1)
    #expect(mix.volume(ofTrack: 3, at: time(9)) == 0.2)
    #expect(mix.volume(ofTrack: 4, at: time(6)) == 1)
  }

  @Test func value_beforeFirstEntry_isDefault() throws {
    var opacity = PropertyTimeline(default: 0.75)
    #expect(opacity.isConstant && opacity.value(at: time(5)) == 0.75)
    try opacity.set(0.5, at: time(2))
    #expect(opacity.value(at: time(19, 10)) == 0.75 && opacity.value(at: time(2)) == 0.5)
    #expect(opacity.value(at: .negativeInfinity) == 0.75 && opacity.value(at: .positiveInfinity) == 0.5)
  }

  @Test func set_sameTime_replaces() throws {
    var opacity = PropertyTimeline(default: 1.0)
    try opacity.set(0.5, at: time(1, 2))
    try opacity.set(0.25, at: time(2, 4))
    #expect(opacity.ramps.count == 1 && opacity.value(at: time(1)) == 0.25)
  }

  @Test func setRamp_overlap_throwsAndChangesNothing() throws {
    var opacity = PropertyTimeline(default: 1.0)
    try opacity.setRamp(from: 1, to: 0, timeRange: range(2, 4))
    let before = opacity
    for overlapping in [range(1, 3), range(3, 5), range(2, 4), range(1, 5), TimeRange(start: time(5, 2), duration: time(1))] {
      #expect(code { try opacity.setRamp(from: 0, to: 1, timeRange: overlapping) } == .overlappingRamps)
    }
    #expect(code { try opacity.set(0, at: time(3)) } == .overlappingRamps)
    #expect(code { try opacity.set(0, at: .invalid) } == .invalidValue)
    #expect(code { try opacity.setRamp(from: 0, to: 1, timeRange: range(5, 5)) } == .invalidValue)
    let endless = TimeRange(start: time(9), duration: .positiveInfinity)
    #expect(code { try opacity.setRamp(from: 0, to: 1, timeRange: endless) } == .invalidValue)
    #expect(opacity == before)
    try opacity.setRamp(from: 0, to: 1, timeRange: range(4, 5))
    try opacity.setRamp(from: 0, to: 1, timeRange: range(0, 2))
    #expect(opacity.ramps.count == 3)
  }

  @Test func setRamp_pointInside_throws() throws {
    var opacity = PropertyTimeline(default: 1.0)
    try opacity.set(0.5, at: time(3))
    #expect(code { try opacity.setRamp(from: 1, to: 0, timeRange: range(2, 4)) } == .overlappingRamps)
  }

  @Test func set_atBothEndsOfARamp_orderOfCallsDoesNotMatter() throws {
    let steps: [(inout PropertyTimeline<Double>) throws -> Void] = [
      { try $0.set(0.9, at: time(2)) },
      { try $0.setRamp(from: 0, to: 1, timeRange: range(2, 4)) },
      { try $0.set(0.3, at: time(4)) },
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var opacity = PropertyTimeline(default: 1.0)
      for step in order { try steps[step](&opacity) }
      #expect([1, 2, 3, 4, 5].map { opacity.value(at: time($0)) } == [1, 0, 0.5, 0.3, 0.3])
    }
  }

  @Test func rampAt_insideBetweenAfter_containingElseNext() throws {
    var opacity = PropertyTimeline(default: 1.0)
    try opacity.set(1, at: .zero)
    try opacity.setRamp(from: 1, to: 0, timeRange: range(2, 4))
    try opacity.set(0.5, at: time(5))
    try opacity.setRamp(from: 0, to: 1, timeRange: range(6, 8))
    #expect(opacity.ramp(at: .zero)?.timeRange == range(2, 4))
    #expect(opacity.ramp(at: time(2))?.timeRange == range(2, 4))
    #expect(opacity.ramp(at: time(3))?.timeRange == range(2, 4))
    #expect(opacity.ramp(at: time(4))?.timeRange == range(6, 8))
    #expect(opacity.ramp(at: time(7))?.timeRange == range(6, 8))
    #expect(opacity.ramp(at: time(8)) == nil)
  }

  @Test func changes_rampsAndPoints_onlyInside() throws {
    let volume = try Self.volume()
    #expect(!volume.changes(in: range(0, 4)))
    #expect(volume.changes(in: range(3, 5)) && volume.changes(in: range(8, 9)) && volume.changes(in: range(0, 20)))
    #expect(!volume.changes(in: range(9, 20)))
    var layer = LayerInstruction(trackID: 1)
    try layer.opacity.set(0.5, at: time(3))
    #expect(!Instruction(timeRange: range(3, 5), layers: [layer]).containsTweening)
    #expect(Instruction(timeRange: range(2, 5), layers: [layer]).containsTweening)
  }

  @Test func changes_ofADecoration_areTweening() throws {
    var (layer, wide) = (LayerInstruction(trackID: 1), LayerDecoration())
    wide.borderWidth = 8
    layer.decoration = PropertyTimeline(default: LayerDecoration())
    try layer.decoration?.setRamp(from: LayerDecoration(), to: wide, timeRange: range(2, 4))
    for (times, expected) in [(range(0, 2), false), (range(0, 3), true), (range(3, 4), true), (range(4, 9), false)] {
      let instruction = Instruction(timeRange: times, layers: [layer])
      #expect(instruction.containsTweening == expected && !instruction.changesPlacement)
    }
    #expect(!layer.isPlain && layer.decoration?.value(at: time(3)).borderWidth == 4)
  }

  @Test func interpolate_colors_keepTheHueOfWhatFades() {
    let (red, half) = (Color(red: 1, green: 0, blue: 0), Color(red: 1, green: 0, blue: 0, alpha: 0.5))
    #expect(Color.clear.interpolated(to: red, fraction: 0.5) == half)
    #expect(red.interpolated(to: .clear, fraction: 0) == red && red.interpolated(to: .clear, fraction: 1) == .clear)
    #expect(Color.black.interpolated(to: .white, fraction: 0.25) == Color(red: 0.25, green: 0.25, blue: 0.25))
    var wide = red
    wide.primaries = .bt2020
    #expect(red.interpolated(to: wide, fraction: 0.9) == red && red.interpolated(to: wide, fraction: 1) == wide)
  }

  @Test func value_manyRamps_agreesWithLinearScan() throws {
    var random = SplitMix64(state: 5)
    var opacity = PropertyTimeline(default: 1.0)
    for index in (0..<500).shuffled(using: &random) {
      let start = Int64(index) * 4
      try opacity.setRamp(from: Double(index), to: Double(index) + 1, timeRange: range(start, start + 2))
      try opacity.set(-Double(index), at: time(start + 3))
    }
    for step in 0..<4000 {
      let at = time(Int64(step), 2)
      let last = opacity.ramps.last { $0.timeRange.start <= at }
      let expected = last.map { ramp in
        at >= ramp.timeRange.end
          ? ramp.end : ramp.start + (ramp.end - ramp.start) * (at - ramp.timeRange.start).seconds / 2
      }
      #expect(opacity.value(at: at) == expected)
    }
  }

  @Test func interpolate_transformAndCrop_componentByComponent() throws {
    var transform = PropertyTimeline(default: AffineMatrix.identity)
    try transform.setRamp(from: .identity, to: .rotation(radians: .pi), timeRange: range(0, 2))
    #expect(transform.value(at: time(1)) == AffineMatrix(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0))
    #expect(transform.value(at: time(2)) == .rotation(radians: .pi))
    var crop = PropertyTimeline(default: Rect.infinite)
    try crop.setRamp(from: .infinite, to: Rect(x: 0, y: 0, width: 10, height: 10), timeRange: range(0, 2))
    #expect(crop.value(at: time(1)) == .infinite && crop.value(at: time(2)) == Rect(x: 0, y: 0, width: 10, height: 10))
  }
}
