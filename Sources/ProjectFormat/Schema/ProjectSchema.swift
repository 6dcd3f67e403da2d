import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

/// The project format as a table that both the reader and the JSON Schema use.
package enum ProjectSchema {
  /// The version of the format.
  package static let version = 1

  /// The shape with a name that the table uses.
  package static func shape(_ name: String) -> ObjectShape {
    guard let shape = shapesByName[name] else { preconditionFailure("the project schema has no object \(name)") }
    return shape
  }

  private static let shapesByName = Dictionary(uniqueKeysWithValues: shapes.map { ($0.name, $0) })

  private static let seconds: ClosedRange<Double> = 0...1e9
  private static let pixels: ClosedRange<Double> = -1e6...1e6

  /// Every object of the format, starting with the project.
  package static let shapes: [ObjectShape] =
    [
      project, plugin, output, video, audio, colorTags, sourceColor, colorConversion, asset, track, clip, title, titleTemplate,
      protectedParts, captions,
      captionStyle,
    ] + variableShapes + metadataShapes + looks + audioShapes(keyframeTime, keyframeEasing) + actions
    + layers

  private static let schemaKey = KeyShape(
    "$schema", .text, "The JSON Schema for editors; ignored.")

  private static let project = ObjectShape(
    "project", "a project",
    [
      KeyShape("version", .integer(version...version), required: true, "The version of the format: \(version)."),
      schemaKey,
      KeyShape("output", .object("output"), "The output settings; by default they follow the first clip."),
      KeyShape("assets", .map(.any([.text, .object("asset")])), "Media by name: a path, or an object."),
      KeyShape("tracks", .list(.object("track"), minimum: 1), required: true, "Tracks from bottom to top."),
      KeyShape(
        "instructions", .list(.object("instruction"), minimum: 1),
        "Explicit instructions in order of time; derived from the clips if absent."),
      KeyShape("effects", .list(.object("effect")), "Time ranges with an effect or a custom compositor."),
      KeyShape("titles", .list(.object("title")), "Titles over the video, from back to front."),
      KeyShape(
        "captions", .list(.object("captions")), "Captions, drawn over everything, written as tracks of the output, or both."),
      KeyShape(
        "variables", .map(variable),
        "Default values of ${name} in any string of the project: strings, numbers, true, false, lists and objects of these, or files."
      ),
      KeyShape(
        "plugins", .list(.any([.text, .object("plugin")])),
        "Compositor plugins (.so), relative to the project, in addition to those of the search path."),
      KeyShape(
        "fonts", .list(.text), "Font files for titles, relative to the project file, in addition to the system's fonts."),
    ])

  private static let output = ObjectShape(
    "output", "the output",
    [
      KeyShape(
        "preset", .choice(ExportPreset.allCases.map(\.rawValue)),
        "A named set of encoding settings: see docs/export.md. Other keys take precedence over the preset."),
      KeyShape(
        "size", .size,
        "The size of the canvas, such as \"1920x1080\"; by default that of the first clip with a size of its own, rounded up to even sides."
      ),
      KeyShape(
        "frameRate", .frameRate,
        "Frames per second, such as 25 or \"30000/1001\"; by default that of the first clip that moves. 23.976, 29.97 and 59.94 are the exact ratios."
      ),
      KeyShape(
        "color", .any([.choice(OutputColorName.allCases.map(\.rawValue)), .object("colorTags")]),
        "The color of the frames; by default that of the first source whose frames are Y′CbCr."),
      KeyShape(
        "colorConversion", .object("colorConversion"),
        "How SDR, HLG and PQ are converted; by default as BT.2408 and BT.2390 say."),
      KeyShape(
        "hdrMetadata", .choice(HDRMetadataChoice.allCases.map(\.rawValue)),
        "Mastering display and light levels of a PQ output: the sources' (propagate, the default), none (drop), or measured (generate)."
      ),
      KeyShape(
        "peak", .choice(PeakChoice.allCases.map(\.rawValue)),
        "The peak luminance of PQ media: that of their metadata (stated, the default), or measured in a first pass (measure)."),
      KeyShape("background", .color, "The color behind all layers; by default black, or transparent if the output has alpha."),
      KeyShape(
        "blending", .choice(["encoded", "linear"]), "The signal domain in which layers are blended; by default encoded."),
      KeyShape(
        "sampling", .choice(SamplingQuality.allCases.map(\.rawValue)),
        "How clips are resampled that don't specify it; by default good where size and rotation hold still, else fast."),
      KeyShape("format", .text, "The frames' pixel format, such as \"yuv420p10\" or \"yuva444p12\"; 4:2:0 if absent."),
      KeyShape("alpha", .bool, "Whether the output has alpha, if its codec supports it; by default false."),
      KeyShape("video", .object("video"), "How video is encoded."),
      KeyShape("audio", .any([.bool, .object("audio")]), "How audio is mixed and encoded; false for none."),
      KeyShape(
        "audioTracks", .list(.object("outputAudioTrack"), minimum: 1),
        "The audio tracks of the output, each with its own mix; by default one of everything."),
    ] + outputMetadataKeys)

  private static let video = ObjectShape(
    "video", "how video is encoded",
    [
      KeyShape(
        "codec", .choice(VideoEncodingSettings.Codec.allCases.map(\.rawValue)),
        "The codec; by default what the output's name says, else h264, hevc for HDR."),
      KeyShape(
        "quality", .number(0...100),
        "Constant quality. Smaller is better: 0 to 51 for h264 and hevc, 0 to 63 for av1 and vp9, 1 to 31 for prores. For webp larger is better: 0 to 100."
      ),
      KeyShape(
        "bitRate", .any([.integer(VideoEncodingSettings.bitRates), .text]),
        "Average bits per second instead of a quality, such as 8000000 or \"8M\"; for h264, hevc, av1 and vp9."),
      KeyShape(
        "twoPass", .bool, "Whether to encode in two passes, to match the bit rate more closely; by default false."),
      KeyShape(
        "encoder", .choice(VideoEncodingSettings.Encoder.allCases.map(\.rawValue)),
        "The encoder: the processor, or a VA-API or NVIDIA device; by default software."),
      KeyShape(
        "encoderSpeed", .choice(VideoEncodingSettings.Speed.allCases.map(\.rawValue)),
        "The trade-off between speed and size for h264, hevc, av1 and vp9; by default medium."),
      KeyShape(
        "profile",
        .any([
          .choice(VideoEncodingSettings.ProResProfile.allCases.map(\.rawValue)),
          .choice(VideoEncodingSettings.DNxHRProfile.allCases.map(\.rawValue)),
        ]),
        "The profile of prores or dnxhr; by default by the format."),
      KeyShape(
        "keyFrameInterval", .any([.integer(VideoEncodingSettings.keyFrameIntervals), .time]),
        "The maximum distance between key frames, in frames or as a time such as \"2s\"."),
      KeyShape(
        "palette", .choice(VideoEncodingSettings.AnimationSettings.Palette.allCases.map(\.rawValue)),
        "Whether all frames of a GIF share a palette, or each has its own; by default shared."),
      KeyShape(
        "dithering", .choice(VideoEncodingSettings.AnimationSettings.Dithering.allCases.map(\.rawValue)),
        "How a GIF is dithered to the colors of its palette; by default sierra2-4a."),
      KeyShape(
        "playCount", .integer(VideoEncodingSettings.AnimationSettings.playCounts),
        "How often a GIF or WebP plays, 0 for without end; by default as the only source, if that is an animated image, or without end."
      ),
      KeyShape("lossless", .bool, "Whether a WebP is lossless; by default false."),
    ])

  private static let audio = ObjectShape(
    "audio", "how audio is mixed and encoded",
    [
      KeyShape(
        "codec", .choice(AudioEncodingSettings.Codec.allCases.map(\.rawValue)),
        "The codec; by default aac in a movie, in an audio file the one that its extension implies."),
      KeyShape(
        "sampleRate", .integer(AudioEncodingSettings.sampleRates), "The sample rate in hertz; by default 48000."),
      KeyShape("channels", .integer(AudioEncodingSettings.channelCounts), "The number of channels; by default 2."),
      KeyShape(
        "bitRate", .any([.integer(AudioEncodingSettings.bitRates), .text]),
        "Bits per second of a lossy codec, such as 160000 or \"160k\"."),
      KeyShape("bitDepth", .integer(16...24), "Bits per sample in flac and alac, 16 or 24; by default 24."),
    ] + outputAudioKeys)

  private static let colorTags = ObjectShape(
    "colorTags", "code points of ITU-T H.273",
    [
      KeyShape("primaries", .integer(1...22), required: true, "Color primaries, table 2."),
      KeyShape("transfer", .integer(1...18), required: true, "Transfer characteristics, table 3."),
      KeyShape("matrix", .integer(0...9), required: true, "Matrix coefficients, table 4."),
      KeyShape("range", .choice(["limited", "full"]), "The range of code values; by default limited."),
      KeyShape("chroma", .words(ChromaLocation.self), "The location of subsampled chroma; by default left."),
    ])

  private static let sourceColor = ObjectShape(
    "sourceColor", "corrections of a file's color, as code points of ITU-T H.273",
    [
      KeyShape("primaries", .integer(1...22), "Color primaries, table 2; by default the file's."),
      KeyShape("transfer", .integer(1...18), "Transfer characteristics, table 3; by default the file's."),
      KeyShape("matrix", .integer(0...9), "Matrix coefficients, table 4; by default the file's."),
      KeyShape("range", .choice(["limited", "full"]), "The range of code values; by default the file's."),
      KeyShape("chroma", .words(ChromaLocation.self), "The location of subsampled chroma; by default the file's."),
    ])

  private static let colorConversion = ObjectShape(
    "colorConversion", "how SDR, HLG and PQ are converted",
    [
      KeyShape(
        "diffuseWhite", .number(50...1000), "The luminance of SDR white in HDR video, cd/m²; by default 203 (BT.2408)."),
      KeyShape(
        "hlgPeakLuminance", .number(100...10_000), "The peak luminance of the HLG display, cd/m²; by default 1000."),
      KeyShape("sdrPeakLuminance", .number(50...1000), "The HDR luminance that becomes SDR white, cd/m²; by default 203."),
      KeyShape(
        "toneMapping", .choice(ColorConversionPolicy.ToneMapping.allCases.map(\.rawValue)),
        "How light above the output's peak is compressed; by default bt2390."),
      KeyShape(
        "gamutMapping", .choice(ColorConversionPolicy.GamutMapping.allCases.map(\.rawValue)),
        "How colors outside the output's gamut are mapped; by default automatic: clip for SDR, preserve-hue for HDR."),
      KeyShape(
        "sdrCurve", .choice(ColorConversionPolicy.SDRCurve.allCases.map(\.rawValue)),
        "How SDR code values are interpreted as light: as a display shows them (display, the default), or as a camera records them (camera)."
      ),
      KeyShape(
        "srgb", .choice(ColorConversionPolicy.SRGBCurve.allCases.map(\.rawValue)),
        "How sRGB code values are interpreted as light: like SDR video (graphics, the default), or by IEC 61966-2-1 (colorimetric)."
      ),
      KeyShape(
        "dithering", .choice(ColorConversionPolicy.Dithering.allCases.map(\.rawValue)),
        "How code values are rounded if bit depth is reduced; by default ordered."),
    ])

  private static let asset = ObjectShape(
    "asset", "media",
    [
      KeyShape("file", .text, "A movie, audio or image, relative to the project file."),
      KeyShape(
        "deinterlace", .choice(DeinterlaceName.allCases.map(\.rawValue)),
        "How a file is deinterlaced: one frame from two fields (same), or one from each (double); by default off."),
      KeyShape("images", .text, "Numbered images, such as \"frames/%04d.png\", relative to the project file."),
      KeyShape("first", .integer(0...Int(Int32.max)), "The first image's number; by default the lowest that exists."),
      KeyShape(
        "missing", .choice(MissingImages.allCases.map(\.rawValue)),
        "What numbered images show where a number is missing: the next image (skip), or the one before (hold); by default error."
      ),
      KeyShape("generate", .choice(PatternName.allCases.map(\.rawValue)), "A synthetic source."),
      KeyShape("titles", .list(.object("title"), minimum: 1), "Titles as video with alpha, for use on a track."),
      KeyShape(
        "frameRate", .frameRate,
        "Frames per second of images and generated sources, by default 30; of titles, by default the output's."
      ),
      KeyShape(
        "size", .size, "The size of generated sources and titles; by default that of the canvas."),
      KeyShape(
        "duration", .time,
        "The duration of generated sources or titles; by default as long as asked. Times in frames are at the asset's own rate."
      ),
      KeyShape(
        "color", .any([.choice(ColorTags.names), .color, .object("sourceColor")]),
        "For a file or images: their color, which overrides their own tags. For generate: \"color\": the color."),
      KeyShape(
        "peakLuminance", .any([.number(10...10_000), .choice([PeakChoice.measured.rawValue])]),
        "The peak luminance of PQ media in cd/m², which overrides their metadata, or measure: measured in a first pass."),
      KeyShape(
        "alpha", .choice(SourceAlphaName.allCases.map(\.rawValue)),
        "How a file or images store alpha; by default straight, unless the file states otherwise."),
      KeyShape("from", .color, "The first color of generate: \"gradient\"; by default black."),
      KeyShape("to", .color, "The last color of generate: \"gradient\"; by default white."),
      KeyShape(
        "angle", .number(-360...360),
        "The direction of generate: \"gradient\", clockwise in degrees; by default 0, left to right."),
      KeyShape("tone", .number(1...20_000), "The frequency of a sine tone for generated sources, in hertz."),
    ])

  private static let track = ObjectShape(
    "track", "a track",
    [
      KeyShape("name", .text, "The name that layers of explicit instructions and ducking use."),
      KeyShape("clips", .list(.object("clip"), minimum: 1), required: true, "The clips in order of time."),
    ] + trackAudioKeys)

  private static let clip = ObjectShape(
    "clip", "a clip",
    [
      KeyShape("asset", .text, required: true, "The name of an asset."),
      KeyShape("at", .any([.choice(["auto"]), .time]), "The start; by default \"auto\": after the clip before it."),
      KeyShape("in", .time, "The media time to start at; by default where its media begins."),
      KeyShape(
        "duration", .any([.choice(["fill"]), .time]),
        "The duration; by default all that the media has. \"fill\": until everything else has ended."),
      KeyShape(
        "ends", .choice(ClipEnds.allCases.map(\.rawValue)),
        "Where it begins and ends if the media's video and audio differ; by default longest."),
      KeyShape(
        "hold", .bool, "Whether its last frame is held if the media ends before the clip's duration; by default false."),
      KeyShape(
        "speed", .any([.ratio, .list(.object("speedKeyframe"), minimum: 1)]),
        "The speed, 1/10000 to 10000, or 0 for a still frame; or keyframes; by default 1. Beyond 1/32 to 32 audio is silent."),
      KeyShape("reverse", .bool, "Whether it plays backward; by default false."),
      KeyShape("pitch", .choice(pitches), "How the pitch of audio behaves at other speeds; by default keep."),
      KeyShape(
        "frames", .choice(FrameInterpolation.allCases.map(\.rawValue)),
        "How frames between two frames of the media are made; by default nearest."),
      KeyShape("videoTrack", .integer(0...255), "The index of the media's video track; by default 0."),
      KeyShape("audioTrack", audioTrackShape, "The media's audio track: \(audioTrackWords); by default 0."),
      KeyShape("video", .bool, "Whether its video is shown; by default true."),
      KeyShape("audio", .bool, "Whether its audio is played; by default true."),
      KeyShape("transition", .object("transition"), "The transition from the previous clip; by default a cut."),
    ] + lookKeys + [effectsKey] + clipAudioKeys)

  /// The values of `pitch`.
  static let pitches = ["keep", "follow"] + PitchAlgorithm.allCases.map(\.rawValue)

  static let effectsKey = KeyShape(
    "effects", .list(.object("effectUse")), "The effects to apply before the video is placed, in order.")

  private static let title = ObjectShape(
    "title", "a title",
    [
      KeyShape("kind", .choice(TitleName.allCases.map(\.rawValue)), "The layout; by default title: in the middle."),
      KeyShape("text", .text, "The text, with lines separated by \\n. ${name} is replaced by a variable."),
      KeyShape("role", .text, "The second line of a lower third."),
      KeyShape("start", .time, "The time at which it appears; by default at the beginning."),
      KeyShape("duration", .time, "How long it is shown; by default to the end."),
      KeyShape("fade", .time, "The duration of the fade-in and of the fade-out; by default 0.5s."),
      KeyShape("font", .text, "The font family; by default DejaVu Sans."),
      KeyShape("weight", .integer(TitleStyle.weights), "The font weight: 400 is regular, 700 bold."),
      KeyShape("size", .length(.height), "The font size (height of the em): pixels, or percent of the frame's height."),
      KeyShape("color", .color, "The color of the text; by default white."),
      KeyShape("outlineColor", .color, "The color of the outline; by default black."),
      KeyShape(
        "outlineWidth", .length(.height), "The width of the outline: pixels, or percent of the frame's height; by default 0."),
      KeyShape("boxColor", .color, "The color of the box behind a lower third or a caption."),
      KeyShape(
        "position", .tuple([.length(.width), .length(.height)]),
        "The position of its center: pixels, or percent of the frame; [\"50%\", \"50%\"] is the middle."),
      KeyShape(
        "direction", .words(TextDirection.self),
        "The direction of the text, which mirrors lower thirds from right to left; by default natural: as the first letter."),
      KeyShape("substituteFont", .bool, "Whether a missing font may be substituted; by default that is an error."),
      KeyShape(
        "layer", .object("titleLayer"),
        "A layer tree, in pixels of the canvas, instead of all other keys except start and duration."),
      KeyShape(
        "template", .text, "A title template: a file with a layer tree and variables, relative to the project."),
      KeyShape(
        "variables", .map(variable),
        "The values of the template's variables; by default those that it declares."),
    ])

  private static let titleTemplate = ObjectShape(
    "titleTemplate", "a title template in a separate file",
    [
      KeyShape("version", .integer(version...version), required: true, "The version of the format: \(version)."),
      schemaKey,
      KeyShape("description", .string, "A description of the template for its users."),
      KeyShape(
        "variables", .map(variable),
        "The variables with their defaults, which determine their types (string, number, boolean, list or object)."),
      KeyShape(
        "duration", .time,
        "The duration of titles that don't specify one. ${duration} is replaced by the duration in either case."),
      KeyShape(
        "protect", .object("protectedParts"),
        "The parts that keep their speed in titles of another duration, while the rest is stretched. It needs a duration, which ${duration} then is in every title."
      ),
      KeyShape("layer", .object("titleLayer"), required: true, "The layer tree."),
    ])

  private static let protectedParts = ObjectShape(
    "protectedParts", "the parts of a title template that keep their speed",
    [
      KeyShape("start", .time, "The length of the protected beginning; by default 0."),
      KeyShape("end", .time, "The length of the protected end; by default 0."),
    ])

  static let lookKeys =
    [
      KeyShape("fit", .choice(FitMode.allCases.map(\.rawValue)), "How the frame is scaled to the canvas; by default fit."),
      KeyShape("opacity", .any([.number(0...1), .list(.object("opacityKeyframe"), minimum: 1)]), "Opacity; by default 1."),
      KeyShape(
        "transform", .any([.object("transform"), .list(.object("transformKeyframe"), minimum: 1)]),
        "The position, scale and rotation after fitting."),
      KeyShape(
        "crop", .any([.object("crop"), .list(.object("cropKeyframe"), minimum: 1)]), "The part of the upright frame to show."),
      KeyShape(
        "sampling", .choice(SamplingQuality.allCases.map(\.rawValue)),
        "The resampling quality: fast, good or best; by default as the output says."),
      KeyShape("motionBlur", .object("motionBlur"), "The motion blur of its keyframes and transitions; by default nothing."),
    ] + decorationKeys

  private static let transformKeys = [
    KeyShape(
      "x", .length(.width),
      "The position of the anchor: pixels from the left, or percent of the canvas; by default where fitting puts it."),
    KeyShape(
      "y", .length(.height),
      "The position of the anchor: pixels from the top, or percent of the canvas; by default where fitting puts it."),
    KeyShape(
      "scale", .any([.factor(-1000...1000), .list(.factor(-1000...1000), minimum: 2, maximum: 2)]),
      "The scale, or [horizontal, vertical] scale; by default 1."),
    KeyShape("rotation", .number(-36_000...36_000), "The rotation in degrees, clockwise; by default 0."),
    KeyShape(
      "anchor", .list(.number(-100...100), minimum: 2, maximum: 2),
      "The center of scaling and rotation, in fractions of the frame; by default [0.5, 0.5]."),
    KeyShape(
      "matrix", .list(.number(pixels), minimum: 6, maximum: 6),
      "[a, b, c, d, tx, ty] from the frame's own pixels to the canvas, instead of fitting and all other keys."),
  ]

  private static let cropKeys = [
    KeyShape(
      "x", .frameLength(.width, pixels),
      "The left edge in the upright frame; by default that of the previous keyframe, or else the frame's."),
    KeyShape(
      "y", .frameLength(.height, pixels), "The top edge; by default that of the previous keyframe, or else the frame's."),
    KeyShape(
      "width", .frameLength(.width, 0...1e6),
      "The width; by default that of the previous keyframe, or else up to the frame's right edge."),
    KeyShape(
      "height", .frameLength(.height, 0...1e6),
      "The height; by default that of the previous keyframe, or else down to the frame's bottom edge."),
  ]

  static let keyframeTime = KeyShape("at", .time, required: true, "The time from the start of the clip or instruction.")

  static let keyframeEasing = KeyShape(
    "easing", .easing, "The easing from this keyframe to the next: \(Easing.examples); by default linear.")

  private static let looks =
    [
      ObjectShape(
        "opacityKeyframe", "an opacity at a time",
        [keyframeTime, KeyShape("value", .number(0...1), required: true, "Opacity."), keyframeEasing]),
      ObjectShape(
        "speedKeyframe", "a speed at a time",
        [
          KeyShape("at", .time, required: true, "The time from the clip's start on the timeline."),
          KeyShape("value", .ratio, required: true, "The speed, 1/10000 to 10000."), keyframeEasing,
        ]),
      ObjectShape("transform", "a position, scale and rotation", transformKeys),
      ObjectShape(
        "transformKeyframe", "a position, scale and rotation at a time", [keyframeTime] + transformKeys + [keyframeEasing]),
      ObjectShape("crop", "a part of the frame", cropKeys),
      ObjectShape("cropKeyframe", "a part of the frame at a time", [keyframeTime] + cropKeys + [keyframeEasing]),
    ] + decorationKeyframes
}
