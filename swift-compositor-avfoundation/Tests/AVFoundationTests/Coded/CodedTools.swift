import AVFoundation
import Compositor
import Testing

/// Runs ffmpeg, and gives what it prints.
@discardableResult
func ffmpeg(_ arguments: [String]) throws -> String {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments
  process.standardOutput = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "ffmpeg \(arguments.joined(separator: " "))")
  return String(decoding: data, as: UTF8.self)
}

/// Sizes and sums of the packets of a file's tracks, by track, in the order of the file.
///
/// - Parameter stored: Whether those that edit lists leave out are among them.
func packets(_ url: URL, stored: Bool = false) throws -> [String: [String]] {
  let options = stored ? ["-ignore_editlist", "1"] : []
  let lines = try ffmpeg(options + ["-i", url.path, "-map", "0", "-c", "copy", "-f", "framemd5", "-"]).split(separator: "\n")
  var packets: [String: [String]] = [:]
  for line in lines where !line.hasPrefix("#") {
    let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    // Track, decoding time, time, duration, size, sum.
    packets[fields[0], default: []].append(fields[4...5].joined(separator: " "))
  }
  return packets
}

/// A movie of moving pictures and a tone, encoded by ffmpeg.
///
/// - Parameters:
///   - video: Options of the encoder; `nil` for none.
///   - audio: Options of the encoder; `nil` for none.
func encoded(_ url: URL, video: [String]?, audio: [String]?, seconds: Int = 3) throws {
  var arguments: [String] = []
  if video != nil { arguments += ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=\(seconds)"] }
  if audio != nil { arguments += ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=\(seconds)"] }
  if let video { arguments += ["-pix_fmt", "yuv420p"] + video }
  if let audio { arguments += audio }
  try ffmpeg(arguments + [url.path])
}

let h264 = ["-c:v", "libx264", "-bf", "3", "-g", "12", "-preset", "veryfast"]
let hevc = ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=12:bframes=3", "-preset", "ultrafast", "-tag:v", "hvc1"]

/// Copies tracks of a file from a reader to a writer.
///
/// - Parameters:
///   - encoding: Tracks that are decoded and encoded again.
///   - session: Start and end of the session.
///   - hinting: Whether inputs know the format before.
@discardableResult
func copy(
  _ source: URL, to target: URL, _ type: AVFileType, encoding: Set<AVMediaType> = [], start: CMTime = .zero,
  end: CMTime? = nil, hinting: Bool = true, transform: CGAffineTransform? = nil
) async throws -> AVAssetWriter {
  let asset = AVAsset(url: source)
  let reader = try AVAssetReader(asset: asset)
  let writer = try AVAssetWriter(outputURL: target, fileType: type)
  var lines: [(output: AVAssetReaderTrackOutput, input: AVAssetWriterInput)] = []
  for track in asset.tracks {
    let encodes = encoding.contains(track.mediaType)
    let (read, written) = track.mediaType == .video ? (bgra, videoSettings(width: 160, height: 120)) : (pcm16, aac)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: encodes ? read : nil)
    reader.add(output)
    let format = try #require(track.formatDescriptions.first as? CMFormatDescription)
    let input =
      encodes
      ? AVAssetWriterInput(mediaType: track.mediaType, outputSettings: written)
      : AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil, sourceFormatHint: hinting ? format : nil)
    if track.mediaType == .video { input.transform = transform ?? track.preferredTransform }
    #expect(writer.canAdd(input))
    writer.add(input)
    lines.append((output, input))
  }
  #expect(reader.startReading() && writer.startWriting(), "\(String(describing: writer.error))")
  writer.startSession(atSourceTime: start)
  var open = lines
  while !open.isEmpty {
    open = open.filter { line in
      guard let sample = line.output.copyNextSampleBuffer() else {
        line.input.markAsFinished()
        return false
      }
      #expect(line.input.append(sample), "\(String(describing: writer.error))")
      return true
    }
  }
  if let end { writer.endSession(atSourceTime: end) }
  await writer.finishWriting()
  #expect(writer.status == .completed, "\(String(describing: writer.error))")
  return writer
}
