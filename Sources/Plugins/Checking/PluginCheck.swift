package import CompositorAPI
import Foundation

/// The conformance test for plugins. Every step runs in a worker, so the worst outcome is a line in the report.
package struct PluginCheck {
  private let specification: PluginSpecification
  private let isolation: PluginIsolation
  private let name: String?
  private let reservedKeys: [String]
  private let spelling: SettingSpelling
  private let values: Values

  /// Values to use in place of the defaults of each of some compositors and audio processors, which are described as compositors.
  package typealias Values = ([CompositorDescriptor]) throws(CompositorError) -> [CompositorID: ParameterValues]

  /// - Parameters:
  ///   - name: Restricts checking to this compositor. An unknown name checks all.
  ///   - reservedKeys: Keys that have another meaning where projects write parameters of effects.
  ///   - spelling: How advice names settings.
  ///   - values: What each compositor and processor is checked with, by key. Absent parameters have their defaults.
  package init(
    _ specification: PluginSpecification, asked name: String? = nil, isolation: PluginIsolation, reservedKeys: [String],
    spelling: SettingSpelling = .swift, values: @escaping Values = { _ in [:] }
  ) {
    self.specification = specification
    self.reservedKeys = reservedKeys
    self.spelling = spelling
    self.values = values
    self.name = name
    var isolation = isolation
    isolation.workerCount = 1
    self.isolation = isolation
  }

  /// Checks every compositor of the plugin, or the one selected.
  ///
  /// - Parameter progress: Called before each step.
  /// - Throws: The reason if the plugin cannot be opened.
  package func run(progress: (_ compositor: CompositorID, PluginCheckStep) -> Void) throws(CompositorError) -> PluginCheckReport
  {
    var workers = try CheckWorkers(specification, isolation)
    let plugin = workers.first.plugin
    var reports: [PluginCheckReport.Compositor] = []
    let named = plugin.compositors.filter { $0.descriptor.id.rawValue == name }
    let processors = named.isEmpty ? plugin.processors : []
    let checked = (named.isEmpty ? plugin.compositors : named).map(\.descriptor) + processors.map(\.schema)
    let values = try self.values(checked)
    for compositor in named.isEmpty ? plugin.compositors : named {
      let descriptor = compositor.descriptor
      let known = PluginCheckKnowledge(values: values[descriptor.id] ?? [:], reservedKeys: reservedKeys)
      var check = CompositorCheck(descriptor, known, spelling)
      try check.run(PluginCheckStep.all(for: descriptor, isSelective: compositor.isSelective), &workers, progress)
      reports.append(check.report)
    }
    for processor in processors.map(\.schema) {
      reports.append(try report(on: processor, values[processor.id] ?? [:], workers: &workers, progress: progress))
    }
    return PluginCheckReport(
      plugin: specification.name, notes: plugin.notes, sandbox: workers.first.sandbox.text, compositors: reports)
  }
}

extension PluginCheck {
  /// Checks an audio processor.
  private func report(
    on processor: CompositorDescriptor, _ values: ParameterValues, workers: inout CheckWorkers,
    progress: (_ compositor: CompositorID, PluginCheckStep) -> Void
  ) throws(CompositorError) -> PluginCheckReport.Compositor {
    var known = PluginCheckKnowledge(values: values)
    var lines = PluginCheckLines()
    for step in PluginCheckStep.ofProcessors where step != .values || processor.parameters.contains(where: \.kind.hasRange) {
      progress(processor.id, step)
      var results: [PluginCheckResult] = []
      for step in step == .values ? [.values, .valuesAnew] : [step] where results.allSatisfy({ $0.outcome == .passed }) {
        if step.needsNewProcess { try workers.restart() }
        let start = ContinuousClock.now
        results = try workers.results(of: [step], processor.id, known)
        known.learn(from: results[0], of: step, in: start.duration(to: .now))
      }
      lines.add(step, results[0])
      try workers.renew(after: results, known)
    }
    return PluginCheckReport.Compositor(id: processor.id, lines: lines.lines)
  }
}

/// The check of one compositor: what its steps found, and what the next steps know from that.
private struct CompositorCheck {
  private let descriptor: CompositorDescriptor
  private var known: PluginCheckKnowledge
  private let spelling: SettingSpelling
  private var lines = PluginCheckLines()
  /// When the frames were made that later ones are compared with.
  private var referenceTime = ContinuousClock.now

  init(_ descriptor: CompositorDescriptor, _ known: PluginCheckKnowledge, _ spelling: SettingSpelling) {
    self.descriptor = descriptor
    self.known = known
    self.spelling = spelling
  }

  var report: PluginCheckReport.Compositor { PluginCheckReport.Compositor(id: descriptor.id, lines: lines.lines) }

  mutating func run(
    _ steps: [PluginCheckStep], _ workers: inout CheckWorkers, _ progress: (CompositorID, PluginCheckStep) -> Void
  ) throws(CompositorError) {
    var left = steps[...]
    while let step = left.popFirst() {
      if known.isSlow, step.isSparedIfSlow { continue }
      if let obstacle = step.obstacle(lines.failed, known, descriptor) {
        lines.add(step, PluginCheckResult(.failed(check: obstacle)))
        continue
      }
      var steps = [step]
      if known.isSlow, let next = left.first, step.canRun(beside: next), !next.isSparedIfSlow,
        next.obstacle(lines.failed, known, descriptor) == nil
      {
        steps.append(left.removeFirst())
      }
      var results = try results(of: steps, &workers, progress)
      for _ in 0..<2 where steps == [.threads] && results[0].outcome == .passed {
        results = try self.results(of: steps, &workers, progress)
      }
      if steps == [.values], results[0].outcome == .passed { results = try self.results(of: [.valuesAnew], &workers, progress) }
      for (step, result) in zip(steps, results) { lines.add(step, result) }
      if step == .determinism { referenceTime = .now }
    }
    try compareLater(&workers, progress)
    let formats = PluginCheckStep.formats(of: descriptor)
    if known.unusableFormats.isSuperset(of: formats) {
      lines.failIfNothingDid(formats, descriptor, known.values, spelling)
    }
  }

  /// Runs steps beside each other, in new processes if one of them needs that.
  private mutating func results(
    of steps: [PluginCheckStep], _ workers: inout CheckWorkers, _ progress: (CompositorID, PluginCheckStep) -> Void
  ) throws(CompositorError) -> [PluginCheckResult] {
    for step in steps { progress(descriptor.id, step) }
    // What a plugin prepares on first use must be new for threads that come together.
    if steps.contains(where: \.needsNewProcess) { try workers.restart() }
    let start = ContinuousClock.now
    var results = try workers.results(of: steps, descriptor.id, known)
    if results.contains(where: { $0.needsNewProcess == true }) {
      try workers.restart()
      var anew = known
      anew.hasNewProcess = true
      results = try workers.results(of: steps, descriptor.id, anew)
    }
    let elapsed = start.duration(to: .now)
    for (step, result) in zip(steps, results) { known.learn(from: result, of: step, in: elapsed) }
    try workers.renew(after: results, known)
    return results
  }

  /// Makes the frames of the reference once more when a clock in whole seconds has advanced.
  private mutating func compareLater(
    _ workers: inout CheckWorkers, _ progress: (CompositorID, PluginCheckStep) -> Void
  ) throws(CompositorError) {
    guard !known.reference.isEmpty, !lines.failed.contains(.determinism) else { return }
    Thread.sleep(forTimeInterval: max(0, 1.05 - (ContinuousClock.now - referenceTime) / .seconds(1)))
    for result in try results(of: [.later], &workers, progress) { lines.amend(result) }
  }
}

/// The lines of a report as they are added; each fault is reported once.
private struct PluginCheckLines {
  private(set) var lines: [PluginCheckReport.Line] = []
  private(set) var failed: Set<PluginCheckStep> = []
  private var steps: [PluginCheckStep] = []
  /// The indices of the lines that report faults which other checks may find.
  private var faults: [PluginFault: Int] = [:]
  /// The indices of lines whose fault is that some pixels aren't written.
  private var missingPixels: Set<Int> = []

  mutating func add(_ step: PluginCheckStep, _ result: PluginCheckResult) {
    if result.outcome == .failed {
      failed.insert(step)
      if let fault = result.fault {
        if let known = faults[fault] {
          lines[known].also.append(step.title)
          return
        }
        faults[fault] = lines.count
      }
    }
    append(step, result)
  }

  /// A compositor may refuse formats, but not all of them.
  mutating func failIfNothingDid(
    _ formats: [PixelFormat], _ descriptor: CompositorDescriptor, _ values: ParameterValues, _ spelling: SettingSpelling
  ) {
    guard failed.isEmpty || failed == [.description], let index = steps.firstIndex(of: .format(formats[0])) else { return }
    failed.insert(steps[index])
    lines[index] = PluginCheckReport.Line(
      steps[index],
      PluginCheckResult(.failed, "It renders none of its formats: \(lines[index].detail)"))
    let unset = descriptor.parameters.filter { $0.defaultValue == nil && !$0.kind.hasRange && values[$0.key] == nil }
    guard let key = unset.first?.key else { return }
    let advice: Wording = "If “\(key)” needs a value of its own, give it with \(setting: .parameter, value: key)."
    lines[index].action = "\(advice.text(spelling)) \(lines[index].action ?? "")"
  }

  /// Attributes the results of ``PluginCheckStep/later`` to determinism, and earlier failed comparisons to it.
  mutating func amend(_ result: PluginCheckResult) {
    guard result.outcome == .failed, let index = steps.firstIndex(of: .determinism) else { return }
    lines[index] = PluginCheckReport.Line(.determinism, result)
    let reason = PluginCheckResult(.failed(check: PluginCheckStep.determinism.title))
    for (index, step) in steps.enumerated() where failed.contains(step) {
      // A pixel that the clock changes between two frames looks like one that is not written.
      guard step.comparesFrames || missingPixels.contains(index) else { continue }
      lines[index] = PluginCheckReport.Line(step, reason)
    }
  }

  private mutating func append(_ step: PluginCheckStep, _ result: PluginCheckResult) {
    if result.missesPixels { missingPixels.insert(lines.count) }
    lines.append(PluginCheckReport.Line(step, result))
    steps.append(step)
  }
}
