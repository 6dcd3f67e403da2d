@_exported public import CoreAudio
