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

/** Reads who a verified token is about. */
export function principalOf(payload: JWTPayload, names: ClaimNames): Principal {
  const id = payload.sub;
  if (typeof id !== 'string' || id === '' || id.length > MAX_SUBJECT || /\p{Cc}/u.test(id)) {
    throw refusal('invalid_token', 'The token names no usable subject.');
  }
  const roles = [...new Set(texts(claim(payload, names.roles)).filter(isRole))];
  const kind = kindOf(payload);
  const groups = texts(claim(payload, names.groups));
  return {
    actor: { type: kind === 'user' ? 'user' : 'service', id, name: nameOf(payload), groups },
    kind,
    role: highestRole(roles),
    roles,
    groups,
    expiresAt: payload.exp === undefined ? null : payload.exp * 1000,
  };
}

/**
 * People decide, programs do not: a token says so itself (`typ`), or was got with client credentials and has no user
 * behind it. Providers tell that in different ways: the subject is the client (RFC 9068, 2.2), `gty` (Auth0), `idtyp`
 * (Entra ID), the name of the account (Keycloak).
 */
function kindOf(payload: JWTPayload): Principal['kind'] {
  if (payload['typ'] === 'agent') return 'agent';
  const client = payload['client_id'] ?? payload['azp'];
  const isService =
    payload['typ'] === 'service' ||
    payload['gty'] === 'client-credentials' ||
    payload['idtyp'] === 'app' ||
    (typeof client === 'string' && client === payload.sub) ||
    String(payload['preferred_username'] ?? '').startsWith('service-account-');
  return isService ? 'service' : 'user';
}

function nameOf(payload: JWTPayload): string | null {
  const name = payload['name'] ?? payload['preferred_username'];
  return typeof name === 'string' && name !== '' ? name.slice(0, MAX_SUBJECT) : null;
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
