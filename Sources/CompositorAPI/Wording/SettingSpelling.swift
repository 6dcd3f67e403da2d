/// How a program spells the settings that sentences name.
package struct SettingSpelling: Sendable {
  private let spell: @Sendable (RecoveryOption) -> String?

  /// - Parameter spell: Returns the words for a setting and its value; `nil` if the program has none of its own, so that those of Swift are
  ///   used.
  package init(_ spell: @escaping @Sendable (RecoveryOption) -> String?) { self.spell = spell }

  /// The words for a setting and its value.
  package func callAsFunction(_ option: RecoveryOption) -> String { spell(option) ?? option.description }

  /// Names of Swift.
  package static let swift = SettingSpelling { _ in nil }
}
