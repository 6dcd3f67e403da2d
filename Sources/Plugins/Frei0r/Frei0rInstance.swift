import CCompositorFrei0r
import CompositorAPI

/// One instance of a plugin for one size, with its history of frames.
///
/// frei0r requires sizes that are multiples of 8: other frames are extended by repeating their last column and row, and the
/// result is cropped. Rows have no padding: frames are copied in and out, 8 MB for 1080p.
actor Frei0rInstance {
  private let library: Frei0rLibrary
  private let size: PixelSize
  private let padded: PixelSize
  private let handle: OpaquePointer
  private var lastTime: Double?
  /// The current parameter values, by index.
  private var current: [Int: Frei0rValue]

  /// - Parameter values: The parameter values of a new instance, by index.
  /// - Throws: `.pluginFailed` if the plugin creates no instance.
  init(
    _ library: Frei0rLibrary, size: PixelSize, values: [Int: Frei0rValue]
  ) throws(CompositorError) {
    let padded = PixelSize(width: (size.width + 7) / 8 * 8, height: (size.height + 7) / 8 * 8)
    let made = library.exclusively { plugin in
      UInt(bitPattern: frei0r_construct(plugin, Int32(clamping: padded.width), Int32(clamping: padded.height)))
    }
    guard let handle = OpaquePointer(bitPattern: made) else {
      throw CompositorError(
        .pluginFailed, "The frei0r plugin creates no instance for \(padded).",
        recoverySuggestion: "Use it at another size, or do not use it.",
        at: ErrorLocation(file: library.path))
    }
    (self.library, self.size, self.padded, self.handle, current) = (library, size, padded, handle, values)
  }

  isolated deinit {
    let instance = UInt(bitPattern: handle)
    library.exclusively { _ in frei0r_destruct(OpaquePointer(bitPattern: instance)) }
  }

  /// Whether a request for a time continues after the last one.
  func continues(to seconds: Double) -> Bool { lastTime.map { $0 < seconds } ?? true }

  /// Makes a frame.
  ///
  /// - Parameters:
  ///   - frames: As many as the plugin takes, of the instance's size and the plugin's format.
  ///   - values: The parameter values, by index. Only changed values are set, because some plugins have side effects when a
  ///     value is set.
  /// - Throws: `.pluginFailed` if the plugin wrote outside its frame; `.framePoolExhausted`.
  func picture(
    _ frames: [Frame], seconds: Double, values: [Int: Frei0rValue], attributes: FrameAttributes, pool: FramePool
  ) throws(CompositorError) -> Frame {
    for (index, frame) in frames.enumerated() { load(frame, into: index) }
    let changes = values.filter { current[$0.key] != $0.value }
    current.merge(changes) { _, new in new }
    let isWhole = library.exclusively { [handle] _ in
      for parameter in library.parameters {
        guard let value = changes[parameter.index] else { continue }
        value.set(handle, parameter)
      }
      return frei0r_update(handle, seconds)
    }
    guard isWhole else {
      throw CompositorError(
        .pluginFailed, "The frei0r plugin wrote outside its frame.", recoverySuggestion: "Its author must fix that.",
        at: ErrorLocation(file: library.path))
    }
    lastTime = seconds
    return try store(attributes, pool)
  }

  private func load(_ frame: Frame, into index: Int) {
    guard let target = frei0r_input(handle, Int32(index)) else { return }
    let rowBytes = size.width * 4
    frame.withUnsafePlanes { planes in
      for y in 0..<padded.height {
        let row = planes[0].base + min(y, size.height - 1) * planes[0].stride
        let to = target + y * padded.width
        UnsafeMutableRawPointer(to).copyMemory(from: row, byteCount: rowBytes)
        for x in size.width..<padded.width { to[x] = to[size.width - 1] }
      }
    }
  }

  private func store(_ attributes: FrameAttributes, _ pool: FramePool) throws(CompositorError) -> Frame {
    var frame = try pool.makeFrame(format: library.format, size: size, attributes: attributes)
    if let source = frei0r_output(handle) {
      frame.withUnsafeMutablePlanes { planes in
        for y in 0..<size.height {
          let row = planes[0].base + y * planes[0].stride
          row.copyMemory(from: source + y * padded.width, byteCount: size.width * 4)
        }
      }
    }
    return frame.freeze()
  }
}

/// A value of a frei0r parameter.
struct Frei0rValue: Sendable, Hashable {
  var numbers: [Double] = []
  var text = ""

  init(numbers: [Double]) { self.numbers = numbers }
  init(text: String) { self.text = text }

  init(_ value: frei0r_value, kind: Frei0rLibrary.Parameter.Kind) {
    let (a, b, c) = value.numbers
    switch kind {
    case .bool, .number: numbers = [a]
    case .position: numbers = [a, b]
    case .color: numbers = [a, b, c]
    case .text: text = value.text.map { String(cString: $0) } ?? ""
    }
  }

  /// Sets a parameter of an instance.
  func set(_ instance: OpaquePointer, _ parameter: Frei0rLibrary.Parameter) {
    func at(_ index: Int) -> Double { index < numbers.count ? numbers[index] : 0 }
    text.withCString { text in
      var value = frei0r_value(numbers: (at(0), at(1), at(2)), text: text)
      frei0r_set(instance, Int32(parameter.index), parameter.kind.rawValue, &value)
    }
  }
}
