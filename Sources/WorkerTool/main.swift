import CompositorPlugins
import CompositorPlatform

// The program `compositor-worker`, which opens plugins' files. It is linked with nothing that they do not need.
PluginSupervisor.runIfAsked()
let message = "compositor-worker: the tool “compositor” starts this program for the processes of plugins.\n"
_ = write(STDERR_FILENO, message, message.utf8.count)
exit(64)
