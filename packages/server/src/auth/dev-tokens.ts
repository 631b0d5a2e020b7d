import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Role } from '@countersign/contract';
import { DEV_TOKEN_ALGORITHM, loadDevTokenKey, type DevTokenKey } from './dev-token-key.js';

const ISSUER = 'urn:countersign:development';
const AUDIENCE = 'countersign';
const DEFAULT_LIFETIME_SECONDS = 12 * 3600;

export interface DevTokenRequest {
  readonly subject: string;
  readonly role: Role;
  readonly name?: string;
  /** Another name by which workflows may refer to the user, for example an e-mail address. */
  readonly userName?: string;
  readonly groups?: readonly string[];
  /** Kind of the principal. Services and agents never decide approvals. Default: `user`. */
  readonly kind?: 'user' | 'service' | 'agent';
  /** Lifetime in seconds. Default: 12 hours. */
  readonly expiresInSeconds?: number;
}

export interface DevToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Creates a development token with the key in a data directory, and creates the key if necessary. A server with the
 * same directory accepts the token while `Auth:DevToken:Enabled` is on. Not for authentication in production.
 */
export async function mintDevToken(request: DevTokenRequest & { readonly dataDirectory: string }): Promise<DevToken> {
  return signDevToken(await loadDevTokenKey(request.dataDirectory), request);
}

/** @param nowMs milliseconds since the epoch */
export async function signDevToken(key: DevTokenKey, request: DevTokenRequest, nowMs = Date.now()): Promise<DevToken> {
  const {
    subject,
    role,
    name,
    userName,
    groups = [],
    kind = 'user',
    expiresInSeconds = DEFAULT_LIFETIME_SECONDS,
  } = request;
  const payload: JWTPayload = {
    roles: [role],
    groups: [...groups],
    ...(name === undefined ? {} : { name }),
    ...(userName === undefined ? {} : { preferred_username: userName }),
    ...(kind === 'user' ? {} : { typ: kind }),
  };
  const now = Math.floor(nowMs / 1000);
  // Requesting a development token counts as signing in.
  const token = await new SignJWT(kind === 'user' ? { ...payload, auth_time: now } : payload)
    .setProtectedHeader({ alg: DEV_TOKEN_ALGORITHM, kid: key.id, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresInSeconds)
    .setJti(randomUUID())
    .sign(key.privateKey);
  return { token, expiresInSeconds };
}

/**
 * Verifies a development token and returns its claims.
 *
 * @throws the error of jose if another key signed the token or it is not valid at `now`
 */
export async function verifyDevToken(key: DevTokenKey, token: string, now: Date): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, key.publicKey, {
    currentDate: now,
    algorithms: [DEV_TOKEN_ALGORITHM],
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['sub', 'exp'],
  });
  return payload;
}
