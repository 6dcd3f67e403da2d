// States what to install if libpng is missing.
#pragma once
#if !__has_include(<png.h>)
#error "libpng's development files are missing. \
Debian, Ubuntu: sudo apt-get install libpng-dev - Fedora: sudo dnf install libpng-devel - Arch: sudo pacman -S libpng"
#endif
