import CompositorAPI
import Foundation

/// Conversions by the zscale filter of the `ffmpeg` on this machine.
enum ZScaleOracle {
  /// Whether there is an ffmpeg with the filter.
  static let isAvailable: Bool = {
    guard let listing = try? run(["-hide_banner", "-filters"]) else { return false }
    return String(decoding: listing, as: UTF8.self).contains(" zscale ")
  }()

  /// Runs a planar frame through a filter chain and gives the bytes of the result.
  static func convert(_ frame: Frame, filters: String, to pixelFormat: String) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: "zscale-\(UUID().uuidString).raw")
    defer { try? FileManager.default.removeItem(at: file) }
    try bytes(of: frame).write(to: file)
    let name =
      frame.format.bytesPerSample > 1 ? (frame.format == .rgba16 ? "rgba64le" : frame.format.name + "le") : frame.format.name
    return try run([
      "-v", "error", "-f", "rawvideo", "-pix_fmt", name, "-s", frame.size.description, "-i", file.path,
      "-vf", filters + ",format=" + pixelFormat, "-f", "rawvideo", "-pix_fmt", pixelFormat, "-",
    ])
  }

  static func bytes(of frame: Frame) -> Data {
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

  /// A planar frame from raw bytes.
  static func frame(
    _ data: Data, _ format: PixelFormat, _ size: PixelSize, _ attributes: FrameAttributes
  ) throws -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: attributes)
    var offset = 0
    frame.withUnsafeMutablePlanes { planes in
      data.withUnsafeBytes { bytes in
        for index in 0..<planes.count {
          let count = format.rowBytes(plane: index, of: size)
          for y in 0..<planes[index].height where offset + count <= bytes.count {
            let row = UnsafeMutableRawBufferPointer(start: planes[index].base + y * planes[index].stride, count: count)
            row.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            offset += count
          }
        }
      }
    }
    guard offset == data.count, offset > 0 else { throw Failed(status: -1) }
    return frame.freeze()
  }

  private struct Failed: Error {
    let status: Int32
  }

  static func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-nostdin"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return data
  }
}
