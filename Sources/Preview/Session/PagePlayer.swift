import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorPlayback
import CompositorValidation
import Foundation

/// Plays one reading of a project on one page.
///
/// Frames of a paused page have full size. During playback, another player composes smaller ones if necessary to stay in time.
actor PagePlayer {
  /// How far frames are due ahead of the page's clock, to allow for encoding, sending and decoding.
  private static let lead = MediaTime(value: 1, timescale: 8)
  /// Maximum distance of a frame from the page's clock during playback, in seconds at rate 1.
  private static let reach = 1.0
  /// Maximum number of unacknowledged frames of a page; beyond that, playback skips some.
  private static let maximumUnacknowledged = 12

  private let composition: ValidatedComposition
  private let generation: Int
  private let channel: WebSocketChannel
  private let encoding: FrameEncoding
  private let canvas: PixelSize
  /// The pixel format for encoding JPEGs without R′G′B′ in between, if colors need no conversion.
  private let deliveryFormat: PixelFormat?
  private let grid: FrameGrid
  private var levelPlayers: [ProxyScale.Level: LevelPlayer] = [:]
  private var scale = ProxyScale()
  /// The size shown during playback; another size takes over with its first frame.
  private var active = ProxyScale.Level.full
  private var run = 0
  /// Maximum distance of a frame from the sought time while the page is paused.
  private var tolerance = MediaTime.zero
  private var rate = 0.0
  private var position = MediaTime.zero
  private var sent = 0
  private var acknowledged = 0
  private var left = 0
  private var scope: ScopeKind?
  private var costs = CostHistory()
  private var costsSent = ContinuousClock.now
  private var work = Duration.zero
  private var workSince = ContinuousClock.now

  init(_ composition: ValidatedComposition, generation: Int, channel: WebSocketChannel) {
    self.composition = composition
    self.generation = generation
    self.channel = channel
    let video = composition.edit.videoComposition
    encoding = FrameEncoding(policy: video.colorConversion)
    let format = RenderFormat(composition)
    canvas = format.frameSize
    let isHDR = format.attributes.color.transfer.isHDR
    deliveryFormat = isHDR ? nil : format.pixelFormat.isRGB ? .rgba : .yuv420p
    grid = FrameGrid(frameDuration: video.frameDuration, end: composition.edit.composition.duration)
  }

  /// Stops playback and closes the decoders.
  func close() async {
    let all = levelPlayers.values
    levelPlayers = [:]
    for levelPlayer in all { await levelPlayer.close() }
  }

  /// Sets the scope to draw from now on; `nil` for none.
  func choose(_ scope: ScopeKind?) async {
    self.scope = scope
    if scope != nil, rate == 0, !levelPlayers.isEmpty { await seek(to: position, tolerance: .zero) }
  }

  // MARK: Requests of the page

  func receive(_ message: PageMessage) async {
    if let run = message.run { self.run = max(run, self.run) }
    switch message.type {
    case .play: play(from: time(message), rate: message.rate ?? 1)
    case .pause: pause()
    case .seek:
      pause()
      let tolerance = message.tolerance.map { MediaTime.seconds(min(max(0, $0), 10)) } ?? .zero
      let (place, run) = (grid.start(of: time(message)), message.run ?? 0)
      // The next message need not wait for the frame, because it may supersede this one.
      Task {
        let isShown = await self.seek(to: place, tolerance: tolerance)
        self.channel.send(SeekedMessage(run: run, isShown: isShown))
      }
    case .clock: if rate != 0 { synchronize(to: time(message)) }
    case .ack: acknowledged = max(acknowledged, message.frame ?? 0)
    case .pace: learn(due: message.due ?? 0, dropped: message.dropped ?? 0)
    case .audio:
      guard let player = levelPlayer(.full)?.player else { return }
      channel.sendAudio(of: player, from: time(message), duration: message.duration ?? 0.5, run: message.run ?? 0)
    case .view, .scope, .levels, .strip: break
    }
  }

  private func time(_ message: PageMessage) -> MediaTime { message.time.flatMap(grid.time) ?? position }

  private func play(from time: MediaTime, rate: Double) {
    guard rate.isFinite, rate != 0 else { return pause() }
    self.rate = min(max(-8, rate), 8)
    position = time
    active = scale.level
    guard let levelPlayer = levelPlayer(active) else { return }
    if active != .full { levelPlayers[.full]?.player.pause() }
    (work, workSince) = (.zero, .now)
    levelPlayer.player.play(rate: self.rate)
    levelPlayer.player.synchronize(to: time)
  }

  private func pause() {
    rate = 0
    for levelPlayer in levelPlayers.values { levelPlayer.player.pause() }
  }

  @discardableResult
  private func seek(to time: MediaTime, tolerance: MediaTime) async -> Bool {
    (position, self.tolerance) = (time, tolerance)
    guard let levelPlayer = levelPlayer(.full) else { return false }
    do {
      return try await levelPlayer.player.seek(to: time, toleranceBefore: tolerance, toleranceAfter: tolerance)
    } catch {
      if error.code != .cancelled { channel.send(FailureMessage(error)) }
      return false
    }
  }

  private func synchronize(to time: MediaTime) {
    position = time
    let ahead = MediaTime.seconds(PagePlayer.lead.seconds * rate)
    let place = min(max(.zero, time + ahead), grid.end)
    for (level, levelPlayer) in levelPlayers where level == active || level == scale.level {
      levelPlayer.player.synchronize(to: place)
    }
  }

  // MARK: Sizes

  private func learn(due: Int, dropped: Int) {
    guard rate != 0 else { return }
    let stretch = ContinuousClock.now - workSince
    let processors = Double(max(1, ProcessInfo.processInfo.activeProcessorCount))
    let load = stretch > .zero ? work / stretch / processors : 0
    (work, workSince) = (.zero, .now)
    guard scale.learn(due: due, dropped: dropped, load: load, over: stretch) else { return }
    guard let next = levelPlayer(scale.level) else { return }
    next.player.play(rate: rate)
    next.player.synchronize(to: position)
    sendState()
  }

  /// The player of a size, created if necessary.
  private func levelPlayer(_ level: ProxyScale.Level) -> LevelPlayer? {
    if let levelPlayer = levelPlayers[level] { return levelPlayer }
    var settings = PlayerSettings()
    settings.maximumSize = level == .full ? nil : ProxyScale.size(of: canvas, at: level)
    settings.pixelFormat = deliveryFormat
    settings.endAction = .none
    settings.cacheByteCount = 128 << 20
    settings.render.damaged = .keep
    settings.audio = WebSocketChannel.audioFormat
    do {
      let levelPlayer = LevelPlayer(
        try Player(composition, settings: settings), level: level, encoding: encoding, pagePlayer: self)
      levelPlayers[level] = levelPlayer
      return levelPlayer
    } catch {
      channel.send(FailureMessage(error))
      return nil
    }
  }

  // MARK: Frames

  /// How to send a frame; `nil` if it is not worth encoding.
  func wants(_ frame: PlayerFrame, at level: ProxyScale.Level) async -> FrameWish? {
    let distance = abs(frame.time.seconds - position.seconds)
    guard rate != 0 else {
      // A frame that playback requested belongs to no seek.
      let isNear =
        distance <= max(tolerance.seconds, grid.frameDuration.seconds)
        || (frame.time <= position && position < frame.time + frame.duration)
      return level == .full && isNear ? FrameWish(run: run, scope: scope) : nil
    }
    // A new player starts at 0 before it seeks to the clock's time.
    guard distance < PagePlayer.reach * max(1, abs(rate)) else { return nil }
    // The page's run when the frame was chosen. There may be another by the time the frame is encoded.
    let run = run
    if level == scale.level, level != active {
      let former = active
      active = level
      await retire(former)
    }
    guard level == active else { return nil }
    guard sent - acknowledged < PagePlayer.maximumUnacknowledged else {
      left += 1
      return nil
    }
    return FrameWish(run: run, scope: scope)
  }

  /// Closes the player of a size, except for the full size, which is kept for the next pause.
  private func retire(_ level: ProxyScale.Level) async {
    guard level != .full else { return levelPlayers[level]?.player.pause() ?? () }
    await levelPlayers.removeValue(forKey: level)?.close()
  }

  /// Sends an encoded frame.
  func send(_ frame: PlayerFrame, _ jpeg: [UInt8], encode: Duration, level: ProxyScale.Level, run: Int) {
    sent += 1
    work += frame.cost.total + encode
    let cost = FrameHeader.Cost(frame.cost, encode: encode)
    costs.add(cost, instruction: frame.cost.instructionIndex)
    channel.send(
      FrameHeader(
        frame: sent, run: run, generation: generation, index: frame.index, time: frame.time.seconds,
        duration: frame.duration.seconds, isExact: frame.isExact, scale: level.name, instruction: frame.cost.instructionIndex,
        cost: cost), body: Data(jpeg))
    guard ContinuousClock.now - costsSent > .milliseconds(500) || rate == 0 else { return }
    costsSent = .now
    channel.send(CostHistory.Message(generation: generation, rows: costs.rows))
    sendState()
  }

  func send(_ scope: ScopeKind, _ jpeg: [UInt8], of frame: PlayerFrame) {
    channel.send(ScopeHeader(scope: scope.rawValue, time: frame.time.seconds), body: Data(jpeg))
  }

  func fail(_ error: CompositorError) { channel.send(FailureMessage(error)) }

  private func sendState() {
    let statistics = levelPlayers[active]?.player.statistics
    channel.send(
      StateMessage(
        run: run, isPlaying: rate != 0, scale: (rate == 0 ? .full : active).name,
        dropped: left + (statistics?.droppedCount ?? 0), painted: statistics?.paintedCount ?? 0))
  }
}

/// How to send a frame.
struct FrameWish: Sendable {
  /// The number of the page's action that it belongs to.
  var run: Int
  /// The scope to draw; `nil` for none.
  var scope: ScopeKind?
}
