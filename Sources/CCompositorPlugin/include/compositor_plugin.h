/* compositor_plugin.h - compositors in a shared library, in any language. Version 1.2.
 *
 * A plugin is a shared library with one symbol, COMPOSITOR_PLUGIN_ENTRY. The host calls it once; it returns a table of
 * compositors. Of each compositor the host makes instances (one for each set of parameters and each output format), asks them
 * for frames, and drops them.
 *
 *     load -> compositor_plugin_v1(host) -> plugin -> compositors[i] -> create -> { needs, render }* -> destroy
 *
 * STRUCTS AND VERSIONS
 *   Every struct that may grow starts with struct_size, which its maker sets to sizeof(the struct) as *it* was compiled. A
 *   reader uses a field only where COMPOSITOR_HAS(pointer, field) is true, and takes it for zero elsewhere. New fields are only
 *   ever added at the end, and zero in them means what was done before they were there; so a plugin built against an older header runs on a newer host and the other way round. Fixed
 *   structs (CompositorTime, CompositorPlane) never change. The major version, 1, is part of the entry symbol's name.
 *   Arrays of structs that may grow are arrays of pointers.
 *
 * OWNERSHIP
 *   What the plugin returns from the entry (tables, texts) belongs to the plugin and stays valid and unchanged until the process
 *   ends: static data. What the host passes to a call belongs to the host and is valid until that call returns; copy what you
 *   keep. The plugin is never unloaded.
 *
 * THREADS
 *   The entry is called once, on any thread. create, destroy and the others may be called on any thread. Calls to different
 *   instances may run at the same time. Calls to render and needs of one instance run at the same time only where the compositor
 *   says COMPOSITOR_CONCURRENT; with COMPOSITOR_SERIAL they come one after another, in any order of time. destroy is the last call
 *   to an instance, and nothing else runs in it then.
 *
 * MANNERS
 *   Write only inside the output's planes: byte y * stride + x for 0 <= y < height and 0 <= x < width * samples * bytes. Source
 *   planes are read-only (and may be mapped so), and are the host's again when the call returns: copy what you keep. Do not write to the standard output (host->log, or stderr, is for messages), change the
 *   locale, the rounding mode or other floating-point state, install signal handlers, call exit, start processes, or go on
 *   working when a call has returned. Give the same frame for the same request, whatever was asked before. The tool runs plugins in a
 *   process of their own, without network and without files other than the plugin's folder and the system's libraries, and ends it
 *   when a call takes longer than its deadline.
 *
 * TEXT is UTF-8 and ends with a zero byte. PIXELS have their origin at the top left. */
#ifndef COMPOSITOR_PLUGIN_H
#define COMPOSITOR_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COMPOSITOR_ABI_MAJOR 1
#define COMPOSITOR_ABI_MINOR 2

/* Whether the maker of *pointer knew `field`. */
#define COMPOSITOR_HAS(pointer, field) \
  ((pointer)->struct_size >= (size_t)((const char *)(&(pointer)->field + 1) - (const char *)(pointer)))

/* ---- Time and pictures ---------------------------------------------------------------------------------------------------- */

/* value / timescale seconds, exactly. timescale > 0; 0 where a time is not known. Fixed. */
typedef struct CompositorTime {
  int64_t value;
  int32_t timescale;
  int32_t reserved; /* 0 */
} CompositorTime;

/* One plane. Row y starts at (char *)data + y * stride. Fixed. */
typedef struct CompositorPlane {
  void *data;       /* first byte of the first row; aligned to 64 in frames of the host's own making */
  ptrdiff_t stride; /* bytes from row to row; may be negative in sources */
  int32_t width;    /* positions in a row; a position holds 4 samples in packed formats, 2 in a CbCr plane, else 1 */
  int32_t height;   /* rows */
} CompositorPlane;

/* Where components stand. */
enum {
  COMPOSITOR_PLANAR = 0,      /* planes Y', Cb, Cr and, with alpha, A */
  COMPOSITOR_SEMI_PLANAR = 1, /* planes Y' and CbCr */
  COMPOSITOR_PACKED_RGBA = 2, /* one plane of R, G, B, A */
  COMPOSITOR_PACKED_BGRA = 3  /* one plane of B, G, R, A */
};

/* What a sample is. Samples of more than one byte are in the machine's byte order. */
enum {
  COMPOSITOR_UNSIGNED = 0, /* a whole number of bit_depth bits, in 1 byte up to 8 bits, else in 2 */
  COMPOSITOR_HALF = 1,     /* IEEE binary16; 1.0 is the nominal peak */
  COMPOSITOR_FLOAT = 2     /* IEEE binary32; 1.0 is the nominal peak */
};

/* What alpha means. */
enum {
  COMPOSITOR_OPAQUE = 0,       /* none, or to be ignored */
  COMPOSITOR_STRAIGHT = 1,     /* color is independent of alpha */
  COMPOSITOR_PREMULTIPLIED = 2 /* color was multiplied by alpha, in the encoded signal */
};

/* A picture. In a source `data` of the planes is to be read only. */
typedef struct CompositorFrame {
  size_t struct_size;
  const char *format; /* yuv420p, yuv422p10, yuva444p, nv12, p010, rgba, bgra, rgba64, rgbaf16, rgbaf32 ... */
  int32_t width;      /* columns, before the pixel aspect */
  int32_t height;     /* rows */
  int32_t layout;     /* COMPOSITOR_PLANAR ... */
  int32_t sample;     /* COMPOSITOR_UNSIGNED ... */
  int32_t bit_depth;  /* 8, 10, 12, 16; 32 for float */
  int32_t low_padding;       /* unused bits below the significant ones: 6 in p010, else 0 */
  int32_t chroma_shift_x;    /* log2 of luma columns to a chroma column: 0 or 1 */
  int32_t chroma_shift_y;    /* log2 of luma rows to a chroma row: 0 or 1; odd sizes round up */
  int32_t primaries;         /* color primaries, ITU-T H.273 table 2; 2 where not known */
  int32_t transfer;          /* transfer characteristics, ITU-T H.273 table 3: 1 BT.709, 16 PQ, 18 HLG ... */
  int32_t matrix;            /* matrix coefficients, ITU-T H.273 table 4; 0 for R, G, B */
  int32_t full_range;        /* 0: black 16, white 235 (of 8 bits); 1: black 0, white 255 */
  int32_t chroma_location;   /* chroma sample location type, ITU-T H.273: 0 left, 1 center, 2 top left, 3 top */
  int32_t alpha_mode;        /* COMPOSITOR_OPAQUE ... */
  int32_t pixel_aspect_numerator, pixel_aspect_denominator; /* a pixel's width by its height */
  int32_t plane_count;       /* 1 to 4 */
  CompositorPlane planes[4]; /* in the layout's order; the rest are zero */
} CompositorFrame;

/* ---- Parameters ----------------------------------------------------------------------------------------------------------- */

/* Kinds of parameters. */
enum {
  COMPOSITOR_BOOL = 0,    /* number: 0 or 1 */
  COMPOSITOR_INTEGER = 1, /* number: whole, minimum to maximum */
  COMPOSITOR_NUMBER = 2,  /* number: minimum to maximum */
  COMPOSITOR_STRING = 3,  /* string */
  COMPOSITOR_CHOICE = 4,  /* string: one of choices */
  COMPOSITOR_COLOR = 5,   /* numbers: R, G, B or R, G, B, A, each 0 to 1, sRGB */
  COMPOSITOR_POINT = 6,   /* numbers: x, y in pixels of the composition */
  COMPOSITOR_TEXT_FILE = 7 /* string: a file's text. Projects give its path, the host reads it; default: the empty text; maximum: its most bytes */
};

/* How an interface best offers a number. Since 1.1. */
enum {
  COMPOSITOR_HINT_NONE = 0,
  COMPOSITOR_HINT_LOGARITHMIC = 1, /* on a logarithmic scale */
  COMPOSITOR_HINT_ANGLE = 2,       /* as an angle */
  COMPOSITOR_HINT_PERCENT = 3      /* as a percentage: 1 is 100 % */
};

/* A parameter's value. The host checks values against the schema and fills defaults in before a plugin sees them. */
typedef struct CompositorParameter {
  size_t struct_size;
  const char *key;
  int32_t kind;         /* COMPOSITOR_BOOL ...: which of the following counts */
  int32_t number_count; /* of numbers */
  double number;
  const char *string;
  const double *numbers;
} CompositorParameter;

/* What a parameter may be. */
typedef struct CompositorParameterDescription {
  size_t struct_size;
  const char *key;     /* a name such as "radius", each once */
  const char *summary; /* what it does, one sentence */
  int32_t kind;        /* COMPOSITOR_BOOL ... */
  int32_t is_required; /* 1: a value must be given, and default_value is ignored */
  double minimum, maximum;      /* of integers and numbers, both inclusive; finite */
  const char *unit;             /* of numbers: "px", "degrees", "fraction"; NULL for none */
  const char *const *choices;   /* of a choice: words, then NULL */
  const CompositorParameter *default_value; /* needed unless required; its key is ignored */
  int32_t is_animatable;        /* 1: may differ from request to request: read it there, not in create. Integers, numbers, points and
                                   colors can (points and colors since 1.1); of other kinds it counts as 0 */
  int32_t hint;                 /* since 1.1 (0 before): COMPOSITOR_HINT_NONE ... */
  const char *group;            /* since 1.1: what an interface shows it with, such as "Light"; NULL for none */
} CompositorParameterDescription;

/* ---- A request ------------------------------------------------------------------------------------------------------------ */

/* The surface that an instance renders to. It does not change during an instance's life. */
typedef struct CompositorContext {
  size_t struct_size;
  const CompositorFrame *output; /* size, format and color of every output; its planes are zero here */
  double render_scale;           /* pixels for each unit of the composition */
  int32_t is_draft;              /* 1: for scrubbing, speed matters more than quality */
  int32_t blends_linear_light;   /* 1: layers are to be mixed in linear light, 0: in the encoded signal */
} CompositorContext;

/* One track's picture. */
typedef struct CompositorSource {
  size_t struct_size;
  int32_t track;                    /* the composition's track ID; never 0 */
  int32_t reserved;                 /* 0 */
  const CompositorFrame *frame;     /* format and color as declared; in `needs` before conversion, planes zero */
  CompositorTime presentation_time; /* the frame's own, in its media */
  CompositorTime duration;          /* how long its media shows it; timescale 0 where not known */
  CompositorTime requested_time;    /* the media time asked for: presentation_time <= it */
  double preferred_transform[6];    /* orientation the media asks for, not applied: a, b, c, d, tx, ty;
                                       x' = a x + c y + tx, y' = b x + d y + ty */
  CompositorTime time;              /* since 1.1: the composition time that it was asked for; the request's unless `needs` said
                                       another */
} CompositorSource;

/* A layer at this time. Layers stand front to back: the first is on top. */
typedef struct CompositorLayer {
  size_t struct_size;
  int32_t track;                  /* its track */
  int32_t has_crop;               /* 0: all of the source is shown */
  const CompositorSource *source; /* its picture; NULL where the track has none at this time */
  double opacity;                 /* 0 to 1 */
  double transform[6];            /* from the source's display space to the composition's; order as above */
  double crop[4];                 /* x, y, width, height in the source's display space */
} CompositorLayer;

/* How a frame was answered. */
enum {
  COMPOSITOR_ANSWER_OUTPUT = 0, /* every pixel of request->output was written */
  COMPOSITOR_ANSWER_SOURCE = 1, /* the frame is a source's as it is: set track. The host hands it on or fits it to the canvas */
  COMPOSITOR_ANSWER_FRAME = 2   /* the frame is one of the plugin's own, of the output's format and size: set frame. It stays the
                                   plugin's, valid until the next call to the instance on this thread; the host copies it */
};

/* Filled by render. */
typedef struct CompositorAnswer {
  size_t struct_size;
  int32_t kind;  /* COMPOSITOR_ANSWER_OUTPUT unless render changes it */
  int32_t track; /* for COMPOSITOR_ANSWER_SOURCE */
  const CompositorFrame *frame; /* for COMPOSITOR_ANSWER_FRAME */
  CompositorTime time;          /* since 1.1, for COMPOSITOR_ANSWER_SOURCE: the source's `time`; timescale 0: the request's */
} CompositorAnswer;

/* Everything needed for one frame. */
typedef struct CompositorRequest {
  size_t struct_size;
  CompositorTime time;              /* composition time of the frame */
  CompositorTime instruction_start; /* the instruction's half-open range */
  CompositorTime instruction_duration;
  double progress;           /* (time - start) / duration: 0 <= progress < 1 */
  int32_t instruction_index; /* in the video composition, from 0 */
  int32_t source_count;
  const CompositorSource *const *sources; /* in the order of the instruction's layers, then its additional tracks */
  int32_t layer_count;
  int32_t parameter_count;
  const CompositorLayer *const *layers;
  const CompositorParameter *const *parameters; /* those of create, the animatable ones with their values at this time */
  const CompositorFrame *output;                /* to be written; contents undefined. NULL in `needs` */
  int32_t (*is_cancelled)(const void *host_data); /* 1 once nobody wants the frame: return COMPOSITOR_CANCELLED soon. Cheap; any
                                                     thread, during the call */
  const void *host_data; /* for is_cancelled */
  CompositorTime frame_duration; /* since 1.1: from this frame of the output to the next; timescale 0 where not known. Its timescale is
                                    that of `time`: time.value + n * frame_duration.value is n frames later */
  int32_t asked_count;           /* since 1.1: part_count of `needs`, where the description has needs_other_times; else 0 */
  int32_t reserved;              /* 0 */
  const CompositorSource *const *asked; /* since 1.1: for each entry that `needs` filled, in that order, its source; the frame of that
                                           is NULL where the track shows nothing at the request's time */
} CompositorRequest;

/* What is needed of a source. */
typedef struct CompositorNeed {
  size_t struct_size;
  int32_t track;       /* one of the instruction's */
  int32_t is_whole;    /* 1: all of it, and part is ignored */
  double part[4];      /* x, y, width, height in the source frame's pixels */
  CompositorTime time; /* since 1.1, with needs_other_times: the composition time of the source; timescale 0: the request's.

       The source is what the track's clip (the one that it shows at the request's time) shows then, after the effects that stand before
       this one; a frame that starts at that time would show the same. Before the clip's first frame that frame is given, after its last
       frame the last: clips go on where the next one shows the same media without a jump. For an effect on the composed picture the
       instruction takes the clip's place. presentation_time says which frame of the media it is. Whether a picture is wanted in order or
       not makes no difference: the host keeps what it decoded. */
} CompositorNeed;

/* Of one request, at most so many sources at other times than its own, all tracks together, and none further away than so many
   seconds. A request that asks for more, or for a track that is not the instruction's, fails. Since 1.1. */
#define COMPOSITOR_MOST_OTHER_SOURCES 16
#define COMPOSITOR_FARTHEST_SECONDS 10

/* Filled by needs; the host zeroes it first. */
typedef struct CompositorNeeds {
  size_t struct_size;
  int32_t identity_track; /* not 0: the frame is this track's as it is, placed as a pass-through does; render is not called */
  int32_t is_partial;      /* 1: only `parts` are needed; 0: everything */
  int32_t part_count;      /* entries filled */
  int32_t part_capacity;   /* entries that `parts` has: one for each source and COMPOSITOR_MOST_OTHER_SOURCES more */
  CompositorNeed *const *parts;
} CompositorNeeds;

/* ---- Errors --------------------------------------------------------------------------------------------------------------- */

/* What create, render and needs return. Any other number is taken as COMPOSITOR_FAILED. */
enum {
  COMPOSITOR_OK = 0,
  COMPOSITOR_FAILED = 1,            /* it went wrong */
  COMPOSITOR_INVALID_PARAMETER = 2, /* a value that the schema allows cannot be used */
  COMPOSITOR_UNSUPPORTED = 3,       /* a size, format or color that it cannot do */
  COMPOSITOR_OUT_OF_MEMORY = 4,
  COMPOSITOR_CANCELLED = 5,         /* is_cancelled said so */
  COMPOSITOR_WRONG_OUTPUT = 6       /* what it made inside does not fit the output */
};

/* Where a call that fails says why. */
typedef struct CompositorErrorText {
  size_t struct_size;
  size_t capacity; /* bytes of text, at least 256 */
  char *text;      /* empty before the call; one sentence, cut to fit, ended by a zero byte */
} CompositorErrorText;

/* ---- Compositors, plugin, host -------------------------------------------------------------------------------------------- */

/* Which source formats a compositor takes. */
enum {
  COMPOSITOR_SOURCES_ANY = 0,    /* whatever the sources have */
  COMPOSITOR_SOURCES_OUTPUT = 1, /* the output's format */
  COMPOSITOR_SOURCES_LISTED = 2  /* those of source_formats: a source in another format is converted to the first */
};

/* What a compositor does about color. */
enum {
  COMPOSITOR_COLOR_SDR = 0,     /* knows BT.709 SDR only: everything else is converted before it sees it */
  COMPOSITOR_COLOR_WIDE = 1,    /* sources come in the output's color; HDR is converted to SDR */
  COMPOSITOR_COLOR_HDR = 2,     /* sources come in the output's color, HDR included */
  COMPOSITOR_COLOR_CONFORMS = 3 /* sources come untouched; it conforms them itself */
};

/* How calls to one instance may come. */
enum { COMPOSITOR_CONCURRENT = 0, COMPOSITOR_SERIAL = 1 };

/* What a compositor is made for: how tools list it. Nothing is refused for it. */
enum {
  COMPOSITOR_ROLE_COMPOSITOR = 0, /* composes any number of layers */
  COMPOSITOR_ROLE_TRANSITION = 1, /* leads from the first layer's picture to the second's */
  COMPOSITOR_ROLE_EFFECT = 2      /* changes one picture */
};

/* One compositor. */
typedef struct CompositorDescription CompositorDescription;
struct CompositorDescription {
  size_t struct_size;
  const char *id;      /* reverse domain order: "org.example.glow"; what projects name */
  const char *name;    /* for people */
  const char *version; /* "1.0.0" */
  const char *summary; /* what it does, one sentence */
  int32_t sources;     /* COMPOSITOR_SOURCES_ANY ... */
  int32_t color;       /* COMPOSITOR_COLOR_SDR ... */
  int32_t concurrency; /* COMPOSITOR_CONCURRENT ... */
  int32_t parameter_count;
  const char *const *source_formats; /* names, then NULL; for COMPOSITOR_SOURCES_LISTED */
  const char *const *output_formats; /* names, the preferred one first, then NULL; NULL for any format. The host converts */
  const CompositorParameterDescription *const *parameters;
  int32_t role;              /* COMPOSITOR_ROLE_COMPOSITOR ... */
  int32_t is_time_invariant; /* 1: equal sources and parameters make an equal frame whatever the time */
  int32_t makes_alpha;       /* 1: makes parts of an opaque picture transparent */
  int32_t places_sources;    /* since 1.1 (0 before). 1: sources come placed on the canvas: each of the output's size and format, with
                                its layer's opacity, transform and crop applied over the instruction's background. Layers are plain
                                then */
  const void *data;          /* the plugin's own */

  /* Makes an instance of `self`, which is this description, and stores it. NULL is an instance too. */
  int32_t (*create)(const CompositorDescription *self, const CompositorContext *context,
                    const CompositorParameter *const *parameters, int32_t parameter_count, void **instance,
                    CompositorErrorText *error);
  /* Ends an instance. */
  void (*destroy)(void *instance);
  /* Makes one frame. Blocks until it is done. */
  int32_t (*render)(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error);
  /* Says what a frame needs, before sources are converted; NULL: everything, always. Must be quick, and depend on the request alone. */
  int32_t (*needs)(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error);
  int32_t needs_other_times; /* since 1.1 (0 before). 1: `needs` asks for sources at other times (CompositorNeed.time). Requests still
                                come in any order. Placed sources are placed as their layers are at those times */
  int32_t reserved;          /* 0 */
};

/* ---- Audio processors, since 1.2 -------------------------------------------------------------------------------------------- */

/* The samples that an instance gets. They do not change during an instance's life. */
typedef struct CompositorAudioContext {
  size_t struct_size;
  int32_t sample_rate;   /* samples a second */
  int32_t channel_count; /* 1 to 8, in the usual order of that number: 2 is left, right; 6 is 5.1 */
  int32_t maximum_count; /* the most samples of a block */
  int32_t reserved;      /* 0 */
} CompositorAudioContext;

/* One audio processor. Calls to one instance come one after another; calls to different instances may run at the same time. The host
   runs audio processors in its own process, and only those of plugins that its user trusts. */
typedef struct CompositorAudioDescription CompositorAudioDescription;
struct CompositorAudioDescription {
  size_t struct_size;
  const char *id;      /* reverse domain order: "org.example.robot"; what projects name */
  const char *name;    /* for people */
  const char *version; /* "1.0.0" */
  const char *summary; /* what it does, one sentence */
  const CompositorParameterDescription *const *parameters; /* none of them changes over time */
  int32_t parameter_count;
  int32_t reserved; /* 0 */
  const void *data; /* the plugin's own */

  /* Makes an instance of `self`, which is this description, and stores it. NULL is an instance too. */
  int32_t (*create)(const CompositorAudioDescription *self, const CompositorAudioContext *context,
                    const CompositorParameter *const *parameters, int32_t parameter_count, void **instance,
                    CompositorErrorText *error);
  /* Ends an instance. */
  void (*destroy)(void *instance);
  /* Changes a block in place: `count` samples of each channel, planar, nominally -1 to 1; the first stands `position` samples after
     the composition's start. Blocks come in order, without gaps, all of one length. */
  int32_t (*process)(void *instance, float *const *channels, int32_t count, int64_t position, CompositorErrorText *error);
  /* Forgets all samples: the next block does not follow the last one. NULL: there is nothing to forget. */
  void (*reset)(void *instance);
  /* How many samples later its output is than its input, constant: the host takes the delay away. NULL: none. */
  int32_t (*latency)(void *instance);
  /* For how many samples it can be heard after its input has ended, delay left out. NULL: none. */
  int32_t (*tail)(void *instance);
};

/* The plugin. */
typedef struct CompositorPlugin {
  size_t struct_size;
  int32_t abi_major; /* COMPOSITOR_ABI_MAJOR as it was compiled */
  int32_t abi_minor; /* COMPOSITOR_ABI_MINOR as it was compiled */
  const char *name;    /* for people */
  const char *version; /* "1.0.0" */
  int32_t compositor_count;
  int32_t reserved; /* 0 */
  const CompositorDescription *const *compositors;
  const CompositorAudioDescription *const *audio_processors; /* since 1.2 */
  int32_t audio_processor_count;                              /* since 1.2 (0 before) */
  int32_t reserved2;                                          /* 0 */
} CompositorPlugin;

/* The host. Valid until the process ends. */
typedef struct CompositorHost {
  size_t struct_size;
  int32_t abi_major;
  int32_t abi_minor;
  const char *name;
  const char *version;
  void (*log)(const char *text); /* a message for people, one line; any thread */
} CompositorHost;

/* The entry: `const CompositorPlugin *compositor_plugin_v1(const CompositorHost *host)`. NULL: the plugin cannot run here. */
typedef const CompositorPlugin *(*CompositorEntry)(const CompositorHost *host);
#define COMPOSITOR_PLUGIN_ENTRY compositor_plugin_v1
#define COMPOSITOR_PLUGIN_ENTRY_NAME "compositor_plugin_v1"

#if defined(__GNUC__)
#define COMPOSITOR_EXPORT __attribute__((visibility("default")))
#else
#define COMPOSITOR_EXPORT
#endif
COMPOSITOR_EXPORT const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host);

#ifdef __cplusplus
}
#endif
#endif
