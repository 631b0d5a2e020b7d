// Measures how many milliseconds this machine currently needs for the work of one second on the reference machine, for
// which the timeouts in the specs were written. It runs a fixed amount of work on each core that the tests use, and
// compares the time with that of the reference machine. The result is never shorter than a second.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Environment variable with the measured milliseconds. Test processes and the processes that they start read it. */
export const SECOND_VARIABLE = 'COUNTERSIGN_TEST_SECOND_MS';
/** Duration of the work on two idle cores of the reference machine: the median of nine measurements. */
const REFERENCE_MS = 420;
const ITERATIONS = 250;

/** Hashes, parses and serialises JSON, like most tests. */
function runReferenceWork() {
  const record = {
    events: Array.from({ length: 2_000 }, (_, seq) => ({
      seq,
      type: 'step.completed',
      data: { text: `step ${seq}`.repeat(4) },
    })),
  };
  let json = JSON.stringify(record);
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    const digest = createHash('sha256').update(json).digest('hex');
    json = JSON.stringify({ ...JSON.parse(json), digest });
  }
}

/**
 * Measures the second on several cores and returns the slowest.
 *
 * @param {number} cores
 * @returns {Promise<number>} milliseconds
 */
export async function measureSecond(cores = 2) {
  const durations = await Promise.all(
    Array.from({ length: cores }, () => {
      const worker = new Worker(fileURLToPath(import.meta.url));
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    }),
  );
  return Math.max(1_000, Math.round((Math.max(...durations) / REFERENCE_MS) * 1_000));
}

if (!isMainThread) {
  const startTime = performance.now();
  runReferenceWork();
  parentPort?.postMessage(performance.now() - startTime);
}
