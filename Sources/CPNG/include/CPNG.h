#pragma once
#include "png_read.h"
#include "png_write.h"
