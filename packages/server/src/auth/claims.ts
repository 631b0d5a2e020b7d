import { findHighestRole, isRole, toIdentity } from '@countersign/contract';
import type { SignIn } from '@countersign/core';
import { ERASED, foldCase } from '@countersign/model';
import type { JWTPayload } from 'jose';
import { createRefusal } from '../app/problem.js';
import type { Principal } from './principal.js';

export interface ClaimNames {
  /** Dotted paths of the role and group claims. */
  readonly roles: string;
  readonly groups: string;
  /** Dotted paths; the primary name comes first. */
  readonly userNames?: readonly string[];
  /** Separator of several values in a string claim. If absent, such a claim is one value. */
  readonly separator?: string;
}

const MAX_DISPLAY_NAME_LENGTH = 255;
/** The latest time that a `Date` can represent. */
const MAX_DATE_MS = 8.64e15;
/**
 * Characters that no name needs and that could affect the display; joiners are allowed because some scripts need them.
 */
const UNSAFE_NAME_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** Returns the principal of a verified token. */
export function toPrincipal(payload: JWTPayload, claimNames: ClaimNames): Principal {
  // A subject is the same person, regardless of how its accents are encoded (Unicode Standard Annex 15).
  const id = typeof payload.sub === 'string' ? toIdentity(payload.sub) : undefined;
  if (id === undefined) {
    throw createRefusal('invalid_token', 'The token has no usable subject (sub).');
  }
  const roles = [...new Set(toStrings(getClaim(payload, claimNames.roles), claimNames.separator).filter(isRole))];
  const kind = getPrincipalKind(payload);
  const groups = toStrings(getClaim(payload, claimNames.groups), claimNames.separator).flatMap(
    (group) => toIdentity(group) ?? [],
  );
  const tokenUserNames = kind === 'user' ? readUserNames(payload, claimNames.userNames ?? [], id) : null;
  const userNames = tokenUserNames ?? [];
  return {
    actor: {
      type: kind === 'user' ? 'user' : 'service',
      id,
      name: readDisplayName(payload) ?? userNames[0] ?? null,
      ...(userNames.length === 0 ? {} : { userNames }),
      groups,
      // Within an issuer, a subject is one person or one client, so a subject that is not a client may be a person.
      ...(kind === 'agent' && !isService(payload) ? { onBehalfOf: id } : {}),
    },
    kind,
    role: findHighestRole(roles),
    roles,
    groups,
    userNames: tokenUserNames,
    expiresAt: payload.exp === undefined ? null : Math.min(payload.exp * 1000, MAX_DATE_MS),
    session: { sid: typeof payload['sid'] === 'string' ? payload['sid'] : null, issuedAt: (payload.iat ?? 0) * 1000 },
    signIn: readSignIn(payload),
  };
}

/**
 * Returns the kind of a principal. People may decide, programs may not. A token belongs to a program if its `typ` claim
 * is `service` or `agent`, or if it was obtained with client credentials and without a user. Providers indicate client
 * credentials differently: the subject is the client (RFC 9068, 2.2; `cid` at Okta), `gty` (Auth0), `idtyp` or a
 * subject that equals the object id (Entra ID), the name of the account (Keycloak).
 */
function getPrincipalKind(payload: JWTPayload): Principal['kind'] {
  // Another party acts for the subject (RFC 8693, 4.1), so its votes would not be the person's own.
  if (payload['typ'] === 'agent' || payload['act'] !== undefined) return 'agent';
  return isService(payload) ? 'service' : 'user';
}

function isService(payload: JWTPayload): boolean {
  const clientIds = [payload['client_id'], payload['azp'], payload['cid']];
  return (
    payload['typ'] === 'service' ||
    payload['gty'] === 'client-credentials' ||
    payload['idtyp'] === 'app' ||
    clientIds.includes(payload.sub) ||
    (payload['tid'] !== undefined && payload['oid'] === payload.sub) ||
    String(payload['preferred_username'] ?? '').startsWith('service-account-')
  );
}

/**
 * Reads when and how strongly the person was authenticated: `auth_time` and `acr` (OpenID Connect Core, 2; RFC 9068,
 * 2.2.1).
 */
function readSignIn({ auth_time: at, acr }: JWTPayload): SignIn {
  const isValidTime = typeof at === 'number' && at >= 0 && at * 1000 <= MAX_DATE_MS;
  return { at: isValidTime ? at * 1000 : null, acr: typeof acr === 'string' && acr !== '' ? acr : null };
}

const MAX_USER_NAMES = 10;

/**
 * Returns the names by which BPMN models and people may refer to the person. An e-mail address is used only if the
 * issuer has verified it (`email_verified`, OpenID Connect Core, section 5.1; `xms_edov` at Entra ID), because anyone
 * can claim an unverified address.
 */
function readUserNames(payload: JWTPayload, paths: readonly string[], id: string): readonly string[] | null {
  if (paths.every((path) => getClaim(payload, path) === undefined)) return null;
  const names = paths
    .filter((path) => path !== 'email' || isVerified(payload['email_verified'] ?? payload['xms_edov']))
    .flatMap((path) => toStrings(getClaim(payload, path), undefined))
    .flatMap((name) => toIdentity(name) ?? []);
  return [...new Set(names)].filter((name) => name !== id && foldCase(name) !== ERASED).slice(0, MAX_USER_NAMES);
}

/** Returns whether a claim is true. Some issuers write it as a string or a number. */
function isVerified(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

function readDisplayName(payload: JWTPayload): string | null {
  const name = payload['name'] ?? payload['preferred_username'];
  if (typeof name !== 'string') return null;
  // The name is stored in history and logs: NUL cannot be stored, and an escape sequence would take effect.
  return name.slice(0, MAX_DISPLAY_NAME_LENGTH).toWellFormed().replace(UNSAFE_NAME_CHARACTERS, ' ').trim() || null;
}

/** Returns the value at a dotted path. Also finds a claim whose own name contains dots, such as a URI. */
function getClaim(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  let value: unknown = payload;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Returns the strings of a list, or of one string, which is split only if there is a separator. */
function toStrings(value: unknown, separator: string | undefined): string[] {
  if (typeof value === 'string')
    return (separator === undefined ? [value] : value.split(separator).map((text) => text.trim())).filter(
      (text) => text !== '',
    );
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}
