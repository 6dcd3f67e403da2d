import Compositor

// A tone that goes through a telephone filter, then through an echo of libavfilter, into an audio file.
let folder = CommandLine.arguments.dropFirst().first ?? "."
let tone = MediaSource.generated(
  GeneratedSource(
    pattern: .bars, size: PixelSize(width: 64, height: 36), frameRate: 25, duration: .seconds(2), toneFrequency: 440))

var registry = CompositorRegistry.builtIn
try registry.register(Telephone.self)

let catalog = MediaCatalog()
var edit = try Edit(showing: tone, catalog: catalog)
guard let track = edit.composition.tracks(.audio).first?.trackID else {
  throw CompositorError(.trackNotFound, "The tone is missing.")
}
var parameters = AudioMixInputParameters(trackID: track)
parameters.processors = [AudioProcessorUse("org.example.telephone", parameters: ["drive": .number(8)])]
edit.audioMix = AudioMix(inputParameters: [parameters])
edit.audioMix.processors = [
  AudioProcessorUse("avfilter.aecho", parameters: ["delays": .string("120"), "decays": .string("0.3")])
]
let result = try await edit.export(to: "\(folder)/telephone.wav", overwriting: true, catalog: catalog, registry: registry)
print("\(result.path): \(result.audioSampleCount) samples")
