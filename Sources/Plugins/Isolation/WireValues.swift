import CompositorAPI
import Foundation

/// What a worker is to open, and what it is denied before it does.
struct WireOpening: Codable {
  var specification: String
  /// Bytes of private memory that the plugin may have.
  var memoryLimit: UInt64
  /// Whether the worker makes frames itself, as checks do.
  var makesFrames: Bool
}

/// What a worker says of the plugin that it has opened.
struct WirePlugin: Codable {
  struct Compositor: Codable {
    var descriptor: CompositorDescriptor
    var isSelective: Bool
  }
  var compositors: [Compositor]
  /// Its audio processors, which run in the host only.
  var processors: [AudioProcessorDescriptor]
  /// Lines about the plugin, such as its name and version.
  var notes: [String]
}

/// An instance to be made.
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

/// An error on its way between processes.
struct WireError: Codable {
  var code: Int
  var message: String
  var recoverySuggestion: String?
  var cause: String?

  init(_ error: any Error) {
    if let error = error as? CompositorError {
      (code, message, recoverySuggestion, cause) = (error.code.rawValue, error.message, error.recoverySuggestion, error.cause)
    } else if error is CancellationError {
      (code, message) = (CompositorError.Code.cancelled.rawValue, "The render was cancelled.")
    } else {
      (code, message) = (CompositorError.Code.compositorFailed.rawValue, "The compositor failed.")
      cause = String(describing: error)
    }
  }

  /// What a compositor or the opening of a plugin can fail with. Whatever else a worker says is its plugin's fault.
  private static let codes: Set<CompositorError.Code> = [
    .compositorFailed, .invalidCompositorOutput, .invalidParameter, .invalidComposition, .invalidValue, .compositorNotFound,
    .conversionNotPossible, .sourceRefused, .fileNotFound, .resourceExhausted, .framePoolExhausted, .pictureTooLarge,
    .cancelled,
  ]

  /// The error, cut to what a person reads.
  var error: CompositorError {
    let cut = { (text: String) in TextCleaning.withoutControls(String(text.prefix(2000))) }
    let code = CompositorError.Code(rawValue: code).flatMap { Self.codes.contains($0) ? $0 : nil }
    return CompositorError(
      code ?? .pluginFailed, cut(message), recoverySuggestion: recoverySuggestion.map(cut), cause: cause.map(cut))
  }
}

enum WireJSON {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: Data(bytes))
  }
}
