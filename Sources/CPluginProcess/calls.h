// The system calls of Linux and what becomes of each in a worker: one table for the filter, for display and for tests.
#pragma once

#include "CPluginProcess.h"

/// The uses of a call that a check allows.
enum {
  MODULE_CHECK_NONE,
  MODULE_CHECK_ONE_OF,      // the argument has one of the values
  MODULE_CHECK_NO_BIT,      // and none of the bits of the value
  MODULE_CHECK_ALL_BITS,    // all of its bits
  MODULE_CHECK_NOT_ALL_BITS // not all of its bits
};
enum { MODULE_CHECK_VALUES = 16, MODULE_CHECKS = 3 };

/// A condition on an argument under which a call is allowed.
struct call_check {
  uint8_t test, argument, count;
  /// Whether it applies only if another argument has a value.
  uint8_t has_condition, condition_argument;
  uint32_t condition_value;
  uint32_t values[MODULE_CHECK_VALUES];
  const char *denied; // the denied uses, for people
  /// Whether a use that does not meet it is allowed as long as the supervisor lets it through, which counts. Without a supervisor it is allowed.
  bool is_counted;
};

struct call_rule {
  const char *name;
  int16_t x86_64, aarch64; // -1 if the machine has no such call
  bool is_allowed;         // if the checks are met
  uint16_t outcome;        // the error of a call that is not allowed; 0 ends the process
  const char *reason;
  struct call_check checks[MODULE_CHECKS];
};

extern const struct call_rule module_call_rules[];
extern const int module_call_rule_count;
/// Represents the process's own ID in a check.
#define MODULE_CHECK_OWN 0xfffffffeu

/// The number of a call on this machine, or -1.
int module_call_number(const struct call_rule *rule);

/// Installs the filter. Returns the bits of its restrictions.
int module_confine_calls(void);
