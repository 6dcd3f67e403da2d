#pragma once
#include "formats.h"
