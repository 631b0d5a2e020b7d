import type { EnrolmentSignIn } from '../application-settings.js';
import type { SignIn } from '../caller.js';

/** Maximum time by which the issuer's clock may be ahead, in ms; the same as for tokens. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Returns whether a sign-in is recent and has an accepted authentication context class. Such a sign-in proves that the
 * user is present, which a token alone does not. A renewed token keeps its `auth_time` (OpenID Connect Core, 12.2).
 *
 * @param now milliseconds since the epoch
 */
export function canEnrolKey(
  signIn: SignIn | undefined,
  { maxAgeMs, acrValues }: EnrolmentSignIn,
  now: number,
): boolean {
  if (signIn?.at === undefined || signIn.at === null || maxAgeMs === 0) return false;
  const age = now - signIn.at;
  const isFresh = age >= -CLOCK_TOLERANCE_MS && age <= maxAgeMs;
  return isFresh && (acrValues.length === 0 || (signIn.acr !== null && acrValues.includes(signIn.acr)));
}
