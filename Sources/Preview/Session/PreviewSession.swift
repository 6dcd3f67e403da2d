import CompositorAPI
import CompositorDiagram
import CompositorExport
import CompositorPlayback
import CompositorValidation
import Foundation

/// A page's session: what the page shows and plays. The page has the master clock because it has the loudspeakers; the session
/// follows it.
actor PreviewSession {
  private let channel: WebSocketChannel
  private let projectName: String
  private var snapshot: PreviewSnapshot?
  private var pagePlayer: PagePlayer?
  private var view: (width: Int, theme: DiagramSettings.Theme) = (1200, .dark)
  private var scope: ScopeKind?
  private var levels: Task<Void, Never>?
  private var strip: Task<Void, Never>?

  private init(_ channel: WebSocketChannel, _ project: PreviewProject) {
    self.channel = channel
    projectName = project.name
  }

  /// Serves a page until it is closed.
  static func run(on channel: WebSocketChannel, showing project: PreviewProject) async {
    let session = PreviewSession(channel, project)
    let readings = Task {
      for await snapshot in await project.snapshots() { await session.take(snapshot) }
    }
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        try? await channel.read { await session.receive($0) }
        return true
      }
      group.addTask {
        // A page that receives nothing for a while is gone.
        try? await channel.write()
        return false
      }
      // The last messages are still written; without a writer, nothing more is read.
      if await group.next() == false { group.cancelAll() }
      readings.cancel()
    }
    await session.end()
  }

  private func end() async {
    levels?.cancel()
    strip?.cancel()
    await pagePlayer?.close()
    pagePlayer = nil
  }

  /// Shows a new reading of the project. The page then requests the frames it needs.
  private func take(_ snapshot: PreviewSnapshot) async {
    levels?.cancel()
    strip?.cancel()
    let old = pagePlayer
    (self.snapshot, pagePlayer) = (snapshot, nil)
    await old?.close()
    if let composition = snapshot.composition {
      pagePlayer = PagePlayer(composition, generation: snapshot.generation, channel: channel)
      await pagePlayer?.choose(scope)
    }
    channel.send(ProjectMessage(snapshot, name: projectName))
    sendDiagram()
  }

  private func sendDiagram() {
    guard let snapshot, let edit = snapshot.edit else { return }
    var settings = DiagramSettings()
    (settings.theme, settings.width) = (view.theme, view.width)
    let diagram = TimelineDiagram(
      edit, media: snapshot.media, diagnostics: snapshot.diagnostics, names: snapshot.names)
    channel.send(DiagramMessage(generation: snapshot.generation, svg: diagram.svg(settings)))
  }

  // MARK: Requests of the page

  private func receive(_ text: String) async {
    guard let message = try? JSONDecoder().decode(PageMessage.self, from: Data(text.utf8)) else { return }
    switch message.type {
    case .view:
      view = (min(max(320, message.width ?? view.width), 4096), message.theme.flatMap(DiagramSettings.Theme.init) ?? view.theme)
      sendDiagram()
    case .scope:
      scope = message.scope.flatMap(ScopeKind.init)
      await pagePlayer?.choose(scope)
    case .levels: measureLevels()
    case .strip: makeStrip()
    default:
      guard let pagePlayer else {
        if message.type == .seek { channel.send(SeekedMessage(run: message.run ?? 0, isShown: false)) }
        return
      }
      await pagePlayer.receive(message)
    }
  }

  private func measureLevels() {
    guard let snapshot, let composition = snapshot.composition, composition.hasAudio else { return }
    levels?.cancel()
    let channel = channel
    levels = Task(priority: .utility) {
      await AudioLevels.measure(composition) { first, count, bytes in
        channel.send(LevelsHeader(generation: snapshot.generation, first: first, count: count), body: bytes)
      }
    }
  }
}

extension PreviewSession {
  private func makeStrip() {
    guard let snapshot, let composition = snapshot.composition else { return }
    strip?.cancel()
    let channel = channel
    let video = composition.edit.videoComposition
    let frames = FrameGrid(frameDuration: video.frameDuration, end: composition.edit.composition.duration).count
    strip = Task(priority: .utility) {
      await FrameStrip.make(composition, frameCount: frames) { index, count, bytes in
        channel.send(StripHeader(generation: snapshot.generation, index: index, count: count), body: bytes)
      }
    }
  }
}

/// Reports that the newest of the page's seeks has its frame, or that there is none.
struct SeekedMessage: Encodable, Sendable {
  var type = "seeked"
  var run: Int
  var isShown: Bool
}

extension ProjectMessage {
  init(_ snapshot: PreviewSnapshot, name: String) {
    let video = snapshot.edit?.videoComposition
    let composition = snapshot.composition
    let size = composition.map { RenderFormat($0).frameSize } ?? PixelSize(width: 16, height: 9)
    let frame = video?.frameDuration ?? MediaTime(value: 1, timescale: 25)
    let isGrid = frame.isNumeric && frame > .zero
    let duration = snapshot.edit?.composition.duration ?? .zero
    let seconds = duration.isNumeric ? max(0, duration.seconds) : 0
    generation = snapshot.generation
    self.name = name
    isValid = composition != nil
    hasDiagram = snapshot.edit != nil
    self.duration = seconds
    frameDuration = isGrid ? [Int(frame.value), Int(frame.timescale)] : [1, 25]
    frameCount = FrameGrid(frameDuration: frame, end: duration).count
    (width, height) = (size.width, size.height)
    hasAudio = composition?.hasAudio ?? false
    let audio = WebSocketChannel.audioFormat
    (sampleRate, channelCount) = (audio.sampleRate, audio.channelCount)
    diagnostics = snapshot.diagnostics.map { Diagnostic($0, in: snapshot) }
    instructions = (video?.instructions ?? []).map { Instruction($0) }
  }
}

extension ProjectMessage.Instruction {
  init(_ instruction: CompositorAPI.Instruction) {
    let range = instruction.timeRange
    start = range.start.isNumeric ? range.start.seconds : 0
    duration = range.duration.isNumeric ? range.duration.seconds : 0
    name = instruction.tag ?? instruction.compositor.rawValue
  }
}

extension ProjectMessage.Diagnostic {
  init(_ diagnostic: ValidationDiagnostic, in snapshot: PreviewSnapshot) {
    severity = diagnostic.severity.rawValue
    code = diagnostic.code.rawValue
    message = diagnostic.message
    cause = diagnostic.cause
    recoverySuggestion = diagnostic.recoverySuggestion
    (file, line, column) = (diagnostic.file, diagnostic.line, diagnostic.column)
    text = diagnostic.line.flatMap { snapshot.lines[$0] }
    time = diagnostic.movieTime?.seconds
    instruction = diagnostic.instruction
  }
}
