import CompositorAPI

/// Checks for ramps that have no effect because they are outside of their instruction or of the composition, or that are cut
/// off there, and for cuts that are a rounding error after the start of a frame.
struct RampChecks {
  private let edit: Edit
  private let instructions: [Instruction]
  private let frame: MediaTime

  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    guard let frame = edit.videoComposition.usableFrameDuration else { return }
    let checks = RampChecks(edit: edit, instructions: edit.videoComposition.instructions, frame: frame)
    for (index, instruction) in checks.instructions.enumerated() {
      for layer in instruction.layers where layer.hasRamps && instruction.timeRange.isUsable {
        if layer.opacity.hasRamps { try checks.check(\.opacity, "opacity", of: layer, instruction: index, into: &diagnostics) }
        if layer.transform.hasRamps {
          try checks.check(\.transform, "transform", of: layer, instruction: index, into: &diagnostics)
        }
        if layer.crop.hasRamps { try checks.check(\.crop, "crop", of: layer, instruction: index, into: &diagnostics) }
        if layer.decoration?.hasRamps == true {
          try checks.check(\.presentDecoration, "decoration", of: layer, instruction: index, into: &diagnostics)
        }
      }
    }
    try checks.checkVolumes(into: &diagnostics)
    try checks.checkCuts(into: &diagnostics)
  }

  private func check<Value: Interpolatable>(
    _ property: WritableKeyPath<LayerInstruction, PropertyTimeline<Value>>, _ name: String, of layer: LayerInstruction,
    instruction index: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let range = instructions[index].timeRange
    let timeline = layer[keyPath: property]
    // The shutter of a motion blur is open beyond the instruction.
    let margin = layer.motionBlur.map { frame + .seconds($0.exposure / 2) } ?? frame
    guard
      let ramp = timeline.ramps.first(where: { ramp in
        ramp.start != ramp.end && ramp.timeRange.reach(beyond: range) > margin
          && !continues(ramp, property, of: layer, from: index)
      })
    else { return }
    let place = "The \(name) ramp of \(Named.track(layer.trackID)) in \(Named.instruction(index))"
    let times = "from \(ramp.timeRange.start.readable) to \(ramp.timeRange.end.readable)"
    let bounds = "the instruction lasts from \(range.start.readable) to \(range.end.readable)"
    let shift = offset(of: timeline, layer.trackID, in: range)
    func fix(_ title: String, _ changed: PropertyTimeline<Value>?) -> DiagnosticFix? {
      changed.map { layer.fix(title, setting: property, to: $0, instruction: index) }
    }
    let isOutside = !ramp.timeRange.overlaps(range)
    let cause =
      shift.map { "Its times count from \($0.from); those of ramps are times of the composition." }
      ?? (isOutside
        ? "Its times are those of another instruction or clip." : "The instruction was shortened, or the ramp was not.")
    try diagnostics.add(
      ValidationDiagnostic(
        .rampOutsideRange, severity: .warning,
        "\(place) runs \(times), but \(bounds): it " + (isOutside ? "has no effect." : "is cut off."),
        instruction: index, track: layer.trackID, expectedTime: range.start, foundTime: ramp.timeRange.start, cause: cause,
        recoverySuggestion: "Let the ramp lie inside its instruction, or give the next instruction the same ramp.",
        timeRange: ramp.timeRange,
        fix: shift.map {
          fix(
            "Move the \(name) of \(Named.track(layer.trackID)) in \(Named.instruction(index)) by \($0.time.readable)",
            timeline.moved(by: $0.time))
        }
          ?? (isOutside
            ? nil
            : fix("Cut the \(name) of \(Named.track(layer.trackID)) to \(Named.instruction(index))", timeline.cut(to: range)))))
  }

  /// Whether a neighboring instruction continues the ramp, so that nothing of it is lost.
  private func continues<Value: Interpolatable>(
    _ ramp: Ramp<Value>, _ property: KeyPath<LayerInstruction, PropertyTimeline<Value>>, of layer: LayerInstruction,
    from index: Int
  ) -> Bool {
    guard ramp.timeRange.overlaps(instructions[index].timeRange) else { return false }
    return [index - 1, index + 1].contains { neighbor in
      instructions.indices.contains(neighbor)
        && instructions[neighbor].layers.contains { $0.trackID == layer.trackID && $0[keyPath: property].ramps.contains(ramp) }
    }
  }

  /// An offset by which a property's times would all be inside the instruction.
  private func offset<Value: Interpolatable>(
    of timeline: PropertyTimeline<Value>, _ track: TrackID, in range: TimeRange
  ) -> (time: MediaTime, from: String)? {
    let clip = edit.composition.track(track)?.segment(at: range.start)?.timeMapping.target.start
    let starts = [(range.start, "the instruction's start")] + (clip.map { [($0, "the clip's start")] } ?? [])
    return starts.first { start, _ in
      start > .zero
        && timeline.ramps.allSatisfy {
          TimeRange(start: $0.timeRange.start + start, duration: $0.timeRange.duration).reach(beyond: range) <= frame
        }
    }.map { (time: $0.0, from: $0.1) }
  }

  // MARK: Volumes

  private func checkVolumes(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let end = edit.composition.duration
    guard end.isNumeric, end > .zero else { return }
    let range = TimeRange(start: .zero, end: end)
    for (index, parameters) in edit.audioMix.inputParameters.enumerated() {
      guard
        let ramp = parameters.volume.ramps.first(where: { $0.start != $0.end && $0.timeRange.reach(beyond: range) > frame })
      else { continue }
      let isOutside = !ramp.timeRange.overlaps(range)
      let cut = isOutside ? nil : parameters.volume.cut(to: range)
      try diagnostics.add(
        ValidationDiagnostic(
          .rampOutsideRange, severity: .warning,
          "The volume ramp of \(Named.track(parameters.trackID)) runs from \(ramp.timeRange.start.readable) to "
            + "\(ramp.timeRange.end.readable), but the composition ends at \(end.readable): it "
            + (isOutside ? "is never heard." : "is cut off."),
          track: parameters.trackID, expectedTime: end, foundTime: ramp.timeRange.end,
          cause: ramp.timeRange.start > .zero && ramp.timeRange.duration == end
            ? "The composition's end was given as the ramp's duration."
            : "The composition is shorter than it was when the ramp was set.",
          recoverySuggestion: "Let the ramp end where the composition ends.",
          path: "audioMix.inputParameters[\(index)].volume", timeRange: ramp.timeRange,
          fix: cut.map {
            DiagnosticFix(
              "End the volume ramp of \(Named.track(parameters.trackID)) at \(end.readable)", isSafe: false,
              change: .setVolume(parameters.trackID, $0))
          }))
    }
  }

  // MARK: Cuts

  /// Checks for cuts less than a tenth of a frame after the start of a frame whose times appear rounded. The instruction before
  /// the cut shows that frame. A cut just before the start of a frame has the same effect as one at the start.
  private func checkCuts(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil,
      let timing = try? FrameTiming(frameDuration: frame)
    else { return }
    for (index, (before, instruction)) in zip(instructions, instructions.dropFirst()).enumerated() {
      let cut = instruction.timeRange.start
      guard cut.hasBeenRounded || cut.timescale >= 1_000_000, cut.isNumeric, cut == before.timeRange.end,
        let place = timing.index(at: cut)
      else { continue }
      let start = timing.time(ofFrame: place)
      guard cut > start, (cut - start).seconds < frame.seconds / 10, start > before.timeRange.start else { continue }
      let cutsMedia = edit.composition.tracks(.video).contains { track in
        track.segments(in: TimeRange(start: cut, duration: frame)).first?.timeMapping.target.start == cut
      }
      try diagnostics.add(
        ValidationDiagnostic(
          .offFrameGrid, severity: .warning,
          "\(Named.instruction(index + 1).capitalizedName) starts at \(cut.readable), just after frame \(place), which starts at \(start.readable): the frame "
            + "still belongs to \(Named.instruction(index)).",
          instruction: index + 1, expectedTime: start, foundTime: cut,
          cause: "The time was rounded, as seconds in floating point are.",
          recoverySuggestion: "Count in frames, or in a timescale that the frame rate divides.",
          timeRange: TimeRange(start: start, end: cut),
          fix: DiagnosticFix(
            "Start \(Named.instruction(index + 1)) at \(start.readable)", isSafe: !cutsMedia,
            change: .moveCut(instruction: index + 1, to: start))))
    }
  }
}

extension LayerInstruction {
  fileprivate var hasRamps: Bool {
    opacity.hasRamps || transform.hasRamps || crop.hasRamps || decoration?.hasRamps == true
  }

  /// The decoration, which is invisible if there is none.
  fileprivate var presentDecoration: PropertyTimeline<LayerDecoration> {
    get { decoration ?? PropertyTimeline(default: LayerDecoration()) }
    set { decoration = newValue }
  }
}

extension TimeRange {
  /// How far this range extends beyond another, or its whole duration if they don't overlap.
  fileprivate func reach(beyond other: TimeRange) -> MediaTime {
    guard overlaps(other) else { return duration }
    let before = start < other.start ? other.start - start : .zero
    return max(before, end > other.end ? end - other.end : .zero)
  }
}

extension PropertyTimeline {
  /// Whether a value changes over time, other than by a jump.
  fileprivate var hasRamps: Bool { ramps.contains { $0.start != $0.end } }

  /// A copy at later times.
  fileprivate func moved(by time: MediaTime) -> Self? {
    remade { TimeRange(start: $0.start + time, duration: $0.duration) }
  }

  /// A copy whose ramps start and end inside a range, at the values that they had there.
  fileprivate func cut(to range: TimeRange) -> Self? {
    remade { $0.duration == .zero || !$0.overlaps(range) ? $0 : $0.intersection(range) }
  }

  private func remade(_ place: (TimeRange) -> TimeRange) -> Self? {
    var timeline = Self(default: defaultValue)
    do {
      for ramp in ramps {
        let range = place(ramp.timeRange)
        if range.duration == .zero {
          try timeline.set(ramp.end, at: range.start)
        } else {
          try timeline.setRamp(from: ramp.start, to: ramp.end, timeRange: range)
        }
      }
      return timeline
    } catch {
      // The moved ramps would overlap, so there is no fix.
      return nil
    }
  }
}

extension LayerInstruction {
  /// A fix that changes a property of this layer.
  fileprivate func fix<Value>(
    _ title: String, setting property: WritableKeyPath<LayerInstruction, PropertyTimeline<Value>>,
    to timeline: PropertyTimeline<Value>, instruction index: Int
  ) -> DiagnosticFix {
    var copy = self
    copy[keyPath: property] = timeline
    return DiagnosticFix(title, isSafe: false, change: .setLayer(instruction: index, copy))
  }
}
