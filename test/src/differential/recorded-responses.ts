import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DifferentialCase } from './case.js';
import type { ObservedRun } from './side.js';

/** Result of a case on Zeebe. */
export type RecordedResponse =
  | { readonly runs: readonly ObservedRun[] }
  /** Zeebe failed at a step of the case; the text describes the step and the error. */
  | { readonly failure: string }
  /** Zeebe refused the model. */
  | { readonly refused: true }
  /** Zeebe deployed the model. Its execution was not recorded, because Countersign refuses the model. */
  | { readonly deployed: true };

interface Recording {
  readonly engine: string;
  readonly version: string;
  /** Date on which the cases were last executed on the engine. */
  readonly recordedOn: string;
  readonly notes: readonly string[];
  readonly responses: Readonly<Record<string, { readonly input: string; readonly response: RecordedResponse }>>;
}

const FILE = fileURLToPath(new URL('../../src/differential/zeebe-responses.json', import.meta.url));

/**
 * Recorded responses of Zeebe. The tests do not run Zeebe itself, because its distribution does not have an open-source
 * licence.
 */
export const RECORDING = JSON.parse(readFileSync(FILE, 'utf8')) as Recording;

/**
 * Returns the recorded response of Zeebe to exactly this case.
 *
 * @throws {Error} if no response is recorded, or if the case has changed since it was recorded
 */
export function findRecordedResponse(
  differentialCase: DifferentialCase,
  { responses, engine, version }: Recording = RECORDING,
): RecordedResponse {
  const recordedResponse = responses[differentialCase.id];
  if (recordedResponse === undefined)
    throw new Error(
      `"${differentialCase.id}": no response of ${engine} ${version} is recorded, so the case cannot be compared. Test it in a separate spec.`,
    );
  if (recordedResponse.input !== computeCaseDigest(differentialCase))
    throw new Error(
      `"${differentialCase.id}" has changed since the response of ${engine} ${version} was recorded. Undo the change, or remove the response from the recording and test the case in a separate spec.`,
    );
  return recordedResponse.response;
}

/** Returns the digest of everything that an engine receives. If it changes, the recorded response no longer applies. */
export function computeCaseDigest({
  bpmnXml,
  dmnXml,
  steps,
}: Pick<DifferentialCase, 'bpmnXml' | 'dmnXml' | 'steps'>): string {
  return createHash('sha256').update(JSON.stringify({ bpmnXml, dmnXml, steps })).digest('hex').slice(0, 16);
}
