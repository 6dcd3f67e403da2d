import BuiltinCompositors
import CompositorPlugins
public import CompositorAPI
import CompositorConversion
public import CompositorValidation
import Foundation
import CompositorMediaIO

extension CompositionValidator {
  /// Creates every plugin that the instructions use, libavfilter's and frei0r's filters among them, and sends it one or two black
  /// frames of the sources' sizes. This detects values that only the plugin rejects, filters of more inputs than there are layers,
  /// graphs that produce no frame or one of another size, and keyframes that a filter rejects, before a render.
  ///
  /// The chroma key is tried, too, whose color is judged in that of the output.
  ///
  /// Plugins run where the registry runs them: in a worker process unless they are trusted. Compositors that are Swift types of the
  /// program aren't called. Equal uses are tried once. A plugin that needs its frames in order gets the first and the last one only.
  ///
  /// - Returns: A diagnostic for each use that fails.
  /// - Throws: `.pluginFailed`, `.compositorTimedOut`, `.resourceExhausted` or `.cancelled`, which indicate no problem of the
  ///   edit.
  public static func rehearse(_ composition: ValidatedComposition) async throws(CompositorError) -> [ValidationDiagnostic] {
    let tried = composition.edit.compositorIDs.filter {
      composition.registry[$0]?.isPlugin == true || $0 == ChromaKeyEffect.descriptor.id
    }
    guard !tried.isEmpty else { return [] }
    let plan = try RenderPlan(composition)
    var rehearsal = try PluginRehearsal(plan, of: tried)
    var diagnostics: [ValidationDiagnostic] = []
    for index in plan.instructions.indices { diagnostics += try await rehearsal.diagnostics(instruction: index) }
    await rehearsal.end()
    return diagnostics
  }
}

/// Tries the plugins of each instruction.
struct PluginRehearsal {
  private let plan: RenderPlan
  private let plugins: Set<CompositorID>
  private let pipeline: FrameScheduler
  private var tried: Set<Try> = []

  /// Identifies instructions that are the same as far as plugins are concerned.
  private struct Try: Hashable {
    let instruction: Instruction
    let sources: [SourceDescription]
  }

  init(_ plan: RenderPlan, of plugins: Set<CompositorID>) throws(CompositorError) {
    self.plan = plan
    self.plugins = plugins
    pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 1))
  }

  func end() async { await pipeline.close() }

  mutating func diagnostics(instruction index: Int) async throws(CompositorError) -> [ValidationDiagnostic] {
    let instruction = plan.instructions[index].keeping(plugins)
    guard instruction.uses(plugins) else { return [] }
    let range = instruction.timeRange
    let frames = plan.frames(in: range)
    let first = frames.isEmpty ? range.start : plan.request(forFrame: frames.lowerBound).time
    let sources = sources(at: first)
    var shape = instruction
    shape.timeRange = TimeRange(start: .zero, duration: .zero)
    for layer in shape.layers.indices {
      for effect in shape.layers[layer].effects.indices { shape.layers[layer].effects[effect].timeRange = nil }
    }
    for effect in shape.effects.indices { shape.effects[effect].timeRange = nil }
    guard tried.insert(Try(instruction: shape, sources: sources.map(\.description))).inserted else { return [] }
    var times = [first]
    // Keyframes are sent to a running filter in a different way than its initial values.
    if instruction.changesParameters, frames.count > 1 { times.append(plan.request(forFrame: frames.upperBound - 1).time) }
    for time in times {
      do throws(CompositorError) {
        let black = try sources.map { source throws(CompositorError) in try source.frame(at: time) }
        _ = try await pipeline.frame(
          of: instruction, index: index, at: time,
          sources: Dictionary(black.map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first }))
      } catch {
        return [try PluginRehearsal.diagnostic(error, instruction: index, range: range, time: time)]
      }
    }
    return []
  }

  private static func diagnostic(
    _ error: CompositorError, instruction: Int, range: TimeRange, time: MediaTime
  ) throws(CompositorError) -> ValidationDiagnostic {
    switch error.code {
    case .pluginFailed, .compositorTimedOut, .resourceExhausted, .framePoolExhausted, .cancelled, .internalFault: throw error
    default: break
    }
    let compositor = error.location.compositor.map { ", compositor “\($0)”" } ?? ""
    let when = "\(range.start.seconds) s to \(range.end.seconds) s"
    return ValidationDiagnostic(
      .invalidParameter, "\(Named.instruction(instruction).capitalizedName) (\(when))\(compositor): \(error.message)",
      instruction: instruction,
      track: error.location.track, foundTime: time, cause: error.cause
    ).advising(error.advice)
  }

  /// The tracks of an instruction that show something at a given time.
  private func sources(at time: MediaTime) -> [BlackSource] {
    plan.request(at: time).sources.compactMap { order in
      plan.videoTrack(of: order).map { BlackSource(trackID: order.trackID, info: $0) }
    }
  }
}

/// A black frame in the format of a track's media.
private struct BlackSource {
  let trackID: TrackID
  let description: SourceDescription

  init(trackID: TrackID, info: VideoTrackInfo) {
    self.trackID = trackID
    description = SourceDescription(
      format: info.format, size: info.size, attributes: info.attributes, preferredTransform: info.preferredTransform)
  }

  func frame(at time: MediaTime) throws(CompositorError) -> SourceFrame {
    var frame = try FramePool(maximumOutstanding: 1).makeFrame(
      format: description.format, size: description.size, attributes: description.attributes)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        for y in 0..<plane.height {
          memset(plane.base + y * plane.stride, 0, description.format.rowBytes(plane: index, of: description.size))
        }
      }
    }
    return SourceFrame(
      trackID: trackID, frame: frame.freeze(), presentationTime: time, duration: .indefinite,
      requestedTime: time, preferredTransform: description.preferredTransform)
  }
}

extension CompositorFactory {
  /// Whether its code was loaded at run time.
  fileprivate var isPlugin: Bool { if case .plugin = origin { true } else { false } }
}

extension Instruction {
  /// The instruction without compositors that are neither built in nor plugins. Their sources pass unchanged, and layers are where
  /// their media puts them.
  fileprivate func keeping(_ plugins: Set<CompositorID>) -> Instruction {
    func kept(_ effect: EffectReference) -> EffectReference {
      plugins.contains(effect.compositor) || CompositorRegistry.builtIn[effect.compositor] != nil
        ? effect : EffectReference(.layer)
    }
    var result = self
    if !plugins.contains(compositor) {
      (result.compositor, result.parameters, result.animatedParameters) = (.layer, [:], [:])
    }
    result.layers = layers.map { layer in
      var plain = LayerInstruction(trackID: layer.trackID)
      plain.effects = layer.effects.map(kept)
      return plain
    }
    result.effects = effects.map(kept)
    return result
  }

  fileprivate func uses(_ plugins: Set<CompositorID>) -> Bool { calls.contains { plugins.contains($0.compositor) } }

  fileprivate var changesParameters: Bool { calls.contains { !$0.animatedParameters.isEmpty } }
}
