import Compositor

extension ProjectArgument {
  /// Validates the project with the options of the command line, without rendering it.
  func validator(colors: ColorOptions, damage: DamageOptions) -> ProjectLoader {
    var overrides = overrides
    (overrides.damaged, overrides.colors) = (damage.damaged, colors.overrides)
    return loader(catalog: MediaCatalog(), overrides)
  }
}
