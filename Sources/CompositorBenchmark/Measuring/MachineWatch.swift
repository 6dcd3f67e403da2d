/// Determines whether the machine was quiet enough for reliable results.
struct MachineWatch {
  private let start = Measurement.stolenSeconds()

  /// A remark about the machine after a run; `nil` if there is none.
  func note(_ rows: [BenchmarkRow]) -> String? {
    let end = Measurement.stolenSeconds()
    let stolen = (end.stolen - start.stolen) / max(end.all - start.all, 1)
    let noisy = rows.filter { $0.figures?.isSteady == false }
    var notes: [String] = []
    if !noisy.isEmpty {
      let names = Set(noisy.map(\.workload)).sorted().joined(separator: ", ")
      notes.append(
        "The machine was too noisy to detect a change of 10 % in \(noisy.count) of \(rows.count) rows (\(names)), marked with !."
      )
    }
    if stolen > 0.02 {
      notes.append("Its host used \(Int((100 * stolen).rounded())) % of the processors' time for others.")
    }
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }
}
