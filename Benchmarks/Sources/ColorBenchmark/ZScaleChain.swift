import Clocks
import Compositor
import Foundation

/// A chain of FFmpeg filters that reads raw frames from a file in the system's cache.
struct ZScaleChain {
  let work: Work
  let folder: URL

  /// The processor time per frame of the chain alone, in milliseconds: the best run with the chain, minus the best run that
  /// only reads the same frames. `nil` if there is no FFmpeg with these filters.
  func millisecondsPerFrame(_ frames: [[Frame]], size: PixelSize, frameCount: Int) throws -> Double? {
    guard let graph = work.graph else { return nil }
    let inputs = try write(frames)
    let plain = inputs.count > 1 ? "[0:v][1:v]streamselect=inputs=2:map=0" : "[0:v]null"
    guard let reading = run(inputs, size, graph: plain, output: ["-f", "null", "-"], frameCount),
      let whole = run(inputs, size, graph: graph, output: ["-f", "null", "-"], frameCount)
    else { return nil }
    return (whole - reading) / Double(frameCount)
  }

  /// One frame made by the chain.
  func frame(_ sources: [Frame], size: PixelSize) throws -> Frame? {
    guard let graph = work.graph else { return nil }
    let output = folder.appending(path: "out.yuv")
    let inputs = try write(sources.map { [$0] })
    let format = work.format.bitDepth > 8 ? "yuv420p10le" : "yuv420p"
    guard run(inputs, size, graph: graph, output: ["-f", "rawvideo", "-pix_fmt", format, "-y", output.path], 1) != nil
    else { return nil }
    return Raw.read(try Data(contentsOf: output), work.format, size, FrameAttributes(color: work.output))
  }

  private func write(_ frames: [[Frame]]) throws -> [URL] {
    try frames.enumerated().map { index, frames in
      let file = folder.appending(path: "in\(index).yuv")
      try frames.map(Raw.bytes).reduce(Data(), +).write(to: file)
      return file
    }
  }

  private func run(_ inputs: [URL], _ size: PixelSize, graph: String, output: [String], _ frameCount: Int) -> Double? {
    var best = Double.infinity
    for _ in 0..<(frameCount > 1 ? 3 : 1) {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        ["ffmpeg", "-v", "error", "-nostdin", "-filter_threads", "1", "-filter_complex_threads", "1"]
        + inputs.flatMap {
          [
            "-stream_loop", "-1", "-threads", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "\(size)", "-r", "30",
            "-i", $0.path,
          ]
        } + ["-filter_complex", graph, "-frames:v", "\(frameCount)", "-threads", "1"] + output
      let start = ProcessorTime.children
      guard (try? process.run()) != nil else { return nil }
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return nil }
      best = min(best, ProcessorTime.children - start)
    }
    return best
  }
}

/// Frames as raw video.
enum Raw {
  static func bytes(_ frame: Frame) -> Data {
    var data = Data()
    frame.withUnsafePlanes { planes in
      for index in 0..<planes.count {
        for y in 0..<planes[index].height {
          let row = planes[index].base + y * planes[index].stride
          data.append(Data(bytes: row, count: planes[index].width * frame.format.bytesPerSample))
        }
      }
    }
    return data
  }

  static func read(_ data: Data, _ format: PixelFormat, _ size: PixelSize, _ attributes: FrameAttributes) -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: attributes)
    var offset = 0
    frame.withUnsafeMutablePlanes { planes in
      data.withUnsafeBytes { bytes in
        for index in 0..<planes.count {
          let count = planes[index].width * format.bytesPerSample
          for y in 0..<planes[index].height where offset + count <= bytes.count {
            let row = UnsafeMutableRawBufferPointer(start: planes[index].base + y * planes[index].stride, count: count)
            row.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            offset += count
          }
        }
      }
    }
    return frame.freeze()
  }
}
