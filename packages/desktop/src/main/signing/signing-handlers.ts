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

/** What the window can ask of the signing key. What makes votes count or not count any more is confirmed by the person, outside of it. */
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
