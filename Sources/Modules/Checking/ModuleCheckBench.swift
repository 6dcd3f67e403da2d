import CompositorAPI
import PluginBridge

/// Runs single checks, where the module is.
struct ModuleCheckBench {
  let factory: CompositorFactory

  func run(_ step: ModuleCheckStep) throws -> ModuleCheckResult {
    let descriptor = factory.descriptor
    switch step {
    case .description: return describe(descriptor)
    case .format(let format): return try attempt(ModuleCheckScene(descriptor, format: format))
    case .size(let size): return try attempt(ModuleCheckScene(descriptor, size: size))
    case .parameters: return try parameters(ModuleCheckScene(descriptor))
    case .strides: return try strides(ModuleCheckScene(descriptor))
    case .borders: return try borders(ModuleCheckScene(descriptor))
    case .determinism: return try determinism(ModuleCheckScene(descriptor))
    case .backwards: return try backwards(ModuleCheckScene(descriptor))
    case .threads: return try threads(ModuleCheckScene(descriptor))
    case .cancellation: return try cancellation(ModuleCheckScene(descriptor, size: ModuleCheckScene.fullHD))
    case .leaks: return try leaks(ModuleCheckScene(descriptor))
    case .speed: return try speed(ModuleCheckScene(descriptor, size: ModuleCheckScene.fullHD))
    }
  }

  func make(_ scene: ModuleCheckScene) throws -> any FrameComposer {
    try factory.makeCompositor(parameters: scene.parameters, context: scene.context)
  }

  func compose(
    _ composer: any FrameComposer, _ request: CompositionRequest, cancelling: Bool = false
  ) throws -> Frame {
    try CallerExecutor.run {
      try await composer.compose(request)
    } started: { cancel in
      if cancelling { cancel() }
    }
  }

  // MARK: Descriptions, formats, sizes

  private func describe(_ descriptor: CompositorDescriptor) -> ModuleCheckResult {
    var faults: [String] = []
    if !descriptor.id.rawValue.contains(".") { faults.append("the ID “\(descriptor.id)” is not in reverse domain order") }
    if descriptor.name.isEmpty { faults.append("there is no name") }
    if descriptor.summary.isEmpty { faults.append("there is no summary") }
    let numbers = descriptor.version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    if numbers.count != 3 || numbers.contains(nil) {
      faults.append("the version “\(descriptor.version)” is not major.minor.patch")
    }
    let keys = descriptor.parameters.map(\.key)
    if Set(keys).count != keys.count { faults.append("two parameters have one key") }
    for parameter in descriptor.parameters where parameter.summary.isEmpty {
      faults.append("“\(parameter.key)” has no summary")
    }
    return faults.isEmpty ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, faults.joined(separator: "; ") + ".")
  }

  /// One frame; a compositor may say that it cannot.
  private func attempt(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    do {
      _ = try compose(make(scene), scene.request())
      return ModuleCheckResult(.passed)
    } catch let error as CompositorError
      where [.compositorFailed, .invalidParameter, .conversionNotPossible].contains(error.code)
    {
      return ModuleCheckResult(.refused, error.cause ?? error.message)
    }
  }

  /// A frame with each parameter at each end of its range.
  private func parameters(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    var refusals: [String] = []
    for description in factory.descriptor.parameters where description.kind.hasRange {
      for value in description.kind.extremes {
        var scene = scene
        scene.parameters[description.key] = value
        let result = try attempt(scene)
        if result.outcome == .refused { refusals.append("“\(description.key)” at \(value.text): \(result.detail)") }
      }
    }
    // A value that the schema allows has to work.
    return refusals.isEmpty ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, refusals.joined(separator: "; "))
  }

  // MARK: Memory

  private func strides(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let plain = try compose(composer, scene.request()).sampleHash
    for bottomUp in [false, true] {
      let request = try scene.request { $0.rearranged(bottomUp: bottomUp) }
      guard try compose(composer, request).sampleHash == plain else {
        return ModuleCheckResult(.failed, "Sources with \(bottomUp ? "a negative" : "a larger") stride give another frame.")
      }
    }
    return ModuleCheckResult(.passed)
  }

  private func borders(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    var hashes: [UInt64] = []
    for filling in [0x00, 0xff, 0xc5] as [UInt8] {
      var request = try scene.request()
      let before = request.sources.mapValues(\.frame.sampleHash)
      guard let output = CheckedOutput(scene, filling: filling) else {
        return ModuleCheckResult(.failed, "There is no memory left.")
      }
      request.context.pool = FramePool(allocator: output.memory)
      let frame = try compose(composer, request)
      guard request.sources.mapValues(\.frame.sampleHash) == before else {
        return ModuleCheckResult(.failed, "A source's pixels have changed.")
      }
      guard output.isIntact else { return ModuleCheckResult(.failed, "Bytes beside the output's rows have changed.") }
      hashes.append(frame.sampleHash)
    }
    return Set(hashes).count == 1
      ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, "Not every pixel of the output is written.")
  }

  // MARK: Order and time

  private func determinism(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let first = try compose(composer, scene.request()).sampleHash
    guard try compose(composer, scene.request()).sampleHash == first else {
      return ModuleCheckResult(.failed, "The same request gave another frame the second time.")
    }
    guard try compose(make(scene), scene.request()).sampleHash == first else {
      return ModuleCheckResult(.failed, "Another instance gave another frame for the same request.")
    }
    return ModuleCheckResult(.passed)
  }

  private func backwards(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let forwards = try (0..<12).map { try compose(composer, scene.request($0)).sampleHash }
    let backwards = try (0..<12).reversed().map { try compose(composer, scene.request($0)).sampleHash }
    return forwards == backwards.reversed()
      ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, "Going backwards gave other frames than going forwards.")
  }

  private func threads(_ scene: ModuleCheckScene) throws -> ModuleCheckResult {
    let composer = try make(scene)
    let requests = try (0..<24).map { try scene.request($0) }
    let alone = try requests.map { try compose(composer, $0).sampleHash }
    let together = try CallerExecutor.run {
      try await withThrowingTaskGroup(of: (Int, UInt64).self) { group in
        for (index, request) in requests.enumerated() {
          group.addTask(executorPreference: globalConcurrentExecutor) {
            (index, try await composer.compose(request).sampleHash)
          }
        }
        var hashes = [UInt64](repeating: 0, count: requests.count)
        for try await (index, hash) in group { hashes[index] = hash }
        return hashes
      }
    } started: { _ in
    }
    return together == alone
      ? ModuleCheckResult(.passed) : ModuleCheckResult(.failed, "Requests side by side gave other frames than one by one.")
  }
}
