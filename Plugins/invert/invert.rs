//! invert: inverts a frame by an adjustable amount. A plugin in Rust, written from `compositor_plugin.h` alone.
mod compositor_plugin;

use compositor_plugin::*;
use std::ffi::{c_char, c_void};
use std::mem::size_of;
use std::ptr::{copy_nonoverlapping, null};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// The state of an instance: the sum of a sample and its negative, for luma and for chroma.
struct Inverter { sums: [f64; 2] }

unsafe fn fail(error: *mut ErrorText, code: i32, text: &str) -> i32 {
    let error = &mut *error;
    let count = text.len().min(error.capacity - 1);
    copy_nonoverlapping(text.as_ptr(), error.text as *mut u8, count);
    *error.text.add(count) = 0;
    code
}

unsafe extern "C" fn create(
    _: *const Description, context: *const Context, _: *const *const Parameter, _: i32, instance: *mut *mut c_void, _: *mut ErrorText,
) -> i32 {
    let luma = if (*(*context).output).full_range != 0 { 255.0 } else { 16.0 + 235.0 };
    *instance = Box::into_raw(Box::new(Inverter { sums: [luma, 256.0] })) as *mut c_void;
    OK
}

unsafe extern "C" fn destroy(instance: *mut c_void) { drop(Box::from_raw(instance as *mut Inverter)) }

unsafe extern "C" fn render(instance: *mut c_void, request: *const Request, _: *mut Answer, error: *mut ErrorText) -> i32 {
    let (inverter, request) = (&*(instance as *const Inverter), &*request);
    let output = &*request.output;
    if request.source_count < 1 { return fail(error, UNSUPPORTED, "A source is needed."); }
    let source = &*(**request.sources).frame;
    if (source.width, source.height) != (output.width, output.height) {
        return fail(error, UNSUPPORTED, "The source must have the output's size.");
    }
    // The schema has one parameter, and the host fills in its default.
    let amount = if request.parameter_count > 0 { (**request.parameters).number } else { 1.0 };
    for p in 0..output.plane_count as usize {
        let (from, to) = (source.planes[p], output.planes[p]);
        let sum = inverter.sums[p.min(1)];
        for y in 0..to.height as isize {
            if (request.is_cancelled)(request.host_data) != 0 { return CANCELLED; }
            let from = from_raw_parts(from.data.offset(y * from.stride), to.width as usize);
            let to = from_raw_parts_mut(to.data.offset(y * to.stride), to.width as usize);
            for (sample, &old) in to.iter_mut().zip(from) {
                let old = old as f64;
                *sample = (old + amount * (sum - 2.0 * old) + 0.5) as u8;
            }
        }
    }
    OK
}

const fn text(bytes: &'static [u8]) -> *const c_char { bytes.as_ptr() as *const c_char }

static DEFAULT: Fixed<Parameter> = Fixed(Parameter {
    struct_size: size_of::<Parameter>(), key: null(), kind: NUMBER, number_count: 0, number: 1.0, string: null(), numbers: null(),
});
static AMOUNT: Fixed<ParameterDescription> = Fixed(ParameterDescription {
    struct_size: size_of::<ParameterDescription>(), key: text(b"amount\0"), summary: text(b"How much of the negative is seen.\0"),
    kind: NUMBER, is_required: 0, minimum: 0.0, maximum: 1.0, unit: text(b"fraction\0"), choices: null(), default_value: &DEFAULT.0,
    is_animatable: 1, hint: 0,
});
static PARAMETERS: Fixed<[*const ParameterDescription; 1]> = Fixed([&AMOUNT.0]);
static FORMATS: Fixed<[*const c_char; 4]> = Fixed([text(b"yuv420p\0"), text(b"yuv422p\0"), text(b"yuv444p\0"), null()]);
static INVERT: Fixed<Description> = Fixed(Description {
    struct_size: size_of::<Description>(), id: text(b"org.example.invert\0"), name: text(b"Invert\0"), version: text(b"1.0.0\0"),
    summary: text(b"Inverts the colors of a frame.\0"), sources: SOURCES_OUTPUT, color: COLOR_WIDE, concurrency: 0,
    parameter_count: 1, source_formats: null(), output_formats: FORMATS.0.as_ptr(), parameters: PARAMETERS.0.as_ptr(),
    role: ROLE_EFFECT, is_time_invariant: 1, makes_alpha: 0, places_sources: 0, data: null(), create, destroy, render,
});
static COMPOSITORS: Fixed<[*const Description; 1]> = Fixed([&INVERT.0]);
static PLUGIN: Fixed<Plugin> = Fixed(Plugin {
    struct_size: size_of::<Plugin>(), abi_version: ABI_VERSION, compositor_count: 1, name: text(b"invert\0"), version: text(b"1.0.0\0"),
    compositors: COMPOSITORS.0.as_ptr(),
});

#[no_mangle]
pub extern "C" fn compositor_plugin_v1(_host: *const c_void) -> *const Plugin { &PLUGIN.0 }
