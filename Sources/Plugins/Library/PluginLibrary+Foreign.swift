import CompositorAPI

extension PluginLibrary {
  /// Opens the plugins of libavfilter and frei0r that bring some of `ids`: their IDs say where to look.
  mutating func findForeign(_ ids: Set<CompositorID>) {
    for id in ids.map(\.rawValue).sorted() {
      if id.hasPrefix("avfilter.") {
        openIfPossible(.avfilter)
      } else if id.hasPrefix("frei0r."),
        let plugin = Frei0rSearchPath().plugins.first(where: { "frei0r.\($0.name)" == id })
      {
        openIfPossible(.frei0r(path: plugin.path))
      }
    }
  }

  /// Everything that libavfilter and frei0r bring. frei0r's plugins are described from the catalogue, and those that it refuses
  /// are failures.
  mutating func openAllForeign() {
    openIfPossible(.avfilter)
    for entry in Frei0rCatalog(isolation: options.isolation).entries {
      if let plugin = CataloguedPlugin(entry, isolation: options.isolation) {
        add(plugin)
      } else {
        fail(
          entry.path,
          CompositorError(.pluginFailed, entry.refusal ?? "The plugin is refused.", at: ErrorLocation(file: entry.path)))
      }
    }
  }
}
