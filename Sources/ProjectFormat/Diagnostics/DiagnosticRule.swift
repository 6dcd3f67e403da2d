package import CompositorAPI
import CompositorMediaIO

/// A general explanation of a diagnostic code, for `docs/validation.md` and for programs that read SARIF.
package struct DiagnosticRule: Sendable {
  /// The meaning of the code.
  package var meaning: String
  /// The usual cause.
  package var cause: String
  /// The usual fix.
  package var mending: String

  /// Where a diagnostic that names no part of the project is located.
  let place: Place

  private init(_ meaning: String, _ cause: String, _ mending: String, at place: Place = .path("tracks")) {
    (self.meaning, self.cause, self.mending, self.place) = (meaning, cause, mending, place)
  }

  /// The explanation of a code. Those of another version have a general one.
  package static func of(_ code: ValidationDiagnostic.Code) -> DiagnosticRule {
    table[code] ?? DiagnosticRule("Something is wrong, or may surprise.", "See the message.", "See the message.")
  }

  /// All explained codes.
  package static var codes: Set<ValidationDiagnostic.Code> { Set(table.keys) }

  private static let table = values.merging(times) { $1 }.merging(media) { $1 }.merging(output) { $1 }.merging(advice) { $1 }

  private static let values: [ValidationDiagnostic.Code: DiagnosticRule] = [
    .invalidProject: DiagnosticRule(
      "The project file has invalid syntax, or an invalid key or value.",
      "A misspelled key or value, a missing comma or bracket, or a time without a unit.",
      "Look at the line. An unsafe fix corrects names with a letter too many, too few, wrong or swapped. An editor with the JSON Schema shows such mistakes while you type."
    ),
    .invalidValueForKey: DiagnosticRule(
      "A value is out of range or isn't a finite number.",
      "A wrong unit, or a size or rate that was computed from missing media.",
      "Write a value in the range that the message names.", at: .canvas),
    .invalidParameter: DiagnosticRule(
      "A parameter of a compositor, transition or effect is unknown, missing, of the wrong kind or out of its range.",
      "A misspelled name, or parameters of another compositor.",
      "The list of compositors has all parameters with their ranges."),
    .pluginFailed: DiagnosticRule(
      "A plugin cannot be opened, or violates its contract.",
      "The file is not a plugin, is built for another machine, lacks a library, or has an invalid description. Or its code crashes or hangs.",
      "See the cause; the check of the plugin tells more. Build the plugin again, or report it to its author."),
    .unknownCompositor: DiagnosticRule(
      "An instruction names a compositor that is not registered.", "A misspelled ID, or a plugin that was not found.",
      "List the plugin's file under plugins, or correct the ID: the list of compositors has what is built in."),
    .incompatibleCompositors: DiagnosticRule(
      "A compositor needs frames at other times of a preceding one that delivers its frames only in order.",
      "An effect that uses neighboring frames follows a filter with internal state.",
      "Swap the two, or render with the first and use that movie."),
    .invalidVolume: DiagnosticRule(
      "A value of the audio mix is out of range, or refers to a track that isn't an audio track.",
      "Decibels were written as a linear gain, or a track without audio is named.",
      "Write levels as \"-6dB\", or as a linear gain of 0 or more.", at: .path("output.audio")),
  ]

  private static let times: [ValidationDiagnostic.Code: DiagnosticRule] = [
    .emptyTimeRange: DiagnosticRule(
      "No instruction covers a part of the timeline.",
      "An instruction is missing or too short, or the tracks became longer.",
      "Lengthen the instruction before the gap, or add one; a safe fix does it.", at: .instructions),
    .invalidTimeRangeInInstruction: DiagnosticRule(
      "An instruction's time range is not valid, overlaps another or is out of order.",
      "A clip between two transitions was shortened by one of them only, or the instructions are not in the order of time.",
      "Let each instruction start where the one before ends.", at: .instructions),
    .invalidTrackIDInInstruction: DiagnosticRule(
      "An instruction uses a track that isn't in the composition, or isn't a video track.",
      "The track was removed or renamed.", "Name a track with video.", at: .instructions),
    .unusedTrack: DiagnosticRule(
      "No instruction shows a track with video, or no audio track of the output plays a track with audio.",
      "It was added after the instructions or output.audioTracks were written.",
      "Show it in an instruction, name it in output.audioTracks, or remove it."),
    .invalidSegments: DiagnosticRule(
      "A track's clips do not follow one another, or play at a speed that is not possible.",
      "Two clips of one track overlap, or a clip was cut to nothing.", "Put overlapping clips on two tracks."),
    .nothingToRender: DiagnosticRule(
      "There is nothing to render.", "All clips are audio, or hidden.", "Show a movie, an image or a generated pattern."),
    .invalidTitle: DiagnosticRule(
      "A title cannot be drawn: an animation, a size or a time is invalid, or a file cannot be read.",
      "A value of its layer tree is out of its range.", "Look at the layer that the path names.", at: .path("titles")),
    .titleNotSeen: DiagnosticRule(
      "A title or a part of it (a layer, words, letters) is never visible: it begins after the end, is outside of the canvas, lies under an opaque layer, or shows nothing. Or the movie's end cuts it off, or that of a clip that plays it.",
      "The clips or the title became shorter, the times in a title are those of the movie, or its position was written for another canvas.",
      "Move it into the movie and onto the canvas, or remove it. Times in a title count from its start.", at: .path("titles")),
    .titleResourceMissing: DiagnosticRule(
      "A title uses a font, characters, a hyphenation dictionary or an image that is missing.",
      "The font is not installed on this machine.",
      "List the font's file under fonts, or name another.", at: .path("titles")),
  ]

  private static let media: [ValidationDiagnostic.Code: DiagnosticRule] = [
    .mediaUnavailable: DiagnosticRule(
      "A source doesn't exist or cannot be read. For an asset that nothing uses, this is a warning.",
      "The file was moved: paths are relative to the project file.",
      "Correct the asset's path."),
    .mediaTrackMissing: DiagnosticRule(
      "A source has no track with the requested index and type.", "A file without audio, or fewer tracks than were counted.",
      "A probe of the file lists its tracks."),
    .decoderMissing: DiagnosticRule(
      "A track that is used has a codec without a decoder.", "This machine's FFmpeg was built without it.",
      "Convert the file, or use an FFmpeg with the decoder."),
    .trackUndecodable: DiagnosticRule(
      "A track that is used cannot be decoded.", "The file is damaged, or its codec is not supported.",
      "Convert the file, or leave the track out."),
    .sourceBeyondMedia: DiagnosticRule(
      "A clip uses a time that its media doesn't have.", "The container's duration is longer than the track's.",
      "End the clip where its media ends."),
    .unevenEnds: DiagnosticRule(
      "Video and audio of a clip begin or end at different times: a frame is held, a part is silent, or media is left out. Or a clip that is to fill the movie ends before it.",
      "A recorder stopped them at different times, or a picture was put under a longer song, or a song under a longer movie.",
      "Write ends: \"longest\" if this is meant, or choose which of them decides: \"shortest\", \"video\" or \"audio\". Let a song loop."
    ),
    .frameSizeChanges: DiagnosticRule(
      "The frames of a source have several sizes; each is scaled to the size of the first.",
      "A recording of a call or of a window whose size changed, or streams that were joined byte by byte.",
      "Nothing has to be done. If the later size is the better one, start the clip there in a file of its own."),
    .repeatedTimes: DiagnosticRule(
      "A second recording was appended to a source byte by byte, and its frames are not shown: times start again, or the reader ends before it.",
      "Files were joined with cat, or a recorder began again in the same file.",
      "Separate the parts, and join them as one movie."),
    .missingFrames: DiagnosticRule(
      "Parts of a source were lost: some frames or samples are damaged or missing, and the frame before is shown meanwhile.",
      "A download, a broadcast or a recorder lost a part.",
      "\(DamageAdvice.fetchAgain), or cut the clip before and after the place."),
    .unsteadyAudio: DiagnosticRule(
      "The timestamps of a source's audio jump or waver (parts are silent or left out, or audio is out of place), or its number of channels changes.",
      "The recorder paused or lost audio, its clock was unsteady, or a broadcast was interrupted.",
      "Nothing has to be done if silence is right there. Otherwise, cut the clip before and after it."),
    .assumedChannels: DiagnosticRule(
      "The channels of a source's audio have no positions: they are taken for the usual layout of as many, or cannot be mixed.",
      "Field recorders and interfaces write a microphone into each channel, without saying where it belongs.",
      "Choose which channels of the clip or the file are heard."),
    .interlacedMedia: DiagnosticRule(
      "The frames of a source consist of two fields, which are shown at the same time: edges that move look like combs. Or a source that is to be deinterlaced does not say whether it is interlaced, and stays as it is.",
      "The source was recorded for television.",
      "Write deinterlace: \"same\" for the asset, or \"double\" with twice the frame rate."),
    .mediaCutShort: DiagnosticRule(
      "A clip uses video that is missing from a truncated file.", "The file was not copied completely.",
      "\(DamageAdvice.fetchAgain), or end the clip earlier."),
    .audioCutShort: DiagnosticRule(
      "A clip uses audio that is missing from a truncated file. If damaged media is kept, it becomes silent.",
      "The file was not copied completely.",
      "\(DamageAdvice.fetchAgain), or end the clip earlier."),
    .metadataDropped: DiagnosticRule(
      "A source has metadata that is neither used nor written, such as Dolby Vision's.",
      "Only static HDR metadata is preserved.", "No action is needed: the video is rendered from the base layer.",
      at: .path("output.color")),
    .ambiguousColor: DiagnosticRule(
      "A source's color metadata is contradictory, incomplete or damaged.", "A program tagged the file incorrectly.",
      "Set the asset's color in the project.", at: .path("output.color")),
  ]

  private static let output: [ValidationDiagnostic.Code: DiagnosticRule] = [
    .unwritableOutput: DiagnosticRule(
      "The video or audio cannot be written to a movie in the requested format.",
      "The codec doesn't support the size, the rate, the color or the bit depth.",
      "Choose another codec, or a setting that the message suggests.", at: .path("output.video")),
    .colorNotConvertible: DiagnosticRule(
      "The color of a source cannot be converted to the output's, or the output's format cannot represent its color.",
      "HDR in 8 bits, or a color without a definition.", "Choose another output color or format.", at: .path("output.color")),
    .blendingNotLinear: DiagnosticRule(
      "Code values are blended although linear light was requested.", "A plugin or a blend mode works on encoded values.",
      "Use a built-in transition, or blending: \"encoded\".", at: .path("output.blending")),
  ]

  private static let advice: [ValidationDiagnostic.Code: DiagnosticRule] = [
    .rampOutsideRange: DiagnosticRule(
      "A ramp is outside of its instruction, or a volume ramp outside of the movie: it has no effect, or is cut off. Or an animation begins when its title is over, or scrambled letters settle then; one may last longer than its title.",
      "The instruction, the title or the movie became shorter, or times count from elsewhere.",
      "Let the ramp end where its instruction ends. Times in a title count from its start."),
    .layerNotSeen: DiagnosticRule(
      "A layer or a clip is never seen, or the effect of its ramps isn't: it is transparent, scaled to nothing, cropped away, outside of "
        + "the canvas, hidden by an opaque layer above, or there twice. Or most of a clip is outside, because its center is placed at a corner or near one.",
      "Layers are in the order from front to back: the first one is on top. An opacity or a scale of 0 was meant for another time.",
      "Put the layer that fades first, move the clip onto the canvas, or remove it."),
    .nothingShown: DiagnosticRule(
      "A part of the movie is black because nothing is shown: no clip, no title, no background color. Or a small clip lasts longer than those that fill the canvas beneath it. An output with alpha is transparent there, of which nothing is said.",
      "A clip begins after the one before it ends, or an instruction has no layers.",
      "Close the gap, or write background: \"black\" if black is meant."),
    .instructionBeyondEnd: DiagnosticRule(
      "An instruction lasts longer than the movie, or begins after its end.",
      "The clips became shorter, or an instruction's end was written as its duration.",
      "End the instruction with the movie; a safe fix does it."),
    .cropBeyondSource: DiagnosticRule(
      "A crop goes beyond its source: only the part inside is shown.",
      "The crop was written for a larger source, or as a part of the canvas.",
      "Crop inside the source; an unsafe fix writes the part that is shown."),
    .alphaDropped: DiagnosticRule(
      "The output is to have alpha, but its codec stores none, or its background is opaque; the background is transparent, but the output "
        + "keeps no alpha; or a source has alpha in a track of its own, which is not used.",
      "The codec was chosen for its size or its players; an AVIF sequence keeps alpha in a second track.",
      "Choose a codec with alpha, remove an opaque background, or remove alpha. Convert an AVIF sequence to PNG images or a movie with alpha."
    ),
    .trackWithoutMedia: DiagnosticRule(
      "An instruction shows a track at a time at which the track has no media.",
      "A wrong track, or a clip that became shorter.",
      "Name a track that plays then; if the track lacks media for a part of the time only, divide the instruction there."),
    .shorterThanFrame: DiagnosticRule(
      "A clip, an effect or an instruction is too short to contain the start of an output frame.",
      "A cut was rounded, or a time has another unit.", "Remove it, or let it last a frame or more."),
    .offFrameGrid: DiagnosticRule(
      "A cut is a rounding error after the intended frame.", "The time was rounded, as decimal seconds are.",
      "Count in frames, such as \"48f\"."),
    .orientationLost: DiagnosticRule(
      "A source specifies a rotation that its layer doesn't apply.",
      "A matrix was written for the stored frame. In a project, it starts from the upright one.",
      "Remove the matrix, or write the one of the message; in Swift, start the layer's transform with the source's own."),
    .canvasUnfilled: DiagnosticRule(
      "A clip is cropped to the shape of the canvas, and covers a small part of it: the rest is black.",
      "A crop hides the rest of the frame where fitting put it. It does not move or enlarge what remains.",
      "Write fit: \"fill\", and the transform of the message if there is one."),
    .upscaled: DiagnosticRule(
      "A source is shown at more than twice its size: it looks soft.", "The source is small, or it is zoomed in.",
      "Use a larger source or a smaller canvas."),
    .mixedFrameRates: DiagnosticRule(
      "Sources have frame rates that are incompatible with that of the output: motion is uneven.",
      "Sources of several frame rates are mixed, or the output's rate was chosen without regard to the source's.",
      "Choose a rate that is a multiple of all, or frames: \"blend\"."),
    .colorClipped: DiagnosticRule(
      "Colors that the output cannot represent are clipped: details are lost.",
      "The color conversion is set to clip, or the numbers of a title's color are codes of 0 to 255.",
      "Leave gamut and tone mapping to their defaults. In colors of titles, 1 is white."),
    .titleOutsideSafeArea: DiagnosticRule(
      "Text extends across the edge of the title-safe area, the middle 90 % of the canvas (SMPTE ST 2046-1), or of the titles used as an asset, where it is cut off.",
      "It was placed by eye, or for another canvas.",
      "Move it inward, or make it smaller.", at: .path("titles")),
    .titleTextTooSmall: DiagnosticRule(
      "Text that is too long for its place was shrunk until it cannot be read: its capitals are lower than 1.5 % of the canvas's shorter side. Or it is so small that they are lower than a pixel.",
      "A name, or a row of a table, is longer than the title was made for.",
      "Shorten the text, give it more room, or let it wrap.", at: .path("titles")),
    .titleTextOverflows: DiagnosticRule(
      "Text is larger than its box: it lies beyond the background or the border, or is cut off there. Or it is longer than the closed path on which it lies, and lies on itself.",
      "A name, or a row of a table, is longer than the title was made for.",
      "Let it shrink with fit: \"shrink\", let it wrap, shorten it, or give it more room.", at: .path("titles")),
    .captionNotSeen: DiagnosticRule(
      "Captions are outside of the movie, cut off by its ends, between two frames, larger than the canvas, or cannot be shown at all.",
      "They were made for another cut, times in their file are wrong, or the size of their style was meant for another canvas.",
      "Shift them with offset, correct their file, or give their style a smaller size."),
    .captionOverTitle: DiagnosticRule(
      "Captions are drawn over a title, on its text or on the plate behind it, while both are shown.",
      "Both are at the bottom: captions evade each other, not titles.",
      "Give the captions' style the marginY or the position that the message names, or move the title.",
      at: .path("captions")),
    .captionFontMissing: DiagnosticRule(
      "An ASS script names a font that isn't installed, so that it is drawn in another.",
      "The script was made on a machine with more fonts.", "Install the font, or add its file to fonts."),
    .effectUnchanging: DiagnosticRule(
      "An effect has the values with which it changes nothing, such as a blur of radius 0, or a setting has nothing to change: audio fades at a clip without audio, opacity at one without video, the style of captions that players draw, a layer to start from without a transition, the color of a shadow, border or outline that there is none of, a shadow without an offset or a radius, glass with nothing below it or behind an opaque background, motion blur of what stands still, a transition by a compositor that isn't told how far it is and whose parameters don't change, an animation whose duration is 0, which is the default, or one that follows silence, or audio between equal values. Or a mask is the alpha of media without alpha, which is 1 everywhere.",
      "A value was left at its neutral setting, or the effect is named without values.",
      "Give it another value, or remove it."),
    .silentAudio: DiagnosticRule(
      "Audio is silent: its volume is 0 all the time, perhaps because of a preceding ramp, or it plays faster or slower than audio is heard.",
      "A volume stays at the end of its last ramp, 0 was meant as 0 dB, or a time lapse has audio.",
      "Set the volume where the clip starts, or leave the audio out. If silence is meant, write mute: true."),
    .missingCrossfade: DiagnosticRule(
      "Two clips overlap in a transition, but their audio isn't cross-faded.",
      "Volume ramps were set for other transitions only.", "Set volume ramps over the range of each transition."),
    .audioClipped: DiagnosticRule(
      "Audio tracks add up to more than full scale without a limiter.", "Tracks play together at full volume.",
      "Turn the limiter on, or lower the tracks."),
    .limitedPlayback: DiagnosticRule(
      "The movie has a format that many phones, browsers or televisions cannot play.",
      "More bits, finer chroma or larger frames than hardware decodes.", "Choose 4:2:0 and 8 bits for H.264, or another codec."),
    .unusedVariable: DiagnosticRule(
      "A variable is declared, or given to a title's template, and its value is used nowhere: all rows of a batch give the same movie.",
      "It was written as in another tool, such as {name} or $name, or what used it was removed.",
      "Write ${name} in the string that should have the value, or remove the variable.", at: .path("variables")),
    .constantCondition: DiagnosticRule(
      "The condition of an element is the same whatever the variables are: it contains none, or other characters beside them, so that it is never empty, 0 or false.",
      "It was written as in another tool: a condition is a value, not an expression such as !${name} or ${name} == yes.",
      "Write the variable alone, unless in place of if for its opposite, or a comparison: { value: \"${name}\", equals: \"yes\" }."
    ),
  ]
}
