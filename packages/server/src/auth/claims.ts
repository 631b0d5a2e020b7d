import { highestRole, isRole } from '@countersign/contract';
import type { JWTPayload } from 'jose';
import { refusal } from '../app/problem.js';
import type { Principal } from './principal.js';

export interface ClaimNames {
  /** Dotted paths. */
  readonly roles: string;
  readonly groups: string;
}

const MAX_SUBJECT = 255;
/** The last moment that a `Date` can be. */
const END_OF_TIME_MS = 8.64e15;
/** Characters that nobody sees, or that turn what stands beside them around, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Those of them that no name needs: joiners belong to some scripts. */
const UNFIT_FOR_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** Whether a text can tell one person from another, to people who read it as well. */
export function isUsableSubject(id: string): boolean {
  return id !== '' && id.length <= MAX_SUBJECT && !UNSEEN.test(id) && id === id.trim();
}

/** Reads who a verified token is about. */
export function principalOf(payload: JWTPayload, names: ClaimNames): Principal {
  const id = payload.sub;
  if (typeof id !== 'string' || !isUsableSubject(id)) {
    throw refusal('invalid_token', 'The token names no usable subject.');
  }
  const roles = [...new Set(texts(claim(payload, names.roles)).filter(isRole))];
  const kind = kindOf(payload);
  const groups = texts(claim(payload, names.groups)).filter((group) => group.isWellFormed() && !group.includes('\0'));
  return {
    actor: { type: kind === 'user' ? 'user' : 'service', id, name: nameOf(payload), groups },
    kind,
    role: highestRole(roles),
    roles,
    groups,
    expiresAt: payload.exp === undefined ? null : Math.min(payload.exp * 1000, END_OF_TIME_MS),
  };
}

/**
 * People decide, programs do not: a token says so itself (`typ`), or was got with client credentials and has no user
 * behind it. Providers tell that in different ways: the subject is the client (RFC 9068, 2.2; `cid` at Okta), `gty`
 * (Auth0), `idtyp` or a subject that is the object itself (Entra ID), the name of the account (Keycloak).
 */
function kindOf(payload: JWTPayload): Principal['kind'] {
  if (payload['typ'] === 'agent') return 'agent';
  const clients = [payload['client_id'], payload['azp'], payload['cid']];
  const isService =
    payload['typ'] === 'service' ||
    payload['gty'] === 'client-credentials' ||
    payload['idtyp'] === 'app' ||
    clients.includes(payload.sub) ||
    (payload['tid'] !== undefined && payload['oid'] === payload.sub) ||
    String(payload['preferred_username'] ?? '').startsWith('service-account-');
  return isService ? 'service' : 'user';
}

function nameOf(payload: JWTPayload): string | null {
  const name = payload['name'] ?? payload['preferred_username'];
  if (typeof name !== 'string') return null;
  // It goes into history and logs, where NUL can't be stored and an escape sequence would act.
  return name.slice(0, MAX_SUBJECT).toWellFormed().replace(UNFIT_FOR_NAMES, ' ').trim() || null;
}

/** The value at a dotted path. A claim whose name holds the dots itself (a URI) is found as well. */
function claim(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  let value: unknown = payload;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** A list of texts, or one text with spaces or commas, as in `scope`. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((text) => text !== '');
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}
