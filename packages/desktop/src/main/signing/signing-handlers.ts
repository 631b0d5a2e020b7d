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
 * Signing key methods for the window. Actions that decide whether votes count are confirmed by the user outside the
 * window.
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
