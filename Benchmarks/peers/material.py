"""Makes the inputs with ffmpeg, equal on every machine: noisy full-frame material with color tags."""

import os

from measure import run

SDR = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
LEGAL = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"


class Material:
    """A folder of inputs, each made on first use."""

    def __init__(self, folder, frames):
        self.folder, self.frames = folder, frames
        # Enough that two 1080p sources overflow the caches, as many as ours in `compositor bench`.
        self.raw_frames = min(16, frames)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, names):
        for name in names:
            if os.path.exists(self.path(name)):
                continue
            getattr(self, "_" + name.split(".")[0].rstrip("0123456789"))(name)

    def _ffmpeg(self, *arguments):
        run(["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments], self.folder)

    def _movie(self, name, size, seed, frames):
        # Two movies that differ everywhere: the test card upright, and flipped and negated.
        turned = ",hflip,negate" if seed % 2 == 0 else ""
        self._ffmpeg(
            "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30,format=yuv420p{turned},noise=alls=8:allf=t:all_seed={seed},{LEGAL}",
            "-frames:v", str(frames), "-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-pix_fmt", "yuv420p", *SDR, name)

    def _A(self, name):
        self._movie(name, "1920x1080", 1, self.frames)

    def _B(self, name):
        self._movie(name, "1920x1080", 2, self.frames + 60)

    def _A_uhd(self, name):
        self._movie(name, "3840x2160", 1, self.frames)

    def _B_uhd(self, name):
        self._movie(name, "3840x2160", 2, self.frames)

    def _overlay(self, name):
        # A third of the frame; alpha falls from left to right.
        self._ffmpeg(
            "-f", "lavfi", "-i", f"testsrc2=s=1920x360:r=30,noise=alls=8:allf=t:all_seed=3,{LEGAL}",
            "-f", "lavfi", "-i", "gradients=s=1920x360:r=30:c0=white:c1=black:x0=0:y0=0:x1=1919:y1=0:speed=0.00001,format=gray",
            "-filter_complex", "[0:v]format=yuva444p10le[v];[1:v]format=gray10le[a];[v][a]alphamerge,format=yuva444p10le",
            "-frames:v", str(self.frames), "-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le", *SDR, name)

    def _photo(self, name):
        seed = 1 if "1" in name else 2
        self._ffmpeg(
            "-f", "lavfi", "-i", f"testsrc2=s=4000x3000:r=1{',hflip,negate' if seed == 2 else ''},noise=alls=8:all_seed={seed}",
            "-frames:v", "1", "-pix_fmt", "yuvj420p", "-q:v", "3", name)

    def _hdr(self, name, transfer, seed):
        tags = ["-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", transfer, "-color_range", "tv"]
        # Codes whose colors BT.709 contains, too, so that every program has the same result.
        self._ffmpeg(
            "-f", "lavfi", "-i", f"testsrc2=s=1920x1080:r=30,noise=alls=8:allf=t:all_seed={seed},format=yuv420p10le,"
            f"lutyuv=y='300+val*300/1023':u='500+val*24/1023':v='500+val*24/1023',"
            f"setparams=range=tv:color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc",
            "-frames:v", str(self.frames), "-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-pix_fmt", "yuv420p10le",
            *tags, name)

    def _hlg(self, name):
        self._hdr(name, "arib-std-b67", 4)

    def _pq(self, name):
        self._hdr(name, "smpte2084", 5)

    def _sound(self, name):
        index = int(name.split(".")[0][-1])
        self._ffmpeg(
            "-filter_complex", f"sine=f={220 * index}:r=48000:d=600,volume=0.4[t];anoisesrc=r=48000:d=600:a=0.2:seed={index}[n];"
            "[t][n]amix=normalize=0,aformat=channel_layouts=stereo", "-c:a", "pcm_s16le", name)

    def raw(self, movie, pixel_format):
        """The first frames of a movie as raw video, in one file for all and one file for each; names without extensions."""
        stem = f"{movie.split('.')[0]}-{pixel_format}"
        # The last frame is missing in a kept folder of a version that made fewer.
        if not os.path.exists(self.path(f"{stem}-{self.raw_frames - 1}.yuv")):
            self.make([movie])
            self._ffmpeg("-i", movie, "-frames:v", str(self.raw_frames), "-f", "rawvideo", "-pix_fmt", pixel_format, stem + ".yuv")
            data = open(self.path(stem + ".yuv"), "rb").read()
            size = len(data) // self.raw_frames
            for index in range(self.raw_frames):
                with open(self.path(f"{stem}-{index}.yuv"), "wb") as file:
                    file.write(data[index * size:(index + 1) * size])
        return stem
