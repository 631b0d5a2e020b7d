import config, { specsIn } from './.mocharc.mjs';

/** What takes minutes by itself. */
export default { ...config, spec: specsIn('long') };
