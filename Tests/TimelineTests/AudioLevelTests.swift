import CompositorAPI
import CompositorAudio
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// The mixed audio of a timeline of tones.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct AudioLevelTests {
  /// Generated tones have a quarter of full scale.
  static let full = 0.25

  private static func project(_ tracks: String, _ others: String = "") throws -> (Edit, MediaCatalog) {
    let text = """
      { version: 1, output: { size: "16x16", frameRate: 25 },
        assets: { a: { generate: "color", color: "#000", size: "16x16", tone: 440 },
          b: { generate: "color", color: "#000", size: "16x16", tone: 1000 },
          c: { generate: "color", color: "#000", size: "16x16", tone: 500, duration: "0.5s" } },
        tracks: [\(tracks)]\(others) }
      """
    let catalog = MediaCatalog()
    return (try ProjectFile(text).edit(catalog: catalog), catalog)
  }

  static func render(_ edit: Edit, _ catalog: MediaCatalog) async throws -> DecodedAudio {
    let folder = try TemporaryFolder()
    let path = folder.file("mix.mov")
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    let settings = ExportSettings(
      video: VideoEncodingSettings(codec: .h264, speed: .ultrafast),
      audio: AudioEncodingSettings(codec: .pcmFloat32, sampleRate: DecodedAudio.sampleRate, channelCount: 2))
    _ = try await Exporter.export(composition, to: path, settings: settings)
    return try DecodedAudio(path)
  }

  private static func render(_ tracks: String) async throws -> DecodedAudio {
    let (edit, catalog) = try project(tracks)
    return try await render(edit, catalog)
  }

  private func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

  /// Two tones that are not correlated: the power of both stays, ITU-R BS.775's and every editor's reason for sine and cosine.
  @Test func equalPower_ofTwoTones_keepsTheirPower() async throws {
    let audio = try await Self.render(
      "{ clips: [{ asset: 'a', duration: '3s' }, { asset: 'b', duration: '3s', transition: { duration: '2s' } }] }")
    let expected = Self.full * Self.full / 2
    for step in 0..<80 {
      let power = audio.power(at: Double(step) / 20, over: 0.05)
      #expect(abs(10 * log10(power / expected)) < 0.3, "\(10 * log10(power / expected)) dB at \(Double(step) / 20) s")
    }
    // In the middle each has half of the power.
    #expect(abs(decibels(audio.amplitude(of: 440, at: 1.975) / (Self.full * 0.5.squareRoot()))) < 0.05)
    #expect(abs(decibels(audio.amplitude(of: 1000, at: 1.975) / (Self.full * 0.5.squareRoot()))) < 0.05)
  }

  /// The same sine on both sides, as where a take is cut: the level of the sum stays.
  @Test func linear_ofOneSine_keepsItsLevel() async throws {
    let audio = try await Self.render(
      """
      { clips: [{ asset: 'a', duration: '3s' },
        { asset: 'a', in: '1s', duration: '3s', transition: { type: 'wipe-left', duration: '2s', audio: 'linear' } }] }
      """)
    for step in 0..<80 {
      let level = audio.amplitude(of: 440, at: Double(step) / 20) / Self.full
      #expect(abs(decibels(level)) < 0.1, "\(decibels(level)) dB at \(Double(step) / 20) s")
    }
  }

  @Test func none_playsBothAtFullLevel() async throws {
    let audio = try await Self.render(
      "{ clips: [{ asset: 'a', duration: '2s' }, { asset: 'b', duration: '2s', transition: { duration: '1s', audio: 'none' } }] }"
    )
    for time in [1.0, 1.5, 1.9] {
      #expect(abs(decibels(audio.amplitude(of: 440, at: time) / Self.full)) < 0.02)
      #expect(abs(decibels(audio.amplitude(of: 1000, at: time) / Self.full)) < 0.02)
    }
  }

  /// Fades, keyframes in dB and the volume of a track, every 50 ms.
  @Test func levels_ofFadesAndKeyframes_areThoseOfTheirProduct() async throws {
    let audio = try await Self.render(
      """
      { volume: '-3dB', fadeOut: '1s', clips: [{ asset: 'a', duration: '4s', fadeIn: { duration: '1s', easing: 'equal-power' },
        volume: [{ at: '1s', value: '-6dB' }, { at: '3s', value: 1 }] }] }
      """)
    let low = pow(10, -6.0 / 20)
    for step in 0..<80 {
      // A line's mean over a window is its value in the middle.
      let time = Double(step) / 20 + 0.025
      let keyframes = low + (1 - low) * min(max((time - 1) / 2, 0), 1)
      let expected = pow(10, -3.0 / 20) * keyframes * (time < 1 ? sin(time * .pi / 2) : 1) * min(4 - time, 1)
      let level = audio.amplitude(of: 440, at: Double(step) / 20) / Self.full
      #expect(abs(level - expected) < max(0.0115 * expected, 1e-3), "\(level) for \(expected) at \(time)")
    }
  }

  /// 500 Hz over half a second are 250 periods: a loop of them is a sine without a seam.
  @Test func loop_ofWholePeriods_hasNoSeam() async throws {
    let audio = try await Self.render("{ clips: [{ asset: 'c', duration: '3s', loop: true }] }")
    for index in audio.samples.indices.dropLast(1) where index < 144_000 {
      let exact = Self.full * sin(2 * .pi * Double(index % 96) / 96)
      if abs(Double(audio.samples[index]) - exact) > 1e-5 {
        Issue.record("\(audio.samples[index]) for \(exact) at sample \(index)")
        return
      }
    }
    #expect(audio.samples.count == 144_000)
  }

  @Test func muted_isSilentAndTheOthersAreNot() async throws {
    let audio = try await Self.render(
      "{ clips: [{ asset: 'a', duration: '1s', mute: true }, { asset: 'b', duration: '1s' }] }, { mute: true, clips: [{ asset: 'a', duration: '2s' }] }"
    )
    #expect(audio.power(at: 0, over: 1) == 0)
    #expect(abs(decibels(audio.amplitude(of: 1000, at: 1.5) / Self.full)) < 0.01 && audio.amplitude(of: 440, at: 1.5) < 1e-5)
  }
}
