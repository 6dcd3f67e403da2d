/* This system library target provides the location of Pango's headers, which CPangoCairo includes. */
#pragma once
