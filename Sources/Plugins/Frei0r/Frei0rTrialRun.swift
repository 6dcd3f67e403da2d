import CCompositorFrei0r
import CompositorAPI

/// An instance that processes moving frames.
final class Frei0rTrialRun {
  private let instance: OpaquePointer
  private let library: Frei0rLibrary
  private let size: PixelSize

  /// - Throws: `.pluginFailed` if the plugin creates no instance.
  init(_ library: Frei0rLibrary, _ plugin: OpaquePointer, _ size: PixelSize) throws(CompositorError) {
    (self.library, self.size) = (library, size)
    guard let instance = frei0r_construct(plugin, Int32(clamping: size.width), Int32(clamping: size.height)) else {
      throw CompositorError(
        .pluginFailed, "The frei0r plugin creates no instance.", recoverySuggestion: "Install its libraries, or do not use it.",
        at: ErrorLocation(file: library.path))
    }
    self.instance = instance
  }

  deinit { frei0r_destruct(instance) }

  /// The instance's parameter values.
  var values: [Frei0rValue] {
    library.parameters.map { parameter in
      var value = frei0r_value()
      frei0r_get(instance, Int32(parameter.index), parameter.kind.rawValue, &value)
      return Frei0rValue(value, kind: parameter.kind)
    }
  }

  /// Sets parameters by index.
  func set(_ values: [Int: Frei0rValue]) {
    for parameter in library.parameters { values[parameter.index]?.set(instance, parameter) }
  }

  /// The plugin's result for frame `number`, at 25 fps.
  ///
  /// - Throws: `.pluginFailed` if it wrote outside its frame.
  // Never inlined: where the result isn't used, Swift 6.3 frees the new array before it copies the pixels into it.
  @inline(never) func picture(_ number: Int) throws(CompositorError) -> [UInt32] {
    for index in 0..<library.kind.inputCount { fill(frei0r_input(instance, Int32(index)), number * 3 + index) }
    guard frei0r_update(instance, Double(number) / 25) else {
      throw CompositorError(
        .pluginFailed, "The frei0r plugin wrote outside its frame.", recoverySuggestion: "Its author must fix that.",
        at: ErrorLocation(file: library.path))
    }
    return Array(UnsafeBufferPointer(start: frei0r_output(instance), count: size.width * size.height))
  }

  /// Opaque, with edges, slopes and a little noise.
  private func fill(_ pixels: UnsafeMutablePointer<UInt32>?, _ seed: Int) {
    guard let pixels else { return }
    var noise = UInt32(truncatingIfNeeded: seed &* 747_796_405 &+ 1)
    for position in 0..<size.width * size.height {
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let (x, y) = (position % size.width, position / size.width)
      let slope = UInt32((x * 3 + y + seed * 5) & 127)
      let edge: UInt32 = (x + seed * 4) & 16 == 0 ? 96 : 0
      let first = slope + edge + (noise >> 27)
      let second = UInt32(y * 4) + (noise >> 28)
      pixels[position] = (255 << 24) | ((edge * 2) << 16) | (min(second, 255) << 8) | min(first, 255)
    }
  }
}
