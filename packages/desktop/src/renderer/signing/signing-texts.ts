import type { SigningStatus } from '../../common/signing.js';

/** Problem with the key of this device. */
export type KeyProblem = Exclude<SigningStatus, 'off' | 'none' | 'ready'>;

/** Texts about signing votes. */
export const signingTexts = Object.freeze({
  title: 'Signing key',
  none: 'not set up',
  ready: 'Votes can be signed on this device',
  explanation:
    'A signed vote proves that you cast it: no one else can create it, not even the server. The key is created on this device and never leaves it.',
  confirmationHint: 'A system dialog shows you each vote before it is signed.',
  kept: 'In this system’s keychain',
  notKept: 'In memory only',
  notKeptHint:
    'This system has no keychain. The key is lost when the application closes, so you must set up a new key each time you open it.',
  deviceName: 'Device name',
  deviceNameHint: 'Distinguishes this key from your other keys.',
  setUp: 'Set up a signing key',
  setUpAnother: 'Set up another key',
  finish: 'Finish setting up',
  enrol: 'Sign in again',
  enrolHint: 'Sign in again in your browser.',
  inBrowser: 'Continue in your browser, then return here.',
  giveUp: 'Cancel',
  otherDeviceHint: 'Open “Signing key” on another device whose key is confirmed, and confirm this one there.',
  adminHint: 'Ask an administrator to approve the key. Give them its ID by phone or in person:',
  isMine: (name: string) => `Confirm that the key of ${name} is yours`,
  isMineShort: 'This is my key',
  notEnrolled: 'Not confirmed yet',
  inDialog: 'Confirm the action in the system dialog.',
  name: 'Device',
  keyId: 'Key',
  copyKeyId: 'Copy full key ID',
  registered: 'Registered',
  lastUsed: 'Last used',
  never: 'never',
  storage: 'Storage',
  signsEveryVote: 'Sign every vote',
  signsEveryVoteHint: 'If off, only votes that require a signature are signed. Signed votes can’t be sent together.',
  revoke: 'Revoke key',
  revokeOther: (name: string) => `Revoke the key of ${name}`,
  revokeShort: 'Revoke',
  others: 'Your other keys',
  revoked: 'revoked',
  failed: 'The action failed',
  review: 'Review',
  problems: {
    'unregistered': {
      title: 'Your signing key is not registered yet',
      text: 'The server has not confirmed the registration. Finish setting up the key.',
      short: 'unfinished',
    },
    'not-enrolled': {
      title: 'Your signing key is not confirmed yet',
      text: 'The server has the key but cannot tell whether you or someone who took over your session set it up. Confirm the key in one of the following ways. Until then, votes that it signs do not count.',
      short: 'not confirmed',
    },
    'revoked': {
      title: 'Your signing key was revoked',
      text: 'You revoked it on another device, or an administrator did. Votes that it signs no longer count. If you did not revoke it, ask an administrator before you set up another one.',
      short: 'revoked',
    },
    'lost': {
      title: 'Your signing key is lost',
      text: 'Its private key is no longer available: it was kept in memory only, or in another keychain. Set up another key; the lost key is then revoked.',
      short: 'lost',
    },
    'other-server': {
      title: 'A different server is responding',
      text: 'Your signing key was made for another server and can’t sign for this one. If you did not expect this, ask an administrator before you set up another key.',
      short: 'other server',
    },
    'not-mine': {
      title: 'The server does not have your signing key',
      text: 'The key is not registered as yours. If you did not expect this, ask an administrator before you register it again.',
      short: 'unknown',
    },
  } satisfies Record<KeyProblem, { title: string; text: string; short: string }>,
});
