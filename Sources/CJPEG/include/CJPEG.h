#pragma once
#include "jpeg_read.h"
