"""What is measured, and the best recipe that each program has for it, or why it has none.

Every work has our project, and for each peer a command from files to H.264 (`whole`) and, where the program can read raw frames again and
again, a pair of commands whose difference in processor time is the work alone (`alone`): with it and without.
"""

from projects import project, seconds, title_project

X264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-an"]
MELT_X264 = ["-consumer", "avformat:melt.mp4", "vcodec=libx264", "preset=veryfast", "crf=23", "pix_fmt=yuv420p", "an=1"]
GST_X264 = "videoconvert ! x264enc speed-preset=veryfast pass=qual quantizer=23 ! h264parse ! mp4mux ! filesink location=gstreamer.mp4"
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"


class Work:
    def __init__(self, name, title, inputs, project=None, graph=None, raw=(), size="1920x1080", output="yuv420p", options=()):
        self.name, self.title, self.inputs, self.project, self.graph = name, title, inputs, project, graph
        # Raw inputs for the work alone: movie and pixel format.
        self.raw, self.size, self.output, self.options = raw, size, output, list(options)
        # By peer: a command, or the reason why there is none.
        self.melt, self.gstreamer, self.opencv = "not tried", "not tried", "not tried"
        # For GStreamer, alone: the elements after the raw sources `s0`, `s1` …
        self.gstreamer_alone = None
        # For ffmpeg, alone: a command that makes a number of frames of a still.
        self.ffmpeg_still = None

    # --- ffmpeg

    def ffmpeg_whole(self, frames):
        inputs = [word for name in self.inputs for word in [*self.options, "-i", name]]
        return ["ffmpeg", "-v", "error", "-nostdin", "-y", *inputs, "-filter_complex", self.graph(frames), "-frames:v", str(frames),
                *X264, "ffmpeg.mp4"]

    def ffmpeg_alone(self, stems, frames, isPlain):
        sizes = [size for _, _, size in self.raw]
        inputs = []
        for stem, (_, pixel_format, size) in zip(stems, self.raw):
            inputs += ["-stream_loop", "-1", "-threads", "1", "-f", "rawvideo", "-pix_fmt", pixel_format, "-s", size, "-r", "30",
                       "-i", stem + ".yuv"]
        start = ["ffmpeg", "-v", "error", "-nostdin", "-filter_threads", "1", "-filter_complex_threads", "1", *inputs]
        if isPlain:
            maps = [word for index in range(len(sizes)) for word in ["-map", f"{index}:v"]]
            return [*start, *maps, "-frames:v", str(frames), "-threads", "1", "-f", "null", "-"]
        return [*start, "-filter_complex", self.graph(frames), "-frames:v", str(frames), "-threads", "1", "-f", "null", "-"]


HD = ("yuv420p", "1920x1080")
A, B = ("A.mp4", *HD), ("B.mp4", *HD)


def works(frames):
    """All works for a number of output frames."""
    all_works = []

    def add(work):
        all_works.append(work)
        return work

    half = frames // 2
    w = add(Work(
        "W1", "cut: A, then B from 2 s on", ["A.mp4", "B.mp4"],
        project([{"clips": [{"asset": "a", "duration": seconds(half)}, {"asset": "b", "in": "60f", "duration": seconds(frames - half)}]}],
                {"a": "A.mp4", "b": "B.mp4"}),
        lambda n: f"[0:v]trim=end_frame={n // 2},setpts=PTS-STARTPTS[a];"
        f"[1:v]trim=start_frame=60:end_frame={60 + n - n // 2},setpts=PTS-STARTPTS[b];[a][b]concat"))
    w.melt = ["melt", "A.mp4", "in=0", f"out={half - 1}", "B.mp4", "in=60", f"out={59 + frames - half}", *MELT_X264]
    w.gstreamer = "gst-launch has no way to cut a part out of a file; its editing services are a library"
    w.opencv = True

    def dissolve(n, a="[0:v]", b="[1:v]"):
        steps = ";".join(f"{max(0, (i - 0.5) / 30):.6f} blend all_opacity {1 - i / n:.6f}" for i in range(n))
        return f"{a}sendcmd=c='{steps}'[x];[x]{b}blend=all_mode=normal:all_opacity=1"

    fade = [{"at": 0, "value": 1}, {"at": seconds(frames), "value": 0}]
    two = lambda top: [{"clips": [{"asset": "b", "at": "0f", "duration": seconds(frames)}]},
                       {"clips": [{"asset": "a", "at": "0f", "duration": seconds(frames), **top}]}]
    w = add(Work("W2", "dissolve", ["A.mp4", "B.mp4"], project(two({"opacity": fade}), {"a": "A.mp4", "b": "B.mp4"}), dissolve, [A, B]))
    w.melt = ["melt", "A.mp4", f"out={frames - 1}", "-track", "B.mp4", f"out={frames - 1}", "-transition", "luma", "in=0",
              f"out={frames - 1}", "a_track=0", "b_track=1", *MELT_X264]
    # gst-launch cannot animate a property; the work per frame is the same at one half.
    w.gstreamer = ("gst-launch-1.0 -q compositor name=c sink_1::alpha=0.5 ! " + GST_X264
                   + "  filesrc location=A.mp4 ! qtdemux ! avdec_h264 ! c.sink_0  filesrc location=B.mp4 ! qtdemux ! avdec_h264 ! c.sink_1")
    w.gstreamer_alone = "compositor name=c max-threads=1 sink_1::alpha=0.5 ! fakesink  s0. ! c.sink_0  s1. ! c.sink_1"
    w.opencv = True

    def turning(n):
        # Ends with the last frame, like ours.
        t = f"min(t/{max(1, n - 1) / 30:.6f}\\,1)"
        # The smallest even box that holds the image at every angle; its center moves like ours. overlay rounds positions down to even
        # ones, which the 1 makes the nearest ones.
        width, height = 1104, 948
        # A table for alpha alone: colorchannelmixer would convert to RGB and back. `area` takes as long as fast_bilinear here,
        # which skips samples. With c=none, what rotate drew in earlier frames would shine through.
        return (f"[1:v]scale=960:540:flags=area,format=yuva420p,lutyuv=a=val*0.8,"
                f"rotate=a='{t}*PI/6':ow={width}:oh={height}:c=black@0:bilinear=1[i];"
                f"[0:v][i]overlay=x='100+400*{t}+480-{width // 2}+1':y='50+200*{t}+270-{height // 2}+1'")

    # Centers of the box in pixels of the canvas; the angle is clockwise, as in ffmpeg.
    turn = {"fit": "none", "opacity": 0.8, "transform": [
        {"at": 0, "x": 580, "y": 320, "scale": 0.5, "rotation": 0},
        {"at": seconds(frames - 1), "x": 980, "y": 520, "scale": 0.5, "rotation": 30}]}
    w = add(Work("W3", "half-size clip, rotating and moving, at 0.8", ["A.mp4", "B.mp4"],
                 project([{"clips": [{"asset": "a", "duration": seconds(frames)}]},
                          {"clips": [{"asset": "b", "at": "0f", "duration": seconds(frames), **turn}]}], {"a": "A.mp4", "b": "B.mp4"}),
                 turning, [A, B]))
    w.melt = ["melt", "A.mp4", f"out={frames - 1}", "-track", "B.mp4", f"out={frames - 1}", "-transition", "affine", "in=0",
              f"out={frames - 1}", "a_track=0", "b_track=1", f"transition.rect=0=100 50 960 540 80%;{frames - 1}=500 250 960 540 80%",
              f"transition.fix_rotate_x=0=0;{frames - 1}=30", *MELT_X264]
    w.gstreamer = "its compositor cannot rotate"
    w.opencv = True

    def title(n):
        return (f"[0:v]drawtext=fontfile={FONT}:textfile=words.txt:fontsize=96:fontcolor=white:borderw=4:bordercolor=black:"
                f"shadowx=4:shadowy=4:shadowcolor=black@0.5:x=100+{600 / (n / 30):.4f}*t:y=700-{60 / (n / 30):.4f}*t:"
                f"alpha='if(lt(t,{n / 150:.4f}),t/{n / 150:.4f},if(gt(t,{4 * n / 150:.4f}),({n / 30:.4f}-t)/{n / 150:.4f},1))'")

    w = add(Work("W4", "two lines with outline and shadow, moving, fading", ["A.mp4"],
                 title_project(frames), title, [A]))
    w.melt = "its text filters need its Qt or GTK modules, which Debian's melt does not bring (libmlt7 recommends them)"
    w.gstreamer = ("gst-launch-1.0 -q filesrc location=A.mp4 ! qtdemux ! avdec_h264 ! textoverlay "
                   "text='\"The Quick Brown Fox\nJumps Over the Lazy Dog\"' font-desc='\"DejaVu Sans Bold 72\"' halignment=left "
                   "valignment=bottom xpad=100 ypad=200 ! " + GST_X264)
    w.gstreamer_alone = ("s0. ! textoverlay text='\"The Quick Brown Fox\nJumps Over the Lazy Dog\"' font-desc='\"DejaVu Sans Bold 72\"' "
                         "halignment=left valignment=bottom xpad=100 ypad=200 ! fakesink")
    w.opencv = "draws stroke fonts only, without outlines or TrueType"

    pq = "setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"
    hlg = "setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc"
    near = "f=bilinear:cin=topleft:c=topleft"
    hdr = lambda name: (name, "yuv420p10le", "1920x1080")
    w = add(Work("W5", "HLG and PQ dissolved in linear light into HLG, 10 bits", ["hlg.mp4", "pq.mp4"],
                 project(two({"opacity": 0.4}), {"a": "hlg.mp4", "b": "pq.mp4"},
                         {"color": "hlg", "blending": "linear", "format": "yuv420p10"}),
                 lambda n: f"[0:v]{hlg},zscale=t=linear:npl=1000:{near},format=gbrpf32le[a];"
                 f"[1:v]{pq},zscale=t=linear:npl=1000:{near},format=gbrpf32le[b];[a][b]blend=all_mode=normal:all_opacity=0.4,"
                 f"zscale=t=arib-std-b67:m=bt2020nc:r=tv:npl=1000:{near},format=yuv420p10le", [hdr("hlg.mp4"), hdr("pq.mp4")],
                 output="yuv420p10le"))
    w.melt = w.gstreamer = w.opencv = "knows no HDR curves in linear light"
    w = add(Work("W5t", "PQ tone-mapped to BT.709, 8 bits", ["pq.mp4"],
                 project([{"clips": [{"asset": "a", "duration": seconds(frames)}]}], {"a": "pq.mp4"}),
                 lambda n: f"[0:v]{pq},zscale=t=linear:npl=203:{near},format=gbrpf32le,zscale=p=bt709,"
                 f"tonemap=hable:desat=0:peak={1000 / 203},zscale=t=bt709:m=bt709:r=tv:{near},format=yuv420p", [hdr("pq.mp4")]))
    w.melt = w.gstreamer = w.opencv = "has no tone mapping on the processor"

    def grid(n):
        parts = "".join(f"[{i}:v]scale=480:270:flags=area[s{i}];" for i in range(16))
        layout = "|".join(f"{480 * (i % 4)}_{270 * (i // 4)}" for i in range(16))
        # An opacity of 0.9 over #101010 (Y' 30.8 of 16 … 235) is one table over the whole frame.
        return (parts + "".join(f"[s{i}]" for i in range(16)) + f"xstack=inputs=16:layout={layout},"
                "lutyuv=y='val*0.9+3':u='val*0.9+12.8':v='val*0.9+12.8'")

    names = ["A.mp4", "B.mp4"] * 8
    cell = lambda i: {"clips": [{"asset": "ab"[i % 2], "at": "0f", "duration": seconds(frames), "fit": "none", "opacity": 0.9,
                                 "transform": {"x": 240 + 480 * (i % 4), "y": 135 + 270 * (i // 4), "scale": 0.25}}]}
    w = add(Work("W6", "16 clips in a grid at 0.9", names,
                 project([cell(i) for i in range(16)], {"a": "A.mp4", "b": "B.mp4"}, {"background": "#101010"}), grid, [A, B] * 8))
    w.melt = "sixteen affine transitions in RGB: more than ten times the time of the others, so left out"
    pads = " ".join(f"sink_{i}::xpos={480 * (i % 4)} sink_{i}::ypos={270 * (i // 4)} sink_{i}::width=480 sink_{i}::height=270 "
                    f"sink_{i}::alpha=0.9" for i in range(16))
    w.gstreamer = (f"gst-launch-1.0 -q compositor name=c background=black {pads} ! " + GST_X264 + "  " + "  ".join(
        f"filesrc location={names[i]} ! qtdemux ! avdec_h264 ! c.sink_{i}" for i in range(16)))
    w.gstreamer_alone = (f"compositor name=c max-threads=1 background=black {pads} ! fakesink  "
                         + "  ".join(f"s{i}. ! c.sink_{i}" for i in range(16)))
    w.opencv = True

    w = add(Work("W7", "four tracks of 600 s with volume ramps", [f"sound{i}.wav" for i in range(1, 5)]))
    w.melt = "mixes two tracks at a time, and its ramps step from frame to frame"
    w.gstreamer = "gst-launch cannot ramp a volume"
    w.opencv = "has no audio"

    w = add(Work("W8", "ProRes 4444 over the lower third", ["A.mp4", "overlay.mov"],
                 project([{"clips": [{"asset": "a", "duration": seconds(frames)}]},
                          {"clips": [{"asset": "o", "at": "0f", "duration": seconds(frames), "fit": "none",
                                      "transform": {"x": 960, "y": 900}}]}], {"a": "A.mp4", "o": "overlay.mov"}),
                 lambda n: "[0:v][1:v]overlay=0:720:format=yuv420", [A, ("overlay.mov", "yuva444p10le", "1920x360")]))
    w.melt = ["melt", "A.mp4", f"out={frames - 1}", "-track", "overlay.mov", f"out={frames - 1}", "-transition", "composite", "in=0",
              f"out={frames - 1}", "a_track=0", "b_track=1", "geometry=0/720:1920x360:100", *MELT_X264]
    w.gstreamer = ("gst-launch-1.0 -q compositor name=c sink_1::ypos=720 ! " + GST_X264
                   + "  filesrc location=A.mp4 ! qtdemux ! avdec_h264 ! c.sink_0  filesrc location=overlay.mov ! qtdemux ! avdec_prores"
                   " ! videoconvert ! video/x-raw,format=A420 ! c.sink_1")
    w.opencv = "reads no alpha of movies"

    uhd = lambda name: (name, "yuv420p", "3840x2160")
    w = add(Work("W9", "2160p to 1080p, with a dissolve", ["A_uhd.mp4", "B_uhd.mp4"],
                 project(two({"opacity": fade}), {"a": "A_uhd.mp4", "b": "B_uhd.mp4"}),
                 # Both are reduced first: its blend of 2160p takes longer than the second reduction. None of its scalers is faster
                 # than the area means.
                 lambda n: "[0:v]scale=1920:1080:flags=area[a];[1:v]scale=1920:1080:flags=area[b];" + dissolve(n, "[a]", "[b]"),
                 [uhd("A_uhd.mp4"), uhd("B_uhd.mp4")]))
    w.melt = ["melt", "-profile", "atsc_1080p_30", "A_uhd.mp4", f"out={frames - 1}", "-track", "B_uhd.mp4", f"out={frames - 1}", "-transition",
              "luma", "in=0", f"out={frames - 1}", "a_track=0", "b_track=1", *MELT_X264]
    w.gstreamer = ("gst-launch-1.0 -q compositor name=c sink_0::width=1920 sink_0::height=1080 sink_1::width=1920 sink_1::height=1080 "
                   "sink_1::alpha=0.5 ! " + GST_X264 + "  filesrc location=A_uhd.mp4 ! qtdemux ! avdec_h264 ! c.sink_0  "
                   "filesrc location=B_uhd.mp4 ! qtdemux ! avdec_h264 ! c.sink_1")
    w.gstreamer_alone = ("compositor name=c max-threads=1 sink_0::width=1920 sink_0::height=1080 sink_1::width=1920 sink_1::height=1080 "
                         "sink_1::alpha=0.5 ! fakesink  s0. ! c.sink_0  s1. ! c.sink_1")
    w.opencv = True

    each = min(150, max(1, frames // 2))
    photo = lambda name: {"asset": name, "duration": seconds(each), "fit": "fill",
                          "transform": [{"at": 0, "scale": 1}, {"at": seconds(each), "scale": 1.25}]}
    pan = lambda i: (f"[{i}:v]zoompan=z='1+0.25*on/{each}':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d={each}:s=1920x1080:fps=30,"
                     f"setsar=1[p{i}]")
    w = add(Work("W10", "12-megapixel photos, growing", ["photo1.jpg", "photo2.jpg"],
                 project([{"clips": [photo("a"), photo("b")]}], {"a": "photo1.jpg", "b": "photo2.jpg"}),
                 # zoompan stretches the whole image to 16:9: crop it to the aspect ratio first.
                 lambda n: "[0:v]crop=4000:2250[c0];[1:v]crop=4000:2250[c1];"
                 + pan(0).replace("[0:v]", "[c0]") + ";" + pan(1).replace("[1:v]", "[c1]") + ";[p0][p1]concat,format=yuv420p"))
    # Scales by as much in few frames as in many, like ours. Rounded to integer pixels, which is less work than ours.
    w.ffmpeg_still = lambda n: [
        "ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-filter_complex_threads", "1", "-i", "photo1.jpg", "-filter_complex",
        f"[0:v]crop=4000:2250,zoompan=z='1+0.25*on/{n}':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d={n}:s=1920x1080:fps=30,format=yuv420p",
        "-frames:v", str(n), "-threads", "1", "-f", "null", "-"]
    w.melt = "its affine filter has no photo of this size without Qt"
    w.gstreamer = "gst-launch cannot animate a crop"
    w.opencv = "no recipe that encodes: see W9 for its reducing"

    w = add(Work("W11", "9:16 over a blurred copy", ["A.mp4"],
                 {**project([{"clips": [{"asset": "a", "duration": seconds(frames), "fit": "fill",
                                         "effects": [{"use": "gaussian-blur", "radius": 12}]}]},
                             {"clips": [{"asset": "a", "at": "0f", "duration": seconds(frames)}]}], {"a": "A.mp4"},
                            {"size": "1080x1920"})},
                 # Only the visible part is blurred, before it is enlarged, at a quarter of its size: 60 dB from blurring all of it.
                 # The sharp copy is reduced by area means; the default, bicubic, takes longer, and fast_bilinear skips samples.
                 lambda n: "[0:v]split[a][b];[a]crop=608:1080,scale=152:270:flags=area,gblur=sigma=3,"
                 "scale=1080:1920:flags=bilinear[l];"
                 "[b]scale=1080:608:flags=area[s];[l][s]overlay=0:656", [A]))
    w.melt = "its box blur is not a Gaussian, and its profile would have to be rotated"
    w.gstreamer = ("gst-launch-1.0 -q compositor name=c sink_0::width=1080 sink_0::height=1920 sink_1::width=1080 sink_1::height=608 "
                   "sink_1::ypos=656 ! video/x-raw,width=1080,height=1920 ! " + GST_X264
                   + "  filesrc location=A.mp4 ! qtdemux ! avdec_h264 ! tee name=t  t. ! queue ! videocrop left=656 right=656 ! "
                   "videoconvert ! gaussianblur sigma=12 ! videoconvert ! c.sink_0  t. ! queue ! c.sink_1")
    w.opencv = True
    return all_works
