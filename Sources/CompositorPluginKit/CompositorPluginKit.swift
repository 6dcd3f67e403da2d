// Everything a compositor needs, and no media library.
@_exported public import CompositorAPI
@_exported public import CompositorKernels
