#pragma once
#include "ConvertRows.h"
#include "GeneralRows.h"
