import Compositor

var movie = Timeline()  // size and rate of the first clip
movie.append("a.mp4", from: .seconds(1), for: .seconds(4))
movie.append("b.mp4", for: .seconds(4), transition: .dissolve(.seconds(1)))
movie.overlay(.title("My first movie"), for: .seconds(3))

for diagnostic in await movie.validate() { print(diagnostic) }
let result = try await movie.export(to: "first.mp4", preset: .h264, overwriting: true)
print("\(result.frameCount) frames, \(result.duration.seconds) s")
