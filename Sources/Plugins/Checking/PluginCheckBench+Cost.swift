import CCompositorPluginProcess
import CompositorAPI
import Foundation

extension PluginCheckBench {
  /// Cancels a small frame before it starts, and a large one while it is rendered.
  func cancellation(_ small: PluginCheckScene) throws -> PluginCheckResult {
    let early = try cancellation(of: small, after: .zero)
    guard early.outcome != .failed else { return early }
    let late = try cancellation(of: scene(PluginCheckScene.fullHD), after: .milliseconds(200))
    guard late.outcome != .failed else { return late }
    var result = early
    result.fullFrameSeconds = late.fullFrameSeconds
    return result
  }

  private func cancellation(of scene: PluginCheckScene, after delay: Duration) throws -> PluginCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let start = ContinuousClock.now
    var outcome = "finished its frame"
    var seconds: Double?
    do {
      _ = try compose(composer, request, cancellingAfter: delay)
      // A frame that was completed anyway shows how long one takes.
      seconds = (ContinuousClock.now - start) / .seconds(1)
    } catch let error as CompositorError where error.code == .cancelled {
      outcome = "stopped"
    } catch is CancellationError {
      outcome = "stopped"
    }
    let taken = max(ContinuousClock.now - start - delay, .zero)
    var result = PluginCheckResult(
      taken < .seconds(1) ? .passed : .failed, "It \(outcome) \(taken.formattedMilliseconds) after it was canceled.")
    result.fullFrameSeconds = seconds
    return result
  }

  /// Checks for resources that grow with instances and frames. Memory leaks if it grows in each round, and goes on doing so: the
  /// caches of many threads fill for some rounds.
  func leaks(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    if LeakMeter.isNearLimits, !known.hasNewProcess {
      var result = PluginCheckResult(.skipped)
      result.needsNewProcess = true
      return result
    }
    // Made first, because it may request sources at other times.
    _ = try make(scene)
    let request = try scene.request()
    func round(_ instances: Int) throws {
      for _ in 0..<instances {
        let composer = try make(scene)
        for _ in 0..<frames { _ = try compose(composer, request) }
      }
    }
    var frames = 1
    var firstTime = try ContinuousClock().measure { try round(1) }
    // An instance may take long to make, too: it reads a model or fills a table. A busy machine may delay one, but hardly two.
    if firstTime > Self.slowInstance { firstTime = min(firstTime, try ContinuousClock().measure { try round(1) }) }
    let isSlow = known.isSlow || firstTime > Self.slowInstance
    let rounds = isSlow ? 4 : LeakMeter.usualRounds
    frames = isSlow ? 1 : LeakMeter.usualFrames
    let time = isSlow ? firstTime : try ContinuousClock().measure { try round(1) }
    if !isSlow {
      // Files left open by every frame fill the table soon, and threads the memory, so a few instances are counted first.
      var meter = LeakMeter(instances: 2, rounds: 5, framesOfAnInstance: frames)
      for _ in 0..<5 { try meter.measure { try round(2) } }
      if meter.leaksDescriptors || meter.leaksThreadsOfEach { return meter.result }
    }
    // A slow compositor shows a leak in fewer frames, too.
    let budget = Duration.milliseconds(known.frameSeconds > 0.001 ? 60 : 600)
    let instances = isSlow ? 1 : min(max(Int(budget / time), known.frameSeconds < 0.005 ? 12 : 4), 60)
    if !isSlow { try round(instances) }
    return try growth(in: isSlow ? 1 : 3) {
      LeakMeter(instances: instances, rounds: rounds, framesOfAnInstance: frames)
    } round: {
      try round(instances)
    }
  }

  /// Measures again while what grows may be caches: at most `tries` times, and not for long, because the call has a time limit.
  private func growth(
    in tries: Int, meter makeMeter: () -> LeakMeter, round: () throws -> Void
  ) throws -> PluginCheckResult {
    let start = ContinuousClock.now
    var number = 0
    while true {
      number += 1
      var meter = makeMeter()
      for _ in 0..<meter.rounds {
        try meter.measure {
          try round()
          // Memory that a runtime frees slightly later, such as timers and canceled tasks, is not leaked.
          Thread.sleep(forTimeInterval: 0.02)
        }
      }
      let isLast = number == tries || start.duration(to: .now) > .seconds(2)
      if isLast || !meter.mayBeCaches { return meter.result }
    }
  }

  /// The result of a check whose own frames do not fit the memory limit beside what the process has already; `nil` if they do. A plugin
  /// that needs no memory at all would end with them.
  func shortage(of step: PluginCheckStep) -> PluginCheckResult? {
    let (size, outputs): (PixelSize, Int)
    switch step {
    case .size(let own): (size, outputs) = (own, 1)
    // Frames are copied, too.
    case .cancellation, .speed: (size, outputs) = (PluginCheckScene.fullHD, 3)
    default: return nil
    }
    let descriptor = factory.descriptor
    let sources = (descriptor.role == .effect ? 1 : 2) + (descriptor.takesMask ? 1 : 0)
    let format = scene().format
    let needed = Int64(clamping: FrameMemory.layout(format: format, size: size).byteCount) * Int64(sources + outputs)
    guard needed > Int64(clamping: known.memoryLimit) - module_worker_data() else { return nil }
    var result = PluginCheckResult(
      .memoryLimit(
        mebibytes: known.memoryLimit >> 20, frames: sources + outputs, size, format, needed: needed >> 20))
    // What earlier checks left in this process is not needed by this one.
    result.needsNewProcess = !known.hasNewProcess
    return result
  }

  /// The time to make an instance and a frame above which few are made.
  private static let slowInstance = Duration.milliseconds(100)

  func speed(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let clock = ContinuousClock()
    var times: [Duration] = []
    var copies: [Duration] = []
    let end = clock.now + .milliseconds(500)
    if let seconds = known.fullFrameSeconds, seconds > 0.5 { times.append(.seconds(seconds)) }
    repeat {
      if times.first.map({ $0 < .milliseconds(500) }) ?? true {
        times.append(try clock.measure { _ = try compose(composer, request) })
      }
      if let source = request.allSources.first?.frame {
        copies.append(try clock.measure { _ = try SharedFrame.copy(of: source.rearranged(bottomUp: false), pool: scene.pool) })
      }
    } while max(times.count, copies.count) < 12 && clock.now < end
    guard let time = times.min(), let copy = copies.min() else { return PluginCheckResult(.failed, "Nothing was measured.") }
    let ratio = (time / copy * 10).rounded() / 10
    return PluginCheckResult(
      .passed, "\(time.formattedMilliseconds) a frame of 1920x1080 \(scene.format), \(ratio) x two plain copies of a source.")
  }
}

extension Duration {
  /// `1.25 ms`.
  fileprivate var formattedMilliseconds: String { "\(((self / .milliseconds(1)) * 100).rounded() / 100) ms" }
}
