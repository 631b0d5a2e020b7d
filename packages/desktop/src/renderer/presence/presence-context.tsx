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

/** Provides the state of tray, notifications and snoozes. Renders nothing until the main process has returned it. */
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

function usePresenceContext(): PresenceValue {
  const value = useContext(PresenceContext);
  if (value === undefined) throw new Error('Render this component inside PresenceProvider.');
  return value;
}

/** Returns the current state of tray, notifications and snoozes. */
export function usePresence(): PresenceState {
  return usePresenceContext().state;
}

/** Returns a function that opens the settings for notifications and start at login. */
export function usePresenceDialog(): () => void {
  return usePresenceContext().openDialog;
}
