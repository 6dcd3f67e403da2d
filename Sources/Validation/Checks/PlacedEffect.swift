import CompositorAPI

/// An effect with its position in the edit.
struct PlacedEffect {
  /// An effect's place, which is the same in all instructions that a clip is part of.
  struct Place: Hashable {
    /// `nil` for the effects of an instruction.
    let track: TrackID?
    let position: Int
    let compositor: CompositorID
  }

  let place: Place
  /// The key path in the edit.
  let path: String
  let effect: EffectReference

  /// The effect's name in projects.
  var name: String { place.compositor.rawValue.replacing("builtin.", with: "") }

  /// The effects that an instruction applies: those of its layers, then its own.
  ///
  /// - Parameter index: The index of the instruction.
  static func all(in instruction: Instruction, _ index: Int) -> [PlacedEffect] {
    let path = "videoComposition.instructions[\(index)]"
    var effects: [PlacedEffect] = []
    for (number, layer) in instruction.layers.enumerated() {
      for (position, effect) in layer.effects.enumerated() {
        let place = Place(track: layer.trackID, position: position, compositor: effect.compositor)
        effects.append(PlacedEffect(place: place, path: "\(path).layers[\(number)].effects[\(position)]", effect: effect))
      }
    }
    for (position, effect) in instruction.effects.enumerated() {
      let place = Place(track: nil, position: position, compositor: effect.compositor)
      effects.append(PlacedEffect(place: place, path: "\(path).effects[\(position)]", effect: effect))
    }
    return effects
  }
}

/// Which effects were reported, so that one that successive instructions have is reported once.
struct ReportedEffects {
  private var last: [PlacedEffect.Place: (index: Int, effect: EffectReference)] = [:]

  /// Notes that an effect of an instruction is reported.
  ///
  /// - Returns: Whether the instruction before hadn't the same effect.
  mutating func insert(_ effect: PlacedEffect, ofInstruction index: Int) -> Bool {
    let before = last.updateValue((index, effect.effect), forKey: effect.place)
    return before?.index != index - 1 || before?.effect != effect.effect
  }
}
