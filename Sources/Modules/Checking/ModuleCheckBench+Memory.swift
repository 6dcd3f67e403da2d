import CompositorAPI
import PluginBridge

/// Rows, and the bytes beside them.
extension ModuleCheckBench {
  /// Looks for a fault in every format, in sizes that leave bytes free after rows and sizes that do not. What the compositor
  /// cannot render is left out: other checks tell of that.
  func inEachFormat(_ fault: (ModuleCheckScene) throws -> String?) throws -> ModuleCheckResult {
    let sizes = [(96, 64), (90, 62), (61, 43)].map { PixelSize(width: $0.0, height: $0.1) }
    var refusal: ModuleCheckResult?
    var hasRendered = false
    for format in ModuleCheckStep.formats(of: factory.descriptor) {
      for size in sizes {
        let result = try withoutActuallyEscaping(fault) { fault in
          try attempt(ModuleCheckScene(factory.descriptor, format: format, size: size), fault)
        }
        switch result.outcome {
        case .failed: return ModuleCheckResult(.failed, "\(format), \(size): \(result.detail)")
        case .refused: refusal = refusal ?? result
        case .passed: hasRendered = true
        }
      }
    }
    return hasRendered ? ModuleCheckResult(.passed) : refusal ?? ModuleCheckResult(.passed)
  }

  /// What is wrong where rows of sources lie further apart, or bottom up.
  func stride(_ scene: ModuleCheckScene) throws -> String? {
    let composer = try make(scene)
    let plain = try compose(composer, scene.request()).sampleHash
    for bottomUp in [false, true] {
      let request = try scene.request { $0.rearranged(bottomUp: bottomUp) }
      guard try compose(composer, request).sampleHash == plain else {
        return "Sources with \(bottomUp ? "a negative" : "a larger") stride give another frame."
      }
    }
    return nil
  }

  /// What is wrong with what is written, and where: each byte is known before.
  func border(_ scene: ModuleCheckScene) throws -> String? {
    let composer = try make(scene)
    var hashes: Set<UInt64> = []
    for filling in [0x00, 0xff, 0xc5] as [UInt8] {
      var request = try scene.request()
      let before = request.allSources.map(\.frame.rowHash)
      guard let output = CheckedOutput(scene, filling: filling) else { return "There is no memory left." }
      request.context.pool = FramePool(allocator: output.memory)
      let frame = try compose(composer, request)
      guard request.allSources.map(\.frame.rowHash) == before else { return "A source's bytes have changed." }
      guard output.isIntact else { return "Bytes beside the output's rows have changed." }
      hashes.insert(frame.sampleHash)
    }
    return hashes.count == 1 ? nil : "Not every pixel of the output is written."
  }
}
