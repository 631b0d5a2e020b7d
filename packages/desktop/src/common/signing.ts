/** Public data of a signing key for the window: never its private key. */
export interface DeviceKey {
  /** JWK thumbprint of the key (RFC 7638). */
  readonly keyId: string;
  /** Device name chosen by the key's owner. */
  readonly name: string;
  readonly createdAt: string;
}

/**
 * State of vote signing for the signed-in user on this device.
 *
 * - `off`: no user is signed in, or the user cannot decide.
 * - `none`: no key was created here.
 * - `ready`: votes can be signed.
 * - `unregistered`: the key exists, but the server has not confirmed its registration.
 * - `not-enrolled`: the server has the key, but nothing proves yet that it belongs to the user, so votes signed with it
 * do not count.
 * - `revoked`: the key was revoked elsewhere and can never be used again.
 * - `lost`: the key was created here, but the private key is no longer available, because the system had no keychain or
 * now has a different one.
 * - `other-server`: the key was created for a server other than the one that now responds at this address.
 * - `not-mine`: the server does not list the key among the keys of the signed-in user.
 */
export type SigningStatus =
  'off' | 'none' | 'ready' | 'unregistered' | 'not-enrolled' | 'revoked' | 'lost' | 'other-server' | 'not-mine';

export interface SigningState {
  readonly status: SigningStatus;
  /** The key that was created here; `null` if there is none. */
  readonly key: DeviceKey | null;
  /** Whether this system has a keychain: without one, a key is lost when the application ends. */
  readonly keeps: boolean;
  /** Whether votes are signed even if no signature is required. */
  readonly signsEveryVote: boolean;
  /** Default name of a new key. */
  readonly deviceName: string;
}

export const SIGNING_OFF: SigningState = Object.freeze({
  status: 'off',
  key: null,
  keeps: false,
  signsEveryVote: false,
  deviceName: '',
});
