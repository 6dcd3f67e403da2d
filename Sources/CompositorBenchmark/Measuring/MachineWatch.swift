/// Whether the machine was quiet enough to be believed.
struct MachineWatch {
  private let start = Measurement.stolenSeconds()

  /// What has to be said of the machine after a run, in words; nil if nothing.
  func note(_ rows: [BenchmarkRow]) -> String? {
    let end = Measurement.stolenSeconds()
    let stolen = (end.stolen - start.stolen) / max(end.all - start.all, 1)
    let noisy = rows.filter { $0.figures?.isSteady == false }
    var notes: [String] = []
    if !noisy.isEmpty {
      let names = Set(noisy.map(\.workload)).sorted().joined(separator: ", ")
      notes.append(
        "The machine was too noisy to see a change of a tenth in \(noisy.count) of \(rows.count) rows (\(names)), marked with !."
      )
    }
    if stolen > 0.02 {
      notes.append("Its host took \(Int((100 * stolen).rounded())) % of the processors' time away.")
    }
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }
}
