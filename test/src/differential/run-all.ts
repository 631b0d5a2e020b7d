import { inParallel } from '../conformance/in-parallel.js';
import type { DifferentialCase } from './case.js';
import { OurHost } from './our-host.js';
import { OurSide } from './our-side.js';
import { judge, play, type CaseOutcome, type Played } from './run-case.js';
import type { Broker } from './zeebe/broker.js';
import { ZeebeSide } from './zeebe/zeebe-side.js';

/** Plays all cases on both engines, which do not wait for each other. */
export async function runAll(cases: readonly DifferentialCase[], broker: Broker): Promise<CaseOutcome[]> {
  const [ours, zeebes] = await Promise.all([playOnOurs(cases), playOnZeebe(cases, broker)]);
  return cases.map(({ id }, index) => judge(id, ours[index] ?? NOT_PLAYED, zeebes[index] ?? NOT_PLAYED));
}

const NOT_PLAYED: Played = { failure: 'it was not played' };

/** Hosts at once: while one waits for the database, another one computes. */
const AT_ONCE = 2;

async function playOnOurs(cases: readonly DifferentialCase[]): Promise<Played[]> {
  const hosts = await Promise.all(Array.from({ length: AT_ONCE }, () => OurHost.start()));
  const free = [...hosts];
  try {
    return await inParallel(cases, AT_ONCE, async (each) => {
      if (each.alone === true || needsPresent(each)) return playAlone(each);
      const host = free.pop();
      if (host === undefined) throw new Error('There are as many hosts as cases at once.');
      try {
        return await play(each, new OurSide(host));
      } finally {
        free.push(host);
      }
    });
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

/** Pauses between attempts at a job are reckoned by the clock of the host and waited for by that of the database. */
function needsPresent({ steps }: DifferentialCase): boolean {
  return steps.some((step) => 'failOnce' in step);
}

async function playAlone(each: DifferentialCase): Promise<Played> {
  const host = await OurHost.start('timers of runs');
  try {
    return await play(each, new OurSide(host));
  } finally {
    await host.close();
  }
}

/** One after the other, since all cases share the clock and the signals of one broker. */
async function playOnZeebe(cases: readonly DifferentialCase[], broker: Broker): Promise<Played[]> {
  const clock = { time: Date.now() };
  await broker.client.pinClock(clock.time);
  const played: Played[] = [];
  for (const each of cases) played.push(await play(each, new ZeebeSide(broker, clock, each.flows)));
  return played;
}
