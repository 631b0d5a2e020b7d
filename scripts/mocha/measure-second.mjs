// How long a second is on this machine, now: what a fixed piece of work takes on each core that the tests use, against what it
// took on the machine for which the seconds in the specs were written. Never shorter than a second.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Where timeouts are read, in this process and in those that it starts: milliseconds. */
export const SECOND_VARIABLE = 'COUNTERSIGN_TEST_SECOND_MS';
/** What the work took on two quiet cores, the middle of nine times. */
const REFERENCE_MS = 420;
const ROUNDS = 250;

/** Hashes, parses and writes, as most of the tests do. */
function work() {
  const record = {
    events: Array.from({ length: 2_000 }, (_, seq) => ({
      seq,
      type: 'step.completed',
      data: { text: `step ${seq}`.repeat(4) },
    })),
  };
  let text = JSON.stringify(record);
  for (let round = 0; round < ROUNDS; round += 1) {
    const digest = createHash('sha256').update(text).digest('hex');
    text = JSON.stringify({ ...JSON.parse(text), digest });
  }
}

/** @param {number} cores @returns {Promise<number>} milliseconds */
export async function measureSecond(cores = 2) {
  const times = await Promise.all(
    Array.from({ length: cores }, () => {
      const worker = new Worker(fileURLToPath(import.meta.url));
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    }),
  );
  return Math.max(1_000, Math.round((Math.max(...times) / REFERENCE_MS) * 1_000));
}

if (!isMainThread) {
  const begin = performance.now();
  work();
  parentPort?.postMessage(performance.now() - begin);
}
