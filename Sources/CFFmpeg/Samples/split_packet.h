// Packets that hold several frames, as QuickTime and telephones store AMR, or something else beside a frame.
#pragma once
#include <libavcodec/avcodec.h>
#include <stdbool.h>

/// Leaves the first frame of a packet in `packet` and moves what follows to `rest`, which must be empty. Does nothing for one frame, and for other codecs than
/// AMR. Returns a libav error.
int cff_split_packet(AVPacket *packet, AVPacket *rest, enum AVCodecID codec, AVRational time_base);

/// Whether a frame of AMR has no speech: it describes the noise of a pause, or nothing. libavcodec decodes no such frame.
bool cff_is_pause(const AVPacket *packet, enum AVCodecID codec);

/// The place of the first frame in a packet of MP3, after a tag or other bytes that libavformat took for a part of it; -1 if there is no frame. Files that were joined
/// byte by byte have such packets.
int cff_mp3_frame_offset(const AVPacket *packet);
