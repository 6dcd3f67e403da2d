import CompositorAPI
import CompositorOverlay
import Foundation

/// Positioned bars and labels, from which the SVG and the raster chart are made.
struct BenchmarkChart {
  enum Mark {
    case box(Rect, fill: UInt32)
    case text(String, at: Point, size: Double, color: UInt32, isRight: Bool = false)
  }

  let width: Double
  private(set) var height = 0.0
  private(set) var marks: [Mark] = []

  private static let colors: [UInt32] = [0x2563eb, 0xd97706, 0x059669, 0xdc2626, 0x7c3aed, 0x0891b2, 0xbe185d, 0x65a30d]
  private static let (barWidth, right, top, rowHeight) = (520.0, 150.0, 64.0, 20.0)

  init(_ report: BenchmarkReport) {
    let names = report.rows.map { "\($0.compositor)" }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let longest = report.rows.compactMap { $0.figures?.p99Milliseconds }.max() ?? 1
    // A row's name needs some six units per character at its size.
    let left = max(290, 28 + 6.1 * Double(report.rows.map { Self.name($0.key).count }.max() ?? 0))
    width = left + Self.barWidth + Self.right
    marks.append(.text("Milliseconds per frame: p50 (bar) and p99 (line)", at: Point(x: 16, y: 26), size: 15, color: 0x111827))
    marks.append(.text(report.excluded, at: Point(x: 16, y: 46), size: 11, color: 0x6b7280))
    var y = Self.top
    var workload = ""
    for row in report.rows {
      // A gap between workloads.
      if row.workload != workload, !workload.isEmpty { y += 8 }
      workload = row.workload
      let key = row.key
      marks.append(.text(Self.name(key), at: Point(x: 16, y: y + 13), size: 10, color: 0x111827))
      let color = Self.colors[(names.firstIndex(of: "\(row.compositor)") ?? 0) % Self.colors.count]
      if let figures = row.figures, let median = figures.p50Milliseconds, let tail = figures.p99Milliseconds {
        let (p50, p99) = (median / longest * Self.barWidth, tail / longest * Self.barWidth)
        marks.append(.box(Rect(x: left, y: y + 3, width: max(1, p50), height: 12), fill: color))
        marks.append(.box(Rect(x: left + p50, y: y + 8.5, width: max(0, p99 - p50), height: 1.5), fill: color))
        let speed = BenchmarkRow.fixed(figures.framesPerSecond, figures.framesPerSecond < 100 ? 1 : 0)
        let text = "\(BenchmarkRow.fixed(median, 2)) ms, \(speed) fps"
        marks.append(.text(text, at: Point(x: left + p99 + 6, y: y + 13), size: 10, color: 0x374151))
      } else if let figures = row.figures {
        let speed = "\(BenchmarkRow.fixed(figures.framesPerSecond, 1)) fps"
        marks.append(.text(speed, at: Point(x: left, y: y + 13), size: 10, color: 0x374151))
      } else {
        marks.append(.text("failed", at: Point(x: left, y: y + 13), size: 10, color: 0xdc2626))
      }
      y += Self.rowHeight
    }
    height = y + 16
  }

  private static func name(_ key: BenchmarkRow.Key) -> String {
    let threads = key.threads == 1 ? "1 thread" : "\(key.threads) threads"
    return "\(key.workload)  \(key.compositor)  \(key.size) \(key.format)  \(threads)"
  }

  /// The chart as an SVG document.
  var svg: String {
    let body = marks.map { mark in
      switch mark {
      case .box(let rect, let fill):
        "<rect x=\"\(Self.number(rect.minX))\" y=\"\(Self.number(rect.minY))\" width=\"\(Self.number(rect.size.width))\" "
          + "height=\"\(Self.number(rect.size.height))\" fill=\"\(Self.hex(fill))\"/>"
      case .text(let text, let point, let size, let color, let isRight):
        "<text x=\"\(Self.number(point.x))\" y=\"\(Self.number(point.y))\" font-size=\"\(Self.number(size))\" "
          + "fill=\"\(Self.hex(color))\"\(isRight ? " text-anchor=\"end\"" : "")>\(Self.escaped(text))</text>"
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      width="\(Self.number(width))" height="\(Self.number(height))" font-family="DejaVu Sans, Verdana, sans-serif">
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  func write(to path: String) throws(CompositorError) {
    do {
      try Data(svg.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CompositorError(
        .writeFailed, "The chart cannot be written.", recoverySuggestion: "Choose a writable folder.",
        cause: error.localizedDescription, at: ErrorLocation(file: path))
    }
  }

  /// The chart as an image with `scale` pixels per unit.
  func frame(scale: Double) throws(CompositorError) -> Frame {
    let canvas = PixelSize(width: Int(width), height: Int(height.rounded(.up)))
    var root = Layer(frame: Rect(x: 0, y: 0, width: width, height: height))
    root.backgroundColor = .white
    root.sublayers = marks.map(layer)
    let renderer = try OverlayRenderer(
      root: root, renderSize: canvas, outputFormat: .rgba, attributes: FrameAttributes(color: .sRGB))
    let size = PixelSize(width: Int(width * scale), height: Int((Double(canvas.height) * scale).rounded()))
    return try renderer.draw(at: .zero, size: size, pool: FramePool())
  }

  private func layer(_ mark: Mark) -> Layer {
    switch mark {
    case .box(let rect, let fill):
      var layer = Layer()
      layer.anchorPoint = .zero
      layer.content = .shape(ShapeContent(.rectangle(rect), fill: Self.color(fill)))
      return layer
    case .text(let text, let point, let size, let color, let isRight):
      var content = TextContent(text, font: TextFont(size: size), color: Self.color(color))
      content.allowsFontSubstitution = true
      var layer = Layer()
      layer.content = .text(content)
      layer.anchorPoint = Point(x: isRight ? 1 : 0, y: 0)
      // The ascent of DejaVu Sans in em.
      layer.position = Point(x: point.x, y: point.y - 0.928 * size)
      return layer
    }
  }

  private static func color(_ value: UInt32) -> Color {
    Color(red: Double(value >> 16 & 255) / 255, green: Double(value >> 8 & 255) / 255, blue: Double(value & 255) / 255)
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func number(_ value: Double) -> String { BenchmarkRow.fixed(value, 2) }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
