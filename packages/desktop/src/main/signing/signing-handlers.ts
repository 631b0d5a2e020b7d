import type { Handlers } from '../ipc/serve-methods.js';
import type { SigningService } from './signing-service.js';

type SigningMethods = Pick<
  Handlers,
  | 'getSigning'
  | 'checkSigning'
  | 'setUpSigning'
  | 'enrolSigningKey'
  | 'countersignSigningKey'
  | 'revokeSigningKey'
  | 'setSignsEvery'
>;

/**
 * Creates the signing key methods of the window. The user confirms outside the window each action that affects whether
 * votes count.
 */
export function createSigningHandlers(signing: SigningService): SigningMethods {
  return {
    getSigning: () => signing.state,
    checkSigning: () => signing.check(),
    setUpSigning: ({ name }) => signing.setUp(name),
    enrolSigningKey: () => signing.enrol(),
    countersignSigningKey: ({ keyId }) => signing.countersign(keyId),
    revokeSigningKey: ({ keyId }) => signing.revoke(keyId),
    setSignsEvery: ({ on }) => signing.setSignsEvery(on),
  };
}
