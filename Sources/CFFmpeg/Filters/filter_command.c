#include <libavutil/avstring.h>
#include <string.h>

#include "Filters/filter_internal.h"
#include "Filters/filter_log.h"

/// Only named filters; those that libavfilter inserts have names of their own.
static AVFilterContext *find_named(const AVFilterGraph *graph, const char *filter) {
  for (unsigned i = 0; i < graph->nb_filters; i++)
    if (!strcmp(graph->filters[i]->filter->name, filter) && av_strstart(graph->filters[i]->name, "Parsed_", NULL))
      return graph->filters[i];
  return NULL;
}

cff_status cff_filter_command(
    const AVFilterGraph *graph, const char *filter, const char *option, const char *value, cff_failure *failure) {
  AVFilterContext *found = find_named(graph, filter);
  if (!found) return cff_fail(failure, CFF_INVALID, "the graph has no filter %s", filter);
  char log[200], answer[200] = "";
  cff_log_begin(log, sizeof log);
  int result = avfilter_process_command(found, option, value, answer, sizeof answer, 0);
  cff_log_end();
  if (result >= 0) return CFF_OK;
  return cff_fail_logged(failure, log, result, "the filter did not take the value");
}
