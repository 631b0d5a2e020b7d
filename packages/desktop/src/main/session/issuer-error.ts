import { isTemporaryOAuthError } from '@countersign/contract';
import * as oidc from 'openid-client';

/** Thrown when the issuer cannot be used; the message states the reason. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/**
 * Returns whether a failed renewal may succeed later. Only an OAuth error response of the issuer is a refusal (RFC
 * 6749, 5.2): any other error comes from the network, or from a proxy in front of an issuer that is restarting.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof IssuerError || error instanceof oidc.WWWAuthenticateChallengeError) return false;
  return !(error instanceof oidc.ResponseBodyError) || isTemporaryOAuthError(error.error);
}
