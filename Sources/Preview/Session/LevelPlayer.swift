import CompositorAPI
import CompositorPlayback

/// A player of one frame size, and the task that encodes its frames.
struct LevelPlayer: Sendable {
  let player: Player
  private let pump: Task<Void, Never>
  private let complaints: Task<Void, Never>

  /// Starts sending the player's frames to their page.
  init(_ player: Player, level: ProxyScale.Level, encoding: FrameEncoding, pagePlayer: PagePlayer) {
    self.player = player
    complaints = Task { [weak pagePlayer] in
      for await error in player.errors where error.code != .cancelled { await pagePlayer?.fail(error) }
    }
    pump = Task { [weak pagePlayer] in
      var scopes = ScopeDrawing(encoding)
      for await frame in player.frames {
        guard let pagePlayer else { return }
        await LevelPlayer.pass(frame, of: player, at: level, to: pagePlayer, encoding: encoding, scopes: &scopes)
      }
    }
  }

  private static func pass(
    _ frame: PlayerFrame, of player: Player, at level: ProxyScale.Level, to pagePlayer: PagePlayer, encoding: FrameEncoding,
    scopes: inout ScopeDrawing
  ) async {
    guard let wish = await pagePlayer.wants(frame, at: level) else { return }
    do throws(CompositorError) {
      let start = ContinuousClock.now
      let jpeg = try encoding.jpeg(composed: frame.frame)
      await pagePlayer.send(frame, jpeg, encode: ContinuousClock.now - start, level: level, run: wish.run)
      guard let scope = wish.scope, let image = try scopes.image(scope, of: frame.frame, isPaused: player.rate == 0)
      else { return }
      await pagePlayer.send(scope, image, of: frame)
    } catch {
      await pagePlayer.fail(error)
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
