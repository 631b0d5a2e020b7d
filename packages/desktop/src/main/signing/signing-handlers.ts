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
export function signingHandlers(desk: SigningService): SigningMethods {
  return {
    getSigning: () => desk.state,
    checkSigning: () => desk.check(),
    setUpSigning: ({ name }) => desk.setUp(name),
    enrolSigningKey: () => desk.enrol(),
    countersignSigningKey: ({ keyId }) => desk.countersign(keyId),
    revokeSigningKey: ({ keyId }) => desk.revoke(keyId),
    setSignsEvery: ({ on }) => desk.setSignsEvery(on),
  };
}
