import type { Problem } from '@countersign/contract';

/** What an operation came to. Errors cross as data: an `Error` would lose its class and its members on the way. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly kind: 'problem'; readonly problem: Problem; readonly retryAfterMs: number | null }
  | { readonly ok: false; readonly kind: 'connection'; readonly message: string }
  /** This application refuses it; the server was not asked. */
  | { readonly ok: false; readonly kind: 'refused'; readonly code: RefusalCode; readonly message: string };

export const REFUSALS = Object.freeze({
  not_signed_in: 'Nobody is signed in to a server.',
  offline: 'The server does not answer. Nothing was sent, and nothing will be later by itself.',
  not_kept: 'This was not kept for being read offline.',
  not_shown: 'This approval was not loaded for being shown. Open it, look at it, and decide then.',
  not_as_shown: 'The approval is not any more what was shown. Open it again, and decide on what it is now.',
  digest_mismatch:
    'The digest that the server gives is not that of the subject. Do not decide on it, and tell whoever runs the server.',
  other_vote: 'Another vote was sent under this key, and has no answer yet.',
  not_low_risk: 'Only approvals of low risk are approved together.',
  declined: 'It was not confirmed in the dialog of the application.',
  no_signing_key: 'This vote is signed, and there is no key here to sign it with. Open “Signing key” in your menu.',
  nothing_sent: 'The server does not answer. Nothing was signed, and nothing was sent.',
  signs_every: 'You have chosen to sign every vote, and several at once can’t be signed. Decide each by itself.',
  question_not_shown: 'This question was not loaded for being shown. Open it, and answer then.',
  too_large: 'It is larger than what is shown here. Save it, and open it elsewhere.',
  too_large_to_save: 'It is larger than what is saved here: more than 1 GiB.',
  not_the_evidence:
    'What the server sent is not what is being approved: its SHA-256 is another one. It was not saved. Do not approve this, and tell whoever runs the server.',
  not_written: "It can't be written there. Choose another place.",
} as const);

export type RefusalCode = keyof typeof REFUSALS;

export function refused(code: RefusalCode): Extract<Answer<never>, { kind: 'refused' }> {
  return { ok: false, kind: 'refused', code, message: REFUSALS[code] };
}
