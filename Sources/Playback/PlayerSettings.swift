public import CompositorAPI
public import CompositorHost

/// How a player makes frames and audio.
public struct PlayerSettings: Sendable {
  /// The largest frame; a composition with a larger canvas is composed smaller. `nil`, the default, is the canvas itself.
  public var maximumSize: PixelSize?
  /// How frames are rendered.
  public var render: RenderSettings

  /// Settings that suit the machine.
  public init(maximumSize: PixelSize? = nil, render: RenderSettings = RenderSettings()) {
    self.maximumSize = maximumSize
    self.render = render
  }
}
