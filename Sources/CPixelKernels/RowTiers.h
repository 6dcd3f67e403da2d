/// Compiles a plain loop for three tiers, chosen when the program starts. Contraction is off, so that tiers are bit-equal.
#ifndef ROW_TIERS_H
#define ROW_TIERS_H

// What picks a tier runs while the program is loaded, before ThreadSanitizer is there for it.
#if defined(__x86_64__) && defined(__linux__) && __has_attribute(target_clones) && !__has_feature(thread_sanitizer)
#define ROW_TIERS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ROW_TIERS
#endif
#pragma STDC FP_CONTRACT OFF

#endif
