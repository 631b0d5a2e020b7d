import { createHmac } from 'node:crypto';
import { anyHolds, equalInConstantTime } from './constant-time.js';
import type { Verifier } from './verifier.js';

/**
 * HMAC-SHA256 of the body in hexadecimal of either case, as GitHub and Gitea send it.
 *
 * @param headers where the signature stands, the most specific one first. Only the first that is there counts: a bad one is
 *   not saved by a good one under another name.
 * @param prefix what stands before the digits under that name
 */
export function hmacVerifier(headers: readonly { readonly name: string; readonly prefix: string }[]): Verifier {
  return {
    verify({ header, body }, secrets) {
      const found = headers.find(({ name }) => header(name) !== undefined);
      if (found === undefined) return false;
      const given = header(found.name) ?? '';
      if (!given.startsWith(found.prefix)) return false;
      const digits = given.slice(found.prefix.length).toLowerCase();
      return anyHolds(secrets, (secret) =>
        equalInConstantTime(digits, createHmac('sha256', secret).update(body).digest('hex')),
      );
    },
  };
}

/** `X-Hub-Signature-256`; the older `X-Hub-Signature` (SHA-1) is not taken. */
export const githubVerifier = hmacVerifier([{ name: 'X-Hub-Signature-256', prefix: 'sha256=' }]);

/** Forgejo signs under its own name, Gitea's and GitHub's, all alike; Gitea under the last two. */
export const giteaVerifier = hmacVerifier([
  { name: 'X-Forgejo-Signature', prefix: '' },
  { name: 'X-Gitea-Signature', prefix: '' },
]);
