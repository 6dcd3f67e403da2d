import CompositorAPI

/// Checks of a compositor's regions of interest: whether the host can serve them, whether they are constant, and whether they
/// are sufficient.
extension PluginCheckBench {
  func needs(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    let (composer, other) = (try make(scene), try make(scene))
    guard let selective = composer as? any SelectiveComposer, let second = other as? any SelectiveComposer else {
      return PluginCheckResult(.passed)
    }
    var mostOthers = 0
    let start = ContinuousClock.now
    for index in [0, 12, PluginCheckScene.frameCount - 1, 1, 7] where ContinuousClock.now - start < .seconds(1) {
      let request = try scene.ownRequest(index)
      let needs = try selective.needs(of: request)
      if let fault = needs.fault(for: request, by: factory.descriptor) { return PluginCheckResult(.failed, fault) }
      guard try selective.needs(of: request) == needs, try second.needs(of: request) == needs else {
        return PluginCheckResult(.failed, "The same request had other needs the second time.")
      }
      if let fault = try insufficiency(of: needs, scene, index, composer) { return PluginCheckResult(.failed, fault) }
      if case .sources(let list) = needs { mostOthers = max(mostOthers, list.count { $0.time != request.time }) }
    }
    let text = mostOthers == 0 ? "" : "\(mostOthers) sources at other times."
    return PluginCheckResult(.passed, text)
  }

  /// Evidence that a frame depends on more than its regions of interest; `nil` if there is none.
  private func insufficiency(
    of needs: RegionsOfInterest, _ scene: PluginCheckScene, _ index: Int, _ composer: any FrameComposer
  ) throws -> String? {
    let whole = try scene.request(index)
    // Determinism is checked elsewhere.
    let expected = try compose(composer, whole).sampleHash
    guard try compose(composer, whole).sampleHash == expected else { return nil }
    switch needs {
    case .everything: return nil
    case .identity(let trackID):
      guard let source = whole.sources[trackID] else {
        return "It declares the frame to be that of track \(trackID), which does not exist."
      }
      guard source.frame.format == scene.format else { return nil }
      return expected == source.frame.sampleHash
        ? nil : "It declares the frame to be that of track \(trackID), but renders another."
    case .regions(let parts):
      var limited = whole
      limited.sources = try whole.sources.filter { parts[$0.key] != nil }.mapValues {
        var source = $0
        source.frame = try source.frame.spoiled(outside: parts[$0.trackID] ?? .infinite)
        return source
      }
      let fault = "The frame depends on sources, or parts of them, that it does not declare as needed."
      return try composes(composer, limited, as: expected) ? nil : fault
    case .sources(let list):
      var limited = whole
      limited.sources = try spoiled(whole.sources, outside: list.filter { $0.time == whole.time })
      for (number, need) in list.enumerated() {
        guard let source = limited.requestedSources[number].source else { continue }
        limited.requestedSources[number].source?.frame =
          try need.time == whole.time
          ? limited.sources[need.trackID]?.frame ?? source.frame : source.frame.spoiled(outside: need.region)
      }
      let fault = "The frame depends on parts of sources that it does not declare as needed."
      return try composes(composer, limited, as: expected) ? nil : fault
    }
  }

  /// Whether a frame without what isn't needed is the same. A compositor that refuses it depends on that, too.
  private func composes(_ composer: any FrameComposer, _ limited: CompositionRequest, as expected: UInt64) throws -> Bool {
    do {
      return try compose(composer, limited).sampleHash == expected
    } catch let error as CompositorError where error.code == .compositorFailed {
      return false
    }
  }

  private func spoiled(_ sources: [TrackID: SourceFrame], outside needs: [RegionOfInterest]) throws -> [TrackID: SourceFrame] {
    try sources.mapValues { source in
      let parts = needs.filter { $0.trackID == source.trackID }.map(\.region)
      var source = source
      source.frame = try source.frame.spoiled(outside: parts.dropFirst().reduce(parts.first ?? .infinite) { $0.union($1) })
      return source
    }
  }
}

extension Frame {
  /// The same frame inside a region in pixels, with different values outside.
  fileprivate func spoiled(outside part: Rect) throws -> Frame {
    guard !part.isInfinite else { return self }
    let (format, size) = (format, size)
    var copy = try SharedFrame.copy(of: self, pool: FramePool()).makeMutable(pool: FramePool())
    copy.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let rowBytes = format.rowBytes(plane: index, of: size)
        let rows = Self.span(part.minY, part.maxY, of: plane.height, in: size.height)
        let columns = Self.span(part.minX, part.maxX, of: plane.width, in: size.width)
        let bytes = columns.lowerBound * rowBytes / plane.width..<columns.upperBound * rowBytes / plane.width
        for y in 0..<plane.height {
          let row = UnsafeMutableRawBufferPointer(start: plane.base + y * plane.stride, count: rowBytes)
          // The low byte of each sample, so that values stay inside the format's range.
          for x in stride(from: 0, to: rowBytes, by: format.bytesPerSample) where !rows.contains(y) || !bytes.contains(x) {
            row[x] ^= 0x55
          }
        }
      }
    }
    return copy.freeze()
  }

  /// A range of pixels on a subsampled plane, rounded outward.
  private static func span(_ start: Double, _ end: Double, of count: Int, in whole: Int) -> Range<Int> {
    let scale = Double(count) / Double(whole)
    let first = min(max(Int((start * scale).rounded(.down)), 0), count)
    return first..<max(first, min(max(Int((end * scale).rounded(.up)), 0), count))
  }
}
