import Compositor

// The API below a timeline: tracks and instructions as in AVFoundation.
let size = PixelSize(width: 1280, height: 720)
let bars = MediaSource.generated(GeneratedSource(pattern: .bars, size: size))
let clock = MediaSource.generated(GeneratedSource(pattern: .clock, size: size))

// The tracks: bars from 0 to 3 s, a clock from 2 to 5 s.
var composition = Composition()
let first = composition.addTrack(.video)
let second = composition.addTrack(.video)
try composition.insert(SourceRange(bars, timeRange: .zero ..< .seconds(3)), at: .zero, inTrack: first)
try composition.insert(SourceRange(clock, timeRange: .zero ..< .seconds(3)), at: .seconds(2), inTrack: second)

// The composition: instructions without gap or overlap, layers front to back.
var fading = LayerInstruction(trackID: first)
try fading.opacity.setRamp(from: 1, to: 0, timeRange: .seconds(2) ..< .seconds(3))
let video = VideoComposition(
  instructions: [
    Instruction(timeRange: .zero ..< .seconds(2), layers: [LayerInstruction(trackID: first)]),
    Instruction(timeRange: .seconds(2) ..< .seconds(3), layers: [fading, LayerInstruction(trackID: second)]),
    Instruction(timeRange: .seconds(3) ..< .seconds(5), layers: [LayerInstruction(trackID: second)]),
  ],
  frameDuration: .frames(1, at: 30), renderSize: size)

// Validation gives diagnostics, or a composition that can be rendered.
let edit = Edit(composition: composition, videoComposition: video)
for diagnostic in await edit.validate() { print(diagnostic) }

let folder = CommandLine.arguments.dropFirst().first ?? "."
let result = try await edit.export(to: "\(folder)/instructions.mp4", overwriting: true)
print("wrote \(result.path): \(result.frameCount) frames")
