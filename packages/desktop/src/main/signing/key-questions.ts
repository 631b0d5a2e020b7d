import type { SigningKey } from '@countersign/contract';
import { asText } from './as-text.js';
import type { Question } from './ask.js';

interface Server {
  readonly name: string;
  readonly url: string;
}

export interface SetUp {
  readonly server: Server;
  readonly subject: string;
  readonly name: string;
  /** Whether this system has a keychain. */
  readonly keeps: boolean;
  /** A key of this device that is gone, and that nobody has revoked. */
  readonly replaced: { readonly keyId: string; readonly name: string } | undefined;
}

/** That a key counts for somebody from now on is theirs to say: a window that something else has taken over can't make one. */
export function setUpQuestion({ server, subject, name, keeps, replaced }: SetUp): Question {
  return {
    title: 'Signing key',
    message: 'Set up a signing key on this device?',
    detail: [
      'Votes that it signs count as yours. Each one is shown to you in a dialog like this one before it is signed.',
      '',
      `Server: ${serverWords(server)}`,
      `Signed in as: ${asText(subject, 100)}`,
      `Name of the device: ${asText(name, 100)}`,
      keeps
        ? 'Kept in: the keychain of this system'
        : 'Kept in: memory, until this application ends. This system has no keychain.',
      ...(replaced === undefined
        ? []
        : ['', `The key that was here before (${keyWords(replaced)}) is gone, and is revoked.`]),
    ].join('\n'),
    confirm: 'Set up the key',
  };
}

/** The plan of a revocation, which can't be taken back. */
export function revokeQuestion({
  server,
  key,
  isHere,
}: {
  readonly server: Server;
  readonly key: SigningKey;
  readonly isHere: boolean;
}): Question {
  return {
    title: 'Signing key',
    message: `Revoke the key of “${asText(key.name, 100)}”?`,
    detail: [
      'No vote that it signs counts from then on, for ever. Votes that count already still do.',
      ...(isHere
        ? ['It is the key of this device: what needs a signed vote can’t be decided here until you set up another one.']
        : ['It is the key of another device, or of one that you have no more.']),
      '',
      `Server: ${serverWords(server)}`,
      `Key: ${asText(key.keyId, 50)}`,
      `Registered: ${dayOf(key.createdAt)}`,
      `Signed last: ${key.lastUsedAt === null ? 'never' : dayOf(key.lastUsedAt)}`,
    ].join('\n'),
    confirm: 'Revoke the key',
  };
}

export function signOnlyRequiredQuestion(server: Server): Question {
  return {
    title: 'Signing key',
    message: 'Sign only the votes that have to be signed?',
    detail: `Other votes are then sent without a signature, and without a dialog like this one.\n\nServer: ${serverWords(server)}`,
    confirm: 'Sign only those',
  };
}

/** The name is the person's own, the address is what counts. */
export function serverWords({ name, url }: Server): string {
  return asText(name, 100) === asText(new URL(url).host, 100)
    ? asText(url, 200)
    : `${asText(name, 100)}, ${asText(url, 200)}`;
}

function keyWords({ keyId, name }: { readonly keyId: string; readonly name: string }): string {
  return `“${asText(name, 100)}”, ${asText(keyId.slice(0, 12), 12)}…`;
}

function dayOf(timestamp: string): string {
  return asText(timestamp, 30).replace(/T(\d\d:\d\d).*$/, ' $1 UTC');
}
