import {
  COUNTERSIGNATURE_TYPE,
  encodeBase64Url as toBase64Url,
  KEY_TYPE,
  VOTE_TYPE,
  type VoteStatement,
} from '@countersign/model';

export { toBase64Url };

/**
 * The statements that approvers sign, for code that creates or verifies signatures: an inbox, the server, an auditor.
 * The code needs only `btoa` and `TextEncoder`, so it runs in browsers, in Electron and in Node.
 *
 * A signature is a compact JWS (RFC 7515) by an Ed25519 key (`EdDSA`, RFC 8037): any JOSE library can verify it. Header
 * and payload are in their RFC 8785 form, so that a statement has exactly one encoding. The header's `typ` prevents a
 * signature for one purpose from being valid for another.
 */

/** A public Ed25519 key (RFC 8037, 2). */
export interface Ed25519PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes, base64url without padding. */
  readonly x: string;
}

/** The statement that proves possession of a key at its registration. */
export interface KeyStatement {
  /** `serverId` of `GET /api/signing`. */
  readonly server: string;
  /** The future owner of the key: `subject` of `GET /api/me`. */
  readonly subject: string;
  readonly keyId: string;
  /** Time of signing: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** The statement with which an approver enrols a key, signed with another of their keys that is already enrolled. */
export interface CountersignatureStatement {
  /** `serverId` of `GET /api/signing`. */
  readonly server: string;
  /** The owner of the keys: `subject` of `GET /api/me`. */
  readonly subject: string;
  /** The key to enrol. */
  readonly enrolledKeyId: string;
  /** The key that signs this statement. */
  readonly keyId: string;
  /** Time of signing: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** Returns the bytes to sign for a vote. Pass them to {@link buildSignedStatement} with the signature. */
export function buildVoteSigningInput(statement: VoteStatement): Uint8Array<ArrayBuffer> {
  return buildSigningInput(VOTE_TYPE, statement.keyId, statement);
}

/**
 * Returns the bytes to sign for the registration of a key. Pass them to {@link buildSignedStatement} with the
 * signature.
 */
export function buildKeySigningInput(statement: KeyStatement): Uint8Array<ArrayBuffer> {
  return buildSigningInput(KEY_TYPE, statement.keyId, statement);
}

/**
 * Returns the bytes to sign with an enrolled key to enrol another key. Pass them to {@link buildSignedStatement} with
 * the signature.
 */
export function buildCountersignatureSigningInput(statement: CountersignatureStatement): Uint8Array<ArrayBuffer> {
  return buildSigningInput(COUNTERSIGNATURE_TYPE, statement.keyId, statement);
}

/**
 * Returns the compact JWS: the `signature` of a vote, the `proof` of a registration, or a `countersignature`.
 *
 * @param signature the Ed25519 signature of `signingInput` (64 bytes)
 */
export function buildSignedStatement(signingInput: Uint8Array, signature: Uint8Array): string {
  return `${String.fromCharCode(...signingInput)}.${toBase64Url(signature)}`;
}

/** Returns the bytes whose SHA-256, in base64url, is `keyId`: the input of the key's thumbprint (RFC 7638). */
export function buildThumbprintInput({ crv, kty, x }: Ed25519PublicKey): Uint8Array<ArrayBuffer> {
  return encodeUtf8(serializeSorted({ crv, kty, x }));
}

function buildSigningInput(
  typ: string,
  kid: string,
  statement: VoteStatement | KeyStatement | CountersignatureStatement,
): Uint8Array<ArrayBuffer> {
  return encodeUtf8(
    `${toBase64Url(encodeUtf8(serializeSorted({ alg: 'EdDSA', kid, typ })))}.${toBase64Url(encodeUtf8(serializeSorted({ ...statement })))}`,
  );
}

/**
 * Returns the RFC 8785 form of an object of strings, integers and `null`: for these, `JSON.stringify` with sorted keys
 * suffices.
 */
function serializeSorted(object: Readonly<Record<string, string | number | null>>): string {
  return JSON.stringify(object, Object.keys(object).sort());
}

function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
