import { createHmac } from 'node:crypto';
import { anyMatches, equalInConstantTime } from './constant-time.js';
import type { Verifier } from './verifier.js';

/**
 * Returns a verifier for the HMAC-SHA256 of the body in hexadecimal (upper or lower case), as GitHub and Gitea send it.
 *
 * @param headers headers that may contain the signature, the most specific first. Only the first one that is present
 *   is checked: a valid signature in another header does not make up for an invalid one. `prefix` is the text before
 *   the digits.
 */
export function createHmacVerifier(headers: readonly { readonly name: string; readonly prefix: string }[]): Verifier {
  return {
    verify({ header, body }, secrets) {
      const signatureHeader = headers.find(({ name }) => header(name) !== undefined);
      if (signatureHeader === undefined) return false;
      const signature = header(signatureHeader.name) ?? '';
      if (!signature.startsWith(signatureHeader.prefix)) return false;
      const digits = signature.slice(signatureHeader.prefix.length).toLowerCase();
      return anyMatches(secrets, (secret) =>
        equalInConstantTime(digits, createHmac('sha256', secret).update(body).digest('hex')),
      );
    },
  };
}

/** `X-Hub-Signature-256`; the older `X-Hub-Signature` (SHA-1) is not accepted. */
export const githubVerifier = createHmacVerifier([{ name: 'X-Hub-Signature-256', prefix: 'sha256=' }]);

/** Forgejo sends the same signature in its own header, Gitea's and GitHub's; Gitea sends it in the last two. */
export const giteaVerifier = createHmacVerifier([
  { name: 'X-Forgejo-Signature', prefix: '' },
  { name: 'X-Gitea-Signature', prefix: '' },
]);
