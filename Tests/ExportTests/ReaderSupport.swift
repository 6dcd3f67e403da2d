import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Media that ffmpeg makes, as compositions to be read.
struct ReaderMedia {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A clip of numbered pictures, and of tones that differ from channel to channel.
  ///
  /// - Parameters:
  ///   - rate: Frames a second, or `vfr`.
  ///   - seconds: Its length.
  func clip(_ name: String = "in.mkv", rate: String = "25", seconds: Double = 2, channels: Int = 2) throws -> String {
    let path = folder.file(name)
    let isVariable = rate == "vfr"
    let tones = (0..<max(1, channels)).map { "0.2*sin(\(300 + 70 * $0)*2*PI*t)" }.joined(separator: "|")
    var arguments = [
      "-v", "error", "-y", "-f", "lavfi", "-i",
      "testsrc2=size=64x48:rate=\(isVariable ? "30" : rate):duration=\(seconds)",
    ]
    if channels > 0 { arguments += ["-f", "lavfi", "-i", "aevalsrc=\(tones):d=\(seconds):s=48000", "-c:a", "pcm_s16le"] }
    if isVariable { arguments += ["-vf", "select='not(mod(n,3))+between(n,12,25)'", "-fps_mode", "vfr"] }
    try runTool("ffmpeg", arguments + ["-c:v", "ffv1", "-pix_fmt", "yuv420p", path])
    return path
  }

  /// A clip as a composition; `vfr` follows the times of its frames.
  func composition(_ path: String, followsTimes: Bool = false, loudness: LoudnessTarget? = nil) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    var edit = try Edit(showing: .file(path: path), catalog: catalog)
    if followsTimes { edit.videoComposition.sourceTrackIDForFrameTiming = edit.composition.tracks(.video).first?.trackID }
    edit.audioMix.loudness = loudness
    return try CompositionValidator.validate(edit, catalog: catalog).get()
  }

  /// Descriptors of this process that lead to a file.
  static func descriptors(of path: String) -> Int {
    let own = "/proc/self/fd"
    let real = URL(filePath: path).resolvingSymlinksInPath().path
    return ((try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []).count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)")) == real
    }
  }

  /// Waits until a condition holds, two seconds at most: what a reader may take to end.
  static func soon(_ condition: () async -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < deadline {
      if await condition() { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return await condition()
  }
}

/// What a reader, or ffmpeg, found: the bytes of frames without padding, and interleaved samples.
struct MediaBytes: Equatable {
  var frames: [Data] = []
  var samples: [Float] = []

  init() {}

  /// What ffmpeg decodes of a file.
  init(of path: String, frameByteCount: Int, hasAudio: Bool) throws {
    let video = try runProgram(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
    frames = stride(from: 0, to: video.count, by: frameByteCount).map { video[$0..<min($0 + frameByteCount, video.count)] }
    if hasAudio {
      samples = try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:a", "-f", "f32le", "-"])
        .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
  }

  mutating func add(_ frame: Frame) {
    var data = Data()
    frame.withUnsafePlanes { planes in
      for index in 0..<frame.format.planeCount {
        let count = frame.format.rowBytes(plane: index, of: frame.size)
        for row in 0..<frame.format.planeSize(index, of: frame.size).height {
          data.append(Data(bytes: planes[index].base + row * planes[index].stride, count: count))
        }
      }
    }
    frames.append(data)
  }

  mutating func add(_ audio: RenderedAudio) {
    for sample in 0..<audio.sampleCount { for channel in audio.channels { samples.append(channel[sample]) } }
  }
}
