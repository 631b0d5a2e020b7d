import config, { apart } from './.mocharc.mjs';

/** The servers that are killed at every commit: apart from the other tests, as they take as long as half of them. */
export default { ...config, spec: apart };
