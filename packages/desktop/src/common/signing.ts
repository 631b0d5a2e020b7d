/** A key that signs votes, as far as the window has to know it: never its private half. */
export interface DeviceKey {
  /** The thumbprint of the key (RFC 7638). */
  readonly keyId: string;
  /** As its owner has called the device. */
  readonly name: string;
  readonly createdAt: string;
}

/**
 * How the signing of votes stands, for the signed-in user, on this device.
 *
 * - `off`: nobody is signed in, or nobody who decides.
 * - `none`: no key was made here.
 * - `ready`: votes can be signed.
 * - `unregistered`: the key is made, and the server does not have it yet, as far as is known.
 * - `not-enrolled`: the server has it, and nothing has proved yet that it is the person's: no vote counts that it signs.
 * - `revoked`: it was revoked elsewhere, and is never usable again.
 * - `lost`: it was made here, and the private half is gone: the system had no keychain, or has another one now.
 * - `other-server`: it was made for another server than the one that answers at this address now.
 * - `not-mine`: the server does not have it as a key of the signed-in user.
 */
export type SigningStatus =
  'off' | 'none' | 'ready' | 'unregistered' | 'not-enrolled' | 'revoked' | 'lost' | 'other-server' | 'not-mine';

export interface SigningState {
  readonly status: SigningStatus;
  /** The key that was made here; `null` where none was. */
  readonly key: DeviceKey | null;
  /** Whether this system has a keychain: without one a key is forgotten when the application ends. */
  readonly keeps: boolean;
  /** Whether votes are signed that don't have to be. */
  readonly signsEvery: boolean;
  /** What a new key is called where nobody says otherwise. */
  readonly deviceName: string;
}

export const SIGNING_OFF: SigningState = Object.freeze({
  status: 'off',
  key: null,
  keeps: false,
  signsEvery: false,
  deviceName: '',
});
