import type { JWTPayload } from 'jose';
import { createRefusal } from '../app/problem.js';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** JWT types of logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4); older issuers use the generic type. */
const TOKEN_TYPES: ReadonlySet<string> = new Set(['logout+jwt', 'application/logout+jwt', 'jwt']);

/** The sessions that a logout token ends. */
export interface Logout {
  readonly jti: string;
  /** The session; `null` means all sessions of the person. */
  readonly sid: string | null;
  readonly subject: string | null;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
}

/**
 * Reads a logout token whose signature, issuer, audience and times were verified (Back-Channel Logout 1.0, 2.6).
 *
 * @throws {ApiError} `invalid_logout_token`
 */
export function parseLogoutClaims(
  { typ }: { readonly typ?: string },
  { jti, iat, sid, sub, events, nonce }: JWTPayload,
): Logout {
  if (typ !== undefined && !TOKEN_TYPES.has(typ.toLowerCase()))
    throw createLogoutRefusal('its type (typ) is not that of a logout token');
  if (!isRecord(events) || !isRecord(events[LOGOUT_EVENT]))
    throw createLogoutRefusal('it lacks the logout event (events)');
  if (nonce !== undefined) throw createLogoutRefusal('it has a nonce, like an ID token');
  if (!isIdentifier(jti) || iat === undefined) throw createLogoutRefusal('jti or iat is missing');
  if ((sid !== undefined && !isIdentifier(sid)) || (sub !== undefined && !isIdentifier(sub)))
    throw createLogoutRefusal('sid or sub is not a usable string');
  if (sid === undefined && sub === undefined)
    throw createLogoutRefusal('it names neither a session (sid) nor a person (sub)');
  return { jti, sid: sid ?? null, subject: sub ?? null, issuedAt: iat * 1000 };
}

function createLogoutRefusal(reason: string): Error {
  return createRefusal('invalid_logout_token', `This is not a logout token: ${reason}.`);
}

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1_000;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
