import CompositorAPI

/// Checks of values that change over time, and of alpha.
extension PluginCheckBench {
  /// Whether an instance takes animatable values from each request: it must not matter with which value it was created.
  func animation(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    for description in factory.descriptor.parameters where description.isAnimatable && description.canChange {
      let ends = description.kind.extremes
      guard description.kind.hasRange, let first = ends.first, let last = ends.last, first != last else { continue }
      let result = try refusable {
        let frames = try [(first, first), (first, last), (last, last)].map { created, requested in
          try self.frame(scene, description.key, created: created, requested: requested)
        }
        guard frames[0] != frames[2], frames[1] != frames[2] else { return PluginCheckResult(.passed) }
        return PluginCheckResult(
          .failed,
          frames[1] == frames[0]
            ? "“\(description.key)” is declared animatable, but has the value of the moment when the instance was created."
            : "“\(description.key)” gives another frame if the instance was created with another value of it.")
      }
      if result.outcome == .failed { return result }
    }
    return PluginCheckResult(.passed)
  }

  private func frame(
    _ scene: PluginCheckScene, _ key: String, created: ParameterValue, requested: ParameterValue
  ) throws -> UInt64 {
    var (scene, later) = (scene, scene)
    scene.parameters[key] = created
    later.parameters[key] = requested
    let composer = try make(scene)
    // It may ask for sources at other times, by the values of the request.
    scene.askers.note(composer, of: later)
    return try compose(composer, later.request()).sampleHash
  }

  /// Whether opaque sources give an opaque frame.
  func alpha() throws -> PluginCheckResult {
    for format in usableFormats where format.hasAlpha && format.sample == .unsigned && format.bitDepth == 8 {
      let result = try refusable {
        let scene = PluginCheckScene(self.factory.descriptor, format: format)
        let frame = try self.compose(self.make(scene), scene.request { $0.opaque })
        return frame.isOpaque
          ? PluginCheckResult(.passed)
          : PluginCheckResult(
            .failed, "Opaque sources gave a frame that is not, but the description has no makes_alpha.", at: "\(format)")
      }
      if result.outcome == .failed { return result }
    }
    return PluginCheckResult(.passed)
  }

  /// Renders without a mask, which other checks give to effects that take one, and with two.
  func mask(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    var bare = scene
    bare.hasMask = false
    let result = try attempt(bare) { try self.border($0) }
    guard result.outcome == .passed else {
      var failed = PluginCheckResult(.failed, "Without a mask: \(result.detail)")
      if case .frame(let fault) = result.fault { failed.fault = .frameWithoutMask(fault) }
      return failed
    }
    return try refusable {
      let composer = try self.make(scene)
      var request = try scene.request()
      let first = try self.compose(composer, request).sampleHash
      request.sources[Instruction.maskTrackID] = try scene.request(8).sources[Instruction.maskTrackID]
      let isSame = try self.compose(composer, request).sampleHash == first
      // Whether a mask matters may depend on parameters.
      return PluginCheckResult(.passed, isSame ? "With another mask the frame is the same." : "")
    }
  }
}

extension Frame {
  /// The plane, the offset and the distance of alpha samples of 8 bits; `nil` if there are none.
  private var alphaPlace: (plane: Int, offset: Int, step: Int)? {
    guard format.hasAlpha, format.sample == .unsigned, format.bitDepth == 8 else { return nil }
    return format.layout == .planar ? (3, 0, 1) : (0, 3, 4)
  }

  /// The frame with full alpha; itself if it has no alpha of 8 bits.
  fileprivate var opaque: Frame {
    guard let (index, offset, step) = alphaPlace,
      var copy = try? FramePool().makeFrame(format: format, size: size, attributes: attributes)
    else { return self }
    let (format, size) = (format, size)
    copy.withUnsafeMutablePlanes { target in
      withUnsafePlanes { source in
        for plane in 0..<source.count {
          for y in 0..<source[plane].height {
            let row = target[plane].base + y * target[plane].stride
            row.copyMemory(
              from: source[plane].base + y * source[plane].stride, byteCount: format.rowBytes(plane: plane, of: size))
            guard plane == index else { continue }
            for x in 0..<size.width { row.storeBytes(of: 255, toByteOffset: x * step + offset, as: UInt8.self) }
          }
        }
      }
    }
    return copy.freeze()
  }

  fileprivate var isOpaque: Bool {
    guard let (index, offset, step) = alphaPlace else { return true }
    let width = size.width
    return withUnsafePlanes { planes in
      (0..<planes[index].height).allSatisfy { y in
        let row = planes[index].base + y * planes[index].stride
        return (0..<width).allSatisfy { row.load(fromByteOffset: $0 * step + offset, as: UInt8.self) == 255 }
      }
    }
  }
}
