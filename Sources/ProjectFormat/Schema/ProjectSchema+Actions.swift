import CompositorAPI
import CompositorTimeline

// Transitions, effects with their masks, and explicit instructions.

extension ProjectSchema {
  private static let parameterOrKeyframes = ValueShape.any([
    .parameter, .list(.object("parameterKeyframe"), minimum: 1),
  ])

  private static let effectMaskKey = KeyShape(
    "mask", .object("effectMask"), "Where the effect is shown: the luma or the alpha of another asset.")

  private static let compositorKeys = [
    KeyShape("parameters", .map(parameterOrKeyframes), "The compositor's parameters: values, or keyframes.")
  ]

  static let actions = [
    ObjectShape(
      "transition", "a transition",
      [
        KeyShape(
          "type", .choice(TransitionName.all), "The kind of transition; by default dissolve. Other keys are its parameters."),
        KeyShape("duration", .time, required: true, "How long both clips play."),
        KeyShape("easing", .easing, "The easing of its progress: \(Easing.examples); by default linear."),
        KeyShape(
          "audio", .words(AudioCrossFade.self),
          "How the audio is cross-faded: equal-power (the default), linear, or none (both at full level)."),
        KeyShape("direction", .text, "The direction of movement, as \"left\"; by default the first of what is possible."),
        KeyShape(
          "compositor", .text, "The compositor to use instead of a type. It receives the old clip's layer, then the new one's."),
      ] + compositorKeys, others: parameterOrKeyframes),
    ObjectShape(
      "effectUse", "an effect in use",
      [
        KeyShape("use", .text, required: true, "The effect, such as \"gaussian-blur\". Other keys are its parameters."),
        effectMaskKey,
      ],
      others: parameterOrKeyframes),
    ObjectShape(
      "effectMask", "the mask of an effect",
      [
        KeyShape("asset", .text, required: true, "The asset, with video or a still. It is scaled to the frame."),
        KeyShape("in", .time, "The media time to start at; by default where its media begins."),
        KeyShape(
          "channel", .choice(EffectMask.Channel.allCases.map(\.rawValue)),
          "The part of the asset's frames that is the mask: luma, by default, or alpha."),
        KeyShape(
          "inverted", .bool, "Whether the effect is shown where the mask is black or transparent; by default false."),
        KeyShape("hold", .bool, "Whether its last frame is held if its media ends before the effect does; by default false."),
        KeyShape(
          "loop", .any([.bool, .integer(loopRange)]),
          "Whether its media loops until the end of the effect, or how often it plays; by default once."),
        KeyShape("videoTrack", .integer(0...255), "The index of the media's video track; by default 0."),
      ]),
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
        KeyShape("at", .time, required: true, "The start."),
        KeyShape("duration", .time, required: true, "The duration."),
        KeyShape("compositor", .text, "The compositor to use."),
        KeyShape("use", .text, "The effect on the composed frame. Other keys are its parameters."),
        effectMaskKey,
      ] + compositorKeys, others: parameterOrKeyframes),
    ObjectShape(
      "instruction", "an instruction",
      [
        KeyShape("at", .any([.choice(["auto"]), .time]), "The start; by default \"auto\": where the one before ends."),
        KeyShape("duration", .time, "The duration; by default until the next one, or the end."),
        KeyShape("layers", .list(.object("layer")), "Layers, front to back: the first is on top."),
        KeyShape("background", .color, "The color behind the layers; by default the output's."),
        KeyShape(
          "passthrough", .any([.text, .integer(0...65535)]), "The track to pass through unchanged, by name or index from 0."),
        KeyShape("compositor", .text, "The compositor to use; by default builtin.layer."),
        KeyShape(
          "tracks", .list(.any([.text, .integer(0...65535)])),
          "Tracks that the compositor needs in addition to those of the layers."),
        KeyShape("effects", .list(.object("effectUse")), "The effects to apply to the composed frame, in order."),
      ] + compositorKeys),
    ObjectShape(
      "layer", "a layer",
      [KeyShape("track", .any([.text, .integer(0...65535)]), required: true, "The track, by name or index from 0.")] + lookKeys
        + [effectsKey]
    ),
  ]
}
