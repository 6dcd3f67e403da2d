import Foundation

/// Audio of a file as ffmpeg decodes it, to be measured: nothing of ours reads it.
package struct DecodedAudio {
  /// Samples a second.
  package static let sampleRate = 48_000
  /// Samples of the first channel.
  package let samples: [Float]

  /// Decodes an audio track of a file, by default the first one.
  package init(_ path: String, channel: Int = 0, track: Int = 0) throws {
    let data = try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-map", "0:a:\(track)", "-af", "pan=mono|c0=c\(channel)", "-ar",
        "\(Self.sampleRate)",
        "-f",
        "f32le", "-",
      ])
    samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private init(samples: [Float]) { self.samples = samples }

  /// The same with low tones taken out, by second differences: 12 dB less for each octave down.
  package var highs: DecodedAudio {
    DecodedAudio(
      samples: samples.indices.map { $0 < 2 ? 0 : samples[$0] - 2 * samples[$0 - 1] + samples[$0 - 2] })
  }

  private func window(_ time: Double, _ length: Double) -> ArraySlice<Float> {
    let start = min(Int((time * Double(Self.sampleRate)).rounded()), samples.count)
    return samples[start..<min(samples.count, start + Int((length * Double(Self.sampleRate)).rounded()))]
  }

  /// The amplitude of a sine of `frequency` in a window that is a multiple of its period.
  package func amplitude(of frequency: Double, at time: Double, over length: Double = 0.05) -> Double {
    let window = window(time, length)
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in window.enumerated() {
      let phase = 2 * Double.pi * frequency * Double(index) / Double(Self.sampleRate)
      real += Double(sample) * cos(phase)
      imaginary += Double(sample) * sin(phase)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(window.count, 1))
  }

  /// The mean power.
  package func power(at time: Double, over length: Double) -> Double {
    let window = window(time, length)
    return window.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(window.count, 1))
  }

  /// Integrated loudness in LUFS and the true peak in dBTP, as ffmpeg's `ebur128` measures them.
  package static func loudness(_ path: String) throws -> (integrated: Double, truePeak: Double) {
    let metadata = "ametadata=mode=print:file=-"
    let text = try runTool(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-af", "ebur128=metadata=1:peak=true,\(metadata)", "-f", "null",
        "-",
      ])
    func last(_ key: String) -> Double? {
      text.split(separator: "\n").last { $0.hasPrefix("lavfi.r128.\(key)=") }.flatMap { Double($0.split(separator: "=")[1]) }
    }
    // The filter's peaks are of all samples so far, of each channel, as factors.
    let peaks = ["true_peaks_ch0", "true_peaks_ch1"].compactMap(last)
    guard let integrated = last("I"), let peak = peaks.max() else {
      throw ProgramFailure(description: "ebur128 says nothing of \(path): \(text.suffix(400))")
    }
    return (integrated, 20 * log10(peak))
  }
}
