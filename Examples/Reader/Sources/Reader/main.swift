import Compositor

// Reads composed frames and mixed audio, and prints the brightness of the video and the level of the audio twice per second.
// Nothing is encoded.
var movie = Timeline()
movie.append("Examples/media/webb-mirror.mp4", from: .seconds(2), for: .seconds(3))
movie.append("Examples/media/webb-mirror.mp4", from: .seconds(8), for: .seconds(3), transition: .dissolve(.seconds(1)))

var settings = ReaderSettings()
settings.pixelFormat = .yuv420p
let reader = try await movie.reader(settings)
var (luma, power, sampleCount) = (0.0, 0.0, 0)
for try await media in reader.media {
  switch media {
  case .frame(let rendered):
    if rendered.index % 15 == 0 {
      print(
        "\(rendered.time.seconds) s: luma \(luma), level \(sampleCount > 0 ? (power / Double(sampleCount)).squareRoot() : 0)")
      (power, sampleCount) = (0, 0)
    }
    luma = rendered.frame.withUnsafePlanes { planes in
      let plane = planes[0]
      let rows = (0..<plane.height).map { UnsafeRawBufferPointer(start: plane.base + $0 * plane.stride, count: plane.width) }
      return Double(rows.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1) } }) / Double(plane.width * plane.height)
    }
  case .audio(let block):
    for channel in block.channels { power += channel.reduce(0.0) { $0 + Double($1 * $1) } }
    sampleCount += block.sampleCount * block.channels.count
  }
}
print("\(reader.status.rawValue): \(reader.frameCount) frames, \(reader.sampleCount) samples")
