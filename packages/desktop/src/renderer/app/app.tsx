import { MantineProvider } from '@mantine/core';
import {
  createQueries,
  cssVariables,
  type KeySettings,
  parseKeySettings,
  KeysProvider,
  PageNotifications,
  theme,
  TimeModeProvider,
  WindowErrorBoundary,
} from '@countersign/inbox-ui';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DesktopState } from '../../common/state.js';
import { DESKTOP_KEYS } from '../palette/desktop-keys.js';
import { SessionScreens } from '../session/session-screens.js';
import { bridge } from './bridge.js';
import './app.css';

interface AppProps {
  /** State at the start; events report changes. */
  readonly initial: DesktopState;
  readonly keys: unknown;
  readonly styleNonce: string;
}

/** Shared context of all screens: theme, time, keys, data. */
export function App({ initial, keys: storedKeys, styleNonce }: AppProps) {
  const [queries] = useState(createQueries);
  const [state, setState] = useState(initial);
  const [keys, setKeys] = useState<KeySettings>(() => parseKeySettings(storedKeys));
  useEffect(() => {
    const stop = bridge.on('state', setState);
    // Loads changes from before this window listened.
    void bridge.getState().then(setState);
    return stop;
  }, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      {/* Not over the decision buttons, which are at the bottom. */}
      <PageNotifications />
      <WindowErrorBoundary>
        <TimeModeProvider>
          <KeysProvider
            groups={DESKTOP_KEYS}
            settings={keys}
            onSettings={(settings) => {
              setKeys(settings);
              void bridge.setKeys(settings);
            }}
          >
            <QueryClientProvider client={queries}>
              <SessionScreens state={state} />
            </QueryClientProvider>
          </KeysProvider>
        </TimeModeProvider>
      </WindowErrorBoundary>
    </MantineProvider>
  );
}
