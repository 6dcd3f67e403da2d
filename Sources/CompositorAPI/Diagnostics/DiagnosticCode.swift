extension ValidationDiagnostic {
  /// The kind of problem. The first four are those of AVFoundation's validation. Later versions may add some: a `switch` needs a
  /// `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// The name, as `docs/validation.md` and the tool's JSON have it.
    public let rawValue: String

    /// Creates the code with a name, which may be that of another version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The codes that this version uses.
    public static let allCases: [Code] = [
      .invalidValueForKey, .emptyTimeRange, .invalidTimeRangeInInstruction, .invalidTrackIDInInstruction, .unknownCompositor,
      .incompatibleCompositors, .invalidParameter, .pluginFailed, .invalidSegments, .mediaUnavailable, .mediaTrackMissing,
      .decoderMissing, .trackUndecodable, .sourceBeyondMedia, .unevenEnds, .mediaCutShort, .audioCutShort, .unwritableOutput,
      .metadataDropped, .ambiguousColor, .frameSizeChanges, .repeatedTimes, .missingFrames, .unsteadyAudio, .assumedChannels,
      .interlacedMedia, .colorNotConvertible, .blendingNotLinear, .invalidTitle, .titleResourceMissing, .titleNotSeen,
      .captionNotSeen, .captionOverTitle, .captionFontMissing, .invalidVolume, .nothingToRender, .invalidProject, .unusedTrack,
      .rampOutsideRange, .layerNotSeen, .effectUnchanging, .nothingShown, .instructionBeyondEnd, .cropBeyondSource,
      .canvasUnfilled, .alphaDropped, .trackWithoutMedia, .shorterThanFrame, .offFrameGrid, .orientationLost, .upscaled,
      .mixedFrameRates, .colorClipped, .titleOutsideSafeArea, .titleTextTooSmall, .titleTextOverflows, .silentAudio,
      .missingCrossfade, .audioClipped, .limitedPlayback, .unusedVariable, .constantCondition,
    ]

    /// The code's name.
    public var description: String { rawValue }

    /// A value is out of range or isn't finite.
    public static let invalidValueForKey = Code(rawValue: "invalidValueForKey")
    /// No instruction covers a part of the timeline.
    public static let emptyTimeRange = Code(rawValue: "emptyTimeRange")
    /// An instruction's time range is invalid, overlaps another, or is out of order.
    public static let invalidTimeRangeInInstruction = Code(rawValue: "invalidTimeRangeInInstruction")
    /// An instruction uses a track that isn't in the composition, or isn't a video track.
    public static let invalidTrackIDInInstruction = Code(rawValue: "invalidTrackIDInInstruction")
    /// An instruction uses an unregistered compositor.
    public static let unknownCompositor = Code(rawValue: "unknownCompositor")
    /// A compositor needs frames at other times of a preceding one that delivers its frames only in order.
    public static let incompatibleCompositors = Code(rawValue: "incompatibleCompositors")
    /// A compositor's parameter is unknown, missing, of the wrong kind or out of range.
    public static let invalidParameter = Code(rawValue: "invalidParameter")
    /// A plugin cannot be opened, or violates its contract.
    public static let pluginFailed = Code(rawValue: "pluginFailed")
    /// A track's segments don't start at 0 or don't follow one another.
    public static let invalidSegments = Code(rawValue: "invalidSegments")
    /// A source doesn't exist or cannot be read.
    public static let mediaUnavailable = Code(rawValue: "mediaUnavailable")
    /// A source has no track with the requested index and media type.
    public static let mediaTrackMissing = Code(rawValue: "mediaTrackMissing")
    /// A used track has a codec without a decoder.
    public static let decoderMissing = Code(rawValue: "decoderMissing")
    /// A used track cannot be decoded.
    public static let trackUndecodable = Code(rawValue: "trackUndecodable")
    /// A segment uses a time that its media doesn't have.
    public static let sourceBeyondMedia = Code(rawValue: "sourceBeyondMedia")
    /// Video and audio of a clip begin or end at different times: a frame is held, a part is silent, or media is left out.
    public static let unevenEnds = Code(rawValue: "unevenEnds")
    /// A segment uses video that is missing from a truncated file. Frames that show it cannot be rendered.
    public static let mediaCutShort = Code(rawValue: "mediaCutShort")
    /// A segment uses audio that is missing from a truncated file. It becomes silent.
    public static let audioCutShort = Code(rawValue: "audioCutShort")
    /// The video or audio cannot be written to a movie in the requested format.
    public static let unwritableOutput = Code(rawValue: "unwritableOutput")
    /// A source has metadata that is neither used nor written, such as Dolby Vision's.
    public static let metadataDropped = Code(rawValue: "metadataDropped")
    /// A source's color metadata is contradictory, incomplete or damaged. The message says how it is interpreted.
    public static let ambiguousColor = Code(rawValue: "ambiguousColor")
    /// The frames of a source have several sizes; each is scaled to the size of the first.
    public static let frameSizeChanges = Code(rawValue: "frameSizeChanges")
    /// The times of a source's frames start again: a second recording was appended, whose frames are not shown.
    public static let repeatedTimes = Code(rawValue: "repeatedTimes")
    /// Parts of a source were lost: frames or samples are damaged, or there are none for a while.
    public static let missingFrames = Code(rawValue: "missingFrames")
    /// The timestamps of a source's audio jump or waver (parts are silent or left out, or audio is out of place), or its number of
    /// channels changes.
    public static let unsteadyAudio = Code(rawValue: "unsteadyAudio")
    /// The channels of a source's audio have no positions: a layout is assumed, or they cannot be mixed.
    public static let assumedChannels = Code(rawValue: "assumedChannels")
    /// The frames of a source consist of two fields, which are left in one frame, or may do so without saying it.
    public static let interlacedMedia = Code(rawValue: "interlacedMedia")
    /// The color of a source cannot be converted to the output's, or the output's format cannot represent its color.
    public static let colorNotConvertible = Code(rawValue: "colorNotConvertible")
    /// Code values are blended although linear light was requested.
    public static let blendingNotLinear = Code(rawValue: "blendingNotLinear")
    /// A title cannot be drawn: an animation, size or time is invalid, or an image or font file cannot be read.
    public static let invalidTitle = Code(rawValue: "invalidTitle")
    /// A title uses a font, characters, a hyphenation dictionary or an image that is missing.
    public static let titleResourceMissing = Code(rawValue: "titleResourceMissing")
    /// A title is never visible: it begins after the end, is outside of the canvas, or shows nothing. Or the end of the movie cuts it
    /// off.
    public static let titleNotSeen = Code(rawValue: "titleNotSeen")
    /// Captions are left out, because they are outside of the movie or cannot be shown at all, or are larger than the canvas.
    public static let captionNotSeen = Code(rawValue: "captionNotSeen")
    /// Captions are drawn over a title, on its text or on the plate behind it.
    public static let captionOverTitle = Code(rawValue: "captionOverTitle")
    /// An ASS script names a font that isn't installed, so that it is drawn in another.
    public static let captionFontMissing = Code(rawValue: "captionFontMissing")
    /// A value of the audio mix (volume, pan, ducking, loudness, limiter) is out of range, or refers to a track that isn't an
    /// audio track.
    public static let invalidVolume = Code(rawValue: "invalidVolume")
    /// There is nothing to render.
    public static let nothingToRender = Code(rawValue: "nothingToRender")
    /// The project file has invalid syntax, or an invalid key or value.
    public static let invalidProject = Code(rawValue: "invalidProject")
    /// No instruction shows a track.
    public static let unusedTrack = Code(rawValue: "unusedTrack")
    /// A ramp is outside of its instruction, or a volume ramp outside of the composition: it has no effect, or is cut off.
    public static let rampOutsideRange = Code(rawValue: "rampOutsideRange")
    /// A layer, or the effect of its ramps, is hidden by an opaque layer above, or is outside of the canvas.
    public static let layerNotSeen = Code(rawValue: "layerNotSeen")
    /// An effect has the values with which it changes nothing.
    public static let effectUnchanging = Code(rawValue: "effectUnchanging")
    /// Nothing is shown in a part of the movie: no clip, no title, no background color.
    public static let nothingShown = Code(rawValue: "nothingShown")
    /// An instruction lasts longer than the movie, or begins after its end.
    public static let instructionBeyondEnd = Code(rawValue: "instructionBeyondEnd")
    /// A crop goes beyond its source.
    public static let cropBeyondSource = Code(rawValue: "cropBeyondSource")
    /// A clip is cropped to the shape of the canvas and covers a small part of it.
    public static let canvasUnfilled = Code(rawValue: "canvasUnfilled")
    /// The output's codec cannot store the alpha that the output is to have.
    public static let alphaDropped = Code(rawValue: "alphaDropped")
    /// An instruction shows a track at a time at which the track has no media.
    public static let trackWithoutMedia = Code(rawValue: "trackWithoutMedia")
    /// A clip is too short to contain the start of an output frame.
    public static let shorterThanFrame = Code(rawValue: "shorterThanFrame")
    /// A cut is a rounding error after the intended frame.
    public static let offFrameGrid = Code(rawValue: "offFrameGrid")
    /// A source specifies a rotation that its layer doesn't apply.
    public static let orientationLost = Code(rawValue: "orientationLost")
    /// A source is shown at more than twice its size.
    public static let upscaled = Code(rawValue: "upscaled")
    /// Sources have frame rates that are incompatible with that of the output.
    public static let mixedFrameRates = Code(rawValue: "mixedFrameRates")
    /// Colors that the output cannot represent are clipped, as the edit's policy requires.
    public static let colorClipped = Code(rawValue: "colorClipped")
    /// Text rests across the edge of the title-safe area, the middle 90 % of the canvas.
    public static let titleOutsideSafeArea = Code(rawValue: "titleOutsideSafeArea")
    /// Text that is too long for its place was shrunk until it cannot be read.
    public static let titleTextTooSmall = Code(rawValue: "titleTextTooSmall")
    /// Text is larger than its box, or longer than the closed path on which it lies.
    public static let titleTextOverflows = Code(rawValue: "titleTextOverflows")
    /// Audio is silent because of a preceding ramp, or of a speed at which it isn't heard.
    public static let silentAudio = Code(rawValue: "silentAudio")
    /// Two clips overlap in a transition, but their audio isn't cross-faded.
    public static let missingCrossfade = Code(rawValue: "missingCrossfade")
    /// Audio tracks add up to more than full scale without a limiter.
    public static let audioClipped = Code(rawValue: "audioClipped")
    /// The movie has a format that many phones, browsers or televisions cannot play.
    public static let limitedPlayback = Code(rawValue: "limitedPlayback")
    /// A variable is declared, or given to a title's template, and its value is used nowhere.
    public static let unusedVariable = Code(rawValue: "unusedVariable")
    /// The condition of an element doesn't depend on the variables.
    public static let constantCondition = Code(rawValue: "constantCondition")
  }
}
