//! `compositor_plugin.h`, translated by hand: the structs that this plugin reads and writes, each up to its last used field.
//! `struct_size` declares that length, and the host treats further fields as zero.
use std::ffi::{c_char, c_void};

pub const ABI_VERSION: i32 = 1;
pub const OK: i32 = 0;
pub const UNSUPPORTED: i32 = 3;
pub const CANCELLED: i32 = 5;
pub const NUMBER: i32 = 2;
pub const SOURCES_OUTPUT: i32 = 1;
pub const COLOR_WIDE: i32 = 1;
pub const ROLE_EFFECT: i32 = 2;

/// Tables that point to other static tables, and are never written to.
#[repr(transparent)]
pub struct Fixed<T>(pub T);
unsafe impl<T> Sync for Fixed<T> {}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Time { pub value: i64, pub timescale: i32, pub reserved: i32 }

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Plane { pub data: *mut u8, pub stride: isize, pub width: i32, pub height: i32 }

#[repr(C)]
pub struct Frame {
    pub struct_size: usize, pub format: *const c_char, pub width: i32, pub height: i32, pub layout: i32, pub sample: i32,
    pub bit_depth: i32, pub low_padding: i32, pub chroma_shift_x: i32, pub chroma_shift_y: i32, pub primaries: i32,
    pub transfer: i32, pub matrix: i32, pub full_range: i32, pub chroma_location: i32, pub alpha_mode: i32,
    pub pixel_aspect_numerator: i32, pub pixel_aspect_denominator: i32, pub plane_count: i32, pub planes: [Plane; 4],
}

#[repr(C)]
pub struct Parameter {
    pub struct_size: usize, pub key: *const c_char, pub kind: i32, pub number_count: i32, pub number: f64,
    pub string: *const c_char, pub numbers: *const f64,
}

#[repr(C)]
pub struct ParameterDescription {
    pub struct_size: usize, pub key: *const c_char, pub summary: *const c_char, pub kind: i32, pub is_required: i32,
    pub minimum: f64, pub maximum: f64, pub unit: *const c_char, pub choices: *const *const c_char,
    pub default_value: *const Parameter, pub is_animatable: i32, pub hint: i32,
}

#[repr(C)]
pub struct Context { pub struct_size: usize, pub output: *const Frame }

#[repr(C)]
pub struct Source { pub struct_size: usize, pub track: i32, pub reserved: i32, pub frame: *const Frame }

#[repr(C)]
pub struct Answer { pub struct_size: usize, pub kind: i32, pub track: i32, pub frame: *const Frame }

#[repr(C)]
pub struct Request {
    pub struct_size: usize, pub time: Time, pub instruction_start: Time, pub instruction_duration: Time, pub progress: f64,
    pub instruction_index: i32, pub source_count: i32, pub sources: *const *const Source, pub layer_count: i32,
    pub parameter_count: i32, pub layers: *const c_void, pub parameters: *const *const Parameter, pub output: *const Frame,
    pub is_cancelled: extern "C" fn(*const c_void) -> i32, pub host_data: *const c_void,
}

#[repr(C)]
pub struct ErrorText { pub struct_size: usize, pub capacity: usize, pub text: *mut c_char }

#[repr(C)]
pub struct Description {
    pub struct_size: usize, pub id: *const c_char, pub name: *const c_char, pub version: *const c_char, pub summary: *const c_char,
    pub sources: i32, pub color: i32, pub concurrency: i32, pub parameter_count: i32, pub source_formats: *const *const c_char,
    pub output_formats: *const *const c_char, pub parameters: *const *const ParameterDescription, pub role: i32,
    pub is_time_invariant: i32, pub makes_alpha: i32, pub places_sources: i32, pub data: *const c_void,
    pub create: unsafe extern "C" fn(
        *const Description, *const Context, *const *const Parameter, i32, *mut *mut c_void, *mut ErrorText) -> i32,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub render: unsafe extern "C" fn(*mut c_void, *const Request, *mut Answer, *mut ErrorText) -> i32,
}

#[repr(C)]
pub struct Plugin {
    pub struct_size: usize, pub abi_version: i32, pub compositor_count: i32, pub name: *const c_char, pub version: *const c_char,
    pub compositors: *const *const Description,
}
