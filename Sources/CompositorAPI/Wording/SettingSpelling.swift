/// How a program spells the settings and the operations that sentences name.
package struct SettingSpelling: Sendable {
  private let spell: @Sendable (RecoveryOption) -> String?
  private let name: @Sendable (ProgramOperation) -> String?

  /// - Parameters:
  ///   - operation: Returns what does an operation; `nil` if the program has no name for it, so that its description is used.
  ///   - spell: Returns the words for a setting and its value; `nil` if the program has none of its own, so that those of Swift are
  ///     used.
  package init(
    operation name: @escaping @Sendable (ProgramOperation) -> String? = { _ in nil },
    _ spell: @escaping @Sendable (RecoveryOption) -> String?
  ) {
    (self.spell, self.name) = (spell, name)
  }

  /// The words for a setting and its value.
  package func callAsFunction(_ option: RecoveryOption) -> String { spell(option) ?? option.description }

  /// The words for an operation.
  package func callAsFunction(_ operation: ProgramOperation) -> String { name(operation) ?? operation.description }

  /// Names of Swift.
  package static let swift = SettingSpelling { _ in nil }
}
