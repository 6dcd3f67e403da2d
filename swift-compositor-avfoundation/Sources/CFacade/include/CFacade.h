#pragma once

/// Returns its argument, and keeps the optimizer from knowing that it does.
///
/// An object made by the metatype of a class that shares the initializer's slot with its own must not be taken for one of that class.
const void *cfacade_opaque(const void *pointer);
