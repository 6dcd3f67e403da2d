package import CompositorHost

/// What is said of a diagnostic's code whatever the project: for `docs/validation.md` and for programs that read SARIF.
package struct DiagnosticRule: Sendable {
  /// What it means.
  package var meaning: String
  /// What usually leads to it.
  package var cause: String
  /// What to do.
  package var mending: String

  private init(_ meaning: String, _ cause: String, _ mending: String) {
    (self.meaning, self.cause, self.mending) = (meaning, cause, mending)
  }

  /// What is said of a code.
  package static func of(_ code: ValidationDiagnostic.Code) -> DiagnosticRule {
    table[code.rawValue] ?? DiagnosticRule("Something is wrong, or may surprise.", "See the message.", "See the message.")
  }

  /// The raw values of the codes that the table has.
  package static var codes: Set<String> { Set(table.keys) }

  private static let table = values.merging(times) { $1 }.merging(media) { $1 }.merging(output) { $1 }.merging(advice) { $1 }

  private static let values: [String: DiagnosticRule] = [
    "invalidProject": DiagnosticRule(
      "The project file breaks its grammar, or has a key or a value that its place does not take.",
      "A misspelled key or value, a missing comma or bracket, or a time without a unit.",
      "Look at the line. For a near word, --fix-unsafe writes it. An editor with the JSON Schema shows such mistakes while you type."
    ),
    "olderSpelling": DiagnosticRule(
      "The project writes something in an older way, which is still understood.",
      "It was written for an earlier version of the format.", "Run with --fix, which writes the current spelling."),
    "invalidValueForKey": DiagnosticRule(
      "A value is outside its range, or not a number.",
      "A unit was mistaken, or a size or rate was computed from missing media.",
      "Write a value in the range that the message names."),
    "invalidParameter": DiagnosticRule(
      "A parameter of a compositor, transition or effect is unknown, missing, of the wrong kind or out of its range.",
      "A misspelled name, or parameters of another compositor.",
      "compositor compositors lists all parameters with their ranges."),
    "unknownCompositor": DiagnosticRule(
      "An instruction names a compositor that is not registered.", "A misspelled ID, or a plugin that was not found.",
      "List the plugin's file under plugins, or correct the ID: compositor compositors lists what is built in."),
    "incompatibleCompositors": DiagnosticRule(
      "A compositor needs frames at other times of one before it that gives its frames in order only.",
      "An effect that looks at neighboring frames comes after a filter with a memory.",
      "Swap the two, or render with the first and use that movie."),
    "invalidVolume": DiagnosticRule(
      "A value of the audio mix is out of its range, or names no audio track.",
      "Decibels were written as a linear gain, or a track without audio is named.",
      "Write levels as \"-6dB\", or as a linear gain of 0 or more."),
  ]

  private static let times: [String: DiagnosticRule] = [
    "emptyTimeRange": DiagnosticRule(
      "A stretch of the timeline is covered by no instruction: a gap.",
      "An instruction is missing or too short, or the tracks became longer.",
      "Lengthen the instruction before the gap, or add one; --fix does it."),
    "invalidTimeRangeInInstruction": DiagnosticRule(
      "An instruction's time range is not valid, overlaps another or is out of order.",
      "A clip between two transitions was shortened by one of them only, or the instructions are not in the order of time.",
      "Let each instruction start where the one before ends."),
    "invalidTrackIDInInstruction": DiagnosticRule(
      "An instruction names a track that is not in the composition, or holds no video.",
      "The track was removed or renamed.", "Name a track with video."),
    "unusedTrack": DiagnosticRule(
      "A track with video is shown by no instruction.", "It was added after the instructions were written.",
      "Show it in an instruction, or remove it."),
    "invalidSegments": DiagnosticRule(
      "A track's clips do not follow one another, or play at a speed that is not possible.",
      "Two clips of one track overlap, or a clip was cut to nothing.", "Put overlapping clips on two tracks."),
    "nothingToRender": DiagnosticRule(
      "There is nothing to render.", "All clips are audio, or hidden.", "Show a movie, an image or a generated pattern."),
    "invalidTitle": DiagnosticRule(
      "A title cannot be drawn: an animation, a size or a time that makes no sense, or a file that cannot be read.",
      "A value of its layer tree is out of its range.", "Look at the layer that the path names."),
    "titleNotSeen": DiagnosticRule(
      "A title is never seen: it begins after the end, lies outside of the canvas or shows nothing.",
      "The clips became shorter, or its position was written for another canvas.",
      "Move it into the movie and onto the canvas, or remove it."),
    "titleResourceMissing": DiagnosticRule(
      "A title uses a font, characters or an image that are not there.", "The font is not installed on this machine.",
      "List the font's file under fonts, or name another."),
  ]

  private static let media: [String: DiagnosticRule] = [
    "mediaUnavailable": DiagnosticRule(
      "A source is not there or cannot be read.", "The file was moved: paths are relative to the project file.",
      "Correct the asset's path."),
    "mediaTrackMissing": DiagnosticRule(
      "A source has no track of the asked number and kind.", "A file without audio, or fewer tracks than were counted.",
      "compositor probe says which tracks a file has."),
    "decoderMissing": DiagnosticRule(
      "A track that is used has a codec without a decoder.", "This machine's FFmpeg was built without it.",
      "Convert the file, or use an FFmpeg with the decoder."),
    "trackUndecodable": DiagnosticRule(
      "A track that is used cannot be decoded.", "The file is damaged, or its codec is not supported.",
      "Convert the file, or leave the track out."),
    "sourceBeyondMedia": DiagnosticRule(
      "A clip asks for time that its media does not have.", "The container's duration is longer than the track's.",
      "End the clip where its media ends."),
    "mediaCutShort": DiagnosticRule(
      "A clip asks for pictures that are missing from a file that is cut short.", "The file was not copied whole.",
      "Fetch the file again, or end the clip earlier."),
    "audioCutShort": DiagnosticRule(
      "A clip asks for audio that is missing from a file that is cut short: it falls silent.", "The file was not copied whole.",
      "Fetch the file again, or end the clip earlier."),
    "metadataDropped": DiagnosticRule(
      "A source has metadata that is neither used nor written, such as Dolby Vision's.",
      "Only static HDR metadata is carried through.", "Nothing has to be done: the picture is rendered from the base layer."),
    "ambiguousColor": DiagnosticRule(
      "What a source says of its color is contradictory, incomplete or damaged.", "The file was tagged by a program in error.",
      "Say the asset's color in the project."),
  ]

  private static let output: [String: DiagnosticRule] = [
    "unwritableOutput": DiagnosticRule(
      "No movie can be made of the frames or the audio as they are to be encoded.",
      "The codec cannot hold the size, the rate, the color or the depth.", "Choose another codec, or what the message names."),
    "colorNotConvertible": DiagnosticRule(
      "The color of a source cannot be turned into the output's, or the output's format cannot hold its color.",
      "HDR in 8 bits, or a color without a definition.", "Choose another output color or format."),
    "blendingNotLinear": DiagnosticRule(
      "Something mixes code values where linear light was asked for.", "A plugin or a blend mode works on encoded values.",
      "Use a built-in transition, or blending: \"encoded\"."),
  ]

  private static let advice: [String: DiagnosticRule] = [
    "rampOutsideRange": DiagnosticRule(
      "A ramp lies outside of its instruction, or a volume's outside of the movie: it has no effect, or is cut off.",
      "The instruction or the movie became shorter.", "Let the ramp end where its instruction ends."),
    "layerNotSeen": DiagnosticRule(
      "A layer, or what its ramps do, is hidden by an opaque layer above, or lies outside of the canvas.",
      "Layers are in the order from front to back: the first one is on top.", "Put the layer that fades first."),
    "trackWithoutMedia": DiagnosticRule(
      "An instruction shows a track at a time at which that has no media.", "Another track is meant, or a clip became shorter.",
      "Name a track that plays then."),
    "shorterThanFrame": DiagnosticRule(
      "A clip is too short for a frame of the output to fall into it.", "A cut was rounded, or a time has another unit.",
      "Remove the clip, or let it last a frame or more."),
    "offFrameGrid": DiagnosticRule(
      "A cut lies a rounding error behind the frame that was meant.", "The time was rounded, as decimal seconds are.",
      "Count in frames, such as \"48f\"."),
    "orientationLost": DiagnosticRule(
      "A source says how it is to be rotated, and its layer does not do that.",
      "A matrix replaces the transform that turns the video upright.", "Start the matrix with the source's own transform."),
    "upscaled": DiagnosticRule(
      "A source is shown at more than twice its size: it looks soft.", "The source is small, or it is zoomed in.",
      "Use a larger source or a smaller canvas."),
    "mixedFrameRates": DiagnosticRule(
      "Sources have frame rates that do not go together with that of the output: motion is uneven.",
      "Sources of several frame rates are mixed.", "Choose a rate that is a multiple of all, or frames: \"blend\"."),
    "colorClipped": DiagnosticRule(
      "Colors that the output cannot hold are clipped: details are lost.", "The color conversion is set to clip.",
      "Leave gamut and tone mapping to their defaults."),
    "titleOutsideSafeArea": DiagnosticRule(
      "A text stands across the edge of the title-safe area, the middle 90 % of the canvas (SMPTE ST 2046-1).",
      "It was placed by eye, or for another canvas.",
      "Move it inward, or make it smaller."),
    "silentAudio": DiagnosticRule(
      "Audio is silent because of a ramp that ended before it.", "A volume stays at the end of its last ramp.",
      "Set the volume where the clip starts."),
    "missingCrossfade": DiagnosticRule(
      "Two clips overlap in a transition, and their audio is not cross-faded.",
      "Volume ramps were set for other transitions only.", "Set volume ramps over the range of each transition."),
    "audioClipped": DiagnosticRule(
      "Audio tracks add up to more than full scale, and nothing limits them.", "Tracks play together at full volume.",
      "Turn the limiter on, or lower the tracks."),
    "limitedPlayback": DiagnosticRule(
      "The movie is made in a way that many phones, browsers or televisions cannot play.",
      "More bits, finer chroma or larger frames than hardware decodes.", "Choose 4:2:0 and 8 bits for H.264, or another codec."),
  ]
}
