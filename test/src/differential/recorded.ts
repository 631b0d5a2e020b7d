import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DifferentialCase } from './case.js';
import type { ObservedRun } from './side.js';

/** What Zeebe made of a case. */
export type RecordedResponse =
  | { readonly runs: readonly ObservedRun[] }
  /** It did not come to the end of the case, and this is where it stopped. */
  | { readonly failure: string }
  /** It refused the model. */
  | { readonly refused: true }
  /** It deployed the model. What it then did was not recorded, as Countersign refuses the model. */
  | { readonly deployed: true };

interface Recording {
  readonly engine: string;
  readonly version: string;
  /** The day on which the cases were run on that engine for the last time. */
  readonly recordedOn: string;
  readonly notes: readonly string[];
  readonly responses: Readonly<Record<string, { readonly input: string; readonly response: RecordedResponse }>>;
}

const FILE = fileURLToPath(new URL('../../src/differential/zeebe-responses.json', import.meta.url));

/** The engine is not part of the tests: its distribution is not under an open-source licence. Its answers are facts. */
export const RECORDING = JSON.parse(readFileSync(FILE, 'utf8')) as Recording;

/**
 * What Zeebe answered to exactly this case.
 *
 * @throws {Error} where none is recorded, or the case is not the one any more for which it was
 */
export function recordedResponse(
  asked: DifferentialCase,
  { responses, engine, version }: Recording = RECORDING,
): RecordedResponse {
  const recorded = responses[asked.id];
  if (recorded === undefined)
    throw new Error(
      `"${asked.id}": no response of ${engine} ${version} is recorded. A case that is not recorded can't be compared: test it by a spec of its own.`,
    );
  if (recorded.input !== digestOf(asked))
    throw new Error(
      `"${asked.id}" is not the case any more to which ${engine} ${version} responded. Undo the change, or take its response out of the recording and test it by a spec of its own.`,
    );
  return recorded.response;
}

/** Of all that an engine is given: another input may have another response. */
export function digestOf({ bpmnXml, dmnXml, steps }: Pick<DifferentialCase, 'bpmnXml' | 'dmnXml' | 'steps'>): string {
  return createHash('sha256').update(JSON.stringify({ bpmnXml, dmnXml, steps })).digest('hex').slice(0, 16);
}
