// Sets the seed of all property tests, in each test process. The seed is fixed, so that a failure is caused by the
// change under test; `.ci/full` draws a new seed each time. COUNTERSIGN_TEST_SEED sets another seed, for example that
// of a failure.
import fc from 'fast-check';

const DEFAULT_SEED = 20_261_125;

const seedSetting = process.env['COUNTERSIGN_TEST_SEED'];
const seed = seedSetting === undefined || seedSetting === '' ? DEFAULT_SEED : Number(seedSetting);
if (!Number.isSafeInteger(seed))
  throw new TypeError(`COUNTERSIGN_TEST_SEED must be an integer, but is "${seedSetting}".`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
