import CompositorPluginKit

/// One implementation of a kernel case: its fastest run, and its output.
struct Measurement {
  static let repetitions = 60
  let nanoseconds: Double
  let output: [UInt8]

  init(_ kernelCase: KernelCase, _ kernels: PlaneKernels) {
    self.init(kernelCase) { kernelCase.run(kernels, $0) }
  }

  init(_ kernelCase: KernelCase, running body: (Rows) -> Void) {
    let rows = Rows()
    var best = Duration.seconds(3600)
    for _ in 0..<Measurement.repetitions {
      rows.reset()
      best = min(best, ContinuousClock().measure { body(rows) })
    }
    let (seconds, attoseconds) = best.components
    let total = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    nanoseconds = total / Double(kernelCase.samples)
    output = rows.output.contents
  }
}
