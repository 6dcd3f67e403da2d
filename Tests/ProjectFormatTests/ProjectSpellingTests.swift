import CompositorAPI
import CompositorProjectFormat
import Testing

/// Sentences about a project name its keys.
@Suite struct ProjectSpellingTests {
  @Test(arguments: [
    (RecoveryOption(.frameRate, value: "25"), "output.frameRate: 25"), (RecoveryOption(.audioTracks), "output.audioTracks"),
    (RecoveryOption(.heardChannels, value: "0"), "channels: 0 of a clip"),
    (RecoveryOption(.heardChannels, value: "0,1"), "channels: [0, 1] of a clip"),
    (RecoveryOption(.deinterlacing, value: "same"), "deinterlace: \"same\" for the asset"),
    (RecoveryOption(.ends, value: "video"), "ends: \"video\""), (RecoveryOption(.ends), "ends of a clip"),
    (RecoveryOption(.holdsLastFrame, value: "true"), "hold: true"), (RecoveryOption(.loop, value: "true"), "loop: true"),
    (RecoveryOption(.clipAudio, value: "false"), "audio: false for the clip"),
    (RecoveryOption(.clipStart, value: "auto"), "at: \"auto\""),
    (RecoveryOption(.blending, value: "encoded"), "blending: encoded"),
    (RecoveryOption(.instructionBackground, value: "black"), "background: \"black\", in output or in the instruction"),
    (RecoveryOption(.timelineBackground, value: "black"), "background: \"black\" in output"),
    (RecoveryOption(.passthrough), "ExportSettings.passthrough"),
  ])
  func setting_isSpelledAsAKey(_ option: RecoveryOption, _ words: String) {
    #expect(SettingSpelling.project(option) == words)
  }
}
