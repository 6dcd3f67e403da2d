// Tells what to install if Pango, Cairo, Fontconfig or pkg-config, which locates their headers, is missing.
#pragma once
#if !__has_include(<pango/pangocairo.h>) || !__has_include(<cairo.h>) || !__has_include(<fontconfig/fontconfig.h>)
#error "The development files of Pango and Cairo are missing, or pkg-config, which finds them. \
Debian, Ubuntu: sudo apt-get install libpango1.0-dev pkg-config - Fedora: sudo dnf install pango-devel pkgconf-pkg-config \
- Arch: sudo pacman -S pango pkgconf"
#endif
