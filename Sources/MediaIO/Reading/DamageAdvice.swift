/// Advice on media that is damaged or cut short, in the same words everywhere.
package enum DamageAdvice {
  /// The first advice, without the period, as other advice may follow.
  package static let fetchAgain = "Copy or download the file again"
  /// Advice on a part of a track that cannot be read.
  static let ofReading = "\(fetchAgain), use only what is there, or keep damaged media."
}
