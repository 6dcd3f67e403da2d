import CompositorAPI
import CompositorHost
import Foundation
import Testing

/// Every diagnostic is shown by a project that has it, or it is said why no project file can.
@Suite struct DiagnosticCoverageTests {
  /// Why no fixture has these, by their codes.
  static let unreachable: [ValidationDiagnostic.Code: String] = [
    .invalidSegments: "A project's clips become segments that follow one another; only an edit made in code can break that.",
    .invalidTrackIDInInstruction:
      "A project names tracks, and a name that is not there is refused as invalidProject, unknown-track.json5.",
    .invalidTitle: "No fixture yet: its title names a file that is there and is no image or font.",
    .nothingToRender: "A project without clips is refused when it is read, and a clip lasts a frame or more.",
    .sourceBeyondMedia: "A clip that is longer than its media is refused when the project is laid out: invalidValueForKey.",
    .decoderMissing: "FFmpeg would have to lack a decoder of what it encodes: CompositionValidatorTests make such media.",
    .trackUndecodable: "Its media must be damaged, which no encoder writes: UndecodableTrackTests.",
    .frameSizeChanges: "Its media are streams joined byte by byte, which no single command writes: FrameSizeTests.",
    .missingFrames: "Its media lacks a fragment: AppendedRecordingTests.",
    .repeatedTimes: "Its media are files joined byte by byte, which no single command writes: ChangingStreamTests.",
    .assumedChannels: "Its media have channels without positions, which a fixture's sources cannot: ChannelPositionTests.",
    .unsteadyAudio: "Its media must lose packets, which no encoder does: UnsteadyAudioTests.",
    .mediaCutShort: "Its media must be damaged, which no encoder writes: DamagedMediaTests.",
    .audioCutShort: "Its media must be damaged, which no encoder writes: DamagedMediaTests.",
    .metadataDropped: "FFmpeg writes no Dolby Vision or HDR10+ of its own: HDRMixTests with a phone's movie.",
    .colorNotConvertible: "FFmpeg writes no color that it cannot name: SourceColorTests.",
    .incompatibleCompositors: "It takes a compositor of one's own that asks for other times: OtherTimePluginTests.",
  ]

  @Test(arguments: ValidationDiagnostic.Code.allCases)
  func code_hasAProject_orAReason(_ code: ValidationDiagnostic.Code) throws {
    let fixtures = try DiagnosticFixture.all.filter { fixture in
      try fixture.lines("expect").contains { $0.split(separator: " ").dropFirst().first.map(String.init) == code.rawValue }
    }
    let reason = Self.unreachable[code]
    #expect(fixtures.isEmpty == (reason != nil), "\(code.rawValue): \(fixtures.map(\.name)), \(reason ?? "no reason")")
    #expect(reason.map { $0.count > 20 } ?? true)
  }
}
