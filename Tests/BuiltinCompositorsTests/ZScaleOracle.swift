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
    let name = frame.format.bytesPerSample > 1 ? frame.format.name + "le" : frame.format.name
    return try run([
      "-v", "error", "-f", "rawvideo", "-pix_fmt", name, "-s", frame.size.description, "-i", file.path(),
      "-vf", filters + ",format=" + pixelFormat, "-f", "rawvideo", "-pix_fmt", pixelFormat, "-",
    ])
  }

  private static func bytes(of frame: Frame) -> Data {
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

  private struct Failed: Error {
    let status: Int32
  }

  private static func run(_ arguments: [String]) throws -> Data {
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
