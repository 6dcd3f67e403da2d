import CompositorAPI

/// What a few small pictures show about a plugin.
struct Frei0rTrial {
  /// The values an instance begins with.
  let defaults: [Frei0rValue]
  /// Whether the same picture at the same time came out differently with other pictures before it, or a second time, with any
  /// of the values that were tried.
  let isTemporal: Bool
  /// Whether opaque pictures came out transparent somewhere, with any of the values that were tried.
  let makesAlpha: Bool

  /// One experiment: what is set, on how large a picture, with how many pictures before.
  private struct Setting {
    var values: [Int: Frei0rValue] = [:]
    let size: PixelSize
    let pastCount: Int
  }

  /// - Throws: `.pluginFailed` where the plugin makes no instance or writes outside its picture.
  init(_ library: Frei0rLibrary) throws(CompositorError) {
    let result = library.exclusively { plugin -> Result<Frei0rTrial, CompositorError> in
      Result { () throws(CompositorError) in try Frei0rTrial(library, plugin) }
    }
    self = try result.get()
  }

  private init(_ library: Frei0rLibrary, _ plugin: OpaquePointer) throws(CompositorError) {
    let settings = Frei0rTrial.settings(of: library.parameters)
    defaults = try Frei0rTrialRun(library, plugin, settings[0].size).values
    let observations = try settings.map { (setting) throws(CompositorError) in
      try Frei0rTrial.observe(library, plugin, setting)
    }
    isTemporal = observations.contains { $0.isTemporal }
    makesAlpha = observations.contains { $0.makesAlpha }
  }

  /// The plugin's own values on a small picture, where some show how they count rows, after as many pictures as the longest
  /// memories hold; then values far from those, since a delay of 0 delays nothing.
  private static func settings(of parameters: [Frei0rLibrary.Parameter]) -> [Setting] {
    let own = Setting(size: PixelSize(width: 64, height: 48), pastCount: 40)
    let adjustable = parameters.filter { $0.kind == .number || $0.kind == .bool }
    guard !adjustable.isEmpty else { return [own] }
    return [own]
      + [(0.3, 1.0), (0.7, 0)].map { number, bool in
        let values = adjustable.map { ($0.index, Frei0rValue(numbers: [$0.kind == .bool ? bool : number])) }
        return Setting(
          values: Dictionary(uniqueKeysWithValues: values), size: PixelSize(width: 320, height: 240), pastCount: 4)
      }
  }

  private static func observe(
    _ library: Frei0rLibrary, _ plugin: OpaquePointer, _ setting: Setting
  ) throws(CompositorError) -> (isTemporal: Bool, makesAlpha: Bool) {
    let experienced = try Frei0rTrialRun(library, plugin, setting.size)
    experienced.set(setting.values)
    for number in 0..<setting.pastCount { _ = try experienced.picture(number) }
    let once = try experienced.picture(setting.pastCount)
    let twice = try experienced.picture(setting.pastCount)
    let beginner = try Frei0rTrialRun(library, plugin, setting.size)
    beginner.set(setting.values)
    let fresh = try beginner.picture(setting.pastCount)
    return (once != fresh || twice != fresh, library.kind != .source && once.contains { $0 >> 24 != 255 })
  }
}
