import CompositorAPI
import CompositorConversion
import CompositorPluginBridge
import Dispatch
import Synchronization

/// Runs single checks in the plugin's process.
struct PluginCheckBench {
  let factory: CompositorFactory
  /// The results of earlier checks.
  let known: PluginCheckKnowledge

  func run(_ step: PluginCheckStep) throws -> PluginCheckResult {
    let descriptor = factory.descriptor
    if let shortage = shortage(of: step) { return shortage }
    switch step {
    case .description: return describe(descriptor)
    case .format(let format): return try self.format(PluginCheckScene(descriptor, format: format))
    case .size(let size) where size.height > PluginCheckScene.fullHD.height && size.width > PluginCheckScene.fullHD.width:
      // One frame is enough: the pixels are checked at smaller sizes.
      return try attempt(scene(size))
    case .size(let size): return try attempt(scene(size)) { try self.border($0, looksBeside: false) }
    case .sources: return try sources(scene())
    case .animation: return try animation(scene())
    case .values: return try values(scene())
    case .valuesAnew: return try valuesAnew(scene())
    case .alpha: return try alpha()
    case .mask: return try mask(scene())
    case .blocks: return PluginCheckResult(.skipped, "It makes frames.")
    case .parameters: return try parameters(scene())
    case .strides: return try inEachFormat { try self.stride($0) }
    case .borders: return try inEachFormat { try self.border($0) }
    case .needs: return try refusable { try self.needs(scene()) }
    case .determinism: return try determinism(scene())
    case .later: return try later(scene())
    case .backwards: return try backwards(scene())
    case .instances: return try instances(scene())
    case .threads: return try threads(known.isSlow ? scene() : scene(PixelSize(width: 192, height: 128)))
    case .cancellation: return try cancellation(scene())
    case .leaks: return try leaks(scene())
    case .signals: return try signals(scene())
    case .process, .exit: return try process(scene())
    case .speed: return try speed(scene(PluginCheckScene.fullHD))
    }
  }

  /// A scene in the first format that the compositor renders.
  func scene(_ size: PixelSize? = nil) -> PluginCheckScene {
    let format = usableFormats.first
    guard let size else { return PluginCheckScene(factory.descriptor, format: format) }
    return PluginCheckScene(factory.descriptor, format: format, size: size)
  }

  var usableFormats: [PixelFormat] {
    PluginCheckStep.formats(of: factory.descriptor).filter { !known.unusableFormats.contains($0) }
  }

  /// Checks a frame of a format. For a slow compositor this includes ``PluginCheckStep/strides`` and
  /// ``PluginCheckStep/borders``, which then only check the first format.
  private func format(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    guard !known.isSlow else { return try attempt(scene) { try self.border($0, turningSources: true) } }
    var seconds: Double?
    var makeSeconds: Double?
    var result = try attempt(scene) { scene in
      var instance: (any FrameComposer)?
      // A busy machine may delay one instance, but hardly three.
      for _ in 0..<3 where makeSeconds.map({ PluginCheckKnowledge.slowCreation.contains($0) }) ?? true {
        let taken = try ContinuousClock().measure { instance = try self.make(scene) } / .seconds(1)
        makeSeconds = min(makeSeconds ?? taken, taken)
      }
      let request = try scene.request()
      let composer = try instance ?? self.make(scene)
      // A busy machine may delay one frame, but hardly three.
      for _ in 0..<3 where seconds.map({ PluginCheckKnowledge.slowFrame.contains($0) }) ?? true {
        let taken = try ContinuousClock().measure { _ = try self.compose(composer, request) } / .seconds(1)
        seconds = min(seconds ?? taken, taken)
      }
      return nil
    }
    (result.frameSeconds, result.makeSeconds) = (seconds, makeSeconds)
    return result
  }

  func make(_ scene: PluginCheckScene) throws -> any FrameComposer {
    let composer = try factory.makeCompositor(parameters: scene.parameters, context: scene.context)
    scene.askers.note(composer, of: scene)
    return composer
  }

  func compose(
    _ composer: any FrameComposer, _ request: CompositionRequest, cancellingAfter delay: Duration? = nil
  ) throws -> Frame {
    let frame = try CallerExecutor.run {
      try await composer.compose(request)
    } started: { cancel in
      switch delay {
      case nil: break
      case .zero?: cancel()
      case let delay?: DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1), execute: cancel)
      }
    }
    if let error = frame.sampleError { throw error }
    return frame
  }

  // MARK: Descriptions, formats, sizes

  private func describe(_ descriptor: CompositorDescriptor) -> PluginCheckResult {
    Self.describe(descriptor, reservedKeys: known.reservedKeys)
  }

  static func describe(_ descriptor: CompositorDescriptor, reservedKeys: [String]) -> PluginCheckResult {
    var faults: [String] = []
    if !DescriptionRules.isIdentifier(descriptor.id.rawValue) {
      faults.append("the ID “\(descriptor.id)” is not made of letters, digits, hyphens and underscores between single dots")
    }
    if !descriptor.id.rawValue.contains(".") { faults.append("the ID “\(descriptor.id)” is not in reverse domain order") }
    if descriptor.id.rawValue.hasPrefix("builtin.") { faults.append("IDs with the prefix “builtin.” are reserved") }
    if descriptor.name.isEmpty { faults.append("there is no name") }
    if descriptor.summary.isEmpty { faults.append("there is no summary") }
    let numbers = descriptor.version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    if numbers.count != 3 || numbers.contains(nil) {
      faults.append("the version “\(descriptor.version)” is not major.minor.patch")
    }
    let keys = descriptor.parameters.map(\.key)
    if Set(keys).count != keys.count { faults.append("two parameters have the same key") }
    // Transitions have their parameters in an object of their own.
    for parameter in descriptor.parameters where descriptor.role != .transition && reservedKeys.contains(parameter.key) {
      faults.append("projects cannot set “\(parameter.key)”, because this key has another meaning beside “use”")
    }
    for parameter in descriptor.parameters where parameter.summary.isEmpty {
      faults.append("“\(parameter.key)” has no summary")
    }
    for parameter in descriptor.parameters where parameter.isAnimatable && !parameter.canChange {
      faults.append("“\(parameter.key)” is declared animatable, but \(parameter.kind.noun) cannot change over time")
    }
    return faults.isEmpty ? PluginCheckResult(.passed) : PluginCheckResult(.failed, faults.joined(separator: "; ") + ".")
  }

  /// Makes one frame, or several of a kind; the compositor may refuse.
  ///
  /// - Parameter fault: A fault in the frames of a scene; `nil` if there is none.
  func attempt(
    _ scene: PluginCheckScene, _ fault: ((PluginCheckScene) throws -> FrameFault?)? = nil
  ) throws -> PluginCheckResult {
    try refusable {
      if let fault { return try fault(scene).map { PluginCheckResult($0) } ?? PluginCheckResult(.passed) }
      _ = try compose(make(scene), scene.request())
      return PluginCheckResult(.passed)
    }
  }

  /// A check in which the compositor may refuse.
  func refusable(_ check: () throws -> PluginCheckResult) throws -> PluginCheckResult {
    do {
      return try check()
    } catch let error as CompositorError
      where [.compositorFailed, .invalidParameter, .conversionNotPossible].contains(error.code)
    {
      return PluginCheckResult(.refused, error.cause ?? error.message)
    }
  }

  /// A frame with each parameter at each end of its range.
  private func parameters(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    var refusals: [String] = []
    if known.isSlow {
      // All at their lower ends, then all at their upper ends; one by one if that fails.
      let ends = [false, true].map { isLast in
        var scene = scene
        for description in factory.descriptor.parameters where description.kind.hasRange {
          scene.parameters[description.key] = isLast ? description.kind.extremes.last : description.kind.extremes.first
        }
        return scene
      }
      if try ends.allSatisfy({ try attempt($0).outcome == .passed }) { return PluginCheckResult(.passed) }
    }
    for description in factory.descriptor.parameters where description.kind.hasRange {
      for value in description.kind.extremes {
        var scene = scene
        scene.parameters[description.key] = value
        let result = try attempt(scene)
        if result.outcome == .refused { refusals.append("“\(description.key)” at \(value.text): \(result.detail)") }
      }
    }
    // A value within the schema must work.
    return refusals.isEmpty ? PluginCheckResult(.passed) : PluginCheckResult(.failed, refusals.joined(separator: "; "))
  }
}

/// Instances by their parameters, to be asked for the sources that they need at other times.
final class PluginCheckAskers: Sendable {
  private let composers = Mutex<[ParameterValues: any SelectiveComposer]>([:])

  subscript(parameters: ParameterValues) -> (any SelectiveComposer)? { composers.withLock { $0[parameters] } }

  /// Records an instance; the first with the same parameters is kept.
  func note(_ composer: any FrameComposer, of scene: PluginCheckScene) {
    guard scene.descriptor.needsOtherTimes, let composer = composer as? any SelectiveComposer else { return }
    composers.withLock { $0[scene.parameters] = $0[scene.parameters] ?? composer }
  }
}

extension SelectiveComposer {
  /// The regions of interest of a request's frame.
  func needs(of request: CompositionRequest) throws -> RegionsOfInterest {
    try CallerExecutor.run {
      try await self.regionsOfInterest(for: request)
    } started: { _ in
    }
  }
}
