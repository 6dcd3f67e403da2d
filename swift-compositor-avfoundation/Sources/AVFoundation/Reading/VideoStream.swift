internal import Compositor
internal import Foundation

/// What an output of a reader takes its samples from.
protocol SampleStream: Sendable {
  /// The next samples; `nil` at the end. Called by one thread at a time.
  func next() async throws -> CMSampleBuffer?
  /// Ends reading. A call of ``next()`` that waits ends with an error. May be called from any thread.
  func cancel()
  /// Ends reading, and returns when files are closed.
  func close() async
}

/// Pictures as a program asks for them.
struct VideoStreamSettings: Sendable {
  /// Formats of buffers, one of which each frame has.
  let formats: [PixelBufferFormat]
  /// The size; `nil` for that of the source.
  let size: PixelSize?
  var colorPrimaries: ColorPrimaries?
  var transferFunction: TransferFunction?
  var matrix: MatrixCoefficients?

  /// Reads settings of an output.
  ///
  /// - Throws: `.formatUnsupported`: a pixel format that is not known here; `.invalidVideoComposition`: an unknown color.
  init(_ settings: [String: Any], isDeep: Bool, of owner: Any.Type) throws(AVError) {
    let values = SettingsValues(settings)
    let key = kCVPixelBufferPixelFormatTypeKey as String
    let named = try PixelBufferFormat.all(in: [key: values.ints(key)], of: owner)
    formats = named.isEmpty ? PixelBufferFormat.decoded(deep: isDeep) : named
    let width = values.int(kCVPixelBufferWidthKey as String) ?? values.int(AVVideoWidthKey)
    let height = values.int(kCVPixelBufferHeightKey as String) ?? values.int(AVVideoHeightKey)
    size = if let width, let height, width > 0, height > 0 { PixelSize(width: width, height: height) } else { nil }
    guard let colors = values.nested(AVVideoColorPropertiesKey) else { return }
    colorPrimaries = try ColorNames.value(
      of: colors.string(AVVideoColorPrimariesKey), in: ColorNames.primaries, property: AVVideoColorPrimariesKey)
    transferFunction = try ColorNames.value(
      of: colors.string(AVVideoTransferFunctionKey), in: ColorNames.transferFunctions, property: AVVideoTransferFunctionKey)
    matrix = try ColorNames.value(
      of: colors.string(AVVideoYCbCrMatrixKey), in: ColorNames.matrices, property: AVVideoYCbCrMatrixKey)
  }
}

/// Composed frames as sample buffers.
final class VideoStream: SampleStream {
  private let reader: CompositionReader
  private let settings: VideoStreamSettings
  private let compositor: CustomCompositor?
  /// Ranges without a picture, of which no sample is made.
  private let gaps: [TimeRange]
  /// Whether buffers have memory of their own. Frames of the reader are few.
  private let copies: Bool
  private let converter = FrameConverter()
  private let pool = FramePool(maximumOutstanding: 1 << 20)

  init(
    _ edit: TranslatedEdit, in range: TimeRange, settings: VideoStreamSettings, gaps: [TimeRange] = [], copies: Bool
  ) throws(AVError) {
    (self.settings, self.gaps, self.copies, compositor) = (settings, gaps, copies, edit.compositor)
    var reading = ReaderSettings()
    reading.timeRange = range
    reading.mediaTypes = [.video]
    reading.render.compositorDeadline = CustomCompositor.deadline
    reading.render.overlays = edit.overlays
    let final = reading
    do {
      reader = try Worker.wait { try await CompositionReader(edit.composition, settings: final) }
    } catch let error as CompositorError {
      throw AVError(error)
    } catch {
      throw AVError(.unknown, "\(error)")
    }
  }

  func next() async throws -> CMSampleBuffer? {
    do throws(CompositorError) {
      while let rendered = try await reader.nextFrame() {
        if gaps.contains(where: { $0.contains(rendered.time) }) { continue }
        return try sample(rendered)
      }
      return nil
    } catch {
      throw compositor.explain(error)
    }
  }

  private func sample(_ rendered: RenderedFrame) throws(CompositorError) -> CMSampleBuffer {
    let format = PixelBufferFormat.best(of: settings.formats, for: rendered.frame)
    let frame = copies && rendered.frame.format == format.format ? try copy(rendered.frame) : rendered.frame
    do {
      let buffer = try format.buffer(of: frame, by: converter, pool: pool)
      let timing = CMSampleTimingInfo(
        duration: CMTime(rendered.duration), presentationTimeStamp: CMTime(rendered.time), decodeTimeStamp: .invalid)
      return try CMSampleBuffer(
        imageBuffer: buffer, formatDescription: try CMFormatDescription(imageBuffer: buffer), sampleTiming: timing)
    } catch let error as CompositorError {
      throw error
    } catch {
      throw CompositorError(.conversionNotPossible, "\(error)")
    }
  }

  /// The same pixels in memory of this stream's pool.
  private func copy(_ frame: Frame) throws(CompositorError) -> Frame {
    var copy = try pool.makeFrame(format: frame.format, size: frame.size, attributes: frame.attributes)
    frame.withUnsafePlanes { source in
      copy.withUnsafeMutablePlanes { target in
        for plane in 0..<frame.format.planeCount {
          let count = frame.format.rowBytes(plane: plane, of: frame.size)
          for row in 0..<frame.format.planeSize(plane, of: frame.size).height {
            (target[plane].base + row * target[plane].stride).copyMemory(
              from: source[plane].base + row * source[plane].stride, byteCount: count)
          }
        }
      }
    }
    return copy.freeze()
  }

  func cancel() { reader.cancel() }
  func close() async { await reader.close() }
}
