// Tests of Sources/Preview.
