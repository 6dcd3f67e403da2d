// ReferenceCompositor
