import { useShortcuts } from '@countersign/inbox-ui';
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { SIGNING_OFF, type SigningState } from '../../common/signing.js';
import { bridge } from '../app/bridge.js';
import { SigningDialog } from './signing-dialog.js';

interface SigningContextValue {
  readonly state: SigningState;
  /** Opens the dialog with the key of this device, or with the form that sets up a key. */
  open(): void;
}

const SigningContext = createContext<SigningContextValue>({ state: SIGNING_OFF, open: () => undefined });

export function useSigning(): SigningContextValue {
  return useContext(SigningContext);
}

/** Provides the signing state and a function that opens the signing dialog. */
export function SigningProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState(SIGNING_OFF);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const stop = bridge.on('signing', setState);
    void bridge.getSigning().then(setState);
    return stop;
  }, []);
  const open = useCallback(() => {
    setOpened(true);
    // The key may have been revoked elsewhere in the meantime.
    void bridge.checkSigning();
  }, []);
  const value = useMemo<SigningContextValue>(() => ({ state, open }), [state, open]);
  useShortcuts([{ action: 'app.signing', run: state.status === 'off' ? undefined : open }]);
  return (
    <SigningContext.Provider value={value}>
      {children}
      <SigningDialog state={state} opened={opened && state.status !== 'off'} onClose={() => setOpened(false)} />
    </SigningContext.Provider>
  );
}
