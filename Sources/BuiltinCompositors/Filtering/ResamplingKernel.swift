import CCompositorKernels
import CompositorPlatform

/// The kernels for resampling frames: the weight of a neighbor by its distance.
enum ResamplingKernel: Hashable, Sendable {
  /// Keys' cubic convolution with a = −0.6. It interpolates, and is as sharp as the default of common scalers.
  case cubic
  /// A sinc windowed by the central lobe of a sinc, with three lobes (Duchon, 1979).
  case lanczos

  /// The distance in samples from which weights are 0.
  var radius: Double { self == .cubic ? 2 : 3 }

  /// The weight at a distance, before weights are normalized.
  ///
  /// Looked up in a table: linear interpolation between 4096 steps per sample is within 2⁻²⁰, and a frame needs tens of
  /// thousands of weights.
  func value(_ distance: Double) -> Double {
    let place = abs(distance) * KernelTable.steps
    guard place < radius * KernelTable.steps else { return 0 }
    let index = Int(place)
    return (self == .cubic ? KernelTable.cubic : KernelTable.lanczos).value(index, place - Double(index))
  }

  fileprivate func exact(_ x: Double) -> Double {
    switch self {
    case .cubic:
      let a = -0.6
      if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
      return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
    case .lanczos:
      guard x > 0 else { return 1 }
      return x < 3 ? sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3) : 0
    }
  }
}

/// Values of a kernel at equal steps; made once and never freed.
private struct KernelTable: Sendable {
  static let steps = 4096.0
  static let cubic = KernelTable(.cubic)
  static let lanczos = KernelTable(.lanczos)

  // Written before it is shared.
  nonisolated(unsafe) private let values: UnsafePointer<Double>

  private init(_ kernel: ResamplingKernel) {
    let count = Int(kernel.radius * KernelTable.steps) + 2
    let values = UnsafeMutablePointer<Double>.allocate(capacity: count)
    for index in 0..<count {
      // Exactly 0 at integer distances, so that unresampled samples are copies.
      let isWhole = index > 0 && index % Int(KernelTable.steps) == 0
      (values + index).initialize(to: isWhole ? 0 : kernel.exact(Double(index) / KernelTable.steps))
    }
    self.values = UnsafePointer(values)
  }

  func value(_ index: Int, _ rest: Double) -> Double { values[index] + rest * (values[index + 1] - values[index]) }
}

/// Weights of six neighbors at ``cpk_wide_phases`` phases between the middle two, for kernels that sample at arbitrary
/// positions.
struct WidePhases: Sendable {
  static let lanczos = WidePhases()
  // Written before it is shared, and never freed.
  nonisolated(unsafe) let values: UnsafePointer<Float>

  private init() {
    let count = Int(cpk_wide_phases)
    let values = UnsafeMutablePointer<Float>.allocate(capacity: (count + 1) * 6)
    for phase in 0...count {
      let place = Double(phase) / Double(count)
      let weights = (0..<6).map { ResamplingKernel.lanczos.value(place - Double($0 - 2)) }
      let sum = weights.reduce(0, +)
      for tap in 0..<6 { (values + phase * 6 + tap).initialize(to: Float(weights[tap] / sum)) }
    }
    self.values = UnsafePointer(values)
  }
}
