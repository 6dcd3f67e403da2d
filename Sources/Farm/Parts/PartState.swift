import CompositorAPI

/// The state of a part, determined from its files alone.
package enum PartState: Hashable, Sendable {
  /// It exists, is complete, and belongs to this plan.
  case done(PartReceipt)
  /// There is no receipt: the part was not rendered completely.
  case missing
  /// There is a receipt, but no file.
  case lost
  /// The receipt or the file was modified.
  case damaged(reason: String)
  /// It belongs to another plan.
  case foreign(plan: String)
  /// It is another part of the plan with this one's name.
  case misplaced(PlanPart)
  /// It has more or fewer frames than planned.
  case incomplete(reason: String)
  /// Its decoder parameters differ from those of the other parts.
  case unequal

  /// The receipt of a valid part.
  package var receipt: PartReceipt? { if case .done(let receipt) = self { receipt } else { nil } }

  /// A name for programs.
  package var word: String {
    switch self {
    case .done: "done"
    case .missing: "missing"
    case .lost: "lost"
    case .damaged: "damaged"
    case .foreign: "foreign"
    case .misplaced: "misplaced"
    case .incomplete: "incomplete"
    case .unequal: "unequal"
    }
  }

  /// What is wrong, as a phrase after the part's name.
  package var reason: String {
    switch self {
    case .done: "is done"
    case .missing: "is missing"
    case .lost: "has a receipt, but its file is gone"
    case .damaged(let reason): "is damaged: \(reason)"
    case .foreign(let plan): "is of another plan, \(plan.prefix(12))"
    case .misplaced(let part): "is \(part) under another name"
    case .incomplete(let reason): "is incomplete: \(reason)"
    case .unequal: "was encoded otherwise than the other segments"
    }
  }
}
