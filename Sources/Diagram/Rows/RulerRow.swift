import CompositorAPI

/// The time axis: ticks and times, in frames if these are distinguishable.
struct RulerRow: DiagramRow {
  let identifier = "ruler"
  let title = "Time"

  func height(in context: DiagramContext) -> Double { 24 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    let steps = RulerSteps(canvas.scale, frameDuration: context.edit.videoComposition.frameDuration)
    var free = -Double.infinity
    for tick in steps.ticks(minor: true) {
      let x = canvas.scale.x(seconds: tick)
      canvas.add(
        DiagramMark(.line([Point(x: x, y: 19), Point(x: x, y: 24)]), kind: .tick, stroke: .mutedText))
    }
    for tick in steps.ticks(minor: false) {
      let x = canvas.scale.x(seconds: tick)
      canvas.add(DiagramMark(.line([Point(x: x, y: 15), Point(x: x, y: 24)]), kind: .tick, stroke: .text))
      let text = steps.label(tick)
      let half = TextMetrics.width(of: text, size: 11) / 2
      // Labels at the ends of the axis are moved inward to stay inside.
      let middle = min(max(x, canvas.scale.x0 + half), canvas.scale.x1 - half)
      guard middle - half > free + 4 else { continue }
      free = middle + half
      canvas.add(DiagramMark(.text(text, at: Point(x: middle, y: 11), anchor: .middle), kind: .time, fill: .text))
    }
  }
}

/// The tick distances of a ruler.
struct RulerSteps {
  /// Seconds between labeled ticks, and between all ticks.
  let major, minor: Double
  /// Frames per second if labels are in frames; otherwise `nil`.
  private let frameRate: Double?
  private let scale: DiagramScale

  private static let seconds: [Double] = [
    0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 604_800,
  ]
  private static let frames: [Double] = [1, 2, 5, 10]
  private static let spacing = 84.0
  private static let mostTicks = 2000

  init(_ scale: DiagramScale, frameDuration: MediaTime) {
    self.scale = scale
    let frame = frameDuration.seconds
    let isUsable = frame.isFinite && frame > 0
    let least = Self.spacing / scale.unitsPerSecond
    if isUsable, let count = Self.frames.first(where: { $0 * frame >= least }), count * frame < 0.5 {
      frameRate = 1 / frame
      major = count * frame
    } else {
      frameRate = nil
      var step = Self.seconds.first { $0 >= least } ?? 604_800
      while step < least { step *= 10 }
      major = step
    }
    let finest = 6 / scale.unitsPerSecond
    if isUsable, frame >= finest, major / frame <= 60 {
      minor = frame
    } else {
      minor = [10, 5, 4, 2].lazy.map { [major] in major / $0 }.first { $0 >= finest } ?? major
    }
  }

  /// The times of visible ticks.
  func ticks(minor isMinor: Bool) -> [Double] {
    let step = isMinor ? minor : major
    guard step > 0, scale.duration / step <= Double(Self.mostTicks) else { return [] }
    let (first, last) = ((scale.start / step - 1e-9).rounded(.up), (scale.end / step + 1e-9).rounded(.down))
    guard first <= last, last - first <= Double(Self.mostTicks) else { return [] }
    // Far from 0, a double may not distinguish two ticks.
    guard abs(last) < 1e15 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// Hours, minutes, seconds and frames, non-drop-frame.
  private func timecode(_ frame: Double, rate: Double) -> String {
    guard abs(frame) < 1e15 else { return "\(DiagramText.short(frame, 0)) f" }
    let (count, rate) = (Int64(abs(frame)), Int64(rate))
    let seconds = count / rate
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60, count % rate]
    return (frame < 0 ? "-" : "") + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// `2.5 s`, `1:05`, `2:00:30`, `00:00:01:12`.
  func label(_ time: Double) -> String {
    if let frameRate {
      return timecode((time * frameRate).rounded(), rate: max(1, frameRate.rounded()))
    }
    guard scale.end >= 60 || scale.start <= -60, abs(time) < 1e12 else { return "\(DiagramText.short(time, 3)) s" }
    let sign = time < 0 ? "-" : ""
    let tenths = Int64((abs(time) * 10).rounded())
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
    let fraction = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
    let tail = "\(seconds / 10)\(seconds % 10)\(fraction)"
    return hours > 0 ? "\(sign)\(hours):\(minutes / 10)\(minutes % 10):\(tail)" : "\(sign)\(minutes):\(tail)"
  }
}
