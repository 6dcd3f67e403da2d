package import CompositorAPI
package import Foundation

/// The `ffmpeg` program: what a filter is expected to give.
package enum FFmpegOracle {
  /// Whether there is one.
  package static let isAvailable: Bool = (try? run(["-version"])) != nil

  package struct Failed: Error {
    let status: Int32
    let arguments: [String]
  }

  /// Its standard output.
  package static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-nostdin"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus, arguments: arguments) }
    return data
  }

  /// `count` pictures of a source filter such as `testsrc2`.
  package static func pictures(_ source: String, count: Int, size: PixelSize, format: PixelFormat) throws -> [Frame] {
    let data = try run([
      "-v", "error", "-f", "lavfi", "-i", "\(source)=size=\(size):rate=25", "-frames:v", "\(count)", "-f", "rawvideo",
      "-pix_fmt", pixelFormat(format), "-",
    ])
    return frames(in: data, size: size, format: format)
  }

  /// What ffmpeg makes of raw pictures: each input a list of frames at 25 a second, the graph over `[0]` and `[1]`.
  package static func filter(_ inputs: [[Frame]], graph: String) throws -> [Frame] {
    let (format, size) = (inputs[0][0].format, inputs[0][0].size)
    let folder = FileManager.default.temporaryDirectory.appending(path: "foreign-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = ["-v", "error"]
    for (index, frames) in inputs.enumerated() {
      let file = folder.appending(path: "\(index).raw")
      try frames.reduce(into: Data()) { $0.append(bytes(of: $1)) }.write(to: file)
      arguments += ["-f", "rawvideo", "-pix_fmt", pixelFormat(format), "-s", "\(size)", "-r", "25", "-i", file.path]
    }
    // Pictures as the graph gives them: none made up for the times of those that a filter leaves out.
    arguments += ["-filter_complex", graph, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixelFormat(format), "-"]
    return frames(in: try run(arguments), size: size, format: format)
  }

  /// All samples of a frame, without padding.
  package static func bytes(of frame: Frame) -> Data {
    var data = Data()
    frame.withUnsafePlanes { planes in
      for index in 0..<planes.count {
        let count = frame.format.rowBytes(plane: index, of: frame.size)
        for y in 0..<planes[index].height {
          data.append(Data(bytes: planes[index].base + y * planes[index].stride, count: count))
        }
      }
    }
    return data
  }

  /// Where two frames differ first and by how much, and how often; nil where they are the same.
  package static func difference(_ left: Frame, _ right: Frame) -> String? {
    let (a, b) = ([UInt8](bytes(of: left)), [UInt8](bytes(of: right)))
    guard a.count == b.count else { return "\(a.count) and \(b.count) bytes" }
    guard let first = a.indices.first(where: { a[$0] != b[$0] }) else { return nil }
    let count = a.indices.count { a[$0] != b[$0] }
    let largest = a.indices.map { abs(Int(a[$0]) - Int(b[$0])) }.max() ?? 0
    return "\(count) of \(a.count) bytes differ, by up to \(largest), the first at \(first): \(a[first]), \(b[first])"
  }

  private static func pixelFormat(_ format: PixelFormat) -> String {
    format.bytesPerSample > 1 ? format.name + "le" : format.name
  }

  private static func frames(in data: Data, size: PixelSize, format: PixelFormat) -> [Frame] {
    let length = format.byteCount(of: size)
    return (0..<data.count / length).map { number in
      var position = number * length
      var frame = MutableFrame(format: format, size: size, attributes: TestSurface.attributes(format))
      data.withUnsafeBytes { bytes in
        frame.withUnsafeMutablePlanes { planes in
          for index in 0..<planes.count {
            let count = format.rowBytes(plane: index, of: size)
            for y in 0..<planes[index].height {
              let row = UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
              guard let base = row.baseAddress else { continue }
              (planes[index].base + y * planes[index].stride).copyMemory(from: base, byteCount: count)
              position += count
            }
          }
        }
      }
      return frame.freeze()
    }
  }
}

/// Surfaces and requests for tests.
package enum TestSurface {
  /// Alpha is stored and means nothing: pictures are not laid over black on the way.
  package static func attributes(_ format: PixelFormat) -> FrameAttributes {
    FrameAttributes(color: format.isRGB ? .sRGB : .bt709)
  }

  package static func context(_ size: PixelSize, _ format: PixelFormat) -> RenderContext {
    RenderContext(size: size, outputFormat: format, outputAttributes: attributes(format))
  }

  /// A request for frame `number` at 25 a second, of an instruction over `count` frames that starts at frame `start`.
  package static func request(
    _ frames: [Frame], number: Int, of count: Int, start: Int = 0, instructionIndex: Int = 0, context: RenderContext
  ) -> CompositionRequest {
    func time(_ number: Int) -> MediaTime { MediaTime(value: Int64(number), timescale: 25) }
    let range = TimeRange(start: time(start), duration: time(count))
    let instruction = Instruction(timeRange: range, layers: frames.indices.map { LayerInstruction(trackID: TrackID($0 + 1)) })
    let now = time(start + number)
    let sources = frames.enumerated().map { index, frame in
      SourceFrame(
        trackID: TrackID(index + 1), frame: frame, presentationTime: now, duration: .indefinite, requestedTime: now)
    }
    return CompositionRequest(
      time: now, instruction: instruction, instructionIndex: instructionIndex,
      sources: Dictionary(uniqueKeysWithValues: sources.map { ($0.trackID, $0) }), context: context)
  }
}
