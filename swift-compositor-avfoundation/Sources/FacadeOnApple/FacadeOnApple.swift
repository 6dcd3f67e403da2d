// Apple's systems have these modules themselves.
