import AVFoundation
import Compositor
import Testing

private let red = [255, 0, 0]

@Suite struct LayerTitleTests {
  /// A star with points at angles of a fifth of a turn, the first one up.
  private func star(center: CGPoint, radius: CGFloat) -> CGPath {
    let path = CGMutablePath()
    for index in 0..<10 {
      let angle = Double.pi / 2 + Double(index) * .pi / 5
      let length = Double(radius) * (index % 2 == 0 ? 1 : 0.4)
      let point = CGPoint(x: center.x + CGFloat(length * cos(angle)), y: center.y + CGFloat(length * sin(angle)))
      if index == 0 { path.move(to: point) } else { path.addLine(to: point) }
    }
    path.closeSubpath()
    return path
  }

  private func fade(from: Double, to: Double, at begin: Double) -> CABasicAnimation {
    let animation = CABasicAnimation(keyPath: "opacity")
    animation.fromValue = from
    animation.toValue = to
    animation.beginTime = begin == 0 ? AVCoreAnimationBeginTimeAtZero : begin
    animation.duration = 1
    animation.fillMode = from < to ? .both : .forwards
    animation.isRemovedOnCompletion = false
    return animation
  }

  private func title(in scene: LayerScene) -> CALayer {
    let title = CALayer()
    title.frame = scene.root.bounds
    let shape = CAShapeLayer()
    shape.path = star(center: CGPoint(x: 40, y: 25), radius: 20)
    shape.fillColor = CGColor(red: 1, green: 1, blue: 0, alpha: 1)
    title.addSublayer(shape)
    let text = CATextLayer()
    text.string = "Stars"
    text.font = "Helvetica-Bold" as CFString
    text.fontSize = 24
    text.alignmentMode = .center
    text.foregroundColor = .white
    text.frame = CGRect(x: 70, y: 10, width: 80, height: 30)
    title.addSublayer(text)
    title.add(fade(from: 0, to: 1, at: 1), forKey: "in")
    title.add(fade(from: 1, to: 0, at: 3), forKey: "out")
    return title
  }

  /// Fades in from 1 s to 2 s and out from 3 s to 4 s, over an export.
  @Test func star_fadesOverAnExport() async throws {
    let scene = try await LayerScene(Color(red: 1, green: 0, blue: 0), seconds: 5)
    scene.root.addSublayer(title(in: scene))
    let session = try #require(AVAssetExportSession(asset: scene.asset, presetName: AVAssetExportPresetHighestQuality))
    session.videoComposition = scene.videoComposition
    try await session.export(to: scene.folder["b.mp4"], as: .mp4)
    for (time, green) in [(0.0, 0), (1.48, 122), (2.52, 255), (3.52, 122), (4.6, 0)] {
      let image = try await picture(scene.folder["b.mp4"], at: time)
      #expect(image.shows([255, green, 0], at: 40, 90 - 25, within: 14), "\(time): \(image.pixel(40, 65))")
      #expect(image.shows(red, at: 40, 25, within: 10), "\(time): \(image.pixel(40, 25))")
      let bright = image.blueRows(70..<150, 50..<80).count
      #expect(green == 255 ? bright > 40 : bright == 0, "\(time): \(bright) pixels of text")
    }
  }

  /// The upper point of the star is up in both geometries; its place is measured from below or from above.
  @Test func flippedGeometry_countsFromAbove() async throws {
    let scene = try await LayerScene(Color(red: 1, green: 0, blue: 0))
    let title = title(in: scene)
    title.removeAllAnimations()
    scene.root.addSublayer(title)
    scene.root.isGeometryFlipped = true
    let image = try await scene.image()
    #expect(image.shows([255, 255, 0], at: 40, 25) && image.shows(red, at: 40, 65))
    // Its first point is where y is largest, which is below now.
    #expect(image.shows([255, 255, 0], at: 40, 36) && image.shows(red, at: 40, 14))
    #expect(!image.blueRows(70..<150, 10..<40).isEmpty && image.blueRows(70..<150, 50..<80).isEmpty)
  }

  @Test func zPosition_isStrongerThanOrder() async throws {
    let scene = try await LayerScene()
    let frame = CGRect(x: 20, y: 20, width: 40, height: 40)
    let near = scene.box(frame, 0, 1, 0)
    near.zPosition = 1
    scene.root.addSublayer(near)
    scene.root.addSublayer(scene.box(frame.offsetBy(dx: 20, dy: 0), 0, 0, 1))
    let image = try await scene.image()
    #expect(image.shows([0, 255, 0], at: 50, 50) && image.shows([0, 0, 255], at: 70, 50))
  }

  /// The frame is one of the layers: scaled, at its place, with nothing behind it.
  @Test func video_isALayer() async throws {
    let scene = try await LayerScene(Color(red: 1, green: 0, blue: 0))
    scene.videoLayer.frame = CGRect(x: 80, y: 45, width: 80, height: 45)
    let image = try await scene.image()
    #expect(image.shows(red, at: 120, 20) && image.shows([0, 0, 0], at: 40, 20) && image.shows([0, 0, 0], at: 120, 70))
    let second = CALayer()
    second.frame = CGRect(x: 0, y: 0, width: 80, height: 45)
    scene.root.addSublayer(second)
    let video = scene.videoComposition
    video.animationTool = AVVideoCompositionCoreAnimationTool(
      postProcessingAsVideoLayers: [scene.videoLayer, second], in: scene.root)
    let both = try await scene.image(at: 0, video)
    #expect(both.shows(red, at: 120, 20) && both.shows(red, at: 40, 70) && both.shows([0, 0, 0], at: 120, 70))
  }

  @Test func instruction_mayDoWithout() async throws {
    let scene = try await LayerScene(Color(red: 1, green: 0, blue: 0))
    scene.root.addSublayer(scene.box(scene.root.bounds, 0, 1, 0))
    let video = scene.videoComposition
    #expect(try await scene.image(at: 0, video).shows([0, 255, 0], at: 80, 45))
    let instruction = try #require(video.instructions.first as? AVMutableVideoCompositionInstruction)
    instruction.enablePostProcessing = false
    #expect(try await scene.image(at: 0, video).shows(red, at: 80, 45))
  }

  /// Layers are drawn over what the program's compositor makes.
  @Test(arguments: [false, true]) func layers_areOverCustomFrames(enables: Bool) async throws {
    let scene = try await LayerScene(Color(red: 1, green: 0, blue: 0))
    scene.root.addSublayer(scene.box(CGRect(x: 0, y: 0, width: 80, height: 90), 0, 1, 0))
    let all = CMTimeRange(start: .zero, duration: .positiveInfinity)
    let video = testComposition(
      of: scene.asset,
      [
        TestInstruction(all, enablePostProcessing: enables) { request in
          guard let buffer = request.renderContext.newPixelBuffer() else { return request.finishCancelledRequest() }
          fill(buffer, with: [255, 0, 0, 255])
          request.finish(withComposedVideoFrame: buffer)
        }
      ])
    video.animationTool = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: scene.videoLayer, in: scene.root)
    let image = try await scene.image(at: 0, video)
    #expect(image.shows(enables ? [0, 255, 0] : [0, 0, 255], at: 40, 45) && image.shows([0, 0, 255], at: 120, 45))
  }

  @Test func whatCannotBeDrawn_isAnError() async throws {
    let scene = try await LayerScene()
    func code(_ tool: AVVideoCompositionCoreAnimationTool? = nil) async -> AVError.Code? {
      let video = scene.videoComposition
      if let tool { video.animationTool = tool }
      let error = await #expect(throws: AVError.self) { try await scene.image(at: 0, video) }
      return error?.code
    }
    let additional = AVVideoCompositionCoreAnimationTool(additionalLayer: CALayer(), asTrackID: 9)
    #expect(await code(additional) == .invalidVideoComposition)
    let strange = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: CALayer(), in: scene.root)
    #expect(await code(strange) == .invalidVideoComposition)
    scene.root.add(CABasicAnimation(keyPath: "mood"), forKey: nil)
    #expect(await code() == .invalidVideoComposition)
    scene.root.removeAllAnimations()
    let leaning = scene.box(scene.root.bounds, 1, 1, 1)
    leaning.transform.m34 = -1 / 500
    leaning.transform = CATransform3DRotate(leaning.transform, 1, 0, 1, 0)
    scene.root.addSublayer(leaning)
    #expect(await code() == .invalidVideoComposition)
    leaning.transform = CATransform3DIdentity
    leaning.contents = "none"
    #expect(await code() == .invalidVideoComposition)
  }
}
