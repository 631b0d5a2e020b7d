import type { ConnectionError, Problem } from '@countersign/contract';

/**
 * Result of an operation. Errors are passed as data, because an `Error` loses its class and properties when it is sent
 * to another process.
 */
export type OperationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly kind: 'problem'; readonly problem: Problem; readonly retryAfterMs: number | null }
  | {
      readonly ok: false;
      readonly kind: 'connection';
      readonly peer: ConnectionError['peer'];
      readonly message: string;
    }
  /** Refused by this application; nothing was changed on the server. */
  | { readonly ok: false; readonly kind: 'refused'; readonly code: RefusalCode; readonly message: string };

export const REFUSAL_MESSAGES = Object.freeze({
  not_signed_in: 'You are not signed in to a server.',
  offline: 'The server is not responding. Nothing was sent, and nothing will be sent later.',
  not_kept: 'This is not available offline.',
  not_shown: 'This approval was not shown. Open and review it, then decide.',
  not_as_shown: 'The approval has changed since it was shown. Open it again and decide on the current version.',
  digest_mismatch:
    'The server’s digest does not match the subject. Do not decide on it; tell the operator of the server.',
  other_vote: 'Another vote with this idempotency key has been sent and has no response yet.',
  not_low_risk: 'Only low-risk approvals can be approved together.',
  declined: 'You did not confirm the action in the system dialog.',
  no_signing_key: 'This vote must be signed, but this device has no signing key. Open “Signing key” in your menu.',
  nothing_sent: 'The server is not responding. Nothing was signed or sent.',
  signs_every: 'You chose to sign every vote, and signed votes can’t be sent together. Decide on each one separately.',
  question_not_shown: 'This question was not shown. Open it, then answer.',
  too_large: 'This file is too large to show here. Save it and open it in another application.',
  too_large_to_save: 'This file is too large to save: more than 1 GiB.',
  not_the_evidence:
    'The server did not send the pinned file: the SHA-256 does not match. The file was not saved. Do not approve this; tell the operator of the server.',
  not_written: 'The file can’t be saved there. Choose another location.',
} as const);

export type RefusalCode = keyof typeof REFUSAL_MESSAGES;

export function createRefusal(code: RefusalCode): Extract<OperationResult<never>, { kind: 'refused' }> {
  return { ok: false, kind: 'refused', code, message: REFUSAL_MESSAGES[code] };
}
