// Locations in metadata are text (ISO 6709). Nothing is located by this module: it is there so that programs can be built that import it.
@_exported public import FacadeBase
