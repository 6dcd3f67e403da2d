import CompositorAPI
import Dispatch
import PluginBridge

/// Runs single checks, where the module is.
struct ModuleCheckBench {
  let factory: CompositorFactory

  func run(_ step: ModuleCheckStep) throws -> ModuleCheckResult {
    let descriptor = factory.descriptor
    switch step {
    case .description: return describe(descriptor)
    case .format(let format): return try attempt(ModuleCheckScene(descriptor, format: format))
    case .size(let size): return try attempt(ModuleCheckScene(descriptor, size: size)) { try self.border($0) }
    case .parameters: return try parameters(ModuleCheckScene(descriptor))
    case .strides: return try inEachFormat { try self.stride($0) }
    case .borders: return try inEachFormat { try self.border($0) }
    case .needs: return try needs(ModuleCheckScene(descriptor))
    case .determinism: return try determinism(ModuleCheckScene(descriptor))
    case .backwards: return try backwards(ModuleCheckScene(descriptor))
    case .instances: return try instances(ModuleCheckScene(descriptor))
    case .threads: return try threads(ModuleCheckScene(descriptor, size: PixelSize(width: 192, height: 128)))
    case .cancellation: return try cancellation(ModuleCheckScene(descriptor, size: ModuleCheckScene.fullHD))
    case .leaks: return try leaks(ModuleCheckScene(descriptor))
    case .speed: return try speed(ModuleCheckScene(descriptor, size: ModuleCheckScene.fullHD))
    }
  }

  func make(_ scene: ModuleCheckScene) throws -> any FrameComposer {
    let composer = try factory.makeCompositor(parameters: scene.parameters, context: scene.context)
    scene.askers.note(composer, of: scene)
    return composer
  }

  func compose(
    _ composer: any FrameComposer, _ request: CompositionRequest, cancellingAfter delay: Duration? = nil
  ) throws -> Frame {
    try CallerExecutor.run {
      try await composer.compose(request)
    } started: { cancel in
      switch delay {
      case nil: break
      case .zero?: cancel()
      case let delay?: DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1), execute: cancel)
      }
    }
  }

  // MARK: Descriptions, formats, sizes

  private func describe(_ descriptor: CompositorDescriptor) -> ModuleCheckResult {
    var faults: [String] = []
    if !descriptor.id.rawValue.contains(".") { faults.append("the ID “\(descriptor.id)” is not in reverse domain order") }
    if descriptor.id.rawValue.hasPrefix("builtin.") { faults.append("IDs that begin with “builtin.” are the host's own") }
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

  /// One frame, or more of a kind; a compositor may say that it cannot.
  ///
  /// - Parameter fault: What is wrong with the frames of a scene; nil where nothing is.
  func attempt(
    _ scene: ModuleCheckScene, _ fault: ((ModuleCheckScene) throws -> String?)? = nil
  ) throws -> ModuleCheckResult {
    do {
      if let fault {
        return try fault(scene).map { ModuleCheckResult(.failed, $0) } ?? ModuleCheckResult(.passed)
      }
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
}
