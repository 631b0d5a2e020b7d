import { findSpecFiles, getBuiltFile, getSuite } from './scripts/mocha/suites.mjs';
import { sortByDuration } from './scripts/mocha/timings.mjs';

/** Specs that `npm test` runs; `node scripts/test.mjs` runs other suites and single files with the same options. */
const specs = findSpecFiles().filter((spec) => getSuite(spec).runsOnEachChange);

export default {
  'spec': sortByDuration(specs).map(getBuiltFile),
  'ui': 'bdd',
  'parallel': true,
  'jobs': 2,
  'timeout': 30_000,
  'node-option': ['enable-source-maps'],
  'forbidOnly': true,
  'require': [
    'packages/testing/dist/mocha-global-setup.js',
    'scripts/mocha/measured-timeouts.mjs',
    'scripts/mocha/each-file-hooks.mjs',
    'scripts/mocha/seed.mjs',
  ],
};
