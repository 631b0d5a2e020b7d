import { useShortcuts } from '@countersign/inbox-ui';
import { useDisclosure } from '@mantine/hooks';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { PresenceState } from '../../common/presence.js';
import { bridge } from '../app/bridge.js';
import { PresenceDialog } from './presence-dialog.js';

interface PresenceValue {
  readonly state: PresenceState;
  openDialog(): void;
}

const PresenceContext = createContext<PresenceValue | undefined>(undefined);

/** Nothing is shown before it is known what is put off, which takes one turn of the main process. */
export function PresenceProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<PresenceState>();
  const [opened, { open, close }] = useDisclosure(false);
  useEffect(() => {
    const stop = bridge.on('presence', setState);
    void bridge.getPresence().then(setState);
    return stop;
  }, []);
  useShortcuts([{ action: 'app.presence', run: open }]);
  const value = useMemo(() => (state === undefined ? undefined : { state, openDialog: open }), [state, open]);
  if (value === undefined) return null;
  return (
    <PresenceContext.Provider value={value}>
      {children}
      <PresenceDialog state={value.state} opened={opened} onClose={close} onState={setState} />
    </PresenceContext.Provider>
  );
}

function useValue(): PresenceValue {
  const value = useContext(PresenceContext);
  if (value === undefined) throw new Error('There is no presence here.');
  return value;
}

/** Tray, notifications and what was put off, as it stands now. */
export function usePresence(): PresenceState {
  return useValue().state;
}

/** Opens where notifications and the start are set. */
export function usePresenceDialog(): () => void {
  return useValue().openDialog;
}
