import CModuleProcess
import CompositorAPI
import Foundation

extension ModuleCheckBench {
  /// Cancels a frame before it starts, and one that has been under way for a moment.
  func cancellation(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let results = try [Duration.zero, .milliseconds(200)].map { try cancellation(of: request, composer, after: $0) }
    return results.first { $0.outcome == .failed } ?? results[0]
  }

  private func cancellation(
    of request: CompositionRequest, _ composer: any FrameComposer, after delay: Duration
  ) throws -> ModuleCheckResult {
    let start = ContinuousClock.now
    var outcome = "finished its frame"
    do {
      _ = try compose(composer, request, cancellingAfter: delay)
    } catch let error as CompositorError where error.code == .cancelled {
      outcome = "stopped"
    } catch is CancellationError {
      outcome = "stopped"
    }
    let taken = max(ContinuousClock.now - start - delay, .zero)
    let text = "It \(outcome) \(taken.formattedMilliseconds) after it was cancelled."
    return ModuleCheckResult(taken < .seconds(1) ? .passed : .failed, text)
  }

  /// What the process has more after many instances and frames. Something is lost where memory grows in each round, and not
  /// only while caches fill.
  func leaks(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    // Made first: it may ask for sources at other times.
    _ = try make(scene)
    let request = try scene.request()
    func round(_ instances: Int) throws {
      for _ in 0..<instances {
        let composer = try make(scene)
        for _ in 0..<LeakMeter.framesOfAnInstance { _ = try compose(composer, request) }
      }
    }
    try round(1)
    let time = try ContinuousClock().measure { try round(1) }
    // A slow compositor shows a leak in fewer frames too.
    let instances = min(max(Int(.milliseconds(600) / time), 4), 60)
    try round(instances)
    var meter = LeakMeter(instances: instances)
    for _ in 0..<LeakMeter.rounds {
      try meter.measure {
        try round(instances)
        // What a run time lets go of a little later, such as timers and tasks that were cancelled, is not lost.
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
    return meter.result
  }

  func speed(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let (composer, request) = (try make(scene), try scene.request())
    let clock = ContinuousClock()
    var times: [Duration] = []
    var copies: [Duration] = []
    let end = clock.now + .seconds(2)
    repeat {
      times.append(try clock.measure { _ = try compose(composer, request) })
      if let source = request.allSources.first?.frame {
        copies.append(try clock.measure { _ = try SharedFrame.copy(of: source.rearranged(bottomUp: false), pool: scene.pool) })
      }
    } while times.count < 12 && clock.now < end
    guard let time = times.min(), let copy = copies.min() else { return ModuleCheckResult(.failed, "Nothing was measured.") }
    let ratio = (time / copy * 10).rounded() / 10
    return ModuleCheckResult(
      .passed, "\(time.formattedMilliseconds) a frame of 1920x1080 \(scene.format), \(ratio) x two plain copies of a source.")
  }
}

extension Duration {
  /// `1.25 ms`.
  fileprivate var formattedMilliseconds: String { "\(((self / .milliseconds(1)) * 100).rounded() / 100) ms" }
}
