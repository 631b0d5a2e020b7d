import type { SignInThatEnrols } from '../application-settings.js';
import type { SignIn } from '../caller.js';

/** How far the clock of the issuer may be ahead, as for tokens. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Whether a sign-in proves that the person is here now, and not only their token: it was a short while ago, and of the class
 * that is configured. A token that is renewed keeps its `auth_time` (OpenID Connect Core, 12.2).
 *
 * @param now milliseconds since the epoch
 */
export function isEnrolling(
  signIn: SignIn | undefined,
  { maxAgeMs, acrValues }: SignInThatEnrols,
  now: number,
): boolean {
  if (signIn?.at === undefined || signIn.at === null || maxAgeMs === 0) return false;
  const age = now - signIn.at;
  const isFresh = age >= -CLOCK_TOLERANCE_MS && age <= maxAgeMs;
  return isFresh && (acrValues.length === 0 || (signIn.acr !== null && acrValues.includes(signIn.acr)));
}
