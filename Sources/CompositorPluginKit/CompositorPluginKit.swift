// CompositorPluginKit
