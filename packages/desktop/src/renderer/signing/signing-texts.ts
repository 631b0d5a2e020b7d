import type { SigningStatus } from '../../common/signing.js';

/** What is wrong with the key of this device. */
export type KeyTrouble = Exclude<SigningStatus, 'off' | 'none' | 'ready'>;

/** The texts on signing votes. */
export const signingTexts = Object.freeze({
  title: 'Signing key',
  none: 'not set up',
  ready: 'Votes can be signed on this device',
  what: 'A signed vote shows that it is yours: nobody else can make one, not even the server. The key is made on this device and never leaves it.',
  asks: 'Each vote that is signed is shown to you in a dialog of the system first.',
  kept: 'Kept in the keychain of this system',
  notKept: 'In memory only',
  notKeptHint:
    'This system has no keychain. The key is forgotten when the application ends; you set up another one after each start.',
  deviceName: 'Name of this device',
  deviceNameHint: 'Tells this key from your others.',
  setUp: 'Set up a signing key',
  setUpAnother: 'Set up another key',
  finish: 'Finish setting up',
  inDialog: 'Confirm it in the dialog of the system.',
  name: 'Device',
  keyId: 'Key',
  copyKeyId: 'Copy the whole id of the key',
  registered: 'Registered',
  lastUsed: 'Signed last',
  never: 'never',
  place: 'Where it is',
  signsEvery: 'Sign every vote',
  signsEveryHint: 'Otherwise only those that have to be signed. Signed votes are not sent several at once.',
  revoke: 'Revoke this key',
  revokeOther: (name: string) => `Revoke the key of ${name}`,
  revokeShort: 'Revoke',
  others: 'Your other keys',
  revoked: 'revoked',
  failed: 'It was not done',
  look: 'Look at it',
  trouble: {
    'unregistered': {
      title: 'Your signing key is not registered yet',
      text: 'The server has not said that it has it. Nothing is lost: finish setting it up.',
      short: 'unfinished',
    },
    'revoked': {
      title: 'Your signing key was revoked',
      text: 'You revoked it on another device, or an administrator did. Nothing that it signs counts any more. If that was not you, ask an administrator before you set up another one.',
      short: 'revoked',
    },
    'lost': {
      title: 'Your signing key is gone',
      text: 'Its private half can’t be opened any more: it was kept in memory only, or by another keychain. Set up another one; this one is then revoked.',
      short: 'gone',
    },
    'other-server': {
      title: 'Another server answers here',
      text: 'Your signing key was made for another one, and signs nothing for this one. If nobody has told you of a change, ask an administrator before you set up another key.',
      short: 'other server',
    },
    'not-mine': {
      title: 'The server does not know your signing key',
      text: 'It is not registered as yours. If nobody has told you of a change, ask an administrator before you register it again.',
      short: 'not known',
    },
  } satisfies Record<KeyTrouble, { title: string; text: string; short: string }>,
});
