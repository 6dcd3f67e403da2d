/* compositor_plugin.h - compositors in a shared library, in any language. Version 1.
 *
 * A plugin is a shared library with one symbol, COMPOSITOR_PLUGIN_ENTRY. The host calls it once; it returns a table of
 * compositors. The host creates instances of each compositor (one per set of parameters and output format), requests frames
 * from them, and destroys them.
 *
 *     load -> compositor_plugin_v1(host) -> plugin -> compositors[i] -> create -> { needs, render }* -> destroy
 *
 * STRUCTS AND VERSION
 *   Every struct that begins with struct_size says there how long it is: its creator sets it to sizeof(the struct) as compiled
 *   there, and a reader treats a field beyond that length as zero (COMPOSITOR_HAS(pointer, field) is false for it). The other
 *   structs (CompositorTime, CompositorPlane) are fixed. Arrays of structs with a struct_size are arrays of pointers. The version,
 *   1, is in abi_version and in the entry symbol's name; a host refuses plugins of any other version.
 *
 * OWNERSHIP
 *   Data returned by the plugin's entry (tables, strings) belongs to the plugin, and must stay valid and unchanged until the
 *   process ends: use static data. Data passed to a call by the host belongs to the host, and is valid until that call returns;
 *   copy what you keep. The plugin is never unloaded.
 *
 * THREADS
 *   The entry is called once, on any thread. All functions may be called on any thread. Calls to different
 *   instances may run concurrently. Calls to render and needs of one instance run concurrently only if the compositor declares
 *   COMPOSITOR_CONCURRENT; with COMPOSITOR_SERIAL they are serialized, in any order of time. destroy is the last call to an
 *   instance, and runs alone.
 *
 * RULES
 *   Write only inside the output's planes: byte y * stride + x for 0 <= y < height and 0 <= x < width * samples * bytes. Source
 *   planes are read-only (and may be mapped so), and belong to the host again when the call returns. Do not write to the
 *   standard output (use host->log or stderr for messages), change the locale, the working folder, the umask, the environment, the
 *   rounding mode or other floating-point state, install signal handlers, leave timers running, call exit, start processes, or
 *   continue to work after a call has returned. Equal requests must give equal frames, regardless of earlier requests, of other
 *   instances, and of the values that a parameter had before. The tool runs plugins in a separate process, without network access
 *   and without files except the plugin's folder and the system's libraries, and ends it when a call exceeds its deadline.
 *
 * STRINGS are UTF-8 and end with a zero byte. PIXELS have their origin at the top left. */
#ifndef COMPOSITOR_PLUGIN_H
#define COMPOSITOR_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COMPOSITOR_ABI_VERSION 1

/* Whether *pointer is long enough for `field`. */
#define COMPOSITOR_HAS(pointer, field) \
  ((pointer)->struct_size >= (size_t)((const char *)(&(pointer)->field + 1) - (const char *)(pointer)))

/* ---- Time and frames ------------------------------------------------------------------------------------------------------ */

/* Exactly value / timescale seconds. timescale > 0, or 0 if the time is unknown. Fixed. */
typedef struct CompositorTime {
  int64_t value;
  int32_t timescale;
  int32_t reserved; /* 0 */
} CompositorTime;

/* One plane. Row y starts at (char *)data + y * stride. Fixed. */
typedef struct CompositorPlane {
  void *data;       /* first byte of the first row; aligned to 64 bytes in frames allocated by the host */
  ptrdiff_t stride; /* bytes from row to row; may be negative in sources */
  int32_t width;    /* positions in a row; a position holds 4 samples in packed formats, 2 in a CbCr plane, else 1 */
  int32_t height;   /* rows */
} CompositorPlane;

/* Layouts of components. */
enum {
  COMPOSITOR_PLANAR = 0,      /* planes Y', Cb, Cr and, with alpha, A */
  COMPOSITOR_SEMI_PLANAR = 1, /* planes Y' and CbCr */
  COMPOSITOR_PACKED_RGBA = 2, /* one plane of R, G, B, A */
  COMPOSITOR_PACKED_BGRA = 3  /* one plane of B, G, R, A */
};

/* Types of samples. Samples of more than one byte are in the machine's byte order. */
enum {
  COMPOSITOR_UNSIGNED = 0, /* an integer of bit_depth bits, in 1 byte up to 8 bits, otherwise in 2 */
  COMPOSITOR_HALF = 1,     /* IEEE binary16; 1.0 is the nominal peak */
  COMPOSITOR_FLOAT = 2     /* IEEE binary32; 1.0 is the nominal peak */
};

/* Alpha modes. */
enum {
  COMPOSITOR_OPAQUE = 0,       /* no alpha, or alpha to be ignored */
  COMPOSITOR_STRAIGHT = 1,     /* color is independent of alpha */
  COMPOSITOR_PREMULTIPLIED = 2 /* color is multiplied by alpha, in the encoded signal */
};

/* A frame. The planes' `data` of a source is read-only. */
typedef struct CompositorFrame {
  size_t struct_size;
  const char *format; /* yuv420p, yuv422p10, yuva444p, nv12, p010, rgba, bgra, rgba64, rgbaf16, rgbaf32 ... */
  int32_t width;      /* columns, before the pixel aspect */
  int32_t height;     /* rows */
  int32_t layout;     /* COMPOSITOR_PLANAR ... */
  int32_t sample;     /* COMPOSITOR_UNSIGNED ... */
  int32_t bit_depth;  /* 8, 10, 12, 16; 32 for float. Samples above the greatest of this depth are an error. */
  int32_t low_padding;       /* unused bits below the significant ones: 6 in p010, otherwise 0 */
  int32_t chroma_shift_x;    /* log2 of luma columns per chroma column: 0 or 1 */
  int32_t chroma_shift_y;    /* log2 of luma rows per chroma row: 0 or 1; odd sizes round up */
  int32_t primaries;         /* color primaries, ITU-T H.273 table 2; 2 if unknown */
  int32_t transfer;          /* transfer characteristics, ITU-T H.273 table 3: 1 BT.709, 16 PQ, 18 HLG ... */
  int32_t matrix;            /* matrix coefficients, ITU-T H.273 table 4; 0 for R, G, B */
  int32_t full_range;        /* 0: black 16, white 235 (of 8 bits); 1: black 0, white 255 */
  int32_t chroma_location;   /* chroma sample location type, ITU-T H.273: 0 left, 1 center, 2 top left, 3 top */
  int32_t alpha_mode;        /* COMPOSITOR_OPAQUE ... */
  int32_t pixel_aspect_numerator, pixel_aspect_denominator; /* a pixel's width divided by its height */
  int32_t plane_count;       /* 1 to 4 */
  CompositorPlane planes[4]; /* in the layout's order; the rest are zero */
} CompositorFrame;

/* ---- Parameters ----------------------------------------------------------------------------------------------------------- */

/* Kinds of parameters. */
enum {
  COMPOSITOR_BOOL = 0,    /* number: 0 or 1 */
  COMPOSITOR_INTEGER = 1, /* number: an integer, minimum to maximum */
  COMPOSITOR_NUMBER = 2,  /* number: minimum to maximum */
  COMPOSITOR_STRING = 3,  /* string */
  COMPOSITOR_CHOICE = 4,  /* string: one of choices */
  COMPOSITOR_COLOR = 5,   /* numbers: R, G, B or R, G, B, A, each 0 to 1, sRGB */
  COMPOSITOR_POINT = 6,   /* numbers: x, y in pixels of the composition, or in fractions of it (is_relative) */
  COMPOSITOR_TEXT_FILE = 7, /* string: the contents of a text file, which the host reads; maximum: largest size in bytes */
  COMPOSITOR_FILE = 8      /* data: the contents of any file, which the host reads; maximum: largest size in bytes, at most 25165824 */
};

/* How a user interface should present a number. */
enum {
  COMPOSITOR_HINT_NONE = 0,
  COMPOSITOR_HINT_LOGARITHMIC = 1, /* on a logarithmic scale */
  COMPOSITOR_HINT_ANGLE = 2,       /* as an angle */
  COMPOSITOR_HINT_PERCENT = 3      /* as a percentage: 1 is 100 % */
};

/* A parameter's value. The host checks values against the schema and fills in defaults before passing them to a plugin. */
typedef struct CompositorParameter {
  size_t struct_size;
  const char *key;
  int32_t kind;         /* COMPOSITOR_BOOL ...: selects one of the following */
  int32_t number_count; /* length of numbers */
  double number;
  const char *string;
  const double *numbers;
  const void *data;     /* of a file; NULL if the project names none */
  size_t byte_count;    /* length of data */
} CompositorParameter;

/* The description of a parameter. */
typedef struct CompositorParameterDescription {
  size_t struct_size;
  const char *key;     /* a name such as "radius", unique in the compositor. Projects write it beside keys of their own, so it is none of
                          use, mask, at, duration, compositor and parameters (unless the compositor is a transition) */
  const char *summary; /* what it does, one sentence */
  int32_t kind;        /* COMPOSITOR_BOOL ... */
  int32_t is_required; /* 1: a value must be given, and default_value is ignored */
  double minimum, maximum;      /* of integers and numbers, both inclusive; finite */
  const char *unit;             /* of numbers: "px", "degrees", "fraction"; NULL for none */
  const char *const *choices;   /* of a choice: the values, then NULL */
  const CompositorParameter *default_value; /* must be given unless is_required; of files NULL for none; its key is ignored */
  int32_t is_animatable;        /* 1: may differ between requests: read it there, not in create. For integers, numbers, points and
                                   colors; for other kinds it is treated as 0 */
  int32_t hint;                 /* COMPOSITOR_HINT_NONE ... */
  const char *group;            /* a heading for it in user interfaces, such as "Light"; NULL for none */
  const char *label;            /* its name in user interfaces, such as "Blur radius"; NULL: the key */
  int32_t is_relative;          /* of points: 1: x and y are fractions of the composition's width and height, in the default,
                                   too: 0.5, 0.5 is its center, whatever its size */
  int32_t reserved;             /* 0 */
} CompositorParameterDescription;

/* Values of some parameters under a name, which a user interface offers together. */
typedef struct CompositorPreset {
  size_t struct_size;
  const char *name;    /* for people, such as "Old film"; unique in the compositor */
  const char *summary; /* one sentence; NULL for none */
  const CompositorParameter *const *parameters; /* with their keys and kinds; others have their defaults */
  int32_t parameter_count;
  int32_t reserved; /* 0 */
} CompositorPreset;

/* ---- A request ------------------------------------------------------------------------------------------------------------ */

/* The surface that an instance renders to. It is constant during an instance's lifetime. */
typedef struct CompositorContext {
  size_t struct_size;
  const CompositorFrame *output; /* size, format and color of every output; its planes are zero here */
  double render_scale;           /* pixels per unit of the composition */
  int32_t is_draft;              /* 1: speed matters more than quality, as for scrubbing */
  int32_t blends_linear_light;   /* 1: mix layers in linear light, 0: in the encoded signal */
} CompositorContext;

/* One track's frame. */
typedef struct CompositorSource {
  size_t struct_size;
  int32_t track;                    /* the composition's track ID; never 0 */
  int32_t reserved;                 /* 0 */
  const CompositorFrame *frame;     /* format and color as declared; in `needs` before conversion, planes zero */
  CompositorTime presentation_time; /* the frame's own, in its media */
  CompositorTime duration;          /* its duration in the media; timescale 0 if unknown */
  CompositorTime requested_time;    /* the requested media time, >= presentation_time */
  double preferred_transform[6];    /* the media's orientation, not yet applied: a, b, c, d, tx, ty;
                                       x' = a x + c y + tx, y' = b x + d y + ty */
  CompositorTime time;              /* the requested composition time; the request's unless `needs` asked for another */
} CompositorSource;

/* A layer at this time. Layers are ordered front to back: the first is on top. */
typedef struct CompositorLayer {
  size_t struct_size;
  int32_t track;                  /* its track */
  int32_t has_crop;               /* 0: all of the source is visible */
  const CompositorSource *source; /* its frame; NULL if the track has none at this time */
  double opacity;                 /* 0 to 1 */
  double transform[6];            /* from the source's display space to the composition's; order as above */
  double crop[4];                 /* x, y, width, height in the source's display space */
} CompositorLayer;

/* Kinds of results. */
enum {
  COMPOSITOR_ANSWER_OUTPUT = 0, /* every pixel of request->output was written */
  COMPOSITOR_ANSWER_SOURCE = 1, /* the frame is a source's, unchanged: set track. The host passes it through or fits it to the canvas */
  COMPOSITOR_ANSWER_FRAME = 2   /* the frame is the plugin's own, with the output's format and size: set frame. The plugin must
                                   keep it valid until the next call to the instance on this thread; the host copies it */
};

/* The result of render. */
typedef struct CompositorAnswer {
  size_t struct_size;
  int32_t kind;  /* COMPOSITOR_ANSWER_OUTPUT unless render changes it */
  int32_t track; /* for COMPOSITOR_ANSWER_SOURCE */
  const CompositorFrame *frame; /* for COMPOSITOR_ANSWER_FRAME */
  CompositorTime time;          /* for COMPOSITOR_ANSWER_SOURCE: the source's `time`; timescale 0: the request's */
} CompositorAnswer;

/* A request for one frame. */
typedef struct CompositorRequest {
  size_t struct_size;
  CompositorTime time;              /* composition time of the frame */
  CompositorTime instruction_start; /* the instruction's half-open range */
  CompositorTime instruction_duration;
  double progress;           /* (time - start) / duration: 0 <= progress < 1 */
  int32_t instruction_index; /* in the video composition, from 0 */
  int32_t source_count;
  const CompositorSource *const *sources; /* in the order of the instruction's layers, then its additional tracks, or the mask */
  int32_t layer_count;
  int32_t parameter_count;
  const CompositorLayer *const *layers;
  const CompositorParameter *const *parameters; /* as in create; values of animatable ones at this time */
  const CompositorFrame *output;                /* to be written; contents undefined. NULL in `needs` */
  int32_t (*is_cancelled)(const void *host_data); /* 1 when the frame is canceled: return COMPOSITOR_CANCELLED soon. Cheap. May
                                                     be called on any thread until render or needs returns */
  const void *host_data; /* for is_cancelled */
  CompositorTime frame_duration; /* from this frame of the output to the next; timescale 0 if unknown. Its timescale equals
                                    that of `time`: time.value + n * frame_duration.value is n frames later */
  int32_t asked_count;           /* part_count of `needs` if the description has needs_other_times; otherwise 0 */
  int32_t reserved;              /* 0 */
  const CompositorSource *const *asked; /* the source for each entry filled by `needs`, in that order; its frame is NULL if
                                           the track shows nothing at the request's time */
} CompositorRequest;

/* The region of a source that is needed. */
typedef struct CompositorNeed {
  size_t struct_size;
  int32_t track;       /* a track of the instruction */
  int32_t is_whole;    /* 1: all of it, and part is ignored */
  double part[4];      /* x, y, width, height in the source frame's pixels */
  CompositorTime time; /* with needs_other_times: the composition time of the source; timescale 0: the request's.

       The source is the frame of the track's clip (the clip at the request's time) at that time, after all effects before this one; an
       output frame that starts at that time would use the same. Times outside the clip give its first or last frame. A clip continues
       into the next one if that shows the same media without a jump. For an effect on the composed frame, the instruction takes the
       role of the clip. presentation_time identifies the frame of the media. The order of times does not matter, because the host
       caches decoded frames. */
} CompositorNeed;

/* The maximum number of sources at other times in one request, for all tracks together, and their maximum distance in seconds.
   A request that exceeds them, or needs a track outside the instruction, fails. */
#define COMPOSITOR_MOST_OTHER_SOURCES 16
#define COMPOSITOR_FARTHEST_SECONDS 10

/* The result of needs; initialized with zeros by the host. */
typedef struct CompositorNeeds {
  size_t struct_size;
  int32_t identity_track; /* not 0: the frame is this track's, unchanged, placed like a pass-through; render is not called */
  int32_t is_partial;      /* 1: only `parts` are needed; 0: everything */
  int32_t part_count;      /* entries filled */
  int32_t part_capacity;   /* length of `parts`: one entry per source, plus COMPOSITOR_MOST_OTHER_SOURCES */
  CompositorNeed *const *parts;
} CompositorNeeds;

/* ---- Errors --------------------------------------------------------------------------------------------------------------- */

/* Return values of create, render and needs. Any other number is treated as COMPOSITOR_FAILED. */
enum {
  COMPOSITOR_OK = 0,
  COMPOSITOR_FAILED = 1,            /* any other failure */
  COMPOSITOR_INVALID_PARAMETER = 2, /* a value that the schema allows cannot be used */
  COMPOSITOR_UNSUPPORTED = 3,       /* an unsupported size, format or color */
  COMPOSITOR_OUT_OF_MEMORY = 4,
  COMPOSITOR_CANCELLED = 5,         /* is_cancelled returned 1 */
  COMPOSITOR_WRONG_OUTPUT = 6       /* an internal result does not match the output */
};

/* The error message of a failed call. */
typedef struct CompositorErrorText {
  size_t struct_size;
  size_t capacity; /* bytes of text, at least 256 */
  char *text;      /* empty before the call; one sentence, truncated to fit, with a terminating zero */
} CompositorErrorText;

/* ---- Compositors, plugin, host -------------------------------------------------------------------------------------------- */

/* Source formats of a compositor. */
enum {
  COMPOSITOR_SOURCES_ANY = 0,    /* any format */
  COMPOSITOR_SOURCES_OUTPUT = 1, /* the output's format */
  COMPOSITOR_SOURCES_LISTED = 2  /* those in source_formats; a source in another format is converted to the first */
};

/* Color handling of a compositor. */
enum {
  COMPOSITOR_COLOR_SDR = 0,     /* supports only BT.709 SDR; sources are converted to it */
  COMPOSITOR_COLOR_WIDE = 1,    /* sources are converted to the output's color, and HDR to SDR */
  COMPOSITOR_COLOR_HDR = 2,     /* sources are converted to the output's color, including HDR */
  COMPOSITOR_COLOR_CONFORMS = 3 /* sources are not converted; the compositor converts them itself */
};

/* Concurrency of calls to one instance. */
enum {
  COMPOSITOR_CONCURRENT = 0,
  COMPOSITOR_SERIAL = 1,
  COMPOSITOR_IN_ORDER = 2 /* not for plugins, whose equal requests give equal frames: a host refuses it */
};

/* The purpose of a compositor, for lists in tools. Does not restrict its use. */
enum {
  COMPOSITOR_ROLE_COMPOSITOR = 0, /* composes any number of layers */
  COMPOSITOR_ROLE_TRANSITION = 1, /* leads from the first layer to the second */
  COMPOSITOR_ROLE_EFFECT = 2      /* changes a single layer */
};

/* One compositor. */
typedef struct CompositorDescription CompositorDescription;
struct CompositorDescription {
  size_t struct_size;
  const char *id;      /* reverse domain order: "org.example.glow"; used in projects */
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
  int32_t is_time_invariant; /* 1: equal sources and parameters give equal frames at any time */
  int32_t makes_alpha;       /* 1: makes parts of an opaque source transparent */
  int32_t places_sources;    /* 1: sources are placed on the canvas: each has the output's size and format, with
                                its layer's opacity, transform and crop applied over the instruction's background. Layers then have
                                none of these */
  const void *data;          /* for the plugin's own use */

  /* Creates an instance of `self`, which is this description, and stores it. NULL is a valid instance. */
  int32_t (*create)(const CompositorDescription *self, const CompositorContext *context,
                    const CompositorParameter *const *parameters, int32_t parameter_count, void **instance,
                    CompositorErrorText *error);
  /* Destroys an instance. */
  void (*destroy)(void *instance);
  /* Renders one frame. Blocks until it is finished. */
  int32_t (*render)(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error);
  /* Returns the regions of interest of a frame, before sources are converted; NULL: everything, always. Must be fast, and depend
     only on the request. */
  int32_t (*needs)(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error);
  int32_t needs_other_times; /* 1: `needs` asks for sources at other times (CompositorNeed.time). Requests may
                                still come in any order. With places_sources, layers have their values at those times */
  int32_t preset_count;
  const CompositorPreset *const *presets;
  int32_t takes_mask;        /* 1: as an effect with a mask it receives the mask as its second source, and makes of
                                it what it likes; 0: the host mixes its frames with the original ones by the mask. The mask is opaque and
                                gray, as large as the first source and in the same format: its luma, from black to white, is the mask.
                                Without a mask there is one source. */
  int32_t reserved;          /* 0 */
};

/* ---- Audio processors ---------------------------------------------------------------------------------------------------- */

/* The sample format of an instance. It is constant during an instance's lifetime. */
typedef struct CompositorAudioContext {
  size_t struct_size;
  int32_t sample_rate;   /* samples per second */
  int32_t channel_count; /* 1 to 8, in the usual order for that number: 2 is left, right; 6 is 5.1 */
  int32_t maximum_count; /* the largest number of samples in a block */
  int32_t reserved;      /* 0 */
} CompositorAudioContext;

/* One audio processor. Calls to one instance are serialized; calls to different instances may run concurrently. The host runs audio
   processors in its own process, and only those of plugins that its user trusts. */
typedef struct CompositorAudioDescription CompositorAudioDescription;
struct CompositorAudioDescription {
  size_t struct_size;
  const char *id;      /* reverse domain order: "org.example.robot"; used in projects */
  const char *name;    /* for people */
  const char *version; /* "1.0.0" */
  const char *summary; /* what it does, one sentence */
  const CompositorParameterDescription *const *parameters; /* not animatable */
  int32_t parameter_count;
  int32_t reserved; /* 0 */
  const void *data; /* for the plugin's own use */

  /* Creates an instance of `self`, which is this description, and stores it. NULL is a valid instance. */
  int32_t (*create)(const CompositorAudioDescription *self, const CompositorAudioContext *context,
                    const CompositorParameter *const *parameters, int32_t parameter_count, void **instance,
                    CompositorErrorText *error);
  /* Destroys an instance. */
  void (*destroy)(void *instance);
  /* Processes a block in place: `count` samples of each channel, planar, nominally -1 to 1; the first is `position` samples after the
     composition's start. Blocks come in order, without gaps, all of the same length. */
  int32_t (*process)(void *instance, float *const *channels, int32_t count, int64_t position, CompositorErrorText *error);
  /* Resets the state: the next block does not follow the last one. NULL: there is no state. */
  void (*reset)(void *instance);
  /* The constant delay of its output in samples, which the host compensates. NULL: none. */
  int32_t (*latency)(void *instance);
  /* The number of samples for which its output continues after its input, without the delay. NULL: none. */
  int32_t (*tail)(void *instance);
};

/* The plugin. */
typedef struct CompositorPlugin {
  size_t struct_size;
  int32_t abi_version; /* COMPOSITOR_ABI_VERSION */
  int32_t compositor_count;
  const char *name;    /* for people */
  const char *version; /* "1.0.0" */
  const CompositorDescription *const *compositors;
  const CompositorAudioDescription *const *audio_processors;
  int32_t audio_processor_count;
  int32_t reserved; /* 0 */
} CompositorPlugin;

/* The host. Valid until the process ends. */
typedef struct CompositorHost {
  size_t struct_size;
  int32_t abi_version; /* COMPOSITOR_ABI_VERSION */
  int32_t reserved;    /* 0 */
  const char *name;
  const char *version;
  void (*log)(const char *text); /* a message for people, one line; any thread */
} CompositorHost;

/* The entry point: `const CompositorPlugin *compositor_plugin_v1(const CompositorHost *host)`. NULL: the plugin cannot run here. */
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
