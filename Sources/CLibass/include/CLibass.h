#pragma once
#include "script.h"
