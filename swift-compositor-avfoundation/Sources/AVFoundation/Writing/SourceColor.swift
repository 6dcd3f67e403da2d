internal import Compositor
internal import Foundation

extension FrameAttributes {
  /// What is attached to a buffer; BT.709 where nothing is.
  init(_ buffer: CVPixelBuffer, _ format: PixelBufferFormat) {
    func name(_ key: CFString) -> String? { CVBufferCopyAttachment(buffer, key, nil) as? String }
    func value<Value>(_ key: CFString, in table: [(String, Value)]) -> Value? {
      name(key).flatMap { name in table.first { $0.0 == name }?.1 }
    }
    let primaries = value(kCVImageBufferColorPrimariesKey, in: ColorNames.primaries) ?? .bt709
    let tags = ColorTags(
      primaries: primaries,
      transfer: value(kCVImageBufferTransferFunctionKey, in: ColorNames.transferFunctions) ?? .bt709,
      matrix: value(kCVImageBufferYCbCrMatrixKey, in: ColorNames.matrices) ?? (primaries == .bt2020 ? .bt2020 : .bt709),
      range: format.range ?? .full)
    let isStraight = name(kCVImageBufferAlphaChannelModeKey) == kCVImageBufferAlphaChannelMode_StraightAlpha as String
    self.init(
      color: format.tags(tags), alphaMode: format.hasAlpha ? (isStraight ? .straight : .premultiplied) : .opaque)
  }
}

/// Makes frames of a track's size, format and color.
struct FrameFitting: Sendable {
  let track: VideoTrackDescription
  let scaling: VideoInputSettings.Scaling
  private let converter = FrameConverter()
  private let pool = FramePool(maximumOutstanding: 1 << 20)

  init(_ track: VideoTrackDescription, _ scaling: VideoInputSettings.Scaling) {
    (self.track, self.scaling) = (track, scaling)
  }

  /// The frame of a buffer.
  ///
  /// - Throws: Why it cannot be converted.
  func frame(of picture: AppendedPicture) async throws -> Frame {
    var attributes = picture.attributes
    // Codecs without alpha store the colors as they are.
    if track.attributes.alphaMode == .opaque { attributes.alphaMode = .opaque }
    let source = try picture.pixels.frame(picture.format, attributes, pool)
    guard source.size != track.size else {
      return try converter.convert(source, to: track.format, attributes: track.attributes, pool: pool)
    }
    return try await scaled(source)
  }

  /// The frame in the track's size, by the compositor of layers.
  private func scaled(_ frame: Frame) async throws -> Frame {
    let range = TimeRange(start: .zero, duration: .seconds(1))
    var layer = LayerInstruction(trackID: 1)
    try layer.transform.set(transform(of: frame), at: .zero)
    var instruction = Instruction(timeRange: range, layers: [layer])
    instruction.backgroundColor = Color(red: 0, green: 0, blue: 0)
    let context = RenderContext(
      size: track.size, outputFormat: track.format, outputAttributes: track.attributes, pool: pool)
    let compositor = try CompositorFactory(LayerCompositor.self).makeCompositor(
      parameters: ParameterValues(), context: context)
    let source = SourceFrame(
      trackID: 1, frame: frame, presentationTime: .zero, duration: .seconds(1), requestedTime: .zero)
    let made = try await compositor.compose(
      CompositionRequest(time: .zero, instruction: instruction, sources: [1: source], context: context))
    return try converter.convert(made, to: track.format, attributes: track.attributes, pool: pool)
  }

  private func transform(of frame: Frame) -> AffineMatrix {
    let (width, height) = (Double(track.size.width), Double(track.size.height))
    let from = frame.displaySize
    var (x, y) = (width / from.width, height / from.height)
    switch scaling {
    case .resize: break
    case .aspect: (x, y) = (min(x, y), min(x, y))
    case .aspectFill: (x, y) = (max(x, y), max(x, y))
    case .fit: (x, y) = (min(x, y, 1), min(x, y, 1))
    }
    return AffineMatrix(
      a: x, b: 0, c: 0, d: y, tx: (width - from.width * x) / 2, ty: (height - from.height * y) / 2)
  }
}

/// A picture that was appended, as it was then.
struct AppendedPicture: Sendable {
  let pixels: FrozenPixelBuffer
  let format: PixelBufferFormat
  let attributes: FrameAttributes

  /// - Throws: `.formatUnsupported`; `.outOfMemory`.
  init(_ buffer: CVPixelBuffer) throws(AVError) {
    guard let format = PixelBufferFormat.of(CVPixelBufferGetPixelFormatType(buffer)) else {
      throw AVError(
        .formatUnsupported, "Buffers of the pixel format \(CVPixelBufferGetPixelFormatType(buffer)) cannot be written.",
        suggestion: "Use kCVPixelFormatType_32BGRA, or another one of CoreVideo.")
    }
    var memory = buffer.memory
    // A program that has the addresses may write at any time.
    let isExposed = if case .program = memory.owner { true } else { buffer.isLocked }
    if isExposed {
      guard let copy = memory.copy(buffer.layout, width: buffer.width, height: buffer.height) else {
        throw AVError(.outOfMemory, "There is no memory for a frame.")
      }
      memory = copy
    }
    pixels = FrozenPixelBuffer(buffer, memory)
    self.format = format
    attributes = FrameAttributes(buffer, format)
  }
}
