// States what to install if libjpeg is missing.
#pragma once
#if !__has_include(<jpeglib.h>)
#error "libjpeg's development files are missing. \
Debian, Ubuntu: sudo apt-get install libjpeg-dev - Fedora: sudo dnf install libjpeg-turbo-devel \
- Arch: sudo pacman -S libjpeg-turbo"
#endif
