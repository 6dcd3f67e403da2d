// Submodules without declarations of their own: see module.modulemap.
