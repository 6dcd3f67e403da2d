// Re-exports everything that a program needs to edit, compose, read and write.
@_exported public import BuiltinCompositors
@_exported public import CompositorAPI
@_exported public import CompositorAudio
@_exported public import CompositorCaptions
@_exported public import CompositorConversion
@_exported public import CompositorDiagram
@_exported public import CompositorExport
@_exported public import CompositorFarm
@_exported public import CompositorHost
@_exported public import CompositorMediaIO
@_exported public import CompositorMediaWriting
@_exported public import CompositorPlayback
@_exported public import CompositorPlugins
@_exported public import CompositorOverlay
@_exported public import CompositorProjectFormat
@_exported public import CompositorScheduling
@_exported public import CompositorTimeline
