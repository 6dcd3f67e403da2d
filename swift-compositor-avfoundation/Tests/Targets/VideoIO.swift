// Exports through the compositor class of VideoIO, and checks frames. Compiled by `scripts/avfoundation-targets` beside its files, which
// are not part of this repository.
import AVFoundation

let movie = URL(fileURLWithPath: CommandLine.arguments[1])
let out = URL(fileURLWithPath: CommandLine.arguments[2])
try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
let asset = AVURLAsset(url: movie)
var failures: [String] = []
var passed = 0

func check(_ name: String, _ isRight: Bool, _ detail: @autoclosure () -> String = "") {
  if isRight { passed += 1 } else { failures.append("\(name) \(detail())") }
}

/// R, G and B of the middle of a movie's picture.
func color(_ url: URL, at seconds: Double) throws -> [Int] {
  let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
  generator.requestedTimeToleranceBefore = .zero
  generator.requestedTimeToleranceAfter = .zero
  let image = try generator.copyCGImage(at: CMTime(seconds: seconds, preferredTimescale: 600), actualTime: nil)
  guard let data = image.dataProvider?.data as Data? else { return [] }
  let place = image.height / 2 * image.bytesPerRow + image.width / 2 * 4
  return (0..<3).map { Int(data[place + $0]) }
}

func export(_ composition: AVVideoComposition, _ name: String) -> URL? {
  guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality) else { return nil }
  let url = out.appendingPathComponent(name)
  session.outputURL = url
  session.outputFileType = .mp4
  session.videoComposition = composition
  session.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 3, timescale: 1))
  let done = DispatchSemaphore(value: 0)
  session.exportAsynchronously { done.signal() }
  done.wait()
  if let error = session.error { failures.append("\(name): \(error)") }
  return session.status == .completed ? url : nil
}

/// The block paints each frame blue until 1 s, gives back its source until 2 s, and paints it red after that.
func paint(_ request: AVAsynchronousVideoCompositionRequest) {
  let time = request.compositionTime.seconds
  if (1..<2).contains(time), let id = request.sourceTrackIDs.first?.int32Value, let source = request.sourceFrame(byTrackID: id)
  {
    return request.finish(withComposedVideoFrame: source)
  }
  guard let buffer = request.renderContext.newPixelBuffer() else {
    return request.finish(with: NSError(domain: "driver", code: 1))
  }
  CVPixelBufferLockBaseAddress(buffer, [])
  if let base = CVPixelBufferGetBaseAddress(buffer)?.assumingMemoryBound(to: UInt8.self) {
    for row in 0..<CVPixelBufferGetHeight(buffer) {
      for column in 0..<CVPixelBufferGetWidth(buffer) {
        let pixel = base + row * CVPixelBufferGetBytesPerRow(buffer) + column * 4
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (time < 1 ? 255 : 0, 0, time < 1 ? 0 : 255, 255)
      }
    }
  }
  CVPixelBufferUnlockBaseAddress(buffer, [])
  request.finish(withComposedVideoFrame: buffer)
}

let size = asset.presentationVideoSize ?? .zero
check("size", size == asset.naturalVideoSize && size.width > 0)
let composition = VideoComposition(propertiesOf: asset, compositionRequestHandler: paint)
check("properties", composition.renderSize == size && composition.instructions.count == 1 && composition.frameDuration > .zero)
composition.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
composition.frameDuration = CMTime(value: 1, timescale: 24)
if let url = export(composition.makeAVVideoComposition(), "painted.mp4") {
  let written = AVURLAsset(url: url)
  check("duration", abs(written.duration.seconds - 3) < 1.0 / 24, "\(written.duration.seconds)")
  check("written size", written.presentationVideoSize == size)
  // Frames that follow others differ by what H.264 leaves out.
  let (blue, red) = (try color(url, at: 0.5), try color(url, at: 2.5))
  check("blue", blue[2] > 235 && blue[0] < 20 && blue[1] < 20, "\(blue)")
  check("red", red[0] > 235 && red[1] < 20 && red[2] < 20, "\(red)")
  let (source, shown) = (try color(movie, at: 1.5), try color(url, at: 1.5))
  check("source", zip(source, shown).allSatisfy { abs($0 - $1) < 12 }, "\(source) \(shown)")
}
// The size that the program asks for is that of the frames.
composition.renderSize = CGSize(width: size.width / 2, height: size.height / 2)
if let url = export(composition.makeAVVideoComposition(), "half.mp4") {
  check("half", AVURLAsset(url: url).naturalVideoSize == composition.renderSize)
}

for failure in failures { print(failure) }
print("\(passed) of \(passed + failures.count) checks of VideoComposition passed")
exit(failures.isEmpty ? 0 : 1)
