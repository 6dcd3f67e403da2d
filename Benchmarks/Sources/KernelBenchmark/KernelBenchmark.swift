import CompositorPluginKit

/// Prints a table of all kernels with all tiers of this machine, compared with the same loop in plain Swift, if there is one.
@main
struct KernelBenchmark {
  static func main() {
    print("Nanoseconds per output sample, fastest of \(Measurement.repetitions) runs, rows in the cache.")
    print("“x plain” is how many times as fast as the portable tier; “same” compares every bit of the output with it.")
    print("kernel        tier              ns/sample   x plain  same")
    for kernelCase in KernelCase.all { report(kernelCase) }
  }

  private static func report(_ kernelCase: KernelCase) {
    let plain = Measurement(kernelCase, PlaneKernels.plain)
    for kernels in PlaneKernels.available {
      line(kernelCase.name, kernels.tier, Measurement(kernelCase, kernels), plain)
    }
    if let loop = kernelCase.swiftLoop { line(kernelCase.name, "Swift loop", Measurement(kernelCase, running: loop), plain) }
  }

  private static func line(_ name: String, _ tier: String, _ measured: Measurement, _ plain: Measurement) {
    let same = measured.output == plain.output ? "yes" : "NO"
    print(
      padded(name, 14) + padded(tier, 18) + right(measured.nanoseconds, 9, digits: 4)
        + right(plain.nanoseconds / measured.nanoseconds, 10, digits: 2) + "  " + same)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func right(_ value: Double, _ width: Int, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let number = Int((value * scale).rounded())
    let fraction = String(number % Int(scale))
    let text = "\(number / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
