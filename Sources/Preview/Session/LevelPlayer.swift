import CompositorAPI
import CompositorPlayback

/// A player of one frame size, and the task that encodes its frames.
struct LevelPlayer: Sendable {
  let player: Player
  private let pump: Task<Void, Never>
  private let complaints: Task<Void, Never>

  /// Starts sending the player's frames to its show.
  init(_ player: Player, level: ProxyScale.Level, encoding: FrameEncoding, show: Show) {
    self.player = player
    complaints = Task { [weak show] in
      for await error in player.errors where error.code != .cancelled { await show?.fail(error) }
    }
    pump = Task { [weak show] in
      var scopes = ScopeDrawing(encoding)
      for await frame in player.frames {
        guard let show else { return }
        await LevelPlayer.pass(frame, of: player, at: level, to: show, encoding: encoding, scopes: &scopes)
      }
    }
  }

  private static func pass(
    _ frame: PlayerFrame, of player: Player, at level: ProxyScale.Level, to show: Show, encoding: FrameEncoding,
    scopes: inout ScopeDrawing
  ) async {
    guard let wish = await show.wants(frame, at: level) else { return }
    do throws(CompositorError) {
      let start = ContinuousClock.now
      let jpeg = try encoding.jpeg(composed: frame.frame)
      await show.send(frame, jpeg, encode: ContinuousClock.now - start, level: level, run: wish.run)
      guard let scope = wish.scope, let image = try scopes.image(scope, of: frame.frame, isPaused: player.rate == 0)
      else { return }
      await show.send(scope, image, of: frame)
    } catch {
      await show.fail(error)
    }
  }

  /// Stops encoding and closes the decoders.
  func close() async {
    pump.cancel()
    complaints.cancel()
    await player.close()
  }
}

/// Draws scopes, but not of every frame during playback.
private struct ScopeDrawing {
  private let encoding: FrameEncoding
  private var scopes = Scopes()
  private var last: (kind: ScopeKind, time: ContinuousClock.Instant)?

  /// Minimum interval during playback; eyes read a scope more slowly than a frame.
  private static let interval = Duration.milliseconds(150)

  init(_ encoding: FrameEncoding) { self.encoding = encoding }

  /// The scope of a frame as JPEG; `nil` if one was drawn very recently.
  mutating func image(_ kind: ScopeKind, of frame: Frame, isPaused: Bool) throws(CompositorError) -> [UInt8]? {
    if let last, last.kind == kind, !isPaused, .now - last.time < ScopeDrawing.interval { return nil }
    last = (kind, .now)
    guard let image = try scopes.draw(kind, of: try encoding.shown(frame)) else { return nil }
    return try encoding.jpeg(image, quality: 90)
  }
}
