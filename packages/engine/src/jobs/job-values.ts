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

const MAX_CODE_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 4_000;
const MAX_PAUSE_MS = 365 * 24 * 3_600_000;
/** Content type (RFC 9110, 8.3.1). It becomes a response header when a client downloads the artifact. */
const CONTENT_TYPE_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+[\t\x20-\x7e]*$/;

/**
 * Returns the output of a handler as it is stored: a copy, because the stored value must equal the hashed value (an
 * object with `toJSON` would differ from both), and because the handler may still modify its own object.
 *
 * @throws {TerminalFailure} if the output is not a JSON object. Every retry would return the same.
 */
export function toJobResult(output: unknown): JsonObject {
  try {
    assertStorable(output);
    assertNoProblem(findJsonLoss(output));
    const copy: unknown = JSON.parse(JSON.stringify(output) ?? 'null');
    // The output of `toJSON` has not been checked yet.
    assertStorable(copy);
    if (isJsonObject(copy)) return copy;
  } catch (error) {
    if (isTerminalFailure(error)) throw error;
    throw invalidResult(toErrorMessage(error));
  }
  throw invalidResult('A result must be a JSON object.');
}

function assertStorable(value: unknown): void {
  assertNoProblem(findInputProblem(value));
}

function assertNoProblem(problem: { readonly pointer: string; readonly message: string } | undefined): void {
  if (problem !== undefined) throw invalidResult(`At "${problem.pointer}": ${problem.message}`);
}

/** @throws {TerminalFailure} if an artifact with this name and content type could not be downloaded */
export function checkArtifact(name: string, contentType: string): void {
  if (!isArtifactName(name))
    throw new TerminalFailure('artifact_invalid', `${JSON.stringify(name)} is not a valid artifact name.`);
  if (contentType.length > 255 || !CONTENT_TYPE_PATTERN.test(contentType)) {
    throw new TerminalFailure('artifact_invalid', `${JSON.stringify(contentType)} is not a valid content type.`);
  }
}

/**
 * Returns a BPMN error as it is stored.
 *
 * @throws {TerminalFailure} if its code or variables cannot be stored; the code must match the BPMN model, so it is
 * not sanitized
 */
export function toJobError(error: BpmnError): JobError {
  const { errorCode } = error;
  if (typeof errorCode !== 'string' || errorCode === '' || sanitizeText(errorCode, MAX_CODE_LENGTH) !== errorCode) {
    throw new TerminalFailure(
      'job_result_invalid',
      `The code of a BpmnError must be a string of 1 to ${MAX_CODE_LENGTH} characters.`,
    );
  }
  return {
    errorCode,
    message: sanitizeText(toErrorMessage(error), MAX_MESSAGE_LENGTH),
    variables: toJobResult(error.variables),
  };
}

/** Returns a thrown value as it is stored. Handlers may throw anything. */
export function toJobFailure(error: unknown): JobFailure {
  const message = sanitizeText(toErrorMessage(error), MAX_MESSAGE_LENGTH);
  if (isTerminalFailure(error)) return { code: toErrorCode(error), message, retryable: false };
  if (!isRetryableFailure(error)) return { code: 'job_failed', message, retryable: true };
  const { retryAfterMs } = error;
  const failure = { code: toErrorCode(error), message, retryable: true };
  return retryAfterMs === undefined || !(retryAfterMs >= 0)
    ? failure
    : { ...failure, retryAfterMs: Math.min(retryAfterMs, MAX_PAUSE_MS) };
}

function toErrorCode({ code }: { readonly code: unknown }): string {
  return typeof code === 'string' && code !== '' ? sanitizeText(code, MAX_CODE_LENGTH) : 'job_failed';
}

function toErrorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The handler threw a value that cannot be converted to a string.';
  }
}

/** Returns a well-formed string without NUL and with at most `maxLength` characters. */
function sanitizeText(text: string, maxLength: number): string {
  return text.replaceAll('\0', '').slice(0, maxLength).toWellFormed();
}

function invalidResult(reason: string): TerminalFailure {
  return new TerminalFailure(
    'job_result_invalid',
    sanitizeText(`The result cannot be stored. ${reason}`, MAX_MESSAGE_LENGTH),
  );
}
