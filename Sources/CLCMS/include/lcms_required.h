// States what to install if Little CMS is missing.
#pragma once
#if !__has_include(<lcms2.h>) || !__has_include(<lcms2_plugin.h>)
#error "The development files of Little CMS are missing. \
Debian, Ubuntu: sudo apt-get install liblcms2-dev - Fedora: sudo dnf install lcms2-devel - Arch: sudo pacman -S lcms2"
#endif
