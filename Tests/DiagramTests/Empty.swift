// Tests of Sources/Diagram.
