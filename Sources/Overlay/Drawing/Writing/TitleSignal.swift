import CCompositorKernels
import CompositorAPI
import CompositorConversion
import CompositorPlatform

/// The signal in which the colors of titles are written, in which 1 is white. Filters and luminance masks are defined in it.
///
/// It is an SDR output's own signal. In HDR and in light as a signal it has the exponent by which middle gray becomes light, and its
/// colors may exceed white.
package struct TitleSignal: Sendable {
  private struct Gamma {
    let exponent, white: Float
  }

  private let light: LightCoding
  /// Whether surfaces hold light.
  private let isLight: Bool
  /// From light; `nil` if the output's own signal is meant.
  private let gamma: Gamma?

  /// Whether its colors may exceed white.
  package var mayExceedWhite: Bool { gamma != nil }

  /// - Returns: `nil` if surfaces hold this signal.
  /// - Throws: `.conversionNotPossible` if the transfer function is unknown.
  init?(_ encoding: OutputEncoding) throws(CompositorError) {
    let (color, policy, blended) = (encoding.attributes.color, encoding.policy, encoding.light)
    let isOwn = !color.transfer.isHDR && color.transfer != .linear
    if isOwn, blended == nil { return nil }
    let light: LightCoding
    if let blended { light = blended } else { light = try LightCoding(color, format: encoding.format, policy: policy) }
    (self.light, isLight) = (light, blended != nil)
    guard !isOwn else {
      gamma = nil
      return
    }
    func lightOfGray(_ value: Double) throws(CompositorError) -> Double {
      light.light(of: try Color(red: value, green: value, blue: value).encoded(in: color, policy: policy)).y
    }
    let (white, gray) = (try lightOfGray(1), try lightOfGray(0.5))
    gamma = Gamma(exponent: Float(log(gray / white) / log(0.5)), white: Float(white))
  }

  /// Converts a surface's pixels to this signal.
  func enter(_ surface: inout Surface) { convert(&surface) { enter($0, count: $1, room: $2) } }

  /// Converts a surface's pixels back.
  func leave(_ surface: inout Surface) { convert(&surface) { leave($0, count: $1, room: $2) } }

  /// Converts a row of pixels to this signal.
  ///
  /// - Parameter room: As for ``LightCoding/encode(_:count:room:)``.
  func enter(_ row: UnsafeMutablePointer<Float>, count: Int, room: UnsafeMutablePointer<Float>) {
    guard let gamma else { return light.encode(row, count: count, room: room) }
    if !isLight { light.decode(row, count: count, room: room) }
    cpk_overlay_surface_gamma(row, 1 / gamma.white, 1 / gamma.exponent, 1, count)
  }

  /// Converts a row of pixels back.
  ///
  /// - Parameter room: As for ``LightCoding/decode(_:count:room:)``.
  func leave(_ row: UnsafeMutablePointer<Float>, count: Int, room: UnsafeMutablePointer<Float>) {
    guard let gamma else { return light.decode(row, count: count, room: room) }
    cpk_overlay_surface_gamma(row, 1, gamma.exponent, gamma.white, count)
    if !isLight { light.encode(row, count: count, room: room) }
  }

  private func convert(
    _ surface: inout Surface, _ body: (UnsafeMutablePointer<Float>, Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    let (width, height) = (surface.box.width, surface.box.height)
    guard width > 0, height > 0 else { return }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LightCoding.roomCount(columns: width)) { room in
      surface.pixels.withUnsafeMutableBufferPointer { pixels in
        guard let first = pixels.baseAddress, let room = room.baseAddress else { return }
        for y in 0..<height { body(first + y * width * 4, width, room) }
      }
    }
  }
}
