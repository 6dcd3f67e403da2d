// Re-exported, because comparisons of compositors need the reference.
@_exported public import ReferenceCompositor
