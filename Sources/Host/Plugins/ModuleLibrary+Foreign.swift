import CompositorAPI
import ForeignCompositors
import CompositorModules

extension ModuleLibrary {
  /// Opens the modules of libavfilter and frei0r that bring some of `ids`: their IDs say where to look.
  mutating func findForeign(_ ids: Set<CompositorID>) {
    for id in ids.map(\.rawValue).sorted() {
      if id.hasPrefix("avfilter.") {
        openIfPossible(.avfilter)
      } else if id.hasPrefix("frei0r."),
        let module = Frei0rSearchPath().modules.first(where: { "frei0r.\($0.name)" == id })
      {
        openIfPossible(.frei0r(path: module.path))
      }
    }
  }

  /// Everything that libavfilter and frei0r bring. frei0r's modules are described from the catalogue, and those that it refuses
  /// are failures.
  mutating func openAllForeign() {
    openIfPossible(.avfilter)
    for entry in Frei0rCatalog(isolation: options.isolation).entries {
      if let module = CataloguedModule(entry, isolation: options.isolation) {
        add(module)
      } else {
        fail(
          entry.path,
          CompositorError(.moduleFailed, entry.refusal ?? "The module is refused.", at: ErrorLocation(file: entry.path)))
      }
    }
  }
}
