import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

extension BinaryDescription {
  /// - Throws: `.pluginFailed` if a preset has no name, or a value for no parameter.
  static func presets(
    _ description: CompositorDescription, _ parameters: [ParameterDescription], of id: String
  ) throws(CompositorError) -> [ParameterPreset] {
    var presets: [ParameterPreset] = []
    for pointer in readList(description.presets, count: description.preset_count) {
      let preset = try sizedStruct(pointer, zero: CompositorPreset(), "CompositorPreset")
      guard let name = preset.name.map({ String(cString: $0) }), !name.isEmpty else {
        throw fault("A preset of “\(id)” has no name.")
      }
      var values: ParameterValues = [:]
      for pointer in readList(preset.parameters, count: preset.parameter_count) {
        var parameter = try sizedStruct(pointer, zero: CompositorParameter(), "CompositorParameter")
        let key = parameter.key.map { String(cString: $0) } ?? ""
        guard let description = parameters.first(where: { $0.key == key }) else {
          throw fault("The preset “\(name)” of “\(id)” has a value for “\(key)”, which is not one of its parameters.")
        }
        // As in a description's default, the kind of the parameter says how the value is read.
        parameter.kind = description.kind.code
        if let fault = parameter.countFault {
          throw self.fault("The value for “\(key)” in the preset “\(name)” of “\(id)” has \(fault).")
        }
        guard let value = parameter.value else {
          throw fault("The preset “\(name)” of “\(id)” has no value for “\(key)”.")
        }
        values[key] = value
      }
      presets.append(
        ParameterPreset(name, values, summary: preset.summary.map { String(cString: $0) } ?? ""))
    }
    return presets
  }
}
