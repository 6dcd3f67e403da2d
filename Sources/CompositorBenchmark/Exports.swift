// Comparisons of compositors need the reference.
@_exported public import ReferenceCompositor
