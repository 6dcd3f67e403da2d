import CompositorAPI

extension ProjectSchema {
  /// The valid levels that animations follow, in dBFS.
  private static let levelRange = -120.0...20.0
  private static let frequency = ValueShape.number(10...20_000)

  /// The level of audio that an animation follows.
  static let audioLevel = ObjectShape(
    "audioLevel", "a level of the movie's audio",
    [
      KeyShape("track", .any([.text, .integer(0...65535)]), "The track, by name or index from 0; by default the whole mix."),
      KeyShape(
        "band", .tuple([frequency, frequency]),
        "The lowest and the highest frequency that count, in Hz: [40, 150] for a bass drum; by default all."),
      KeyShape("attack", .time, "The shortest time to rise from the floor to the ceiling; by default 0.02s."),
      KeyShape("release", .time, "The shortest time to fall from the ceiling to the floor; by default 0.2s."),
      KeyShape(
        "floor", .decibels(levelRange), "The level of the first value and below; by default 30 dB below the ceiling."),
      KeyShape(
        "ceiling", .decibels(levelRange), "The level of the second value and above; by default the highest in the movie."),
    ])
}
