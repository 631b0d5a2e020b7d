import { isTemporaryOAuthError } from '@countersign/contract';
import * as oidc from 'openid-client';

/** The issuer can't be used; the message says why. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/**
 * Returns whether an issuer that did not renew may do so later. Only its own word is a refusal (RFC 6749, 5.2): what comes
 * without one is from the network, or from a proxy before an issuer that is being restarted.
 */
export function mayPass(error: unknown): boolean {
  if (error instanceof IssuerError || error instanceof oidc.WWWAuthenticateChallengeError) return false;
  return !(error instanceof oidc.ResponseBodyError) || isTemporaryOAuthError(error.error);
}
