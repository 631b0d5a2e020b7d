import { builtFile, specFiles, suiteOf } from './scripts/mocha/suites.mjs';
import { longestFirst } from './scripts/mocha/timings.mjs';

/** What `npm test` runs; `node scripts/test.mjs` runs other suites and single files with the same options. */
const specs = specFiles().filter((spec) => suiteOf(spec).isForEachChange);

export default {
  'spec': longestFirst(specs).map(builtFile),
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
