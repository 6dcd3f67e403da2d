// States what to install if libass is missing.
#pragma once
#if !__has_include(<ass/ass.h>)
#error "The development files of libass are missing. \
Debian, Ubuntu: sudo apt-get install libass-dev - Fedora: sudo dnf install libass-devel - Arch: sudo pacman -S libass"
#endif
