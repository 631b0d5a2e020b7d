import { KeyNews } from '@countersign/inbox-ui';
import { useSigning } from './signing-provider.js';

/** Notifies the user of their signing keys that were set up elsewhere. */
export function SigningNews() {
  const { state, open } = useSigning();
  return <KeyNews {...(state.key === null ? {} : { ownKeyId: state.key.keyId })} onShowKeys={open} />;
}
