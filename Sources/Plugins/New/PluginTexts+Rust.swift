extension PluginTexts {
  static let sourceRust = #"""
    //! @NAME@: darkens the frame toward its corners. An example of a compositor; compositor_plugin.rs explains every field.
    mod compositor_plugin;

    use compositor_plugin::*;
    use std::ffi::{c_char, c_void, CStr};
    use std::mem::size_of;
    use std::ptr::{copy_nonoverlapping, null, null_mut};
    use std::slice::{from_raw_parts, from_raw_parts_mut};

    unsafe fn fail(error: *mut CompositorErrorText, code: i32, text: &str) -> i32 {
        let error = &mut *error;
        let count = text.len().min(error.capacity - 1);
        copy_nonoverlapping(text.as_ptr() as *const c_char, error.text, count);
        *error.text.add(count) = 0;
        code
    }

    unsafe fn number(request: &CompositorRequest, key: &CStr, otherwise: f64) -> f64 {
        let parameters = if request.parameter_count > 0 {
            from_raw_parts(request.parameters, request.parameter_count as usize)
        } else {
            &[]
        };
        let found = parameters.iter().find(|parameter| CStr::from_ptr((***parameter).key) == key);
        found.map_or(otherwise, |parameter| (**parameter).number)
    }

    // There is no state between frames, and no instance.
    unsafe extern "C" fn create(
        _: *const CompositorDescription, _: *const CompositorContext, _: *const *const CompositorParameter, _: i32,
        instance: *mut *mut c_void, _: *mut CompositorErrorText,
    ) -> i32 {
        *instance = null_mut();
        COMPOSITOR_OK
    }

    unsafe extern "C" fn destroy(_: *mut c_void) {}

    unsafe extern "C" fn render(
        _: *mut c_void, request: *const CompositorRequest, _: *mut CompositorAnswer, error: *mut CompositorErrorText,
    ) -> i32 {
        let request = &*request;
        let output = &*request.output;
        if request.source_count < 1 {
            return fail(error, COMPOSITOR_UNSUPPORTED, "A source frame is needed.");
        }
        let source = &*(**request.sources).frame;
        if (source.width, source.height) != (output.width, output.height) {
            return fail(error, COMPOSITOR_UNSUPPORTED, "The source must have the output's size.");
        }
        let strength = number(request, c"strength", 0.7);
        let black = if output.full_range != 0 { 0.0 } else { 16.0 };
        for p in 0..output.plane_count as usize {
            let (from, to) = (source.planes[p], output.planes[p]);
            // Gray is 128 in a chroma plane, black in the luma plane.
            let middle = if p == 0 { black } else { 128.0 };
            for y in 0..to.height {
                if request.is_cancelled.is_some_and(|is_cancelled| is_cancelled(request.host_data) != 0) {
                    return COMPOSITOR_CANCELLED;
                }
                let width = to.width as usize;
                let from = from_raw_parts((from.data as *const u8).offset(y as isize * from.stride), width);
                let to_row = from_raw_parts_mut((to.data as *mut u8).offset(y as isize * to.stride), width);
                // -1 to 1 from edge to edge, at sample centers; chroma planes have fewer samples.
                let v = (2 * y + 1) as f64 / to.height as f64 - 1.0;
                for (x, (sample, &old)) in to_row.iter_mut().zip(from).enumerate() {
                    let u = (2 * x + 1) as f64 / to.width as f64 - 1.0;
                    let light = 1.0 - strength * (u * u + v * v) / 2.0;
                    *sample = (middle + (old as f64 - middle) * light + 0.5) as u8;
                }
            }
        }
        COMPOSITOR_OK
    }

    static DEFAULT_STRENGTH: Table<CompositorParameter> = Table(CompositorParameter {
        struct_size: size_of::<CompositorParameter>(),
        kind: COMPOSITOR_NUMBER,
        number: 0.7,
        ..CompositorParameter::ZERO
    });
    static STRENGTH: Table<CompositorParameterDescription> = Table(CompositorParameterDescription {
        struct_size: size_of::<CompositorParameterDescription>(),
        key: text(b"strength\0"),
        summary: text(b"The strength of the darkening.\0"),
        kind: COMPOSITOR_NUMBER,
        minimum: 0.0,
        maximum: 1.0,
        unit: text(b"fraction\0"),
        default_value: &DEFAULT_STRENGTH.0,
        is_animatable: 1,
        ..CompositorParameterDescription::ZERO
    });
    static PARAMETERS: Table<[*const CompositorParameterDescription; 1]> = Table([&STRENGTH.0]);

    // The host converts other formats.
    static FORMATS: Table<[*const c_char; 4]> =
        Table([text(b"yuv420p\0"), text(b"yuv422p\0"), text(b"yuv444p\0"), null()]);

    // Also available: needs with needs_other_times (the frames before and after), takes_mask (the mask of an effect).
    static COMPOSITOR: Table<CompositorDescription> = Table(CompositorDescription {
        struct_size: size_of::<CompositorDescription>(),
        id: text(b"org.example.@NAME@\0"),
        name: text(b"@TYPE@\0"),
        version: text(b"1.0.0\0"),
        summary: text(b"Darkens the frame toward its corners.\0"),
        sources: COMPOSITOR_SOURCES_OUTPUT,
        color: COMPOSITOR_COLOR_WIDE,
        concurrency: COMPOSITOR_CONCURRENT,
        parameter_count: 1,
        output_formats: FORMATS.0.as_ptr(),
        parameters: PARAMETERS.0.as_ptr(),
        role: COMPOSITOR_ROLE_EFFECT,
        is_time_invariant: 1,
        // Sources come in the output's size, placed on the canvas.
        places_sources: 1,
        create: Some(create),
        destroy: Some(destroy),
        render: Some(render),
        ..CompositorDescription::ZERO
    });
    static COMPOSITORS: Table<[*const CompositorDescription; 1]> = Table([&COMPOSITOR.0]);

    static PLUGIN: Table<CompositorPlugin> = Table(CompositorPlugin {
        struct_size: size_of::<CompositorPlugin>(),
        abi_version: COMPOSITOR_ABI_VERSION,
        name: text(b"@NAME@\0"),
        version: text(b"1.0.0\0"),
        compositor_count: 1,
        compositors: COMPOSITORS.0.as_ptr(),
        ..CompositorPlugin::ZERO
    });

    /// The plugin's entry point.
    #[no_mangle]
    pub extern "C" fn compositor_plugin_v1(_: *const CompositorHost) -> *const CompositorPlugin {
        &PLUGIN.0
    }

    """#
}
