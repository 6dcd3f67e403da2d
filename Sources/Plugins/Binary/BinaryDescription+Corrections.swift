import CCompositorPlugin
import CompositorPluginBridge

/// What the host reads otherwise than a description says it: harmless for a render, but certainly not meant. `plugins check` reports
/// it.
enum BinaryCorrections {
  /// The largest number of entries that a list is read to.
  private static let mostEntries = 4096

  static func of(_ plugin: CCompositorPlugin.CompositorPlugin) -> [String] {
    texts([("the plugin's name", plugin.name), ("the plugin's version", plugin.version)])
      + list(plugin.compositors, plugin.compositor_count, "compositor_count", "compositors")
      + list(plugin.audio_processors, plugin.audio_processor_count, "audio_processor_count", "audio_processors")
  }

  static func of(_ pointer: UnsafePointer<CompositorDescription>) -> [String] {
    let description = readStruct(pointer, zero: CompositorDescription())
    var faults = texts([
      ("the name", description.name), ("the version", description.version), ("the summary", description.summary),
    ])
    faults += list(description.parameters, description.parameter_count, "parameter_count", "parameters")
    faults += readList(description.parameters, count: description.parameter_count).flatMap { of($0) }
    faults += list(description.presets, description.preset_count, "preset_count", "presets")
    for pointer in readList(description.presets, count: description.preset_count) {
      let preset = readStruct(pointer, zero: CompositorPreset())
      let name = preset.name.map { String(cString: $0) } ?? ""
      faults += list(preset.parameters, preset.parameter_count, "parameter_count of the preset “\(name)”", "its parameters")
      faults += texts([("the summary of the preset “\(name)”", preset.summary)])
    }
    if description.needs_other_times != 0, description.needs == nil {
      faults.append("needs_other_times is set, but needs is NULL")
    }
    return faults
  }

  static func of(_ pointer: UnsafePointer<CompositorAudioDescription>) -> [String] {
    let description = readStruct(pointer, zero: CompositorAudioDescription())
    let texts = texts([
      ("the name", description.name), ("the version", description.version), ("the summary", description.summary),
    ])
    return texts + list(description.parameters, description.parameter_count, "parameter_count", "parameters")
      + readList(description.parameters, count: description.parameter_count).flatMap { of($0) }
  }

  private static func of(_ pointer: UnsafePointer<CompositorParameterDescription>) -> [String] {
    let description = readStruct(pointer, zero: CompositorParameterDescription())
    let key = description.key.map { String(cString: $0) } ?? ""
    var faults = texts([
      ("the summary of “\(key)”", description.summary), ("the group of “\(key)”", description.group),
      ("the label of “\(key)”", description.label), ("the unit of “\(key)”", description.unit),
    ])
    if description.hint < 0 || description.hint > COMPOSITOR_HINT_PERCENT {
      faults.append("the hint of “\(key)” is \(description.hint), which is not a known value")
    }
    let isInteger = description.kind == COMPOSITOR_INTEGER
    if isInteger, description.minimum != description.minimum.rounded() || description.maximum != description.maximum.rounded() {
      faults.append("the range of the integer “\(key)” is \(description.minimum) to \(description.maximum)")
    }
    guard description.is_required == 0, let pointer = description.default_value else { return faults }
    let value = readStruct(pointer, zero: CompositorParameter())
    if isInteger, value.number != value.number.rounded() {
      faults.append("the default of the integer “\(key)” is \(value.number)")
    }
    // A kind that was not set is 0.
    if value.kind != description.kind, value.kind != 0 {
      faults.append("the default of “\(key)” is of the kind \(value.kind), and the parameter of the kind \(description.kind)")
    }
    return faults
  }

  /// What is wrong with texts for people, which are shown without control characters.
  private static func texts(_ texts: [(subject: String, text: UnsafePointer<CChar>?)]) -> [String] {
    texts.compactMap { subject, text in
      guard let text else { return nil }
      guard let read = String(validatingCString: text) else { return "\(subject) isn't UTF-8" }
      return TextCleaning.withoutControls(read) == read
        ? nil : "\(subject) has control characters, line breaks or invisible characters"
    }
  }

  private static func list<T>(
    _ list: UnsafePointer<UnsafePointer<T>?>?, _ count: Int32, _ field: String, _ name: String
  ) -> [String] {
    if count < 0 || count > mostEntries { return ["\(field) is \(count), which is not possible"] }
    guard count > 0 else { return [] }
    guard list != nil else { return ["\(field) is \(count), but \(name) is NULL"] }
    let missing = Int(count) - readList(list, count: count).count
    return missing > 0 ? ["\(field) is \(count), but \(missing) of \(name) are NULL"] : []
  }
}
