import './app/configure-zod.js';
import { STYLE_NONCE } from '@countersign/inbox-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { bridge } from './app/bridge.js';

const root = document.getElementById('root');
if (root !== null) {
  const [state, shortcutSettings] = await Promise.all([bridge.getState(), bridge.getKeys()]);
  createRoot(root).render(
    <StrictMode>
      <App initialState={state} storedShortcutSettings={shortcutSettings} styleNonce={STYLE_NONCE} />
    </StrictMode>,
  );
}
