// Whoever compares compositors needs the definition that they are compared with.
@_exported public import ReferenceCompositor
