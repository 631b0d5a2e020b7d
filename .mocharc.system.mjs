import config, { specsIn } from './.mocharc.mjs';

/** Whole programs, and what is large. */
export default { ...config, spec: specsIn('system') };
