import { CASES } from '../../differential/cases/index.js';
import { describeDifferentialOnTemporal } from '../paired-cases.spec.support.js';

/** Time for all cases on a busy machine. */
const TIMEOUT_MS = 1_800_000;

describeDifferentialOnTemporal(CASES, TIMEOUT_MS);
