import CCompositorPluginProcess
public import CompositorAPI
import Dispatch
import Foundation
import Synchronization

/// The search path.
extension PluginLibrary {
  /// Opens the plugins that provide `ids`: libavfilter, frei0r plugins, and plugins of the search path until every ID is
  /// found. Plugins that cannot be opened are added to ``failures``.
  ///
  /// Plugins that are known from earlier searches to provide none of the IDs are not opened. Of the others, those whose files
  /// contain an ID come first.
  public mutating func find(_ ids: Set<CompositorID>) {
    findForeign(ids)
    var (hanging, catalog) = (HangingPlugins(), PluginCatalog())
    defer { catalog.save() }
    var last: [PluginSpecification] = []
    for specification in options.searchPath.specifications {
      let missing = ids.subtracting(provided)
      guard !missing.isEmpty, !Task.isCancelled else { return }
      if let error = hanging.error(of: specification, deadline: options.isolation.deadline) {
        fail(specification.name, error)
      } else if let known = catalog.plugin(specification) {
        if !missing.isDisjoint(with: known.ids) { openIfPossible(specification) }
      } else if missing.contains(where: { module_file_contains(specification.name, $0.rawValue) }) {
        examine(specification, &catalog, &hanging)
      } else {
        last.append(specification)
      }
    }
    for specification in last {
      guard !ids.isSubset(of: provided), !Task.isCancelled else { return }
      examine(specification, &catalog, &hanging)
    }
  }

  /// Opens a plugin about which nothing is known.
  private mutating func examine(
    _ specification: PluginSpecification, _ catalog: inout PluginCatalog, _ hanging: inout HangingPlugins
  ) {
    let (count, stamp) = (plugins.count, FileStamp(of: specification))
    openIfPossible(specification)
    if plugins.count > count, let plugin = plugins.last { catalog.note(plugin, stamp) }
    hanging.note(failures.last, of: specification, stamp, deadline: options.isolation.deadline)
  }

  /// Describes libavfilter and every plugin of the search path, and examines every frei0r plugin. Plugins that are not known
  /// from earlier searches are opened; those that cannot be opened are added to ``failures``.
  public mutating func openAll() {
    openSearchPath()
    openAllForeign()
  }

  /// Opens the unknown plugins of the search path in parallel, each with its own deadline.
  private mutating func openSearchPath() {
    var (hanging, catalog) = (HangingPlugins(), PluginCatalog())
    let found = options.searchPath.specifications
    var known: [PluginSpecification: WirePlugin] = [:]
    var fresh: [PluginSpecification] = []
    for specification in found where hanging.error(of: specification, deadline: options.isolation.deadline) == nil {
      known[specification] = options.trusted.mayCover(specification) ? nil : catalog.plugin(specification)
      if known[specification] == nil { fresh.append(specification) }
    }
    let stamps = Dictionary(fresh.map { ($0, FileStamp(of: $0)) }) { first, _ in first }
    let opened = Dictionary(zip(fresh, PluginLibrary.opened(fresh, options))) { first, _ in first }
    for specification in found {
      if let plugin = known[specification] {
        add(RememberedPlugin(specification, plugin, isolation: options.isolation))
        continue
      }
      switch opened[specification] {
      case .success(let plugin)?:
        add(plugin)
        catalog.note(plugin, stamps[specification] ?? nil)
      case .failure(let error)?:
        fail(specification.name, error)
        hanging.note(failures.last, of: specification, stamps[specification] ?? nil, deadline: options.isolation.deadline)
      case nil:
        if let error = hanging.error(of: specification, deadline: options.isolation.deadline) {
          fail(specification.name, error)
        }
      }
    }
    catalog.save()
  }

  /// Opens plugins on separate threads, so that a plugin that hangs delays no others.
  private static func opened(
    _ specifications: [PluginSpecification], _ options: PluginOptions
  ) -> [Result<any CompositorPlugin, CompositorError>] {
    let results = Mutex<[Int: Result<any CompositorPlugin, CompositorError>]>([:])
    let (group, slots) = (DispatchGroup(), DispatchSemaphore(value: openedAtATime))
    for (index, specification) in specifications.enumerated() {
      slots.wait()
      group.enter()
      let slot = OpeningSlot(slots)
      // One that takes long only waits, most likely, and gives its place to the next.
      DispatchQueue.global().asyncAfter(deadline: .now() + longOpening) { slot.leave() }
      let thread = Thread {
        let result = Result { () throws(CompositorError) in try PluginLibrary.plugin(specification, options) }
        results.withLock { $0[index] = result }
        slot.leave()
        group.leave()
      }
      thread.start()
    }
    group.wait()
    let untried = CompositorError(.internalFault, "The plugin was not tried.")
    return specifications.indices.map { index in results.withLock { $0[index] } ?? .failure(untried) }
  }

  private static let openedAtATime = 16
  /// Seconds.
  private static let longOpening = 1.5
}

/// A place among the plugins that are opened at a time, given up once.
private final class OpeningSlot: Sendable {
  private let slots: DispatchSemaphore
  private let isLeft = Atomic(false)

  init(_ slots: DispatchSemaphore) { self.slots = slots }

  func leave() {
    if !isLeft.exchange(true, ordering: .relaxed) { slots.signal() }
  }
}

extension WirePlugin {
  /// The IDs of its compositors and audio processors.
  fileprivate var ids: Set<CompositorID> {
    Set(compositors.map(\.descriptor.id) + processors.map { CompositorID(rawValue: $0.id.rawValue) })
  }
}
