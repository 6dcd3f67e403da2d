@_exported import Host
@_exported import Overlay
