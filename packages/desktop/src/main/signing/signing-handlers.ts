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
 * Creates the signing key methods of the window. Creating, countersigning and revoking a key require the user's
 * confirmation outside the window, as does no longer signing every vote.
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
