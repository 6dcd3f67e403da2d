// The table of a tier, made of whatever the tier has defined or included before.

static const cpk_kernels table_of_this_tier = {
  .tier = TIER_NAME,
  .copy = copy, .mix8 = mix8, .mix16 = mix16, .shift8 = shift8, .shift16 = shift16,
  .halve8 = halve8, .quarter8 = quarter8, .halve16 = halve16, .quarter16 = quarter16,
  .accumulate8 = accumulate8, .accumulate16 = accumulate16, .reduce = reduce,
  .warp8 = warp8, .sample8 = sample8, .sample16 = sample16, .coverage = coverage,
  .mask_mix8 = mask_mix8, .mask_mix16 = mask_mix16, .mask_lines = mask_lines, .mask_fold = mask_fold,
  .mask_circle = mask_circle, .mask_noise = mask_noise,
  .blend8 = blend8, .blend16 = blend16, .blend_float = blend_float, .narrow8 = narrow8, .narrow16 = narrow16,
  .light_curve = light_curve, .light_matrix = light_matrix, .light_factor = light_factor,
};
