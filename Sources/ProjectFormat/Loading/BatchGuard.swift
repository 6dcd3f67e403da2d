package import CompositorAPI
import CompositorExport
import Foundation

/// Guards the inputs of a batch that replaces existing files. An export guards the inputs of its own row only, and the row of another
/// input may be rendered first.
package struct BatchGuard {
  private let project: String
  private let variables: [String: String]
  private let table: CSVTable

  /// - Parameters:
  ///   - project: The path of the project.
  ///   - variables: Values of variables, which the rows of the table replace.
  package init(project: String, variables: [String: String], table: CSVTable) {
    (self.project, self.variables, self.table) = (project, variables, table)
  }

  /// The outputs of the rows, of which those that a row reads are failures with `.outputIsInput`. A row whose project cannot be
  /// read guards nothing: it has an error of its own.
  package func guarding(
    _ outputs: [Result<String, CompositorError>]
  ) -> [Result<String, CompositorError>] {
    let existing = outputs.compactMap { try? $0.get() }.filter { FileManager.default.fileExists(atPath: $0) }
    guard !existing.isEmpty else { return outputs }
    let inputs = inputs(among: existing)
    return outputs.map { output in
      guard let path = try? output.get(), let (input, row) = inputs[path] else { return output }
      return .failure(
        CompositorError(
          .outputIsInput, "The output is \(input), which \(table.place(ofRow: row)) reads.",
          recoverySuggestion: "Choose another name.", at: ErrorLocation(file: path)))
    }
  }

  /// The files that rows read, each with the name of the input and the first row that reads it, by path.
  private func inputs(among files: [String]) -> [String: (input: String, row: Int)] {
    let declared = ProjectFile.declaredVariables(of: project)
    var inputs: [String: (input: String, row: Int)] = [:]
    for row in table.rows.indices {
      let values = variables.merging(table.variables(ofRow: row, declared: declared)) { _, new in new }
      guard let file = try? ProjectFile(opening: project, variables: values, ignoringUnused: true) else { continue }
      let sources = Array(file.assets.values) + file.mentionedFiles().map { MediaSource.file(path: $0) }
      for (output, input) in OutputGuard.inputs(among: files, sources: sources) {
        inputs[output] = inputs[output] ?? (input, row)
      }
    }
    return inputs
  }
}
