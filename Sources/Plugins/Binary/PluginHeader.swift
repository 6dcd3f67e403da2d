import CCompositorPlugin

/// The interface that plugins are written against.
public enum PluginHeader {
  /// The text of `compositor_plugin.h`.
  public static var text: String { String(cString: compositor_plugin_text()) }
}
