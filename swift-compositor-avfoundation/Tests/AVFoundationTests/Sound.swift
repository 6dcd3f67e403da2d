import Foundation

/// The audio of a file as another program decodes it: one channel of 48,000 samples a second.
struct Sound {
  let samples: [Float]

  init(_ url: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-i", url.path, "-ac", "1", "-ar", "48000", "-f", "f32le", "-"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The root mean square of each tenth of a second.
  var levels: [Double] {
    stride(from: 0, to: samples.count - 4799, by: 4800).map { start in
      (samples[start..<start + 4800].reduce(0.0) { $0 + Double($1) * Double($1) } / 4800).squareRoot()
    }
  }

  /// The amplitude of a tone in the tenth of a second around a time in seconds.
  func amplitude(of frequency: Double, at time: Double) -> Double {
    let first = min(max(Int(time * 48_000) - 2400, 0), max(samples.count - 4800, 0))
    var (sine, cosine) = (0.0, 0.0)
    for index in first..<min(first + 4800, samples.count) {
      let angle = 2 * Double.pi * frequency * Double(index) / 48_000
      sine += Double(samples[index]) * sin(angle)
      cosine += Double(samples[index]) * cos(angle)
    }
    return (sine * sine + cosine * cosine).squareRoot() * 2 / 4800
  }
}
