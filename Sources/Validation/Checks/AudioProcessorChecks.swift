import CompositorAPI
import CompositorPlugins

/// Checks that each audio processor of the mix is known, and that its parameters fit its schema.
enum AudioProcessorChecks {
  static func run(
    _ edit: Edit, registry: CompositorRegistry, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    for (index, parameters) in edit.audioMix.inputParameters.enumerated() {
      for (position, use) in parameters.processors.enumerated() {
        try check(
          use, of: "\(Named.track(parameters.trackID).capitalizedName)", track: parameters.trackID,
          path: "audioMix.inputParameters[\(index)].processors[\(position)]", registry, into: &diagnostics)
      }
    }
    for (position, use) in edit.audioMix.processors.enumerated() {
      try check(use, of: "The mix", track: nil, path: "audioMix.processors[\(position)]", registry, into: &diagnostics)
    }
  }

  private static func check(
    _ use: AudioProcessorUse, of owner: String, track: TrackID?, path: String, _ registry: CompositorRegistry,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let factory = registry.audioProcessor(use.processor) else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .unknownCompositor, "\(owner) names the audio processor “\(use.processor)”, which isn't registered.",
          track: track, cause: "A spelling mistake, or a plugin that was not loaded.",
          path: path
        ).advising(UnknownCompositor.advice(for: use.processor, registry)))
    }
    if let refusal = factory.refusal {
      try diagnostics.add(
        ValidationDiagnostic(
          .unknownCompositor, "\(owner) names a processor that cannot be used. \(refusal.message)", track: track,
          cause: refusal.location.place.map { "It is in \($0)." }, path: path
        ).advising(refusal.advice))
    }
    let faults = ParameterSchema.faults(of: use.parameters, in: factory.descriptor.schema)
    if faults.isEmpty, let failure = trialFailure(of: factory, use) {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidParameter, "\(owner), audio processor “\(use.processor)”: \(failure.message)", track: track,
          cause: failure.cause, recoverySuggestion: failure.recoverySuggestion, path: path))
    }
    for fault in faults {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidParameter, "\(owner), audio processor “\(use.processor)”: \(fault.what)", track: track,
          recoverySuggestion: fault.recoverySuggestion, path: "\(path).parameters.\(fault.key)"))
    }
    if let range = use.timeRange, !range.start.isNumeric || !range.duration.isNumeric || range.duration <= .zero {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidParameter,
          "\(owner), audio processor “\(use.processor)”: it is to work from \(range.start) for \(range.duration).",
          track: track, recoverySuggestion: "Give a time and a duration > 0, or no range at all.", path: "\(path).timeRange"))
    }
  }

  /// The error with which a graph of libavfilter cannot be made, whose filters check more than the types of their parameters; `nil` if
  /// it can be made for some number of channels.
  private static func trialFailure(of factory: AudioProcessorFactory, _ use: AudioProcessorUse) -> CompositorError? {
    guard use.processor.collection == .avfilter, factory.refusal == nil else { return nil }
    var failure: CompositorError?
    for count in [2, 1, 6, 8, 4] {
      do throws(CompositorError) {
        let context = AudioProcessingContext(sampleRate: 48_000, channelCount: count)
        _ = try factory.makeProcessor(parameters: use.parameters, context: context)
        return nil
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }
}
