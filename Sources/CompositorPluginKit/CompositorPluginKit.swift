// Everything that a compositor needs, without a media library.
@_exported public import CompositorAPI
@_exported public import CompositorKernels
