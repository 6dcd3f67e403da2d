/* Where Pango's headers are is what this system library target is for; CPangoCairo includes them. */
#pragma once
