#pragma once
#include "ConvertRows.h"
#include "EffectRows.h"
#include "GeneralRows.h"
#include "MeasureRows.h"
#include "PlaneKernels.h"
#include "OverlayRows.h"
