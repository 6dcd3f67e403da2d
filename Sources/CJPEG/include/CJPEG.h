#pragma once
#include "jpeg_read.h"
#include "jpeg_write.h"
