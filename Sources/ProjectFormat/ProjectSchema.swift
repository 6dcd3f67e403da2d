import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

/// The project format, version 2, as a table: the reader and the JSON Schema both follow it.
package enum ProjectSchema {
  /// The version that this package writes about: its schema and its documentation.
  package static let version = 2
  /// The versions that this package reads. Version 1 differs in two units: angles of title layers are in radians, and positions and sizes
  /// of ready-made titles are fractions of the frame.
  package static let versions = 1...version

  /// The shape of a name that the table itself uses.
  package static func shape(_ name: String) -> ObjectShape {
    guard let shape = shapesByName[name] else { preconditionFailure("the project schema has no object \(name)") }
    return shape
  }

  private static let shapesByName = Dictionary(uniqueKeysWithValues: shapes.map { ($0.name, $0) })

  private static let seconds: ClosedRange<Double> = 0...1e9
  private static let scalar = ValueShape.any([.string, anyNumber, .bool])
  private static let variable = ValueShape.any([.string, anyNumber, .bool, .list(scalar)])
  private static let pixels: ClosedRange<Double> = -1e6...1e6

  /// Every object of the format, the project first.
  package static let shapes: [ObjectShape] =
    [
      project, output, video, audio, colorTags, sourceColor, colorConversion, asset, track, clip, title, titleTemplate,
      captions,
      captionStyle,
    ] + metadataShapes + looks + audioShapes(keyframeTime, keyframeEasing) + actions
    + layers

  private static let schemaKey = KeyShape(
    "$schema", .text, "The JSON Schema that editors check the file by, as `compositor schema` prints it; not read.")

  private static let project = ObjectShape(
    "project", "a project",
    [
      KeyShape("version", .integer(version...version), required: true, "The version of the format: \(version)."),
      schemaKey,
      KeyShape("output", .object("output"), "What comes out; by default it follows the first clip."),
      KeyShape("assets", .map(.any([.text, .object("asset")])), "Media by name: a path, or an object."),
      KeyShape("tracks", .list(.object("track"), minimum: 1), required: true, "Tracks from bottom to top."),
      KeyShape(
        "instructions", .list(.object("instruction"), minimum: 1),
        "What happens when, in the order of time; derived from the clips where it is left out."),
      KeyShape("effects", .list(.object("effect")), "Stretches with an effect, or that a compositor of choice composes."),
      KeyShape("titles", .list(.object("title")), "Titles over the pictures, from back to front."),
      KeyShape("captions", .list(.object("captions")), "Captions: drawn over everything, as tracks of the output, or both."),
      KeyShape(
        "variables", .map(variable),
        "Values for ${name} in any string of the project, if none are set elsewhere: strings, numbers, true, false or lists of these."
      ),
      KeyShape("plugins", .list(.text), "Compositor plugins (.so), relative to the project, beside those of the search path."),
      KeyShape("fonts", .list(.text), "Font files for titles, relative to the project file, beside the system's fonts."),
    ])

  private static let output = ObjectShape(
    "output", "what comes out",
    [
      KeyShape(
        "preset", .choice(ExportPreset.allCases.map(\.rawValue)),
        "How the movie is written, by name: see docs/export.md. Other keys count more than the preset."),
      KeyShape("size", .size, "The canvas, such as \"1920x1080\"; by default the first picture's, made even."),
      KeyShape(
        "frameRate", .ratio,
        "Frames a second, such as 25 or \"30000/1001\"; by default the first picture's. 23.976, 29.97 and 59.94 mean the exact ratios."
      ),
      KeyShape(
        "color", .any([.choice(OutputColorName.allCases.map(\.rawValue)), .object("colorTags")]),
        "The color of the frames; by default that of the first source whose pictures are Y′CbCr."),
      KeyShape(
        "colorConversion", .object("colorConversion"),
        "How SDR, HLG and PQ become each other; by default as BT.2408 and BT.2390 say."),
      KeyShape(
        "hdrMetadata", .choice(HDRMetadataChoice.allCases.map(\.rawValue)),
        "Mastering display and light levels of a PQ output: the sources' (propagate, the default), none, or measured (generate)."
      ),
      KeyShape(
        "peak", .choice(PeakChoice.allCases.map(\.rawValue)),
        "Where the brightest light of PQ media is known from: stated by them (the default), or measure, in a first pass."),
      KeyShape("background", .color, "What is behind everything; by default black."),
      KeyShape("blending", .choice(["encoded", "linear"]), "The signal in which layers are mixed; by default encoded."),
      KeyShape(
        "sampling", .choice(SamplingQuality.allCases.map(\.rawValue)),
        "How pictures are resampled whose clips do not say it; by default good where size and rotation hold still, else fast."),
      KeyShape("format", .text, "The frames' pixel format, such as \"yuv420p10\" or \"yuva444p12\"; 4:2:0 unless given."),
      KeyShape("alpha", .bool, "Whether the output keeps alpha, where its codec can; by default false."),
      KeyShape("video", .object("video"), "How pictures are encoded."),
      KeyShape("audio", .any([.bool, .object("audio")]), "How audio is mixed and encoded; false for none."),
    ] + outputMetadataKeys)

  private static let video = ObjectShape(
    "video", "how pictures are encoded",
    [
      KeyShape(
        "codec", .choice(VideoEncodingSettings.Codec.allCases.map(\.rawValue)),
        "The codec; by default what the output's name says, else h264, hevc for HDR."),
      KeyShape(
        "quality", .number(0...100),
        "Constant quality, smaller is better: 0 to 51 for h264 and hevc, 0 to 63 for av1 and vp9, 1 to 31 for prores; of webp 0 to 100, larger is better."
      ),
      KeyShape(
        "bitRate", .any([.integer(1000...2_000_000_000), .text]),
        "Average bits a second instead of a quality, such as 8000000 or \"8M\"; h264, hevc, av1 and vp9."),
      KeyShape(
        "twoPass", .bool, "Whether everything is encoded twice, to come closer to the bit rate; by default false."),
      KeyShape(
        "encoder", .choice(VideoEncodingSettings.Encoder.allCases.map(\.rawValue)),
        "What encodes: the processor, or a device of VA-API or NVIDIA; by default software."),
      KeyShape(
        "encoderSpeed", .choice(VideoEncodingSettings.Speed.allCases.map(\.rawValue)), older: ["preset"],
        "Speed against size for h264, hevc, av1 and vp9; by default medium."),
      KeyShape(
        "profile",
        .any([
          .choice(VideoEncodingSettings.ProResProfile.allCases.map(\.rawValue)),
          .choice(VideoEncodingSettings.DNxHRProfile.allCases.map(\.rawValue)),
        ]),
        "The profile of prores or dnxhr; by default by the format."),
      KeyShape(
        "keyFrameInterval", .any([.integer(1...100_000), .time]),
        "The largest distance of key frames, in frames or as a time such as \"2s\"."),
      KeyShape(
        "palette", .choice(VideoEncodingSettings.AnimationSettings.Palette.allCases.map(\.rawValue)),
        "Whether all frames of a GIF share a palette, or each has its own; by default shared."),
      KeyShape(
        "dithering", .choice(VideoEncodingSettings.AnimationSettings.Dithering.allCases.map(\.rawValue)),
        "How a GIF shows colors between those of its palette; by default sierra2-4a."),
      KeyShape("playCount", .integer(1...65_535), "How often a GIF or WebP plays; by default without end."),
      KeyShape("lossless", .bool, "Whether a WebP loses nothing; by default false."),
    ])

  private static let audio = ObjectShape(
    "audio", "how audio is mixed and encoded",
    [
      KeyShape(
        "codec", .choice(AudioEncodingSettings.Codec.allCases.map(\.rawValue)),
        "The codec; by default aac in a movie, what the name says in a file of audio alone."),
      KeyShape("sampleRate", .integer(8000...192_000), "Samples a second; by default 48000."),
      KeyShape("channels", .integer(1...8), "Channels; by default 2."),
      KeyShape(
        "bitRate", .any([.integer(8000...1_024_000), .text]), "Bits a second of a lossy codec, such as 160000 or \"160k\"."),
      KeyShape("bitDepth", .integer(16...24), "Bits of a sample in flac and alac, 16 or 24; by default 24."),
    ] + outputAudioKeys)

  private static let colorTags = ObjectShape(
    "colorTags", "code points of ITU-T H.273",
    [
      KeyShape("primaries", .integer(1...22), required: true, "Color primaries, table 2."),
      KeyShape("transfer", .integer(1...18), required: true, "Transfer characteristics, table 3."),
      KeyShape("matrix", .integer(0...9), required: true, "Matrix coefficients, table 4."),
      KeyShape("range", .choice(["limited", "full"]), "Code values of black and white; by default limited."),
      KeyShape("chroma", .words(ChromaLocation.self), "Where subsampled chroma sits; by default left."),
    ])

  private static let sourceColor = ObjectShape(
    "sourceColor", "what is known better of a file's color, as code points of ITU-T H.273",
    [
      KeyShape("primaries", .integer(1...22), "Color primaries, table 2; by default the file's."),
      KeyShape("transfer", .integer(1...18), "Transfer characteristics, table 3; by default the file's."),
      KeyShape("matrix", .integer(0...9), "Matrix coefficients, table 4; by default the file's."),
      KeyShape("range", .choice(["limited", "full"]), "Code values of black and white; by default the file's."),
      KeyShape("chroma", .words(ChromaLocation.self), "Where subsampled chroma sits; by default the file's."),
    ])

  /// The brightest light that may be said of an asset, cd/m².
  static let peakRange = 10.0...10_000

  private static let colorConversion = ObjectShape(
    "colorConversion", "how SDR, HLG and PQ become each other",
    [
      KeyShape(
        "diffuseWhite", .number(50...1000), "Where SDR white stands in an HDR picture, cd/m²; by default 203 (BT.2408)."),
      KeyShape(
        "hlgPeakLuminance", .number(100...10_000), "The peak of the display that HLG is seen on, cd/m²; by default 1000."),
      KeyShape("sdrPeakLuminance", .number(50...1000), "The HDR luminance that becomes SDR white, cd/m²; by default 203."),
      KeyShape(
        "toneMapping", .choice(ColorConversionPolicy.ToneMapping.allCases.map(\.rawValue)),
        "How light above the output's peak is rolled off; by default bt2390."),
      KeyShape(
        "gamutMapping", .choice(ColorConversionPolicy.GamutMapping.allCases.map(\.rawValue)),
        "What becomes of colors outside the output's gamut; by default automatic: clip for SDR, preserve-hue for HDR."),
      KeyShape(
        "sdrCurve", .choice(ColorConversionPolicy.SDRCurve.allCases.map(\.rawValue)),
        "What SDR codes mean as light: as a display shows them (the default), or as a camera made them."),
      KeyShape(
        "srgb", .choice(ColorConversionPolicy.SRGBCurve.allCases.map(\.rawValue)),
        "What sRGB codes mean as light: the same as codes of SDR video (graphics, the default), or IEC 61966-2-1."),
      KeyShape(
        "dithering", .choice(ColorConversionPolicy.Dithering.allCases.map(\.rawValue)),
        "How codes are rounded where depth is lost; by default ordered."),
    ])

  private static let asset = ObjectShape(
    "asset", "media",
    [
      KeyShape("file", .text, "A movie, audio or image, relative to the project file."),
      KeyShape(
        "deinterlace", .choice(DeinterlaceName.allCases.map(\.rawValue)),
        "One picture from two interlaced fields (same), or one from each (double), of a file; by default off."),
      KeyShape("images", .text, "Numbered images, such as \"frames/%04d.png\", relative to the project file."),
      KeyShape("first", .integer(0...Int(Int32.max)), "The first image's number; by default 0."),
      KeyShape("generate", .choice(PatternName.allCases.map(\.rawValue)), "Pictures made from arithmetic."),
      KeyShape("titles", .list(.object("title"), minimum: 1), "Titles as pictures with alpha, on a track like any other."),
      KeyShape(
        "frameRate", .ratio,
        "Frames a second of images and generated pictures, by default 30; of titles, by default the output's."
      ),
      KeyShape(
        "size", .size, "The size of generated pictures, by default \"1920x1080\"; of titles, by default the canvas."),
      KeyShape(
        "duration", .time,
        "How long generated pictures or titles last; by default as long as asked. Frames count at the asset's own rate."),
      KeyShape(
        "color", .any([.choice(ColorTags.names), .color, .object("sourceColor")]),
        "Of a file or of images: what their color is, whatever they say themselves. Of generate: \"color\": the color."),
      KeyShape(
        "peakLuminance", .any([.number(peakRange), .choice([PeakChoice.measured.rawValue])]),
        "The brightest light of PQ media in cd/m², in place of what they say; or measure, in a first pass."),
      KeyShape("from", .color, "The first color of generate: \"gradient\"; by default black."),
      KeyShape("to", .color, "The last color of generate: \"gradient\"; by default white."),
      KeyShape(
        "angle", .number(-360...360),
        "The direction of generate: \"gradient\", clockwise in degrees; by default 0, left to right."),
      KeyShape("tone", .number(1...20_000), "A sine tone that goes with generated pictures, in hertz."),
    ])

  private static let track = ObjectShape(
    "track", "a track",
    [
      KeyShape("name", .text, "The name that layers of explicit instructions and ducking use."),
      KeyShape("clips", .list(.object("clip"), minimum: 1), required: true, "Clips in the order of time."),
    ] + trackAudioKeys)

  private static let clip = ObjectShape(
    "clip", "a clip",
    [
      KeyShape("asset", .text, required: true, "The name of an asset."),
      KeyShape("at", .any([.choice(["auto"]), .time]), "When it starts; by default \"auto\": after the clip before it."),
      KeyShape("in", .time, "The media time it starts with; by default the first picture's."),
      KeyShape(
        "duration", .any([.choice(["fill"]), .time]),
        "How long it takes; by default all that the media has. \"fill\": until everything else is over."),
      KeyShape(
        "speed", .any([.ratio, .list(.object("speedKeyframe"), minimum: 1)]),
        "Media time per time: 1/32 to 32, or 0 for a frame that stands still; or keyframes; by default 1."),
      KeyShape("reverse", .bool, "Whether it plays backward; by default false."),
      KeyShape("pitch", .choice(pitches), "Whether the audio's pitch is kept at another speed, and how; by default keep."),
      KeyShape(
        "frames", .choice(FrameInterpolation.allCases.map(\.rawValue)),
        "What is shown between two frames of the media; by default nearest."),
      KeyShape("videoTrack", .integer(0...255), "Which of the media's video tracks; by default 0."),
      KeyShape("audioTrack", .integer(0...255), "Which of the media's audio tracks; by default 0."),
      KeyShape("video", .bool, older: ["picture"], "Whether its video is shown; by default true."),
      KeyShape("audio", .bool, older: ["sound"], "Whether its audio is heard; by default true."),
      KeyShape("transition", .object("transition"), "How the clip before it gives way to it; by default a cut."),
    ] + lookKeys + [effectsKey] + clipAudioKeys)

  /// What `pitch` takes.
  static let pitches = ["keep", "follow"] + PitchAlgorithm.allCases.map(\.rawValue)

  private static let effectsKey = KeyShape(
    "effects", .list(.object("effectUse")), "What is done to the picture before it is placed, in this order.")

  private static let title = ObjectShape(
    "title", "a title",
    [
      KeyShape("kind", .choice(TitleName.allCases.map(\.rawValue)), "How it is laid out; by default title: in the middle."),
      KeyShape("text", .text, "What it says; lines by \\n. ${name} stands for a variable."),
      KeyShape("role", .text, "The second line of a lower third."),
      KeyShape("start", .time, "When it appears; by default at the beginning."),
      KeyShape("duration", .time, "How long it shows; by default to the end."),
      KeyShape("fade", .time, "How long it takes to appear and to disappear; by default 0.5s."),
      KeyShape("font", .text, "The font's family; by default DejaVu Sans."),
      KeyShape("weight", .integer(100...1000), "400 is regular, 700 bold."),
      KeyShape("size", .length(.height), "The height of the letters' em: pixels, or percent of the frame's height."),
      KeyShape("color", .color, "The color of the letters; by default white."),
      KeyShape("outlineColor", .color, "The color of a line around them; by default black."),
      KeyShape("outlineWidth", .length(.height), "Its width: pixels, or percent of the frame's height; by default 0."),
      KeyShape("boxColor", .color, "What is behind a lower third or a caption."),
      KeyShape(
        "position", .tuple([.length(.width), .length(.height)]),
        "Where its middle stands: pixels, or percent of the frame; [\"50%\", \"50%\"] is the middle."),
      KeyShape(
        "direction", .words(TextDirection.self),
        "Which way the text runs: lower thirds from right to left are mirrored; by default natural: as the first letter."),
      KeyShape("substituteFont", .bool, "Whether a font that is not there may be replaced; by default that is an error."),
      KeyShape(
        "layer", .object("titleLayer"),
        "A whole tree of layers, in pixels of the canvas, instead of all the others but start and duration."),
      KeyShape(
        "template", .text, "A file with a tree of layers and variables, relative to the project, instead of a tree here."),
      KeyShape(
        "variables", .map(variable),
        "Values for the variables of the template; by default those that it declares."),
    ])

  private static let titleTemplate = ObjectShape(
    "titleTemplate", "a title in a file of its own, for any number of projects",
    [
      KeyShape("version", .integer(version...version), required: true, "The version of the format: \(version)."),
      schemaKey,
      KeyShape("description", .string, "What it shows, for people who look for a template."),
      KeyShape(
        "variables", .map(variable),
        "The variables and their defaults, whose type (string, number, boolean or list) their values have."),
      KeyShape(
        "duration", .time,
        "How long it shows if the title that uses it says nothing; ${duration} stands for the duration in either case."),
      KeyShape("layer", .object("titleLayer"), required: true, "The tree of layers."),
    ])

  private static let lookKeys =
    [
      KeyShape("fit", .choice(FitMode.allCases.map(\.rawValue)), "How the picture is brought to the canvas; by default fit."),
      KeyShape("opacity", .any([.number(0...1), .list(.object("opacityKeyframe"), minimum: 1)]), "Opacity; by default 1."),
      KeyShape(
        "transform", .any([.object("transform"), .list(.object("transformKeyframe"), minimum: 1)]),
        "Where the picture goes after fitting."),
      KeyShape(
        "crop", .any([.object("crop"), .list(.object("cropKeyframe"), minimum: 1)]), "The part of the upright picture to show."),
      KeyShape(
        "sampling", .choice(SamplingQuality.allCases.map(\.rawValue)),
        "How the picture is resampled: fast, good or best; by default as the output says."),
    ] + decorationKeys

  /// Lengths of corners, borders and shadows, in pixels.
  static let decorationLength = 0.0...4000

  /// Corners, border and shadow of a clip: the same keys as those of title layers.
  static let decorationKeys = [
    KeyShape(
      "cornerRadius", .number(decorationLength), "Radius of the picture's corners, in pixels at a scale of 1; by default 0."),
    KeyShape("borderWidth", .number(decorationLength), "Width of a line inside the edge; by default 0."),
    KeyShape("borderColor", .color, "Color of that line; by default black."),
    KeyShape("shadowOpacity", .number(0...1), "Opacity of the shadow; by default 0, no shadow."),
    KeyShape(
      "shadowOffset", .list(.number(-4000...4000), minimum: 2, maximum: 2), "Where the shadow falls; by default [0, 3]."),
    KeyShape("shadowRadius", .number(decorationLength), "Standard deviation of the shadow's blur; by default 3."),
    KeyShape("shadowColor", .color, "Color of the shadow; by default black."),
  ]

  private static let transformKeys = [
    KeyShape(
      "x", .length(.width),
      "Where the anchor goes: pixels from the left, or percent of the canvas; by default where fitting puts it."),
    KeyShape(
      "y", .length(.height),
      "Where the anchor goes: pixels from the top, or percent of the canvas; by default where fitting puts it."),
    KeyShape(
      "scale", .any([.number(-1000...1000), .list(.number(-1000...1000), minimum: 2, maximum: 2)]),
      "A factor, or one each to the right and downwards; by default 1."),
    KeyShape("rotation", .number(-36_000...36_000), "Clockwise, in degrees; by default 0."),
    KeyShape(
      "anchor", .list(.number(-100...100), minimum: 2, maximum: 2),
      "The point that scaling and turning leave alone, in fractions of the picture; by default [0.5, 0.5]."),
    KeyShape(
      "matrix", .list(.number(pixels), minimum: 6, maximum: 6),
      "[a, b, c, d, tx, ty] from the picture's own pixels to the canvas, instead of fitting and all the others."),
  ]

  private static let cropKeys = [
    KeyShape("x", .number(pixels), required: true, "Left edge, in the upright picture's pixels."),
    KeyShape("y", .number(pixels), required: true, "Top edge."),
    KeyShape("width", .number(0...1e6), required: true, "Width."),
    KeyShape("height", .number(0...1e6), required: true, "Height."),
  ]

  private static let keyframeTime = KeyShape("at", .time, required: true, "When, from the start of the clip or instruction.")

  private static let keyframeEasing = KeyShape(
    "easing", .easing, "How it changes from here to the next keyframe: \(Easing.examples); by default linear.")

  private static let looks = [
    ObjectShape(
      "opacityKeyframe", "an opacity at a time",
      [keyframeTime, KeyShape("value", .number(0...1), required: true, "Opacity."), keyframeEasing]),
    ObjectShape(
      "speedKeyframe", "a speed at a time",
      [
        KeyShape("at", .time, required: true, "When, from the clip's start on the timeline."),
        KeyShape("value", .ratio, required: true, "Media time per time, 1/32 to 32."), keyframeEasing,
      ]),
    ObjectShape("transform", "where the picture goes", transformKeys),
    ObjectShape("transformKeyframe", "where the picture is at a time", [keyframeTime] + transformKeys + [keyframeEasing]),
    ObjectShape("crop", "a part of the picture", cropKeys),
    ObjectShape("cropKeyframe", "a part of the picture at a time", [keyframeTime] + cropKeys + [keyframeEasing]),
  ]

  private static let parameterOrKeyframes = ValueShape.any([
    .parameter, .list(.object("parameterKeyframe"), minimum: 1),
  ])

  private static let compositorKeys = [
    KeyShape("parameters", .map(parameterOrKeyframes), "The compositor's parameters: values, or keyframes.")
  ]

  private static let actions = [
    ObjectShape(
      "transition", "a transition",
      [
        KeyShape(
          "type", .choice(TransitionName.all), "What is seen; by default dissolve. Other keys are its parameters."),
        KeyShape("duration", .time, required: true, "How long both clips play."),
        KeyShape("easing", .easing, "How its progress is eased: \(Easing.examples); by default linear."),
        KeyShape(
          "audio", .words(AudioCrossFade.self),
          "How the audio is handed over: equal-power (the default), linear, or none (both at full level)."),
        KeyShape("direction", .text, "Where it moves to, as \"left\"; by default the first of what is possible."),
        KeyShape("compositor", .text, "Who composes, instead of a type; it is given the old clip's layer, then the new one's."),
      ] + compositorKeys, others: parameterOrKeyframes),
    ObjectShape(
      "effectUse", "an effect in use",
      [KeyShape("use", .text, required: true, "The effect, such as \"gaussian-blur\". Other keys are its parameters.")],
      others: parameterOrKeyframes),
    ObjectShape(
      "parameterKeyframe", "a parameter at a time",
      [
        keyframeTime,
        KeyShape(
          "value", .any([.number(-1e9...1e9), .list(.number(-1e9...1e9), minimum: 2, maximum: 4), .color]), required: true,
          "A number, a point as [x, y], or a color."),
        keyframeEasing,
      ]),
    ObjectShape(
      "effect", "an effect",
      [
        KeyShape("at", .time, required: true, "When it starts."),
        KeyShape("duration", .time, required: true, "How long it takes."),
        KeyShape("compositor", .text, "Who composes."),
        KeyShape("use", .text, "The effect that changes the composed picture. Other keys are its parameters."),
      ] + compositorKeys, others: parameterOrKeyframes),
    ObjectShape(
      "instruction", "an instruction",
      [
        KeyShape("at", .any([.choice(["auto"]), .time]), "When it starts; by default \"auto\": where the one before ends."),
        KeyShape("duration", .time, "How long it takes; by default until the next one, or the end."),
        KeyShape("layers", .list(.object("layer")), "Layers, front to back: the first is on top."),
        KeyShape("background", .color, "What is behind the layers; by default the output's."),
        KeyShape(
          "passthrough", .any([.text, .integer(0...65535)]), "The track to hand on untouched, by name or number from 0."),
        KeyShape("compositor", .text, "Who composes; by default builtin.layer."),
        KeyShape(
          "tracks", .list(.any([.text, .integer(0...65535)])), "Tracks the compositor needs beside those of the layers."),
        KeyShape("effects", .list(.object("effectUse")), "What is done to the composed picture, in this order."),
      ] + compositorKeys),
    ObjectShape(
      "layer", "a layer",
      [KeyShape("track", .any([.text, .integer(0...65535)]), required: true, "The track, by name or number from 0.")] + lookKeys
        + [effectsKey]
    ),
  ]
}
