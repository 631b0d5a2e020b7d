import type { SigningKey } from '@countersign/contract';
import { toDialogText } from './to-dialog-text.js';
import type { ConfirmationPrompt } from './confirm.js';

interface Server {
  readonly name: string;
  readonly url: string;
}

export interface SetUpPromptOptions {
  readonly server: Server;
  readonly subject: string;
  readonly name: string;
  /** Whether this system has a keychain. */
  readonly keeps: boolean;
  /** A lost key of this device that has not been revoked. */
  readonly replacedKey: { readonly keyId: string; readonly name: string } | undefined;
}

/**
 * Returns the prompt for setting up a key. Only the user can confirm that a key counts for them: a compromised window
 * cannot create one.
 */
export function createSetUpPrompt({
  server,
  subject,
  name,
  keeps,
  replacedKey,
}: SetUpPromptOptions): ConfirmationPrompt {
  return {
    title: 'Signing key',
    message: 'Set up a signing key on this device?',
    detail: [
      'Votes that it signs count as yours. Each one is shown to you in a dialog like this one before it is signed.',
      '',
      `Server: ${formatServer(server)}`,
      `Signed in as: ${toDialogText(subject, 100)}`,
      `Device name: ${toDialogText(name, 100)}`,
      keeps
        ? 'Stored in: this system’s keychain'
        : 'Stored in: memory, until this application closes. This system has no keychain.',
      ...(replacedKey === undefined
        ? []
        : ['', `The previous key of this device (${formatKey(replacedKey)}) is lost and will be revoked.`]),
    ].join('\n'),
    confirmLabel: 'Set up key',
  };
}

/** Returns the prompt for enrolling the key of another device, after which votes signed on that device also count. */
export function createCountersignPrompt({
  server,
  key,
}: {
  readonly server: Server;
  readonly key: SigningKey;
}): ConfirmationPrompt {
  return {
    title: 'Signing key',
    message: `Is the key of “${toDialogText(key.name, 100)}” yours?`,
    detail: [
      'Votes that it signs will count as yours. Compare this key with the key that the other device shows. If you did not set it up, cancel and revoke it: someone else has signed in as you.',
      '',
      `Server: ${formatServer(server)}`,
      `Key: ${toDialogText(key.keyId, 50)}`,
      `Registered: ${formatTimestamp(key.createdAt)}`,
    ].join('\n'),
    confirmLabel: 'This is my key',
  };
}

/** Returns the prompt for a revocation, which cannot be undone. */
export function createRevokePrompt({
  server,
  key,
  isThisDevice,
}: {
  readonly server: Server;
  readonly key: SigningKey;
  readonly isThisDevice: boolean;
}): ConfirmationPrompt {
  return {
    title: 'Signing key',
    message: `Revoke the key of “${toDialogText(key.name, 100)}”?`,
    detail: [
      'No vote that it signs from now on will count. Earlier votes still count. This can’t be undone.',
      ...(isThisDevice
        ? ['This is this device’s key: you can’t cast signed votes here until you set up another one.']
        : ['This is the key of another device, or of a device that you no longer have.']),
      '',
      `Server: ${formatServer(server)}`,
      `Key: ${toDialogText(key.keyId, 50)}`,
      `Registered: ${formatTimestamp(key.createdAt)}`,
      `Last used: ${key.lastUsedAt === null ? 'never' : formatTimestamp(key.lastUsedAt)}`,
    ].join('\n'),
    confirmLabel: 'Revoke key',
  };
}

export function createSignOnlyRequiredPrompt(server: Server): ConfirmationPrompt {
  return {
    title: 'Signing key',
    message: 'Sign only the votes that must be signed?',
    detail: `Other votes will be sent without a signature and without a dialog like this one.\n\nServer: ${formatServer(server)}`,
    confirmLabel: 'Sign only required votes',
  };
}

/** Formats the name of a server, which the user chose, and its address, which identifies it. */
export function formatServer({ name, url }: Server): string {
  return toDialogText(name, 100) === toDialogText(new URL(url).host, 100)
    ? toDialogText(url, 200)
    : `${toDialogText(name, 100)}, ${toDialogText(url, 200)}`;
}

function formatKey({ keyId, name }: { readonly keyId: string; readonly name: string }): string {
  return `“${toDialogText(name, 100)}”, ${toDialogText(keyId.slice(0, 12), 12)}…`;
}

function formatTimestamp(timestamp: string): string {
  return toDialogText(timestamp, 30).replace(/T(\d\d:\d\d).*$/, ' $1 UTC');
}
