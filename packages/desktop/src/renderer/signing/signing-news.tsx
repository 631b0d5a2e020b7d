import { KeyNews } from '@countersign/inbox-ui';
import { useSigning } from './signing-provider.js';

/** Tells of signing keys of the signed-in user that were set up elsewhere. */
export function SigningNews() {
  const { state, open } = useSigning();
  return <KeyNews {...(state.key === null ? {} : { own: state.key.keyId })} onLook={open} />;
}
