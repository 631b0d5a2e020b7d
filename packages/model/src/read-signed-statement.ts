import { sha256Hex } from '#sha256';
import { decodeBase64Url, encodeBase64Url } from './base64-url.js';
import { canonicalJson } from './canonical-json.js';
import { isJsonObject, type JsonObject } from './json.js';

/** A signed statement that has not been verified yet. */
export interface SignedStatement {
  readonly keyId: string;
  readonly statement: JsonObject;
  /** The bytes that the signature covers. */
  readonly signedBytes: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Maximum length of a JWS in characters: far more than a valid statement needs. */
const MAX_JWS_LENGTH = 8_000;
const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/**
 * Reads a compact JWS (RFC 7515) with an Ed25519 key (`EdDSA`, RFC 8037). Header and payload must be in their RFC 8785
 * form, and the header must have `alg`, `kid` and `typ` and no other members. Therefore each statement has exactly one
 * encoding, the algorithm cannot be chosen, and there are no other header members that readers could interpret
 * differently.
 *
 * @param typ the purpose of the statement; statements for another purpose are refused
 * @returns `undefined` if the text does not have this form
 */
export function readSignedStatement(jws: string, typ: string): SignedStatement | undefined {
  const [, header = '', payload = '', signature = ''] =
    jws.length > MAX_JWS_LENGTH ? [] : (COMPACT_JWS.exec(jws) ?? []);
  const [head, statement, bytes] = [
    parseCanonicalObject(header),
    parseCanonicalObject(payload),
    decodeBase64Url(signature),
  ];
  if (head === undefined || statement === undefined || bytes === undefined) return undefined;
  const { alg, kid, typ: type, ...others } = head;
  if (alg !== 'EdDSA' || type !== typ || typeof kid !== 'string' || Object.keys(others).length > 0) return undefined;
  return { keyId: kid, statement, signedBytes: new TextEncoder().encode(`${header}.${payload}`), signature: bytes };
}

/** Returns the thumbprint of an Ed25519 key (RFC 7638, RFC 8037 appendix A.3): SHA-256, base64url. */
export function computeThumbprint(publicKey: string): string {
  return encodeBase64Url(decodeHex(sha256Hex(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x: publicKey }))));
}

/**
 * The y coordinates of points of small order, also in forms that are not reduced, little-endian with the sign bit
 * cleared. Anyone can sign with such a key, so its signatures prove nothing (see libsodium's
 * `ge25519_has_small_order`).
 */
const SMALL_ORDER_KEYS: ReadonlySet<string> = new Set([
  `${'00'.repeat(32)}`,
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/**
 * Returns whether a public key has 32 bytes and is not a point of small order, with which anyone could sign.
 *
 * @param publicKey the key in base64url
 */
export function isUsablePublicKey(publicKey: string): boolean {
  const bytes = decodeBase64Url(publicKey);
  if (bytes?.length !== 32) return false;
  const unsigned = Uint8Array.from(bytes);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return !SMALL_ORDER_KEYS.has(encodeHex(unsigned));
}

const encodeHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const decodeHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function parseCanonicalObject(text: string): JsonObject | undefined {
  const bytes = decodeBase64Url(text);
  if (bytes === undefined) return undefined;
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(json) as unknown;
    return isJsonObject(value) && canonicalJson(value) === json ? value : undefined;
  } catch {
    return undefined;
  }
}
