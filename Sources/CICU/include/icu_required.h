// States what to install if ICU is missing.
#pragma once
#if !__has_include(<unicode/unumberformatter.h>)
#error "The development files of ICU are missing. \
Debian, Ubuntu: sudo apt-get install libicu-dev - Fedora: sudo dnf install libicu-devel - Arch: sudo pacman -S icu"
#endif
