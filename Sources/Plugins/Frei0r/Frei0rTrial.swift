import CompositorAPI

/// The results of trying a plugin on a few small frames.
struct Frei0rTrial {
  /// The initial values of an instance.
  let defaults: [Frei0rValue]
  /// Whether the same frame at the same time gave different results after other frames, or a second time, with any of the
  /// tried values.
  let isTemporal: Bool
  /// Whether opaque frames became partly transparent, with any of the tried values.
  let makesAlpha: Bool

  /// One experiment: parameter values, frame size, and number of preceding frames.
  private struct Setting {
    var values: [Int: Frei0rValue] = [:]
    let size: PixelSize
    let pastCount: Int
  }

  /// - Throws: `.pluginFailed` if the plugin creates no instance or writes outside its frame.
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

  /// The plugin's own values on a small frame, where some plugins reveal how they count rows, after as many frames as the
  /// longest histories hold; then values far from those, since a delay of 0 delays nothing.
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
