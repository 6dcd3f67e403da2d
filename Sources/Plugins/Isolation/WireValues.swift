import CompositorAPI
import Foundation

/// The plugin that a worker is to open, and the restrictions to apply first.
struct WireOpening: Codable {
  var specification: String
  /// The limit of the plugin's private memory, in bytes.
  var memoryLimit: UInt64
}

/// A worker's description of the plugin that it has opened.
struct WirePlugin: Codable, Sendable {
  struct Compositor: Codable, Sendable {
    var descriptor: CompositorDescriptor
    var isSelective: Bool
  }
  var compositors: [Compositor]
  /// Its audio processors, which run only in the host.
  var processors: [AudioProcessorDescriptor]
  /// Lines for people, such as its name and version.
  var notes: [String]
}

/// An instance to create.
struct WireInstance: Codable {
  var compositor: CompositorID
  var parameters: ParameterValues
  var context: WireContext
}

/// A render context without its pool and its observer.
struct WireContext: Codable, Hashable {
  var size: PixelSize
  var renderScale: Double
  var compositionToPixels: AffineMatrix
  var outputFormat: PixelFormat
  var outputAttributes: FrameAttributes
  var blending: BlendingSpace
  var colorConversion: ColorConversionPolicy
  var quality: RenderQuality
  var sampling: SamplingQuality?

  init(_ context: RenderContext) {
    size = context.size
    renderScale = context.renderScale
    compositionToPixels = context.compositionToPixels
    outputFormat = context.outputFormat
    outputAttributes = context.outputAttributes
    blending = context.blending
    colorConversion = context.colorConversion
    quality = context.quality
    sampling = context.sampling
  }

  func context(pool: FramePool) -> RenderContext {
    var context = RenderContext(
      size: size, renderScale: renderScale, outputFormat: outputFormat, outputAttributes: outputAttributes,
      blending: blending, colorConversion: colorConversion, quality: quality, pool: pool)
    context.compositionToPixels = compositionToPixels
    context.sampling = sampling
    return context
  }
}

/// An encodable error.
struct WireError: Codable, Hashable {
  var code: Int
  var message: String
  var recoverySuggestion: String?
  var cause: String?

  init(_ error: any Error) {
    if let error = error as? CompositorError {
      (code, message, recoverySuggestion, cause) = (error.code.rawValue, error.message, error.recoverySuggestion, error.cause)
    } else if error is CancellationError {
      (code, message) = (CompositorError.Code.cancelled.rawValue, "The render was canceled.")
    } else {
      (code, message) = (CompositorError.Code.compositorFailed.rawValue, "The compositor failed.")
      cause = String(describing: error)
    }
  }

  /// The errors of compositors and of opening plugins. Any other code in a reply is the plugin's fault.
  private static let codes: Set<CompositorError.Code> = [
    .compositorFailed, .invalidCompositorOutput, .invalidParameter, .invalidComposition, .invalidValue, .compositorNotFound,
    .conversionNotPossible, .sourceRefused, .fileNotFound, .resourceExhausted, .framePoolExhausted, .frameTooLarge,
    .cancelled,
  ]

  /// The error, shortened to a readable length.
  var error: CompositorError {
    let cut = { (text: String) in TextCleaning.withoutControls(TextCleaning.shortened(text, to: 2000)) }
    let code = CompositorError.Code(rawValue: code)
    return CompositorError(
      Self.codes.contains(code) ? code : .pluginFailed, cut(message), recoverySuggestion: recoverySuggestion.map(cut),
      cause: cause.map(cut))
  }
}

enum WireJSON {
  /// Decodes what a worker sent, which may be forged.
  ///
  /// - Parameter expiry: The time at which decoding the values of parameters fails; `nil` for no limit.
  static func decodeReply<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>, until expiry: ContinuousClock.Instant? = nil
  ) throws -> Value {
    try decode(type, from: try ReplyText.bounded(bytes)[...], until: expiry)
  }

  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  /// - Parameter expiry: The time at which decoding the values of parameters fails; `nil` for no limit.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>, until expiry: ContinuousClock.Instant? = nil
  ) throws -> Value {
    let decoder = JSONDecoder()
    if let key = ParameterValue.expiryKey, let expiry { decoder.userInfo[key] = expiry }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: Data(bytes))
  }
}
