import CompositorAPI

/// The check of sources as an edit may give them to a compositor or a transition.
extension PluginCheckBench {
  /// Sources of other sizes than the output, and tracks that show nothing. The compositor may refuse all of them.
  func sources(_ scene: PluginCheckScene) throws -> PluginCheckResult {
    var refusal: PluginCheckResult?
    for (place, unusual) in unusual(scene) {
      let result = try attempt(unusual) { try self.border($0, looksBeside: false) }
      switch result.outcome {
      case .failed: return result.found(at: place)
      case .refused: refusal = refusal ?? result.found(at: place)
      case .passed, .skipped: continue
      }
    }
    return refusal ?? PluginCheckResult(.passed)
  }

  /// Scenes with unusual sources, and what is unusual about them.
  private func unusual(_ scene: PluginCheckScene) -> [(place: String, scene: PluginCheckScene)] {
    var scenes: [(String, PluginCheckScene)] = []
    // So small that one which is read like the output is read beyond its last page.
    let sizes = [(16, 8), (192, 128)].map { PixelSize(width: $0.0, height: $0.1) }
    for size in factory.descriptor.placesSources ? [] : sizes {
      var scene = scene
      scene.sourceSize = size
      scenes.append(("sources of \(size), output of \(scene.size)", scene))
    }
    let absent: [(String, Set<TrackID>)] = [
      ("no sources", [1, 2]), ("second track without a source", [2]), ("first track without a source", [1]),
    ]
    for (place, tracks) in absent {
      var scene = scene
      scene.absentTracks = tracks
      scenes.append((place, scene))
    }
    return scenes
  }
}
