// Tests of Sources/Playback.
