import { MantineProvider } from '@mantine/core';
import {
  createQueryClient,
  cssVariables,
  type ShortcutSettings,
  parseShortcutSettings,
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
  /** State when the window opens. Later changes arrive as `state` events. */
  readonly initialState: DesktopState;
  readonly storedShortcutSettings: unknown;
  readonly styleNonce: string;
}

/** Shared context of all screens: theme, time, keys, data. */
export function App({ initialState, storedShortcutSettings, styleNonce }: AppProps) {
  const [queryClient] = useState(createQueryClient);
  const [state, setState] = useState(initialState);
  const [shortcutSettings, setShortcutSettings] = useState<ShortcutSettings>(() =>
    parseShortcutSettings(storedShortcutSettings),
  );
  useEffect(() => {
    const stop = bridge.on('state', setState);
    // The state may have changed before the listener was added.
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
      {/* Displayed at the top, so that they do not cover the decision buttons at the bottom. */}
      <PageNotifications />
      <WindowErrorBoundary>
        <TimeModeProvider>
          <KeysProvider
            groups={DESKTOP_KEYS}
            settings={shortcutSettings}
            onSettings={(settings) => {
              setShortcutSettings(settings);
              void bridge.setKeys(settings);
            }}
          >
            <QueryClientProvider client={queryClient}>
              <SessionScreens state={state} />
            </QueryClientProvider>
          </KeysProvider>
        </TimeModeProvider>
      </WindowErrorBoundary>
    </MantineProvider>
  );
}
