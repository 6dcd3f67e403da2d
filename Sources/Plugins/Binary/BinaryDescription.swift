import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// One compositor of a library: its descriptor and its functions.
struct BinaryDescription {
  let descriptor: CompositorDescriptor
  let functions: BinaryFunctions

  /// Reads and checks a description.
  ///
  /// - Throws: `.pluginFailed` with the reason if it is invalid.
  init(_ pointer: UnsafePointer<CompositorDescription>) throws(CompositorError) {
    let description = try sizedStruct(pointer, zero: CompositorDescription(), "CompositorDescription")
    guard let id = description.id.map({ String(cString: $0) }), !id.isEmpty else {
      throw BinaryDescription.fault("A compositor has no ID.")
    }
    guard let create = description.create, let destroy = description.destroy, let render = description.render else {
      throw BinaryDescription.fault("The compositor “\(id)” lacks one of create, destroy and render.")
    }
    functions = BinaryFunctions(
      description: pointer, create: create, destroy: destroy, render: render, needs: description.needs)
    let text = { (text: UnsafePointer<CChar>?) in text.map { String(cString: $0) } ?? "" }
    var parameters: [ParameterDescription] = []
    for parameter in readList(description.parameters, count: description.parameter_count) {
      parameters.append(try BinaryDescription.parameter(parameter, of: id))
    }
    var read = CompositorDescriptor(
      id: CompositorID(rawValue: id), name: text(description.name), version: text(description.version),
      summary: text(description.summary))
    read.sourceFormats = try BinaryDescription.sources(description, of: id)
    read.outputFormats = try BinaryDescription.formats(description.output_formats, "output", of: id)
    read.colorHandling = try BinaryDescription.pick(
      [.sdrOnly, .wide, .hdr, .conformsItself], description.color, "color", of: id)
    read.concurrency = try BinaryDescription.concurrency(description, of: id)
    read.parameters = parameters
    read.role = try BinaryDescription.pick([.compositor, .transition, .effect], description.role, "role", of: id)
    read.isTimeInvariant = description.is_time_invariant != 0
    read.makesAlpha = description.makes_alpha != 0
    read.placesSources = description.places_sources != 0
    read.needsOtherTimes = description.needs_other_times != 0
    read.takesMask = description.takes_mask != 0
    read.presets = try BinaryDescription.presets(description, parameters, of: id)
    descriptor = DescriptionRules.cleaned(read)
  }

  func factory(plugin: String) -> CompositorFactory {
    CompositorFactory(descriptor, plugin: plugin, isSelective: functions.needs != nil) {
      [descriptor, functions] parameters, context in
      let instance = try BinaryInstance(descriptor, functions, parameters: parameters, context: context)
      return functions.needs == nil ? BinaryCompositor(instance: instance) : SelectiveBinaryCompositor(instance: instance)
    }
  }

  static func fault(_ message: String) -> CompositorError {
    CompositorError(
      .pluginFailed, DescriptionRules.shown(message), recoverySuggestion: "Its author must fix the description.")
  }

  private static func pick<Value>(
    _ values: [Value], _ code: Int32, _ field: String, of id: String
  ) throws(CompositorError) -> Value {
    guard values.indices.contains(Int(code)) else {
      throw fault("The compositor “\(id)” has \(code) for \(field), which is not a known value.")
    }
    return values[Int(code)]
  }

  private static func concurrency(
    _ description: CompositorDescription, of id: String
  ) throws(CompositorError) -> CompositorDescriptor.Concurrency {
    guard Int(description.concurrency) != COMPOSITOR_IN_ORDER else {
      let remedy = "Its author can declare it concurrent or serial, and ask for the frames of other times that it needs."
      throw CompositorError(.pluginFailed, DescriptionRules.shown(DescriptionRules.ordered(id)), recoverySuggestion: remedy)
    }
    return try pick([.concurrent, .serial], description.concurrency, "concurrency", of: id)
  }

  private static func sources(
    _ description: CompositorDescription, of id: String
  ) throws(CompositorError) -> CompositorDescriptor.SourceFormats {
    switch Int(description.sources) {
    case COMPOSITOR_SOURCES_ANY: return .any
    case COMPOSITOR_SOURCES_OUTPUT: return .output
    case COMPOSITOR_SOURCES_LISTED:
      let formats = try formats(description.source_formats, "source", of: id)
      guard !formats.isEmpty else { throw fault("The compositor “\(id)” lists no source formats.") }
      return .oneOf(formats)
    default: throw fault("The compositor “\(id)” has \(description.sources) for sources, which is not a known value.")
    }
  }

  /// Formats of newer headers that this program does not know are ignored.
  private static func formats(
    _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ kind: String, of id: String
  ) throws(CompositorError) -> [PixelFormat] {
    let names = readTexts(list)
    let formats = names.compactMap(PixelFormat.init(named:))
    guard names.isEmpty || !formats.isEmpty else {
      throw fault("The compositor “\(id)” has no \(kind) format that this host knows: \(names.joined(separator: ", ")).")
    }
    return formats
  }
}

extension BinaryDescription {
  static func parameter(
    _ pointer: UnsafePointer<CompositorParameterDescription>, of id: String
  ) throws(CompositorError) -> ParameterDescription {
    let description = try sizedStruct(pointer, zero: CompositorParameterDescription(), "CompositorParameterDescription")
    guard let key = description.key.map({ String(cString: $0) }), !key.isEmpty else {
      throw fault("The compositor “\(id)” has a parameter without a key.")
    }
    let kind = try kind(description, key: key, of: id)
    var value: ParameterValue?
    if description.is_required == 0 {
      if let pointer = description.default_value {
        var parameter = try sizedStruct(pointer, zero: CompositorParameter(), "CompositorParameter")
        parameter.kind = description.kind
        if let fault = parameter.countFault { throw self.fault("The default of “\(key)” of “\(id)” has \(fault).") }
        value = parameter.value
      } else if kind.fileLimit != nil {
        value = Self.noFile(kind)
      }
      guard let value else { throw fault("The parameter “\(key)” of “\(id)” has no default and is not required.") }
      // By default, a file parameter has no file.
      if let expected = kind.mismatch(value), kind.fileLimit == nil {
        throw fault("The parameter “\(key)” of “\(id)” has the default \(value.text), which is not \(expected).")
      }
    }
    var result = ParameterDescription(
      key, kind, default: value, isAnimatable: description.is_animatable != 0,
      summary: description.summary.map { String(cString: $0) } ?? "")
    result.isRelative = kind == .point && description.is_relative != 0
    result.label = description.label.map { String(cString: $0) } ?? ""
    result.group = description.group.map { String(cString: $0) } ?? ""
    // Hints of newer headers that this program does not know are ignored.
    let hints = ParameterDescription.Hint.allCases
    result.hint = hints.indices.contains(Int(description.hint)) ? hints[Int(description.hint)] : .none
    return result
  }

  /// The contents of no file.
  private static func noFile(_ kind: ParameterDescription.Kind) -> ParameterValue {
    if case .textFile = kind { .string("") } else { .data([]) }
  }

  private static func kind(
    _ description: CompositorParameterDescription, key: String, of id: String
  ) throws(CompositorError) -> ParameterDescription.Kind {
    let (minimum, maximum) = (description.minimum, description.maximum)
    switch Int(description.kind) {
    case COMPOSITOR_BOOL: return .bool
    case COMPOSITOR_INTEGER:
      guard let lower = Int(exactly: minimum.rounded()), let upper = Int(exactly: maximum.rounded()), lower <= upper else {
        throw fault("The parameter “\(key)” of “\(id)” has no range.")
      }
      return .integer(minimum: lower, maximum: upper)
    case COMPOSITOR_NUMBER:
      guard minimum.isFinite, maximum.isFinite, minimum <= maximum else {
        throw fault("The parameter “\(key)” of “\(id)” has no range.")
      }
      return .number(minimum: minimum, maximum: maximum, unit: description.unit.map { String(cString: $0) } ?? "")
    case COMPOSITOR_STRING: return .string
    case COMPOSITOR_CHOICE:
      let words = readTexts(description.choices, limit: DescriptionRules.mostChoices + 1)
      guard !words.isEmpty else { throw fault("The parameter “\(key)” of “\(id)” has no choices.") }
      return .choice(words)
    case COMPOSITOR_COLOR: return .color
    case COMPOSITOR_POINT: return .point
    case COMPOSITOR_TEXT_FILE: return .textFile(maximumByteCount: Int(exactly: maximum.rounded()) ?? 1 << 20)
    case COMPOSITOR_FILE: return .file(maximumByteCount: Int(exactly: maximum.rounded()) ?? 1 << 20)
    default: throw fault("The parameter “\(key)” of “\(id)” is of the unknown kind \(description.kind).")
    }
  }
}

/// Reads a struct that declares its own size.
///
/// - Throws: `.pluginFailed` if the size is too small to contain any field.
func sizedStruct<T: BitwiseCopyable>(_ pointer: UnsafePointer<T>, zero: T, _ name: String) throws(CompositorError) -> T {
  let size = UnsafeRawPointer(pointer).load(as: Int.self)
  guard size > MemoryLayout<Int>.size else {
    throw CompositorError(
      .pluginFailed, "A \(name) of the plugin has the struct_size \(size).",
      recoverySuggestion: "Its author must set struct_size to sizeof(\(name)).")
  }
  return readStruct(pointer, zero: zero)
}
