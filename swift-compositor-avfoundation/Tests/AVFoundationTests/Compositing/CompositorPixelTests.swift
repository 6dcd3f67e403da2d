import AVFoundation
import Compositor
import Synchronization
import Testing

private let all = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))

/// What compositors of programs get and give, pixel by pixel.
@Suite struct CompositorPixelTests {
  private let folder: TestFolder
  private let converter = FrameConverter()

  init() throws { folder = try TestFolder() }

  private func asset(_ color: Color = Color(red: 0.8, green: 0.3, blue: 0.1)) async throws -> AVAsset {
    AVAsset(url: try await folder.movie("a.mp4", seconds: 1, color: color, tone: nil))
  }

  /// Whether a color is another one, within what 8 bits of Y′CbCr can state.
  private func isNear(_ color: [UInt8], _ other: [UInt8]) -> Bool {
    color.count == other.count && zip(color, other).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
  }

  /// The frame that the compositor gets is the one that is shown without it; the frame that it gives is shown.
  @Test func bgra_isExact_inAndOut() async throws {
    let asset = try await asset()
    let seen = Mutex<[UInt8]>([])
    let video = testComposition(
      of: asset,
      [
        TestInstruction(all) { request in
          guard let source = request.sourceFrame(byTrackID: 1), let target = request.renderContext.newPixelBuffer() else {
            return request.finish(with: TestFailure(text: "no buffers"))
          }
          seen.withLock { $0 = middle(of: source) }
          fill(target, with: [10, 20, 30, 255])
          request.finish(withComposedVideoFrame: target)
        }
      ])
    let shown = middle(of: try await image(asset, video, at: 0.4))
    #expect(isNear(shown, [30, 20, 10]), "\(shown)")
    let plain = middle(of: try await image(asset, nil, at: 0.4))
    #expect(seen.withLock { $0 } == [plain[2], plain[1], plain[0], 255])
  }

  enum ARGB: TestFormat { static let type = kCVPixelFormatType_32ARGB }
  enum ABGR: TestFormat { static let type = kCVPixelFormatType_32ABGR }
  enum RGBA: TestFormat { static let type = kCVPixelFormatType_32RGBA }
  enum RGB: TestFormat { static let type = kCVPixelFormatType_24RGB }

  /// Red, green, blue and alpha are at the places of the format.
  @Test(arguments: 0..<4) func packedFormats_areConverted(index: Int) async throws {
    let formats: [(any AVVideoCompositing.Type, [Int])] = [
      (FormatCompositor<ARGB>.self, [3, 0, 1, 2]), (FormatCompositor<ABGR>.self, [3, 2, 1, 0]),
      (FormatCompositor<RGBA>.self, [0, 1, 2, 3]), (FormatCompositor<RGB>.self, [0, 1, 2]),
    ]
    let (type, order) = formats[index]
    let asset = try await asset()
    let seen = Mutex<[UInt8]>([])
    let video = testComposition(
      of: asset, by: type,
      [
        TestInstruction(all) { request in
          guard let source = request.sourceFrame(byTrackID: 1), let target = request.renderContext.newPixelBuffer() else {
            return request.finish(with: TestFailure(text: "no buffers"))
          }
          seen.withLock { $0 = middle(of: source, count: order.count) }
          fill(target, with: order.map { [40, 80, 120, 255][$0] })
          request.finish(withComposedVideoFrame: target)
        }
      ])
    let shown = middle(of: try await image(asset, video, at: 0))
    #expect(isNear(shown, [40, 80, 120]), "\(shown)")
    let plain = middle(of: try await image(asset, nil, at: 0)) + [255]
    #expect(seen.withLock { $0 } == order.map { plain[$0] })
  }

  enum Video: TestFormat { static let type = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange }
  enum Full: TestFormat { static let type = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange }
  enum Deep: TestFormat { static let type = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange }
  enum Packed: TestFormat { static let type = kCVPixelFormatType_422YpCbCr8 }

  /// White is 235 in video range and 255 in full range; what is written into a source frame is shown.
  @Test(arguments: 0..<4) func lumaFormats_haveTheirRange(index: Int) async throws {
    let types: [(any AVVideoCompositing.Type, Int)] = [
      (FormatCompositor<Video>.self, 235), (FormatCompositor<Full>.self, 255), (FormatCompositor<Deep>.self, 940 << 6),
      (FormatCompositor<Packed>.self, 235),
    ]
    let asset = try await asset(.white)
    let seen = Mutex<Int>(0)
    let video = testComposition(
      of: asset, by: types[index].0,
      [
        TestInstruction(all) { request in
          guard let source = request.sourceFrame(byTrackID: 1) else {
            return request.finish(with: TestFailure(text: "no source"))
          }
          CVPixelBufferLockBaseAddress(source, [])
          let isPlanar = CVPixelBufferIsPlanar(source)
          let base = isPlanar ? CVPixelBufferGetBaseAddressOfPlane(source, 0) : CVPixelBufferGetBaseAddress(source)
          if index == 2, let words = base?.assumingMemoryBound(to: UInt16.self) {
            seen.withLock { $0 = Int(words[8]) }
          } else if let bytes = base?.assumingMemoryBound(to: UInt8.self) {
            seen.withLock { $0 = Int(bytes[isPlanar ? 8 : 9]) }
            let stride = isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(source, 0) : CVPixelBufferGetBytesPerRow(source)
            for place in 0..<180 * stride where isPlanar || place % 2 == 1 { bytes[place] = index == 1 ? 0 : 16 }
          }
          CVPixelBufferUnlockBaseAddress(source, [])
          request.finish(withComposedVideoFrame: source)
        }
      ])
    let shown = middle(of: try await image(asset, video, at: 0))
    let found = seen.withLock { $0 }
    #expect(abs(found - types[index].1) <= (index == 2 ? 64 : 1), "\(found)")
    #expect(index == 2 ? shown.allSatisfy { $0 >= 254 } : shown.allSatisfy { $0 <= 2 }, "\(shown)")
  }

  private func rgb(_ format: PixelFormat, width: Int) -> RenderContext {
    RenderContext(
      size: PixelSize(width: width, height: 8), outputFormat: format, outputAttributes: FrameAttributes(color: .sRGB))
  }

  /// Every value of an opaque frame is at its place of a buffer, and in the frame that is made of the buffer.
  @Test(
    arguments: [
      (kCVPixelFormatType_32BGRA, [2, 1, 0, 3]), (kCVPixelFormatType_32RGBA, [0, 1, 2, 3]),
      (kCVPixelFormatType_32ARGB, [3, 0, 1, 2]), (kCVPixelFormatType_32ABGR, [3, 2, 1, 0]),
      (kCVPixelFormatType_24RGB, [0, 1, 2]), (kCVPixelFormatType_24BGR, [2, 1, 0]),
    ] as [(OSType, [Int])])
  func packedFormats_keepEveryValue(type: OSType, order: [Int]) throws {
    let context = rgb(.rgba, width: 33)
    func value(_ place: Int) -> UInt8 { place % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: place &* 89 &+ place / 7) }
    var target = try context.makeFrame()
    for y in 0..<8 {
      target.withMutableRow(y, as: UInt8.self) { row in
        for place in 0..<132 { row[place] = value(y * 132 + place) }
      }
    }
    let frame = target.freeze()
    let buffer = try #require(PixelBufferFormat.of(type)).buffer(of: frame, by: converter, pool: context.pool)
    let memory = buffer.memory
    let (base, stride) = (memory.planes[0].base, memory.planes[0].bytesPerRow)
    for place in 0..<33 * 8 {
      let pixel = (0..<order.count).map {
        base.load(fromByteOffset: place / 33 * stride + place % 33 * order.count + $0, as: UInt8.self)
      }
      #expect(pixel == order.map { value(place * 4 + $0) })
    }
    let back = try FrozenPixelBuffer(buffer, memory).frame(for: context, by: converter)
    for y in 0..<8 {
      let isSame = back.withRow(y, as: UInt8.self) { row in (0..<132).allSatisfy { row[$0] == value(y * 132 + $0) } }
      #expect(isSame)
    }
  }

  /// A buffer lends the frame's memory, a frame made of the buffer is the frame, and writing changes a copy.
  @Test func sourceMemory_isNotCopied_untilItIsWritten() throws {
    let context = rgb(.bgra, width: 16)
    let frame = try context.makeFrame(filledWith: .white)
    let format = try #require(PixelBufferFormat.of(kCVPixelFormatType_32BGRA))
    let buffer = try format.buffer(of: frame, by: converter, pool: context.pool)
    let lent = buffer.memory
    #expect(frame.withUnsafePlanes { UnsafeRawPointer(lent.base) == $0[0].base })
    #expect(try FrozenPixelBuffer(buffer, lent).frame(for: context, by: converter).isSameMemory(as: frame))
    #expect(middle(of: buffer) == [255, 255, 255, 255])
    fill(buffer, with: [1, 2, 3, 255])
    #expect(buffer.memory !== lent && middle(of: buffer) == [1, 2, 3, 255])
    #expect(frame.withUnsafePlanes { $0[0].base.load(as: UInt8.self) } == 255)
    let made = try FrozenPixelBuffer(buffer, buffer.memory).frame(for: context, by: converter)
    fill(buffer, with: [7, 7, 7, 255])
    #expect(made.withUnsafePlanes { $0[0].base.load(as: UInt8.self) } == 1, "a frame does not change when its buffer does")
  }

  @Test func sourceFrames_areTagged() async throws {
    let asset = try await asset()
    let tags = Mutex<[String: String]>([:])
    let video = testComposition(
      of: asset,
      [
        TestInstruction(all) { request in
          for (name, buffer) in [
            ("source", request.sourceFrame(byTrackID: 1)), ("new", request.renderContext.newPixelBuffer()),
          ] {
            guard let buffer else { continue }
            let value = CVBufferCopyAttachment(buffer, kCVImageBufferColorPrimariesKey, nil) as? String
            tags.withLock { $0[name] = value }
          }
          request.finish(with: TestFailure(text: "seen"))
        }
      ])
    video.colorPrimaries = AVVideoColorPrimaries_ITU_R_709_2
    video.colorTransferFunction = AVVideoTransferFunction_ITU_R_709_2
    video.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_709_2
    await #expect(throws: TestFailure(text: "seen")) { try await image(asset, video, at: 0) }
    #expect(tags.withLock { $0 } == ["source": "ITU_R_709_2", "new": "ITU_R_709_2"])
    video.colorPrimaries = "none"
    let error = await #expect(throws: AVError.self) { try await image(asset, video, at: 0) }
    #expect(error?.code == .invalidVideoComposition)
  }
}
