#pragma once
#include "engine.h"

/* A block of consecutive paragraphs, with a Pango layout of its own. For each paragraph, Pango counts the characters from the beginning of the
   layout, so a single layout for all paragraphs would take time quadratic in their number. */
typedef struct {
  PangoLayout *layout;
  /* The number of bytes of text before the block; its top edge, in Pango's units. */
  size_t start;
  int top;
} cpc_block;

/* The glyphs of a cluster, which are a part of a run, and the start of their baseline. */
typedef struct {
  PangoFont *font;
  PangoGlyphString glyphs;
  double x, baseline;
} cpc_cluster_glyphs;

/* A line under or through letters, or a part of it, relative to the top left corner of the lines, before columns are rotated. */
typedef struct {
  double x, y, width, height;
  int32_t paint;
} cpc_rule;

/* The lines of a run or cluster, and the paints of those under and through it; -1 for none. */
typedef struct {
  int count;
  int32_t under, through;
  cpc_rule parts[4];
} cpc_rules;

struct cpc_layout {
  cpc_block *blocks;
  size_t block_count;
  /* Made on demand, in text order. */
  cpc_cluster *clusters;
  cpc_cluster_glyphs *cluster_glyphs;
  /* NULL if there are none. */
  cpc_rules *cluster_rules;
  size_t cluster_count;
  /* As in cpc_paragraph. Columns are laid out as lines with glyphs rotated counterclockwise; drawing rotates everything back. */
  int32_t writing;
  /* Whether there are lines under or through letters. */
  bool has_rules;
  /* Whether the first paragraph reads from right to left. */
  bool is_right_to_left;
};

/// Undoes the spreading of letters in lines of justified text that are a single word, except for Chinese and Japanese: CSS leaves those as they are. Call it before
/// anything is measured.
void cpc_leave_single_words(PangoLayout *layout);
/// The distance from the first line's top to the last one's bottom; 0 unless written in columns.
int cpc_depth_of_lines(const cpc_layout *layout);
/// The displacement of a line: that of its block or, for columns from left to right, the one that reverses the order of the lines.
int cpc_line_shift(const cpc_layout *layout, const cpc_block *block, PangoLayoutIter *iterator, int depth);
/// The displacement that centers a run of sideways letters in its column, like upright characters; 0 for other runs.
int cpc_column_shift(const cpc_layout *layout, const PangoLayoutRun *run);
/// Bounds of the ink of columns, rotated.
PangoRectangle cpc_column_ink(const cpc_layout *layout, int depth);
/// Rotates columns, which are laid out as lines.
void cpc_turn_columns(const cpc_layout *layout, cairo_t *cairo);
/// Rotates the boxes of clusters.
void cpc_turn_clusters(cpc_layout *layout);

/* A text with its styles. */
typedef struct {
  const char *bytes;
  size_t length;
  const cpc_run *runs;
  size_t run_count;
  /* The first run that can reach into the next part. */
  size_t run;
} cpc_styled_text;

/// The attributes of a part of a text: fonts, paints, tracking, features. Parts must be asked for in order. If letters stay apart, there are no
/// ligatures. Must be released by pango_attr_list_unref.
PangoAttrList *cpc_make_attributes(cpc_styled_text *text, size_t start, size_t end, bool stays_apart);
/// Attributes with which cpc_run_rules finds the lines of a run.
PangoAttribute *cpc_make_underline(const cpc_line *line);
PangoAttribute *cpc_make_strikethrough(const cpc_line *line);
/// Whether letters of different paints share a glyph in the layout of a part, which begins at `start`.
bool cpc_has_colored_ligature(const cpc_styled_text *text, PangoLayout *layout, size_t start);

typedef void (*cpc_run_visitor)(const PangoLayoutRun *run, double x, double baseline, void *state);
/// Calls `visit` with each run and the start of its baseline.
void cpc_visit_runs(const cpc_layout *layout, cpc_run_visitor visit, void *state);
/// Whether the glyphs of a font are colored.
bool cpc_is_color_font(PangoFont *font);
/// The paint of a run; -1 if the run is not drawn.
int32_t cpc_run_paint(const PangoLayoutRun *run);
/// The lines under and through a run, which begins at `x`.
cpc_rules cpc_run_rules(const cpc_layout *layout, const PangoLayoutRun *run, double x, double baseline);
/// Adds the lines of one paint, or of all, to the current path.
void cpc_draw_rules(cairo_t *cairo, const cpc_rules *rules, int32_t paint, bool any_paint);
/// Adds the lines of a cluster. Where they go on in another one, they end between pixels: two edges within a pixel would let what is behind them through.
void cpc_draw_cluster_rules(cairo_t *cairo, const cpc_layout *layout, size_t index, int32_t paint, bool any_paint);
void cpc_layout_add_rules(const cpc_layout *layout, cairo_t *cairo, int32_t paint, bool any_paint);
/// Gives the lines of spaces to the letters before them, and extends the bounds of the clusters' ink by their lines. Clusters are in text order.
void cpc_join_rules(cpc_layout *layout);
/// Extends the bounds of the ink by all lines.
void cpc_unite_rules(const cpc_layout *layout, cpc_extents *extents);
/// Fills the current path, and draws an outline of `outline` pixels around it if `outline` is above 0.
void cpc_fill(cairo_t *cairo, double outline);
