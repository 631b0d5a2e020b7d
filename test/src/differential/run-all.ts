import { inParallel } from '../conformance/in-parallel.js';
import type { DifferentialCase } from './case.js';
import { OurHost } from './our-host.js';
import { OurSide } from './our-side.js';
import { findRecordedResponse } from './recorded-responses.js';
import { judge, play, type CaseOutcome, type PlayedCase } from './run-case.js';

/** Executes all cases and compares the results with those recorded of Zeebe. */
export async function runAll(cases: readonly DifferentialCase[]): Promise<CaseOutcome[]> {
  // First of all, since a case that can't be compared need not be played.
  const compared = cases.map((each) => ({ ...each, response: findRecordedResponse(each) }));
  const ourResults = await playOnOurEngine(cases);
  return compared.map(({ id, response }, index) => judge(id, ourResults[index] ?? NOT_PLAYED_RESULT, response));
}

const NOT_PLAYED_RESULT: PlayedCase = { failure: 'it was not played' };

/** Number of concurrent hosts: while one waits for the database, another one computes. */
const AT_ONCE = 2;

async function playOnOurEngine(cases: readonly DifferentialCase[]): Promise<PlayedCase[]> {
  const hosts = await Promise.all(Array.from({ length: AT_ONCE }, () => OurHost.start()));
  const free = [...hosts];
  try {
    return await inParallel(cases, AT_ONCE, async (each) => {
      if (each.alone === true || needsRealClock(each)) return playOnOwnHost(each);
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

/**
 * Returns whether a case needs the real time: pauses between attempts are calculated with the host's clock and awaited
 * with the database's.
 */
function needsRealClock({ steps }: DifferentialCase): boolean {
  return steps.some((step) => 'failOnce' in step);
}

async function playOnOwnHost(each: DifferentialCase): Promise<PlayedCase> {
  const host = await OurHost.start('timers of runs');
  try {
    return await play(each, new OurSide(host));
  } finally {
    await host.close();
  }
}
