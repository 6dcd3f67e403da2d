import CCompositorPlugin

/// The C interface for plugins.
public enum PluginHeader {
  /// The contents of `compositor_plugin.h`.
  public static var text: String { String(cString: compositor_plugin_text()) }
}
