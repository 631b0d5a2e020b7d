import config, { specsIn } from './.mocharc.mjs';

/** What needs a browser or Electron. */
export default { ...config, spec: specsIn('ui') };
