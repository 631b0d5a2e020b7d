import { ConnectionError, ProblemError } from '@countersign/contract';
import type { Failure } from '../../common/state.js';
import { redactSecrets } from '../app/log.js';

/** Describes an error of a server or an issuer for the user, without secrets. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ProblemError) return { code: error.code, message: redactSecrets(error.message) };
  if (error instanceof ConnectionError) return { code: 'unreachable', message: `The ${error.peer} is not responding.` };
  const { error: code, error_description: description } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as { error?: unknown; error_description?: unknown };
  if (code === 'access_denied') return { code, message: 'The issuer refused the sign-in, or you cancelled it.' };
  const text =
    typeof description === 'string' ? description : error instanceof Error ? error.message : 'Unknown error.';
  return { code: typeof code === 'string' ? code : 'failed', message: redactSecrets(text) };
}
