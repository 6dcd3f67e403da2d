import CFrei0r
import CompositorAPI

/// What a few small pictures show about a module.
struct Frei0rTrial {
  /// The values an instance begins with.
  let defaults: [Frei0rValue]
  /// Whether the same picture at the same time came out differently with other pictures before it, or a second time, with any
  /// of the values that were tried.
  let isTemporal: Bool
  /// Whether opaque pictures came out transparent somewhere, with any of the values that were tried.
  let makesAlpha: Bool

  private static let size = (width: 64, height: 48)

  /// - Throws: `.moduleFailed` where the module makes no instance or writes outside its picture.
  init(_ library: Frei0rLibrary) throws(CompositorError) {
    let result = library.exclusively { module -> Result<Frei0rTrial, CompositorError> in
      Result { () throws(CompositorError) in try Frei0rTrial(library, module) }
    }
    self = try result.get()
  }

  private init(_ library: Frei0rLibrary, _ module: OpaquePointer) throws(CompositorError) {
    defaults = try Run(library, module).values
    let observations = try Frei0rTrial.settings(of: library.parameters).map { (values) throws(CompositorError) in
      try Frei0rTrial.observe(library, module, values)
    }
    isTemporal = observations.contains { $0.isTemporal }
    makesAlpha = observations.contains { $0.makesAlpha }
  }

  /// What is tried: the module's own values, then numbers and switches that are far from them. A delay of 0 delays nothing.
  private static func settings(of parameters: [Frei0rLibrary.Parameter]) -> [[Int: Frei0rValue]] {
    let adjustable = parameters.filter { $0.kind == .number || $0.kind == .bool }
    guard !adjustable.isEmpty else { return [[:]] }
    return [[:]]
      + [(0.3, 1.0), (0.7, 0)].map { number, bool in
        Dictionary(
          uniqueKeysWithValues: adjustable.map { ($0.index, Frei0rValue(numbers: [$0.kind == .bool ? bool : number])) })
      }
  }

  private static func observe(
    _ library: Frei0rLibrary, _ module: OpaquePointer, _ values: [Int: Frei0rValue]
  ) throws(CompositorError) -> (isTemporal: Bool, makesAlpha: Bool) {
    let experienced = try Run(library, module)
    experienced.set(values)
    for number in 0..<3 { _ = try experienced.picture(number) }
    let once = try experienced.picture(3)
    let twice = try experienced.picture(3)
    let beginner = try Run(library, module)
    beginner.set(values)
    let fresh = try beginner.picture(3)
    return (once != fresh || twice != fresh, library.kind != .source && once.contains { $0 >> 24 != 255 })
  }

  /// An instance at work on pictures that move.
  private final class Run {
    let instance: OpaquePointer
    private let library: Frei0rLibrary

    init(_ library: Frei0rLibrary, _ module: OpaquePointer) throws(CompositorError) {
      self.library = library
      guard let instance = frei0r_construct(module, Int32(Frei0rTrial.size.width), Int32(Frei0rTrial.size.height)) else {
        throw CompositorError(
          .moduleFailed, "The frei0r module makes no instance.", remedy: "Install what it needs, or leave it out.",
          at: ErrorLocation(file: library.path))
      }
      self.instance = instance
    }

    deinit { frei0r_destruct(instance) }

    /// What the instance's parameters are.
    var values: [Frei0rValue] {
      library.parameters.map { parameter in
        var value = frei0r_value()
        frei0r_get(instance, Int32(parameter.index), parameter.kind.rawValue, &value)
        return Frei0rValue(value, kind: parameter.kind)
      }
    }

    /// Sets parameters, by their places.
    func set(_ values: [Int: Frei0rValue]) {
      for parameter in library.parameters { values[parameter.index]?.set(instance, parameter) }
    }

    /// The module's answer to picture `number`, at 25 a second.
    func picture(_ number: Int) throws(CompositorError) -> [UInt32] {
      let count = Frei0rTrial.size.width * Frei0rTrial.size.height
      for index in 0..<library.kind.inputCount { fill(frei0r_input(instance, Int32(index)), number * 3 + index, count) }
      guard frei0r_update(instance, Double(number) / 25) else {
        throw CompositorError(
          .moduleFailed, "The frei0r module wrote outside its picture.", remedy: "Its author must mend that.",
          at: ErrorLocation(file: library.path))
      }
      return Array(UnsafeBufferPointer(start: frei0r_output(instance), count: count))
    }

    /// Opaque, with edges, slopes and a little noise.
    private func fill(_ pixels: UnsafeMutablePointer<UInt32>?, _ seed: Int, _ count: Int) {
      guard let pixels else { return }
      var noise = UInt32(truncatingIfNeeded: seed &* 747_796_405 &+ 1)
      for position in 0..<count {
        noise = noise &* 1_664_525 &+ 1_013_904_223
        let (x, y) = (position % Frei0rTrial.size.width, position / Frei0rTrial.size.width)
        let slope = UInt32((x * 3 + y + seed * 5) & 127)
        let edge: UInt32 = (x + seed * 4) & 16 == 0 ? 96 : 0
        let first = slope + edge + (noise >> 27)
        let second = UInt32(y * 4) + (noise >> 28)
        pixels[position] = (255 << 24) | ((edge * 2) << 16) | (min(second, 255) << 8) | min(first, 255)
      }
    }
  }
}
