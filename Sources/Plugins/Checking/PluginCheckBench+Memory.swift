import CompositorAPI
import CompositorPluginBridge

/// Checks of rows and the bytes beside them.
extension PluginCheckBench {
  /// Looks for a fault in every format, with sizes that have padding after rows and sizes that have none. Formats that the
  /// compositor cannot render are skipped; other checks report them.
  func inEachFormat(_ fault: (PluginCheckScene) throws -> FrameFault?) throws -> PluginCheckResult {
    // Failures at awkward sizes are already reported.
    let all = [(96, 64), (90, 62), (61, 43)].map { PixelSize(width: $0.0, height: $0.1) }
    let sizes = known.failsAtSizes || known.isSlow ? Array(all.prefix(1)) : all
    var refusal: PluginCheckResult?
    var hasRendered = false
    for format in known.isSlow ? Array(usableFormats.prefix(1)) : usableFormats {
      for size in sizes {
        let result = try withoutActuallyEscaping(fault) { fault in
          try attempt(PluginCheckScene(factory.descriptor, format: format, size: size), fault)
        }
        switch result.outcome {
        case .failed: return result.found(at: "\(format), \(size)")
        case .refused, .skipped: refusal = refusal ?? result
        case .passed: hasRendered = true
        }
      }
    }
    return hasRendered ? PluginCheckResult(.passed) : refusal ?? PluginCheckResult(.passed)
  }

  /// A fault with sources whose rows are further apart, or bottom-up.
  func stride(_ scene: PluginCheckScene) throws -> FrameFault? {
    let composer = try make(scene)
    let plain = try compose(composer, scene.request()).sampleHash
    for bottomUp in known.isSlow ? [true] : [false, true] {
      let request = try scene.request { $0.rearranged(bottomUp: bottomUp) }
      guard try compose(composer, request).sampleHash == plain else {
        return .stride(isNegative: bottomUp)
      }
    }
    return nil
  }

  /// A fault in written bytes, and its position: each byte is known in advance.
  ///
  /// - Parameters:
  ///   - turningSources: Whether every second frame uses sources with bottom-up rows.
  ///   - looksBeside: Whether to check bytes beside the rows and the sources, too, or only the output's pixels.
  func border(_ scene: PluginCheckScene, turningSources: Bool = false, looksBeside: Bool = true) throws -> FrameFault? {
    let composer = try make(scene)
    var hashes: Set<UInt64> = []
    for (index, filling) in ([0x00, 0xff, 0xc5] as [UInt8]).prefix(known.isSlow ? 2 : 3).enumerated() {
      let isBottomUp = turningSources && index % 2 == 1
      var request = try scene.request { isBottomUp ? $0.rearranged(bottomUp: true) : $0 }
      let hash = isBottomUp ? \Frame.sampleHash : \Frame.rowHash
      let before = request.allSources.map { $0.frame[keyPath: hash] }
      guard let output = CheckedOutput(scene, filling: filling) else { return .noMemory }
      request.context.pool = FramePool(allocator: output.memory)
      let frame = try compose(composer, request)
      guard !looksBeside || request.allSources.map({ $0.frame[keyPath: hash] }) == before else {
        return .changedSource
      }
      guard !looksBeside || output.isIntact else { return .changedBytesBeside }
      hashes.insert(frame.sampleHash)
    }
    guard hashes.count > 1, known.isDeterministic else { return nil }
    // A second test distinguishes the two.
    return try turningSources ? stride(scene) ?? border(scene) : .missingPixels
  }
}
