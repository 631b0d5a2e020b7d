import { randomUUID } from 'node:crypto';
import type { Broker } from './broker.js';
import type { ZeebeRecord } from './record-stream.js';

/** What a record makes the broker send to itself is written behind the first message, and in front of the second one. */
const QUIET_ROUNDS = 2;
const MAX_ROUNDS = 500;

/** What the broker writes without anybody asking. */
const OF_ITS_OWN: ReadonlySet<string> = new Set(['MESSAGE', 'MESSAGE_BATCH', 'CLOCK', 'CHECKPOINT', 'JOB_BATCH']);

/**
 * Waits until nothing is left to be done but by somebody from outside: messages that nobody knows are sent behind what is
 * under way, until several have passed with nothing of its own in between.
 */
export async function settled({ client, records: stream }: Broker): Promise<void> {
  let from = stream.records.length;
  let quiet = 0;
  for (let round = 0; quiet < QUIET_ROUNDS; round += 1) {
    if (round === MAX_ROUNDS) throw new Error('Zeebe does not come to rest.');
    const name = `still-${randomUUID()}`;
    await client.publish(name, '', {});
    await stream.find(from, ({ valueType, intent, value }) => valueType === 'MESSAGE' && intent === 'EXPIRED' && value['name'] === name, 'a message');
    const passed = stream.records.slice(from);
    from += passed.length;
    quiet = passed.some(isWork) ? 0 : quiet + 1;
  }
}

function isWork({ valueType }: ZeebeRecord): boolean {
  return !OF_ITS_OWN.has(valueType);
}
