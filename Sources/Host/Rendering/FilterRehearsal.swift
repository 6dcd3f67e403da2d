import CompositorPlugins
public import CompositorAPI
import CompositorConversion
public import CompositorValidation
import Foundation
import CompositorMediaIO

extension CompositionValidator {
  /// Creates every filter of libavfilter and frei0r that the instructions use and sends it one or two black frames of the sources'
  /// sizes. This detects invalid values, filters of more inputs than there are layers, graphs that produce no frame or one of
  /// another size, and keyframes that a filter rejects, before a render.
  ///
  /// Filters run where the registry's plugins run: in a worker process unless they are trusted. Compositors of other plugins
  /// aren't called. Equal uses are tried once.
  ///
  /// - Returns: A diagnostic for each use that fails.
  /// - Throws: `.pluginFailed`, `.compositorTimedOut`, `.resourceExhausted` or `.cancelled`, which indicate no problem of the
  ///   edit.
  public static func rehearse(_ composition: ValidatedComposition) async throws(CompositorError) -> [ValidationDiagnostic] {
    guard composition.edit.compositorIDs.contains(where: \.isFilter) else { return [] }
    let plan = try RenderPlan(composition)
    var rehearsal = try FilterRehearsal(plan)
    var diagnostics: [ValidationDiagnostic] = []
    for index in plan.instructions.indices { diagnostics += try await rehearsal.diagnostics(instruction: index) }
    await rehearsal.end()
    return diagnostics
  }
}

/// Tries the filters of each instruction.
struct FilterRehearsal {
  private let plan: RenderPlan
  private let pipeline: FrameScheduler
  private var tried: Set<Try> = []

  /// Identifies instructions that are the same as far as filters are concerned.
  private struct Try: Hashable {
    let instruction: Instruction
    let sources: [SourceDescription]
  }

  init(_ plan: RenderPlan) throws(CompositorError) {
    self.plan = plan
    pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 1))
  }

  func end() async { await pipeline.close() }

  mutating func diagnostics(instruction index: Int) async throws(CompositorError) -> [ValidationDiagnostic] {
    let instruction = plan.instructions[index].keepingFilters()
    guard instruction.usesFilters else { return [] }
    let range = instruction.timeRange
    let frames = plan.frames(in: range)
    let first = frames.isEmpty ? range.start : plan.request(forFrame: frames.lowerBound).time
    let sources = sources(at: first)
    var shape = instruction
    shape.timeRange = TimeRange(start: .zero, duration: .zero)
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
        return [try FilterRehearsal.diagnostic(error, instruction: index, range: range, time: time)]
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
      track: error.location.track, foundTime: time, cause: error.cause, recoverySuggestion: error.recoverySuggestion)
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

extension CompositorID {
  /// Whether it is a filter of a collection.
  fileprivate var isFilter: Bool { collection != nil }
}

extension Instruction {
  /// The instruction without plugins other than filters. Their sources pass unchanged, and layers are where their media
  /// puts them.
  fileprivate func keepingFilters() -> Instruction {
    func kept(_ effect: EffectReference) -> EffectReference {
      effect.compositor.isFilter || CompositorRegistry.builtIn[effect.compositor] != nil ? effect : EffectReference(.layer)
    }
    var result = self
    if passthroughTrackID == nil, !compositor.isFilter {
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

  private var uses: [EffectReference] { [compositorReference] + layers.flatMap(\.effects) + effects }

  fileprivate var usesFilters: Bool {
    (passthroughTrackID == nil && compositor.isFilter)
      || (layers.flatMap(\.effects) + effects).contains { $0.compositor.isFilter }
  }

  fileprivate var changesParameters: Bool { uses.contains { !$0.animatedParameters.isEmpty } }
}
