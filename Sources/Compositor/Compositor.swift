// Everything a program needs to edit, compose, read and write: one import.
@_exported public import BuiltinCompositors
@_exported public import CompositorAPI
@_exported public import CompositorBenchmark
@_exported public import Host
@_exported public import MediaIO
@_exported public import Modules
@_exported public import Overlay
@_exported public import ReferenceCompositor
