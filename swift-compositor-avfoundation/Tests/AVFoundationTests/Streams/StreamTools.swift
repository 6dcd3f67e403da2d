import AVFoundation
import Compositor
import Testing

/// What an output gives: times and durations of pictures, or of blocks of audio, and the number of samples.
struct ReadSamples {
  var times: [CMTime] = []
  var durations: [CMTime] = []
  var sampleCount = 0
}

/// Reads an output to its end.
func readAll(_ output: AVAssetReaderOutput, _ body: (CMSampleBuffer) throws -> Void) rethrows -> ReadSamples {
  var read = ReadSamples()
  while let sample = output.copyNextSampleBuffer() {
    read.times.append(sample.presentationTimeStamp)
    read.durations.append(sample.duration)
    read.sampleCount += sample.numSamples
    try body(sample)
  }
  return read
}

/// Reads an output to its end.
func readAll(_ output: AVAssetReaderOutput) -> ReadSamples { readAll(output) { _ in } }

/// What ffprobe says of a file, one value a line.
func ffprobe(_ url: URL, _ arguments: String...) throws -> [String] {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["ffprobe", "-v", "error", "-of", "default=nw=1:nk=1"] + arguments + [url.path]
  process.standardOutput = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0).trimmingCharacters(in: .whitespaces) }
}

/// The number of frames that ffprobe decodes.
func frameCount(_ url: URL) throws -> Int? {
  try ffprobe(url, "-select_streams", "v:0", "-count_frames", "-show_entries", "stream=nb_read_frames").first.flatMap {
    Int($0)
  }
}

/// Sets the pixels of a 32BGRA buffer to one gray, from which ``gray(of:)`` reads a frame's number.
func paint(_ buffer: CVPixelBuffer, gray: Int) {
  CVPixelBufferLockBaseAddress(buffer, [])
  defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
  guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
  let stride = CVPixelBufferGetBytesPerRow(buffer)
  for row in 0..<CVPixelBufferGetHeight(buffer) {
    let line = (base + row * stride).assumingMemoryBound(to: UInt8.self)
    for column in 0..<CVPixelBufferGetWidth(buffer) {
      for part in 0..<3 { line[column * 4 + part] = UInt8(gray) }
      line[column * 4 + 3] = 255
    }
  }
}

/// The gray at the center of a 32BGRA buffer.
func gray(of buffer: CVPixelBuffer) -> Int {
  CVPixelBufferLockBaseAddress(buffer, .readOnly)
  defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
  guard let base = CVPixelBufferGetBaseAddress(buffer) else { return -1 }
  let place = CVPixelBufferGetHeight(buffer) / 2 * CVPixelBufferGetBytesPerRow(buffer) + CVPixelBufferGetWidth(buffer) / 2 * 4
  return Int(base.load(fromByteOffset: place + 1, as: UInt8.self))
}

/// Attributes of 32BGRA.
var bgra: [String: Any] { [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA] }
/// 16-bit integers.
var pcm16: [String: Any] {
  [
    AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
    AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
  ]
}
