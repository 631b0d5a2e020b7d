import { mapConcurrently } from '../conformance/map-concurrently.js';
import type { DifferentialCase } from './case.js';
import { OurHost } from './our-host.js';
import { OurSide } from './our-side.js';
import { findRecordedResponse } from './recorded-responses.js';
import { compareWithZeebe, executeCase, type CaseOutcome, type OurResult } from './run-case.js';

/** Executes all cases and compares the results with the recorded responses of Zeebe. */
export async function runAll(cases: readonly DifferentialCase[]): Promise<CaseOutcome[]> {
  // Before any case is executed, because this throws if a case cannot be compared.
  const recordedCases = cases.map((each) => ({ ...each, response: findRecordedResponse(each) }));
  const ourResults = await executeOnSharedHosts(cases);
  return recordedCases.map(({ id, response }, index) =>
    compareWithZeebe(id, ourResults[index] ?? MISSING_RESULT, response),
  );
}

const MISSING_RESULT: OurResult = { failure: 'the case was not executed' };

/** Number of concurrent hosts: while one waits for the database, another one computes. */
const CONCURRENT_HOSTS = 2;

async function executeOnSharedHosts(cases: readonly DifferentialCase[]): Promise<OurResult[]> {
  const hosts = await Promise.all(Array.from({ length: CONCURRENT_HOSTS }, () => OurHost.start()));
  const idleHosts = [...hosts];
  try {
    return await mapConcurrently(cases, CONCURRENT_HOSTS, async (each) => {
      if (needsSeparateHost(each)) return executeOnSeparateHost(each);
      const host = idleHosts.pop();
      if (host === undefined) throw new Error('No idle host is left for the case.');
      try {
        return await executeCase(each, new OurSide(host));
      } finally {
        idleHosts.push(host);
      }
    });
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

/**
 * Returns whether a case must not share its host: what it leaves behind could affect other cases, or it needs the real
 * time, because delays between attempts are calculated with the clock of the host, but measured with the clock of the
 * database.
 */
export function needsSeparateHost({ alone, steps }: DifferentialCase): boolean {
  return alone === true || steps.some((step) => 'failOnce' in step);
}

async function executeOnSeparateHost(each: DifferentialCase): Promise<OurResult> {
  const host = await OurHost.start('timers of runs');
  try {
    return await executeCase(each, new OurSide(host));
  } finally {
    await host.close();
  }
}
