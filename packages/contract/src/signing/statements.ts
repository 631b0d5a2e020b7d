import { COUNTERSIGNATURE_TYPE, KEY_TYPE, VOTE_TYPE, type VoteStatement } from '@countersign/model';

/**
 * What approvers sign, for whoever makes signatures or checks them: an inbox, the server, an auditor. It needs nothing of
 * a platform but `btoa` and `TextEncoder`, so it runs in browsers, in Electron and in Node.
 *
 * A signature is a JWS in its compact form (RFC 7515) by an Ed25519 key (`EdDSA`, RFC 8037): any JOSE library can check it.
 * Header and payload are in their RFC 8785 form, so that one statement has one text. The header's `typ` keeps what is
 * signed for one purpose from counting for another.
 */

/** A public Ed25519 key (RFC 8037, 2). */
export interface Ed25519PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes, base64url without padding. */
  readonly x: string;
}

/** What proves that whoever registers a key has it. */
export interface KeyStatement {
  /** `serverId` of `GET /api/signing`. */
  readonly server: string;
  /** Whose key it is to be: `subject` of `GET /api/me`. */
  readonly subject: string;
  readonly keyId: string;
  /** When it is signed: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** What an approver says, with a key that is enrolled, of another key that is to be theirs as well. */
export interface CountersignatureStatement {
  /** `serverId` of `GET /api/signing`. */
  readonly server: string;
  /** Whose key it is to be: `subject` of `GET /api/me`. */
  readonly subject: string;
  /** The key that is to be enrolled. */
  readonly enrolledKeyId: string;
  /** The key that signs this. */
  readonly keyId: string;
  /** When it is signed: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** The bytes to sign of a vote. Put the signature to them with {@link signedStatement}. */
export function voteToSign(statement: VoteStatement): Uint8Array<ArrayBuffer> {
  return toSign(VOTE_TYPE, statement.keyId, statement);
}

/** The bytes to sign of a key's registration. Put the signature to them with {@link signedStatement}. */
export function keyToSign(statement: KeyStatement): Uint8Array<ArrayBuffer> {
  return toSign(KEY_TYPE, statement.keyId, statement);
}

/** The bytes to sign, with an enrolled key, of the enrolment of another one. Put the signature to them with {@link signedStatement}. */
export function countersignatureToSign(statement: CountersignatureStatement): Uint8Array<ArrayBuffer> {
  return toSign(COUNTERSIGNATURE_TYPE, statement.keyId, statement);
}

/** The compact JWS: `signature` of a decision, `proof` of a registration, or a countersignature. @param signature the 64 bytes of Ed25519 */
export function signedStatement(toBeSigned: Uint8Array, signature: Uint8Array): string {
  return `${String.fromCharCode(...toBeSigned)}.${base64url(signature)}`;
}

/** What `keyId` is the SHA-256 of, base64url: the key's thumbprint (RFC 7638). */
export function thumbprintInput({ crv, kty, x }: Ed25519PublicKey): Uint8Array<ArrayBuffer> {
  return utf8(flatJson({ crv, kty, x }));
}

function toSign(
  typ: string,
  kid: string,
  statement: VoteStatement | KeyStatement | CountersignatureStatement,
): Uint8Array<ArrayBuffer> {
  return utf8(
    `${base64url(utf8(flatJson({ alg: 'EdDSA', kid, typ })))}.${base64url(utf8(flatJson({ ...statement })))}`,
  );
}

/** The RFC 8785 form of an object of texts, whole numbers and `null`: for these, `JSON.stringify` in the order of the keys. */
function flatJson(object: Readonly<Record<string, string | number | null>>): string {
  return JSON.stringify(object, Object.keys(object).sort());
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Without padding (RFC 7515, 2). */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
