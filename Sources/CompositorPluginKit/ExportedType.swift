import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// A compositor behind the C interface: a type, or a filter given as a closure.
final class ExportedType {
  let descriptor: CompositorDescriptor
  let make: (ParameterValues, RenderContext) throws -> any FrameComposer
  private let isSelective: Bool

  init(_ type: any VideoCompositor.Type) {
    descriptor = type.descriptor
    make = { parameters, context in try type.init(parameters: parameters, context: context) }
    isSelective = type is any SelectiveComposer.Type
  }

  init(_ filter: PluginFilter) {
    descriptor = filter.descriptor
    make = { _, _ in filter.composer }
    isSelective = false
  }

  /// The struct; it retains this object until the process ends.
  func description(_ arena: StructArena) -> CompositorDescription {
    var description = CompositorDescription()
    state(in: &description, arena)
    listParameters(in: &description, arena)
    setFunctions(in: &description)
    return description
  }

  /// The names and properties.
  private func state(in description: inout CompositorDescription, _ arena: StructArena) {
    description.struct_size = MemoryLayout<CompositorDescription>.size
    description.id = arena.text(descriptor.id.rawValue)
    description.name = arena.text(descriptor.name)
    description.version = arena.text(descriptor.version)
    description.summary = arena.text(descriptor.summary)
    switch descriptor.sourceFormats {
    case .any: description.sources = Int32(COMPOSITOR_SOURCES_ANY)
    case .output: description.sources = Int32(COMPOSITOR_SOURCES_OUTPUT)
    case .oneOf(let formats):
      description.sources = Int32(COMPOSITOR_SOURCES_LISTED)
      description.source_formats = arena.texts(formats.map(\.name))
    }
    if !descriptor.outputFormats.isEmpty { description.output_formats = arena.texts(descriptor.outputFormats.map(\.name)) }
    description.color = descriptor.colorHandling.code
    description.concurrency = descriptor.concurrency.code
    description.role = descriptor.role.code
    description.is_time_invariant = descriptor.isTimeInvariant ? 1 : 0
    description.makes_alpha = descriptor.makesAlpha ? 1 : 0
    description.places_sources = descriptor.placesSources ? 1 : 0
    description.needs_other_times = descriptor.needsOtherTimes ? 1 : 0
    description.takes_mask = descriptor.takesMask ? 1 : 0
  }

  private func listParameters(in description: inout CompositorDescription, _ arena: StructArena) {
    let parameters = descriptor.parameters.map { Optional(UnsafePointer(arena.make($0.structure(arena)))) }
    description.parameter_count = Int32(parameters.count)
    description.parameters = arena.list(parameters).map { UnsafePointer($0) }
    let presets = descriptor.presets.map { preset in
      Optional(UnsafePointer(arena.make(preset.structure(arena, schema: descriptor.parameters))))
    }
    description.preset_count = Int32(presets.count)
    description.presets = arena.list(presets).map { UnsafePointer($0) }
  }

  /// The functions of the interface, and this object as their data.
  private func setFunctions(in description: inout CompositorDescription) {
    description.data = UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque())
    description.create = { description, context, parameters, count, instance, error in
      guard let data = description?.pointee.data, let context else { return Int32(COMPOSITOR_FAILED) }
      let exported = Unmanaged<ExportedType>.fromOpaque(data).takeUnretainedValue()
      return ExportedInstance.reporting(error) {
        let made = try ExportedInstance(exported, context, parameters, count)
        instance?.pointee = Unmanaged.passRetained(made).toOpaque()
      }
    }
    description.destroy = { instance in
      if let instance { Unmanaged<ExportedInstance>.fromOpaque(instance).release() }
    }
    description.render = { instance, request, answer, error in
      guard let instance, let request, let answer else { return Int32(COMPOSITOR_FAILED) }
      let exported = Unmanaged<ExportedInstance>.fromOpaque(instance).takeUnretainedValue()
      return ExportedInstance.reporting(error) { try exported.render(request, answer) }
    }
    if isSelective {
      description.needs = { instance, request, needs, error in
        guard let instance, let request, let needs else { return Int32(COMPOSITOR_FAILED) }
        let exported = Unmanaged<ExportedInstance>.fromOpaque(instance).takeUnretainedValue()
        return ExportedInstance.reporting(error) { try exported.needs(request, needs) }
      }
    }
  }
}

extension CompositorDescriptor.ColorHandling {
  fileprivate var code: Int32 {
    switch self {
    case .sdrOnly: Int32(COMPOSITOR_COLOR_SDR)
    case .wide: Int32(COMPOSITOR_COLOR_WIDE)
    case .hdr: Int32(COMPOSITOR_COLOR_HDR)
    case .conformsItself: Int32(COMPOSITOR_COLOR_CONFORMS)
    }
  }
}

extension CompositorDescriptor.Role {
  fileprivate var code: Int32 {
    switch self {
    case .compositor: Int32(COMPOSITOR_ROLE_COMPOSITOR)
    case .transition: Int32(COMPOSITOR_ROLE_TRANSITION)
    case .effect: Int32(COMPOSITOR_ROLE_EFFECT)
    }
  }
}

extension ParameterDescription {
  func structure(_ arena: StructArena) -> CompositorParameterDescription {
    var description = CompositorParameterDescription()
    description.struct_size = MemoryLayout<CompositorParameterDescription>.size
    description.key = arena.text(key)
    description.summary = arena.text(summary)
    description.kind = kind.code
    description.is_animatable = isAnimatable ? 1 : 0
    if !label.isEmpty { description.label = arena.text(label) }
    if !group.isEmpty { description.group = arena.text(group) }
    description.is_relative = isRelative ? 1 : 0
    description.hint = Int32(Hint.allCases.firstIndex(of: hint) ?? 0)
    switch kind {
    case .integer(let minimum, let maximum): (description.minimum, description.maximum) = (Double(minimum), Double(maximum))
    case .number(let minimum, let maximum, let unit):
      (description.minimum, description.maximum) = (minimum, maximum)
      if !unit.isEmpty { description.unit = arena.text(unit) }
    case .choice(let words): description.choices = arena.texts(words)
    case .textFile(let limit), .file(let limit): description.maximum = Double(limit)
    case .bool, .string, .expression, .easing, .color, .point: break
    }
    description.is_required = defaultValue == nil ? 1 : 0
    if let defaultValue {
      description.default_value = UnsafePointer(arena.make(CompositorParameter(key, defaultValue, kind: kind, arena)))
    }
    return description
  }
}

extension ParameterPreset {
  fileprivate func structure(_ arena: StructArena, schema: [ParameterDescription]) -> CompositorPreset {
    var preset = CompositorPreset()
    preset.struct_size = MemoryLayout<CompositorPreset>.size
    preset.name = arena.text(name)
    if !summary.isEmpty { preset.summary = arena.text(summary) }
    let values = CompositorParameter.list(values, schema: schema, arena)
    preset.parameter_count = Int32(values.count)
    preset.parameters = arena.list(values).map { UnsafePointer($0) }
    return preset
  }
}

extension CompositorDescriptor.Concurrency {
  fileprivate var code: Int32 {
    switch self {
    case .concurrent: Int32(COMPOSITOR_CONCURRENT)
    case .serial: Int32(COMPOSITOR_SERIAL)
    // Hosts refuse it and say why.
    case .inOrder: Int32(COMPOSITOR_IN_ORDER)
    }
  }
}
