#pragma once
#include "png_write.h"
