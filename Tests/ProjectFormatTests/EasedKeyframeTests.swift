import CompositorMedia
import CompositorPlugins
import BuiltinCompositors
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Keyframes with an easing, from the project to the frame.
@Suite struct EasedKeyframeTests {
  static let easings = [
    "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.34, 1.56, 0.64, 1)", "steps(3, jump-start)", "steps(3)",
    "steps(3, jump-none)", "steps(4, jump-both)", "linear", "linear(0, 0.25 25% 75%, 1)", "linear(0.2, 1.4 60%, 1)",
    "bounce-out", "elastic-out", "back-out",
  ]
  static let rates = ["25", "\"30000/1001\""]

  private func edit(_ clip: String, rate: String = "25", more: String = "") throws -> Edit {
    let text = """
      {
        version: 1, output: { size: "64x36", frameRate: \(rate), format: "yuv444p" },
        assets: { white: { generate: "color", color: "white", size: "64x36", frameRate: \(rate), duration: "10s" } },
        tracks: [{ clips: [{ asset: "white", duration: "4s", \(clip) }] }], \(more)
      }
      """
    return try ProjectFile(text).edit(catalog: MediaCatalog())
  }

  /// The layer and the time of every frame.
  private func frames(_ edit: Edit) -> [(time: MediaTime, seconds: Double, layer: LayerInstruction)] {
    let duration = edit.videoComposition.frameDuration
    return edit.videoComposition.instructions.flatMap { instruction in
      (0..<200).compactMap { index -> (MediaTime, Double, LayerInstruction)? in
        let time = MediaTime(value: Int64(index) * duration.value, timescale: duration.timescale)
        guard instruction.timeRange.contains(time), let layer = instruction.layers.first else { return nil }
        return (time, time.seconds, layer)
      }
    }
  }

  /// From 1 s to 3 s, whichever is outside held: linear progress.
  private func progress(_ seconds: Double) -> Double { min(max((seconds - 1) / 2, 0), 1) }

  private func eased(_ text: String, _ seconds: Double) throws -> Double {
    let easing = try #require(Easing(text))
    return seconds < 1 ? 0 : easing.value(at: progress(seconds))
  }

  @Test(arguments: easings, rates) func opacity_atEveryFrame_isTheFormula(easing: String, rate: String) throws {
    let edit = try edit(
      "opacity: [{ at: '1s', value: 0.2, easing: '\(easing)' }, { at: '3s', value: 0.9 }]", rate: rate)
    let frames = frames(edit)
    #expect(frames.count > 99)
    for (time, seconds, layer) in frames {
      let expected = min(max(0.2 + 0.7 * (try eased(easing, seconds)), 0), 1)
      #expect(abs(layer.opacity.value(at: time) - expected) < 1e-12, "\(easing) \(seconds)")
    }
  }

  /// The eased piece jumps at its start; the plain one before it and the plain one after it stay straight lines.
  @Test(arguments: easings, rates) func pieces_besideAnEasedOne_stayLines(easing: String, rate: String) throws {
    let edit = try edit(
      """
      opacity: [{ at: 0, value: 1 }, { at: '1s', value: 0.2, easing: '\(easing)' }, { at: '3s', value: 0.9 }, { at: '4s', value: 0.5 }]
      """, rate: rate)
    for (time, seconds, layer) in frames(edit) {
      let before = 1 - 0.8 * seconds
      let after = 0.9 - 0.4 * (seconds - 3)
      let within = min(max(0.2 + 0.7 * (try eased(easing, seconds)), 0), 1)
      let expected = seconds < 1 ? before : seconds >= 3 ? after : within
      #expect(abs(layer.opacity.value(at: time) - expected) < 1e-12, "\(easing) \(seconds)")
    }
  }

  @Test(arguments: easings, rates) func transformAndCrop_atEveryFrame_areTheFormula(easing: String, rate: String) throws {
    let edit = try edit(
      """
      transform: [
        { at: '1s', x: 10, y: 20, scale: 0.5, rotation: 0, easing: '\(easing)' },
        { at: '3s', x: 50, scale: 1, rotation: 180 },
      ],
      crop: [{ at: '1s', x: 0, y: 0, width: 64, height: 36, easing: '\(easing)' }, { at: '3s', x: 8, y: 4, width: 32, height: 18 }]
      """, rate: rate)
    for (time, seconds, layer) in frames(edit) {
      let part = try eased(easing, seconds)
      let matrix = layer.transform.value(at: time)
      let center = matrix.apply(to: Point(x: 32, y: 18))
      #expect(abs(center.x - (10 + 40 * part)) < 1e-9 && abs(center.y - 20) < 1e-9, "\(easing) \(seconds)")
      let (scale, angle) = (0.5 + 0.5 * part, part * Double.pi)
      // A rotation without an easing consists of chords of 1°.
      let tolerance = easing == "linear" ? 1e-4 : 1e-9
      #expect(
        abs(matrix.a - scale * cosine(angle)) < tolerance && abs(matrix.b - scale * sine(angle)) < tolerance,
        "\(easing) \(seconds)")
      let crop = layer.crop.value(at: time)
      #expect(abs(crop.minX - 8 * part) < 1e-9 && abs(crop.size.width - (64 - 32 * part)) < 1e-9, "\(easing) \(seconds)")
    }
  }

  private func cosine(_ angle: Double) -> Double { AffineMatrix.rotation(radians: angle).a }
  private func sine(_ angle: Double) -> Double { AffineMatrix.rotation(radians: angle).b }

  @Test(arguments: easings) func effectParameters_atEveryFrame_areTheFormulaBetweenTheirValues(easing: String) throws {
    let keyframes = "[{ at: '1s', value: 0, easing: '\(easing)' }, { at: '3s', value: 4 }]"
    let edits = [
      try edit("effects: [{ use: 'color', saturation: \(keyframes) }]"),
      try edit("opacity: 1", more: "effects: [{ at: 0, duration: '4s', use: 'color', saturation: \(keyframes) }]"),
    ]
    for edit in edits {
      let duration = edit.videoComposition.frameDuration
      let instruction = try #require(edit.videoComposition.instructions.first)
      let reference = try #require(instruction.effects.first ?? instruction.layers.first?.effects.first)
      let descriptor = try #require(CompositorRegistry.builtIn["builtin.color"]?.descriptor)
      for frame in 0..<100 {
        let time = MediaTime(value: Int64(frame) * duration.value, timescale: duration.timescale)
        let values = ParameterValues().setting(reference.animatedParameters, at: time, schema: descriptor.parameters)
        let value = try #require(values["saturation"]?.number)
        #expect(abs(value - 4 * min(max(try eased(easing, time.seconds), 0), 1)) < 1e-12, "\(easing) \(frame)")
      }
    }
  }

  /// White over black at an eased opacity is a gray that tells the opacity.
  @Test(arguments: ["ease-in", "steps(3, jump-start)"]) func renderedFrames_showTheFormula(easing: String) async throws {
    let edit = try edit("opacity: [{ at: '1s', value: 0, easing: '\(easing)' }, { at: '3s', value: 1 }]")
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    let generator = try ImageGenerator(composition, settings: ImageSettings(format: .yuv444p).exactly)
    for (time, seconds, _) in frames(edit) {
      let frame = try await generator.image(at: time).frame
      let luma = frame.withUnsafePlanes { Double($0[0].base.load(as: UInt8.self)) }
      #expect(abs(luma - (16 + 219 * (try eased(easing, seconds)))) <= 1, "\(easing) \(seconds)")
    }
    await generator.close()
  }

  /// A fade by a transition multiplies an eased opacity, frame by frame.
  @Test func dissolve_ofAnEasedClip_isTheProductAtEveryFrame() throws {
    let edit = try ProjectFile(
      """
      {
        version: 1, output: { size: "64x36", frameRate: 25 },
        assets: { a: { generate: "color", color: "white", duration: "9s" } },
        tracks: [{ clips: [
          { asset: "a", duration: "2s", opacity: 0.5 },
          { asset: "a", duration: "3s", transition: { type: "dissolve", duration: "1s" },
            opacity: [{ at: 0, value: 0.2, easing: "ease-in-out" }, { at: "2s", value: 1 }] },
        ] }],
      }
      """
    ).edit(catalog: MediaCatalog())
    let instruction = edit.videoComposition.instructions[1]
    let own = try #require(Easing("ease-in-out"))
    for frame in 25..<50 {
      let time = MediaTime(value: Int64(frame), timescale: 25)
      let seconds = time.seconds - 1
      let opacities = instruction.layers.map { $0.opacity.value(at: time) }
      let product = (0.2 + 0.8 * own.value(at: seconds / 2)) * seconds
      #expect(opacities.contains { abs($0 - product) < 1e-12 }, "frame \(frame): \(opacities), not \(product)")
    }
  }

  @Test func easedPiece_ofTooManyFrames_isRefusedAtItsClip() throws {
    let text = """
      {
        version: 1, output: { size: "64x36", frameRate: 1000 },
        assets: { a: { generate: "color", color: "white", size: "64x36", frameRate: 1000 } },
        tracks: [{ clips: [{ asset: "a", duration: "100000s",
          opacity: [{ at: 0, value: 0, easing: "ease" }, { at: "100000s", value: 1 }] }] }],
      }
      """
    let error = #expect(throws: CompositorError.self) { try ProjectFile(text).edit(catalog: MediaCatalog()) }
    #expect(error?.message.contains("at most 1000000") == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("opacity: [{ at: 0, value: 0, easing: 'ease-inn' }]", "opacity[0].easing", "Did you mean \"ease-in\"?"),
    ("opacity: [{ at: 0, value: 0, easing: 'cubic-bezier(2, 0, 0, 1)' }]", "opacity[0].easing", "cubic-bezier(x1, y1, x2, y2)"),
    ("opacity: [{ at: 0, value: 0, easing: 7 }]", "opacity[0].easing", ""),
    ("opacity: [{ at: 0, value: 0, easing: { steps: 4, jump: 1 } }]", "opacity[0].easing", ""),
    ("crop: [{ at: 0, x: 0, y: 0, width: 1, height: 1, easing: 'x' }]", "crop[0].easing", "steps(n, jump-end)"),
    ("transform: [{ at: 0, easing: true }]", "transform[0].easing", ""),
    ("effects: [{ use: 'color', saturation: [{ at: 0, value: 1, easing: 'x' }] }]", "effects[0].saturation[0].easing", ""),
    ("transition: { duration: '1s', type: 'wipe', easing: 'jerk' }", "transition.easing", "steps(n, jump-end)"),
  ])
  func mistakes_areReportedAtTheirPlace(_ clip: String, _ path: String, _ recoverySuggestion: String) throws {
    let text = "{ version: 1, assets: { a: 'x' }, tracks: [{ clips: [{ asset: 'a' }, { asset: 'a', \(clip) }] }] }"
    let error = #expect(throws: CompositorError.self) { try ProjectFile(text) }
    #expect(
      error?.code == .invalidProject && error?.location.path == "tracks[0].clips[1].\(path)", "\(error?.description ?? "")")
    #expect(
      recoverySuggestion.isEmpty || error?.recoverySuggestion?.contains(recoverySuggestion) == true,
      "\(error?.recoverySuggestion ?? "")")
  }
}
