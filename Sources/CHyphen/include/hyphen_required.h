// States what to install if libhyphen is missing.
#pragma once
#if !__has_include(<hyphen.h>)
#error "The development files of libhyphen are missing. \
Debian, Ubuntu: sudo apt-get install libhyphen-dev - Fedora: sudo dnf install hyphen-devel - Arch: sudo pacman -S hyphen"
#endif
