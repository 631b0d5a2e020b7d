import config, { apart } from './.mocharc.mjs';

/** What takes minutes by itself, apart from the tests that people have to be able to run often. */
export default { ...config, spec: apart };
