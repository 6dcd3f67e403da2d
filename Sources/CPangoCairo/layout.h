#pragma once
#include "engine.h"

/* Some paragraphs of the text. Pango counts the characters before a paragraph from the beginning of a layout for each of them, so
   that a layout of everything takes a time that grows with the square of the number of paragraphs. */
typedef struct {
  PangoLayout *layout;
  /* Bytes of the text before it; its top edge, in Pango's units. */
  size_t start;
  int top;
} cpc_block;

/* The glyphs of a cluster: some of a run's, and where their baseline starts. */
typedef struct {
  PangoFont *font;
  PangoGlyphString glyphs;
  double x, baseline;
} cpc_cluster_glyphs;

struct cpc_layout {
  cpc_block *blocks;
  size_t block_count;
  /* Made when they are asked for, in the order of the text. */
  cpc_cluster *clusters;
  cpc_cluster_glyphs *cluster_glyphs;
  size_t cluster_count;
  /* As in cpc_paragraph. Columns are laid out as lines with their glyphs turned against the clock; drawing turns all of it back. */
  int32_t writing;
};

/// The distance of all lines together from the first one's top to the last one's bottom; 0 for what is not written in columns.
int cpc_depth_of_lines(const cpc_layout *layout);
/// By how much a line is moved: for its block, and for columns from left to right, which follow one another the other way round.
int cpc_line_shift(const cpc_layout *layout, const cpc_block *block, PangoLayoutIter *iterator, int depth);
/// By how much letters that lie on their side are moved: squares stand about the middle of their column, letters on a baseline.
int cpc_column_shift(const cpc_layout *layout, const PangoLayoutRun *run);
/// What is drawn of columns, turned.
PangoRectangle cpc_column_ink(const cpc_layout *layout, int depth);
/// Turns columns from the lines that they are laid out as.
void cpc_turn_columns(const cpc_layout *layout, cairo_t *cairo);
/// The same for the boxes of clusters.
void cpc_turn_clusters(cpc_layout *layout);

typedef void (*cpc_run_visitor)(const PangoLayoutRun *run, double x, double baseline, void *state);
/// Calls with each run and where its baseline starts.
void cpc_visit_runs(const cpc_layout *layout, cpc_run_visitor visit, void *state);
/// Whether the glyphs of a font are colored pictures.
bool cpc_is_color_font(PangoFont *font);
/// The paint that a run was given; -1 draws nothing.
int32_t cpc_run_paint(const PangoLayoutRun *run);
/// Fills the current path, and a line of `outline` pixels around it if that is above 0.
void cpc_fill(cairo_t *cairo, double outline);
