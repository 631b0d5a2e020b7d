import {
  type BpmnError,
  isRetryableFailure,
  isTerminalFailure,
  type JsonObject,
  TerminalFailure,
} from '@countersign/core/plugin';
import { findInputProblem, isArtifactName, isJsonObject } from '@countersign/model';
import { findJsonLoss } from './json-loss.js';

/** Failure of a job. */
export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** BPMN error that a job threw. */
export interface JobError {
  readonly errorCode: string;
  readonly message: string;
  readonly variables: JsonObject;
}

const MAX_CODE = 200;
const MAX_MESSAGE = 4_000;
const LONGEST_PAUSE_MS = 365 * 24 * 3_600_000;
/** Content type (RFC 9110, 8.3.1). It becomes a response header when a client downloads the artifact. */
const CONTENT_TYPE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+[\t\x20-\x7e]*$/;

/**
 * Returns the output of a handler as it is stored: a copy, because the stored value must equal the hashed value (an
 * object with `toJSON` equals neither), and because the handler may still modify its own object.
 *
 * @throws {TerminalFailure} if the output is not a JSON object. Every retry would return the same.
 */
export function jobResult(output: unknown): JsonObject {
  try {
    refuseUnstorable(output);
    refuse(findJsonLoss(output));
    const copy: unknown = JSON.parse(JSON.stringify(output) ?? 'null');
    // The output of `toJSON` has not been checked yet.
    refuseUnstorable(copy);
    if (isJsonObject(copy)) return copy;
  } catch (error) {
    if (isTerminalFailure(error)) throw error;
    throw invalid(textOf(error));
  }
  throw invalid('A result must be a JSON object.');
}

function refuseUnstorable(value: unknown): void {
  refuse(findInputProblem(value));
}

function refuse(problem: { readonly pointer: string; readonly message: string } | undefined): void {
  if (problem !== undefined) throw invalid(`At "${problem.pointer}": ${problem.message}`);
}

/** @throws {TerminalFailure} if an artifact with this name and content type could not be downloaded */
export function checkArtifact(name: string, contentType: string): void {
  if (!isArtifactName(name))
    throw new TerminalFailure('artifact_invalid', `${JSON.stringify(name)} is not a valid artifact name.`);
  if (contentType.length > 255 || !CONTENT_TYPE.test(contentType)) {
    throw new TerminalFailure('artifact_invalid', `${JSON.stringify(contentType)} is not a content type.`);
  }
}

/**
 * Returns a BPMN error as it is stored.
 *
 * @throws {TerminalFailure} if its code or variables cannot be stored; the code must match the BPMN model, so it is
 * not repaired
 */
export function jobError(error: BpmnError): JobError {
  const { errorCode } = error;
  if (typeof errorCode !== 'string' || errorCode === '' || clean(errorCode, MAX_CODE) !== errorCode) {
    throw new TerminalFailure(
      'job_result_invalid',
      `The code of a BpmnError must be a string of 1 to ${MAX_CODE} characters.`,
    );
  }
  return { errorCode, message: clean(textOf(error), MAX_MESSAGE), variables: jobResult(error.variables) };
}

/** Returns a thrown value as it is stored. Handlers may throw anything. */
export function jobFailure(error: unknown): JobFailure {
  const message = clean(textOf(error), MAX_MESSAGE);
  if (isTerminalFailure(error)) return { code: codeOf(error), message, retryable: false };
  if (!isRetryableFailure(error)) return { code: 'job_failed', message, retryable: true };
  const { retryAfterMs } = error;
  const failure = { code: codeOf(error), message, retryable: true };
  return retryAfterMs === undefined || !(retryAfterMs >= 0)
    ? failure
    : { ...failure, retryAfterMs: Math.min(retryAfterMs, LONGEST_PAUSE_MS) };
}

function codeOf({ code }: { readonly code: unknown }): string {
  return typeof code === 'string' && code !== '' ? clean(code, MAX_CODE) : 'job_failed';
}

function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The handler threw a value that cannot be converted to a string.';
  }
}

/** Returns a well-formed string without NUL and with at most `most` characters. */
function clean(text: string, most: number): string {
  return text.replaceAll('\0', '').slice(0, most).toWellFormed();
}

function invalid(why: string): TerminalFailure {
  return new TerminalFailure('job_result_invalid', clean(`The result cannot be stored. ${why}`, MAX_MESSAGE));
}
