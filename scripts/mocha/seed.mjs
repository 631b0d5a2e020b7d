// The seed of all property tests, in each process of the tests. It is fixed, so that a change is judged by what it changes;
// `.ci/full` draws another one each time. COUNTERSIGN_TEST_SEED gives one, for example that of a failure.
import fc from 'fast-check';

const DEFAULT_SEED = 20_261_125;

const given = process.env['COUNTERSIGN_TEST_SEED'];
const seed = given === undefined || given === '' ? DEFAULT_SEED : Number(given);
if (!Number.isSafeInteger(seed)) throw new TypeError(`COUNTERSIGN_TEST_SEED is no whole number: ${given}`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
