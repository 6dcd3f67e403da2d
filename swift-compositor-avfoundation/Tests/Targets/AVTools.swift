// Runs the operations of avtools on its own clips, and checks durations, sizes and tracks. Compiled by `scripts/avfoundation-targets`
// beside its files, which are not part of this repository.
import AVFoundation
import CMTimeUtils

let assets = URL(fileURLWithPath: CommandLine.arguments[1])
let out = URL(fileURLWithPath: CommandLine.arguments[2])
try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
let clips = try FileManager.default.contentsOfDirectory(
  at: assets.appendingPathComponent("splits"), includingPropertiesForKeys: nil
).sorted { $0.path < $1.path }
let clip = AVURLAsset(url: clips[0])
let length = clip.duration.seconds
let size = clip.tracks(withMediaType: .video)[0].naturalSize
let frame = 1.0 / 30
var passed = 0
var failures: [String] = []

func source() async throws -> AVAssetSource {
  let source = AVAssetSource(url: clips[0])
  try await source.load()
  return source
}

/// Checks that a file lasts as long as it should, to a frame, and has its tracks.
func check(_ name: String, lasts seconds: Double, size: CGSize?, hasAudio: Bool) {
  let asset = AVURLAsset(url: out.appendingPathComponent(name))
  let video = asset.tracks(withMediaType: .video).first
  let shown = video.map { CGRect(origin: .zero, size: $0.naturalSize).applying($0.preferredTransform).size }
  if abs(asset.duration.seconds - seconds) <= frame + 1e-9, shown == size,
    asset.tracks(withMediaType: .audio).isEmpty != hasAudio
  {
    passed += 1
  } else {
    failures.append(
      "\(name): \(asset.duration.seconds) s for \(seconds) s, \(String(describing: shown)), \(asset.tracks.count) tracks")
  }
}

func run(
  _ name: String, _ operation: AVOperation, lasts seconds: Double, size: CGSize?, hasAudio: Bool = true,
  type: AVFileType = .mov, preset: String = AVAssetExportPreset640x480
) async {
  do {
    guard let context = try await operation.run() else { return failures.append("\(name): no context") }
    try await AVExporter(composeContext: context).export(
      outputURL: out.appendingPathComponent(name), outputFileType: type, presetName: preset)
    check(name, lasts: seconds, size: size, hasAudio: hasAudio)
  } catch {
    failures.append("\(name): \(error)")
  }
}

let small = size.width > size.height ? CGSize(width: 640, height: 360) : CGSize(width: 360, height: 640)
let turned = CGSize(width: small.height, height: small.width)
let all = clips.reduce(0.0) { $0 + AVURLAsset(url: $1).duration.seconds }
let sound = AVURLAsset(url: assets.appendingPathComponent("bgm.mp3")).duration.seconds

await run("merge.mov", MergeOperation(inputURL: assets.appendingPathComponent("splits")), lasts: all, size: small)
await run("speed.mov", SpeedOperation(assetSource: try await source(), speed: 2), lasts: length / 2, size: small)
await run("rotate.mov", RotateOperation(assetSource: try await source(), angle: 90), lasts: length, size: turned)
await run(
  "audio.m4a", ExtractAudioOperation(assetSource: try await source()), lasts: length, size: nil, type: .m4a,
  preset: AVAssetExportPresetAppleM4A)
await run("video.mov", ExtractVideoOperation(assetSource: try await source()), lasts: length, size: small, hasAudio: false)
await run(
  "overlay.mov", OverlaySoundOperation(assetSource: try await source(), soundURL: assets.appendingPathComponent("bgm.mp3")),
  lasts: max(length, sound), size: small)
do {
  try await AVTrimmer(assetSource: try await source()).trim(
    start: CMTime(seconds: 0.2, preferredTimescale: 600), end: CMTime(seconds: 0.8, preferredTimescale: 600),
    output: out.appendingPathComponent("trim.mov"))
  check("trim.mov", lasts: 0.6, size: size, hasAudio: true)
} catch { failures.append("trim: \(error)") }
do {
  // Whole seconds: avtools drops fractions, and never ends with less than one.
  let folder = out.appendingPathComponent("split")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let merged = AVAssetSource(url: out.appendingPathComponent("merge.mov"))
  try await merged.load()
  _ = try await SplitOperation(assetSource: merged, duration: 2, outputURL: folder).run()
  let parts = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  let sum = parts.reduce(0.0) { $0 + AVURLAsset(url: $1).duration.seconds }
  if parts.count == Int((all / 2).rounded(.up)), abs(sum - all) <= frame * Double(parts.count) {
    passed += 1
  } else {
    failures.append("split: \(parts.count) parts of \(sum) s for \(all) s")
  }
} catch { failures.append("split: \(error)") }
for failure in failures { print(failure) }
print("\(passed) of 8 operations are right")
exit(failures.isEmpty ? 0 : 1)
