#pragma once
#include "dictionary.h"
