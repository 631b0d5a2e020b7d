import { describeConformanceOnTemporal } from '../paired-cases.spec.support.js';

/** Time for all cases on a busy machine. */
const TIMEOUT_MS = 1_800_000;

describeConformanceOnTemporal((material) => material, TIMEOUT_MS);
