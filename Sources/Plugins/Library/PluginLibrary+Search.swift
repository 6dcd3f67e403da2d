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
      } else if let known = catalog.ids(of: specification) {
        if !missing.isDisjoint(with: known) { openIfPossible(specification) }
      } else if missing.contains(where: { module_file_contains(specification.name, $0.rawValue) }) {
        examine(specification, for: missing, &catalog, &hanging)
      } else {
        last.append(specification)
      }
    }
    for specification in last {
      let missing = ids.subtracting(provided)
      guard !missing.isEmpty, !Task.isCancelled else { return }
      examine(specification, for: missing, &catalog, &hanging)
    }
  }

  /// Opens a plugin about which nothing is known. One that provides none of the missing IDs does not stay open.
  private mutating func examine(
    _ specification: PluginSpecification, for missing: Set<CompositorID>, _ catalog: inout PluginCatalog,
    _ hanging: inout HangingPlugins
  ) {
    let (count, stamp) = (plugins.count, FileStamp(of: specification))
    openIfPossible(specification)
    if plugins.count > count {
      catalog.note(plugins[count], stamp)
      if let plugin = plugins[count] as? IsolatedPlugin, missing.isDisjoint(with: plugin.description.ids) {
        put(plugin.remembered, at: count)
      }
    }
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

  /// Describes plugins, on separate threads, so that a plugin that hangs delays no others. Only trusted ones stay open. Large files
  /// come last, one after another, because each is in memory while it is open.
  private static func opened(
    _ specifications: [PluginSpecification], _ options: PluginOptions
  ) -> [Result<any CompositorPlugin, CompositorError>] {
    let results = Mutex<[Int: Result<any CompositorPlugin, CompositorError>]>([:])
    let (group, slots) = (DispatchGroup(), DispatchSemaphore(value: openedAtATime))
    let workers = DispatchSemaphore(value: mostWorkers)
    let isLarge = specifications.map { FileStamp(of: $0).map { $0.byteCount > largeFile } ?? false }
    for (index, specification) in specifications.enumerated() where !isLarge[index] {
      workers.wait()
      slots.wait()
      group.enter()
      let slot = OpeningSlot(slots)
      // One that takes long only waits, most likely, and gives its place to the next.
      DispatchQueue.global().asyncAfter(deadline: .now() + longOpening) { slot.leave() }
      let thread = Thread {
        let result = description(of: specification, options)
        results.withLock { $0[index] = result }
        slot.leave()
        workers.signal()
        group.leave()
      }
      thread.start()
    }
    group.wait()
    for index in specifications.indices where isLarge[index] {
      let result = description(of: specifications[index], options)
      results.withLock { $0[index] = result }
    }
    let untried = CompositorError(.internalFault, "The plugin was not tried.")
    return specifications.indices.map { index in results.withLock { $0[index] } ?? .failure(untried) }
  }

  private static func description(
    of specification: PluginSpecification, _ options: PluginOptions
  ) -> Result<any CompositorPlugin, CompositorError> {
    Result { () throws(CompositorError) in
      let plugin = try PluginLibrary.plugin(specification, options)
      return (plugin as? IsolatedPlugin)?.remembered ?? plugin
    }
  }

  private static let openedAtATime = 16
  /// Together with those that take long. Each takes several descriptors, of which this process has a limited number.
  private static let mostWorkers = 64
  /// Bytes.
  private static let largeFile = 64 << 20
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
  var ids: Set<CompositorID> {
    Set(compositors.map(\.descriptor.id) + processors.map { CompositorID(rawValue: $0.id.rawValue) })
  }
}
