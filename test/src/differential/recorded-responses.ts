import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DifferentialCase } from './case.js';
import type { ObservedRun } from './side.js';

/** Result of a case on Zeebe. */
export type RecordedResponse =
  | { readonly runs: readonly ObservedRun[] }
  /** Zeebe did not reach the end of the case; this is where it stopped. */
  | { readonly failure: string }
  /** Zeebe refused the model. */
  | { readonly refused: true }
  /** Zeebe deployed the model. Its execution was not recorded, because Countersign refuses the model. */
  | { readonly deployed: true };

interface Recording {
  readonly engine: string;
  readonly version: string;
  /** Date on which the cases last ran on that engine. */
  readonly recordedOn: string;
  readonly notes: readonly string[];
  readonly responses: Readonly<Record<string, { readonly input: string; readonly response: RecordedResponse }>>;
}

const FILE = fileURLToPath(new URL('../../src/differential/zeebe-responses.json', import.meta.url));

/**
 * The engine is not part of the tests: its distribution is not under an open-source licence. Its responses are facts.
 */
export const RECORDING = JSON.parse(readFileSync(FILE, 'utf8')) as Recording;

/**
 * Returns the recorded response of Zeebe to exactly this case.
 *
 * @throws {Error} none is recorded, or the case has changed since
 */
export function findRecordedResponse(
  differentialCase: DifferentialCase,
  { responses, engine, version }: Recording = RECORDING,
): RecordedResponse {
  const recordedResponse = responses[differentialCase.id];
  if (recordedResponse === undefined)
    throw new Error(
      `"${differentialCase.id}": no response of ${engine} ${version} is recorded. A case that is not recorded can't be compared: test it by a spec of its own.`,
    );
  if (recordedResponse.input !== caseDigest(differentialCase))
    throw new Error(
      `"${differentialCase.id}" is not the case any more to which ${engine} ${version} responded. Undo the change, or take its response out of the recording and test it by a spec of its own.`,
    );
  return recordedResponse.response;
}

/** Returns the digest of everything that an engine receives: another input may have another response. */
export function caseDigest({ bpmnXml, dmnXml, steps }: Pick<DifferentialCase, 'bpmnXml' | 'dmnXml' | 'steps'>): string {
  return createHash('sha256').update(JSON.stringify({ bpmnXml, dmnXml, steps })).digest('hex').slice(0, 16);
}
