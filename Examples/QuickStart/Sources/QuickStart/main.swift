import Compositor

let webb: MediaSource = "Examples/media/webb-mirror.mp4"
let folder = CommandLine.arguments.dropFirst().first ?? "."

var movie = Timeline()  // size and rate of the first clip
movie.append(webb, from: .seconds(2), for: .seconds(3))
movie.append(webb, from: .seconds(8), for: .seconds(3), transition: .dissolve(.seconds(1)))  // the audio cross-fades, too
movie.overlay(.lowerThird("James Webb", role: "Space telescope"), at: .seconds(0.5), for: .seconds(4))

let result = try await movie.export(to: "\(folder)/quickstart.mp4", preset: .h264, overwriting: true) { progress in
  print(progress.fraction.formatted(.percent.precision(.fractionLength(0))), terminator: "\r")
}
print("wrote \(result.path): \(result.frameCount) frames, \(result.duration.seconds) s")
