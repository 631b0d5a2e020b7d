import { KeyNotifications } from '@countersign/inbox-ui';
import { useSigning } from './signing-provider.js';

/** Notifies the user of signing keys that were recently set up in their name on other devices. */
export function SigningKeyNotifications() {
  const { state, open } = useSigning();
  return <KeyNotifications {...(state.key === null ? {} : { ownKeyId: state.key.keyId })} onShowKeys={open} />;
}
