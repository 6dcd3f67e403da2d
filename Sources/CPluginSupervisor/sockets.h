// Sockets that programs of the user listen on under the name of a file. A process that may write to such a file may connect to it: neither a network namespace
// nor Landlock prevents that.
#pragma once

/// Opens the system's list of sockets; to be called before this process gets a network namespace of its own, whose list is empty.
void wall_sockets_note(void);
/// Covers the sockets that the list names, and those in /run, which may be of other network namespaces; to be called in a worker that has a mount namespace of
/// its own. Those that are made or renamed later, or that were made under a relative name elsewhere, stay.
void wall_sockets_cover(void);
