import CCompositorBaseline
import CompositorAPI

/// Measures the current speed of the machine repeatedly between the parts of a measurement: the ratio of a part's cost to the
/// readings around it does not depend on other load on the machine.
package final class MachineSpeed {
  /// Two readings, milliseconds of processor time.
  package struct Reading {
    /// The plain blend of two frames of the canvas's size, in memory.
    package var memory: Double
    /// A blend inside the first-level cache.
    package var processor: Double

    package init(memory: Double, processor: Double) { (self.memory, self.processor) = (memory, processor) }
  }

  private let sources: [[Frame]]
  private let pool = FramePool(maximumOutstanding: 4)
  private let blends: PlainBlends
  private let key: String
  private var next = 0
  private var cached = [UInt8](repeating: 0x55, count: 3 * 8192)

  /// - Parameters:
  ///   - format: The format of the plain blend.
  ///   - blends: Keeps the readings.
  init(size: PixelSize, format: PixelFormat, blends: PlainBlends) {
    (self.blends, key) = (blends, PlainBlends.key(size, format))
    // Two sources, each with as many frames as those of W2, and outputs from a pool: as bound by memory as that work.
    sources = NoiseFrames.make(
      ["first", "second"].map { WorkloadSource(name: $0, size: size, format: format, attributes: FrameAttributes()) })
  }

  /// Takes a reading.
  ///
  /// - Throws: Errors of the frame pool.
  func reading() throws(CompositorError) -> Reading {
    let (a, b) = (sources[0][next % sources[0].count], sources[1][next % sources[1].count])
    next += 1
    var output = try pool.makeFrame(format: a.format, size: a.size)
    let memory = PlainBlend.milliseconds(a, b, weight: next * 37, into: &output)
    let start = Measurement.threadMilliseconds()
    cached.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      baseline_blend_cached(512, base, base + 8192, base + 16384, 8192)
    }
    let processor = Measurement.threadMilliseconds() - start
    blends.add(memory.wall, for: key)
    return Reading(memory: memory.processor, processor: processor)
  }
}

/// The readings of the plain blend of a whole run, by size and format. Every row is compared with the median for its format, so
/// that the ratios of a report have one denominator.
final class PlainBlends {
  private var readings: [String: [Double]] = [:]

  static func key(_ size: PixelSize, _ format: PixelFormat) -> String { "\(size) \(format)" }

  func add(_ milliseconds: Double, for key: String) { readings[key, default: []].append(milliseconds) }

  /// The median wall time for each size and format, in milliseconds.
  var milliseconds: [String: Double] { readings.mapValues { Estimate($0).median } }

  /// Rows with their ratios to the plain blend.
  func relating(_ rows: [(row: BenchmarkRow, key: String)]) -> [BenchmarkRow] {
    let medians = milliseconds
    return rows.map { $0.row.relating(toPlainBlend: medians[$0.key]) }
  }
}
