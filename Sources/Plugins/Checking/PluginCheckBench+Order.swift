import CompositorAPI
import CompositorPluginBridge

/// Checks that a frame does not depend on earlier requests, concurrent requests, or the clock.
extension PluginCheckBench {
  /// Up to `most` requests, as many as a slow compositor serves in a fraction of a second; at least two.
  private func requests(_ most: Int, _ scene: PluginCheckScene) throws -> [CompositionRequest] {
    // Made first, because it may request sources at other times.
    _ = try make(scene)
    return try (0..<known.frameCount(most, in: .milliseconds(100))).map { try scene.request($0) }
  }

  /// Hashes of the frames from the first time that they were requested; made if unknown.
  private func reference(_ scene: PluginCheckScene, _ requests: [CompositionRequest]) throws -> [UInt64] {
    guard known.reference.count >= requests.count, scene.isStandard else { return try hashes(make(scene), requests) }
    return Array(known.reference.prefix(requests.count))
  }

  private func hashes(_ composer: any FrameComposer, _ requests: [CompositionRequest]) throws -> [UInt64] {
    try requests.map { try compose(composer, $0).sampleHash }
  }

  func determinism(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let composer = try make(scene)
    let requests = try requests(24, scene)
    let first = try hashes(composer, requests)
    // The first after the last: state kept from a frame shows in the next one.
    let (again, anew) = known.isSlow ? (requests.prefix(1), requests.suffix(1)) : (requests[...], requests[...])
    guard try hashes(composer, Array(again)) == Array(first.prefix(again.count)) else {
      return PluginCheckResult(.failed, "The same request gave another frame the second time.")
    }
    guard try hashes(make(scene), Array(anew)) == Array(first.suffix(anew.count)) else {
      return PluginCheckResult(.failed, "Another instance gave another frame for the same request.")
    }
    var result = PluginCheckResult(.passed)
    result.reference = first
    guard factory.descriptor.isTimeInvariant else { return result }
    let (early, late) = (try scene.request(3, picture: 1), try scene.request(19, picture: 1))
    let frame = try hashes(composer, [early])
    guard try hashes(composer, [late]) == frame else {
      return PluginCheckResult(.failed, "It declares itself time-invariant, but gave another frame at another time.")
    }
    var other = late
    (other.instruction.timeRange.start, other.instructionIndex) = (MediaTime(value: 1, timescale: 7), 5)
    return try hashes(composer, [other]) == frame
      ? result
      : PluginCheckResult(.failed, "It declares itself time-invariant, but gave another frame in another instruction.")
  }

  /// Repeats ``determinism(_:)`` a second later.
  func later(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let requests = try requests(known.isSlow ? 1 : 4, scene).prefix(known.reference.count)
    return try hashes(make(scene), Array(requests)) == Array(known.reference.prefix(requests.count))
      ? PluginCheckResult(.passed)
      : PluginCheckResult(.failed, "The same request gave another frame a second later.")
  }

  func backwards(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let requests = try requests(12, scene)
    let forwards = try reference(scene, requests)
    return try hashes(make(scene), requests.reversed()) == forwards.reversed()
      ? PluginCheckResult(.passed) : PluginCheckResult(.failed, "Descending times gave other frames than ascending times.")
  }

  // MARK: Side by side

  /// Two instances, with different parameters if possible: alternating, then in parallel. Serial compositors, too.
  func instances(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let composer = try make(scene)
    let requests = try requests(24, scene)
    let alone = try reference(scene, requests)
    let otherScene = try variant(of: scene)
    let other = try make(otherScene)
    let otherRequests = try requests.indices.reversed().map { try otherScene.request($0) }
    let otherAlone = try hashes(other, otherRequests)
    let again = known.isSlow ? requests.prefix(1) : requests[...]
    guard try hashes(composer, Array(again)) == Array(alone.prefix(again.count)) else {
      return PluginCheckResult(.failed, "An instance gave other frames after another one was created.")
    }
    let together = try sideBySide([(composer, requests), (other, otherRequests)])
    return together == [alone, otherAlone]
      ? PluginCheckResult(.passed) : PluginCheckResult(.failed, "Two instances side by side gave other frames than each alone.")
  }

  /// The scene with another parameter value that renders; unchanged if there is none.
  private func variant(of scene: PluginCheckScene) throws -> PluginCheckScene {
    for description in factory.descriptor.parameters where description.kind.hasRange {
      for value in description.kind.extremes where value != scene.parameters[description.key] {
        var variant = scene
        variant.parameters[description.key] = value
        if try attempt(variant).outcome == .passed { return variant }
      }
    }
    return scene
  }

  func threads(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let composer = try make(scene)
    let requests = try requests(24, scene)
    // First side by side, in a new process: what is prepared on first use may be prepared by two threads at once.
    let first = try sideBySide(requests.map { (composer, [$0]) })
    let alone = try reference(scene, requests)
    guard first == alone.map({ [$0] }) else {
      return PluginCheckResult(.failed, "Requests side by side gave other frames than one by one.")
    }
    // Whether calls overlap is random; short ones get more tries.
    let end = ContinuousClock.now + .milliseconds(known.frameSeconds > 0.001 ? 100 : 400)
    var tries = 0
    repeat {
      guard try sideBySide(requests.map { (composer, [$0]) }) == alone.map({ [$0] }) else {
        return PluginCheckResult(.failed, "Requests side by side gave other frames than one by one.")
      }
      tries += 1
    } while ContinuousClock.now < end && tries < 40
    return PluginCheckResult(.passed)
  }

  /// The hashes of frames requested in parallel; each composer's own list in order.
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
