import Compositor

func seconds(_ start: Int64, _ end: Int64) -> TimeRange {
  TimeRange(start: MediaTime(value: start, timescale: 1), end: MediaTime(value: end, timescale: 1))
}

// What plays when: bars from 0 to 3, a clock from 2 to 5. A file is .file(path: "clip.mp4").
let size = PixelSize(width: 1280, height: 720)
let bars = MediaSource.generated(GeneratedSource(pattern: .bars, size: size))
let clock = MediaSource.generated(GeneratedSource(pattern: .clock, size: size))
var composition = Composition()
let first = composition.addTrack(.video)
let second = composition.addTrack(.video)
try composition.insert(SourceRange(bars, timeRange: seconds(0, 3)), at: .zero, inTrack: first)
try composition.insert(SourceRange(clock, timeRange: seconds(0, 3)), at: MediaTime(value: 2, timescale: 1), inTrack: second)

// How it is composed: instructions without gap or overlap, layers front to back.
var fading = LayerInstruction(trackID: first)
try fading.opacity.setRamp(from: 1, to: 0, timeRange: seconds(2, 3))
let video = VideoComposition(
  instructions: [
    Instruction(timeRange: seconds(0, 2), layers: [LayerInstruction(trackID: first)]),
    Instruction(timeRange: seconds(2, 3), layers: [fading, LayerInstruction(trackID: second)]),
    Instruction(timeRange: seconds(3, 5), layers: [LayerInstruction(trackID: second)]),
  ],
  frameDuration: MediaTime(value: 1, timescale: 30), renderSize: size)

// Findings, or something that can be rendered.
let edit = Edit(composition: composition, videoComposition: video)
let valid = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()

let folder = CommandLine.arguments.dropFirst().first ?? "."
let result = try await Exporter.export(valid, to: "\(folder)/quickstart.mp4", settings: ExportSettings(overwrites: true))
print("wrote \(result.path): \(result.frameCount) frames")
