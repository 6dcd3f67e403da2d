import CompositorAPI
import Foundation
import PluginBridge

/// What a frame must not depend on: what was asked before, what is asked at the same time, the clock.
extension ModuleCheckBench {
  /// As many of `most` frames as a slow compositor makes in some seconds; at least two.
  private func requests(_ most: Int, _ scene: ModuleCheckScene, _ composer: any FrameComposer) throws -> [CompositionRequest] {
    let first = try scene.request()
    let time = try ContinuousClock().measure { _ = try compose(composer, first) }
    let count = min(max(Int(.milliseconds(500) / time), 2), most)
    return try (0..<count).map { try scene.request($0) }
  }

  private func hashes(_ composer: any FrameComposer, _ requests: [CompositionRequest]) throws -> [UInt64] {
    try requests.map { try compose(composer, $0).sampleHash }
  }

  func determinism(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let requests = try requests(24, scene, composer)
    let first = try hashes(composer, requests)
    guard try hashes(composer, requests) == first else {
      return ModuleCheckResult(.failed, "The same request gave another frame the second time.")
    }
    guard try hashes(make(scene), requests) == first else {
      return ModuleCheckResult(.failed, "Another instance gave another frame for the same request.")
    }
    // Whoever reads a clock of whole seconds sees another one now.
    Thread.sleep(forTimeInterval: 1.05)
    guard try hashes(composer, requests) == first else {
      return ModuleCheckResult(.failed, "The same request gave another frame a second later.")
    }
    guard factory.descriptor.isTimeInvariant else { return ModuleCheckResult(.passed) }
    let (early, late) = (try scene.request(3, picture: 1), try scene.request(19, picture: 1))
    return try hashes(composer, [early])[0] == hashes(composer, [late])[0]
      ? ModuleCheckResult(.passed)
      : ModuleCheckResult(.failed, "It says that the time does not matter, and gave another frame at another time.")
  }

  func backwards(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let requests = try requests(12, scene, composer)
    let forwards = try hashes(composer, requests)
    return try hashes(composer, requests.reversed()) == forwards.reversed()
      ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, "Going backwards gave other frames than going forwards.")
  }

  // MARK: Side by side

  /// Two instances, of different parameters where there are any: in turns, then at the same time. Serial compositors too.
  func instances(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let requests = try requests(24, scene, composer)
    let alone = try hashes(composer, requests)
    let otherScene = try variant(of: scene)
    let other = try make(otherScene)
    let otherRequests = try requests.indices.reversed().map { try otherScene.request($0) }
    let otherAlone = try hashes(other, otherRequests)
    guard try hashes(composer, requests) == alone else {
      return ModuleCheckResult(.failed, "An instance gave other frames once there was another one.")
    }
    let together = try sideBySide([(composer, requests), (other, otherRequests)])
    return together == [alone, otherAlone]
      ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, "Two instances side by side gave other frames than each alone.")
  }

  /// The scene with another parameter value that renders; as it is where there is none.
  private func variant(of scene: ModuleCheckScene) throws -> ModuleCheckScene {
    for description in factory.descriptor.parameters where description.kind.hasRange {
      for value in description.kind.extremes where value != scene.parameters[description.key] {
        var variant = scene
        variant.parameters[description.key] = value
        if try attempt(variant).outcome == .passed { return variant }
      }
    }
    return scene
  }

  func threads(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let requests = try requests(24, scene, composer)
    let alone = try hashes(composer, requests)
    // Whether calls meet is chance: short ones get more tries.
    let end = ContinuousClock.now + .milliseconds(400)
    var tries = 0
    repeat {
      guard try sideBySide(requests.map { (composer, [$0]) }) == alone.map({ [$0] }) else {
        return ModuleCheckResult(.failed, "Requests side by side gave other frames than one by one.")
      }
      tries += 1
    } while ContinuousClock.now < end && tries < 40
    return ModuleCheckResult(.passed)
  }

  /// The hashes of frames that are asked for at the same time; each composer's own list in order.
  private func sideBySide(_ work: [(composer: any FrameComposer, requests: [CompositionRequest])]) throws -> [[UInt64]] {
    try CallerExecutor.run {
      try await withThrowingTaskGroup(of: (Int, [UInt64]).self) { group in
        for (index, (composer, requests)) in work.enumerated() {
          group.addTask(executorPreference: globalConcurrentExecutor) {
            var hashes: [UInt64] = []
            for request in requests { hashes.append(try await composer.compose(request).sampleHash) }
            return (index, hashes)
          }
        }
        var all = [[UInt64]](repeating: [], count: work.count)
        for try await (index, hashes) in group { all[index] = hashes }
        return all
      }
    } started: { _ in
    }
  }
}
