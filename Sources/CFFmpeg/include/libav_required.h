// States what to install if FFmpeg's libraries are missing, before the compiler reports a missing header.
#pragma once
#if !__has_include(<libavcodec/avcodec.h>) || !__has_include(<libavfilter/avfilter.h>) || \
    !__has_include(<libavformat/avformat.h>) || !__has_include(<libavutil/avutil.h>) || \
    !__has_include(<libswresample/swresample.h>) || !__has_include(<libswscale/swscale.h>)
#error "FFmpeg's development files are missing. \
Debian, Ubuntu: sudo apt-get install libavcodec-dev libavfilter-dev libavformat-dev libavutil-dev libswresample-dev libswscale-dev \
- Fedora: sudo dnf install ffmpeg-free-devel - Arch: sudo pacman -S ffmpeg"
#endif
