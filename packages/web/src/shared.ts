/** What the desktop client shares with the web UI beside the parts of the inbox: looks, keys, times, and how data are kept current. */
import './app/before-all.js';
import './app/styles.js';
export { ClientContext } from './api/client-context.js';
export { LiveStatusContext, staleBy, type LiveStatus } from './api/live-updates.js';
export { createQueries } from './api/queries.js';
export { Refresher } from './api/refresher.js';
export { STYLE_NONCE } from './app/base-url.js';
export { LiveIndicator } from './app/live-indicator.js';
export { cssVariables, theme } from './app/theme.js';
export { WindowError } from './app/window-error.js';
export { ApprovalsPage } from './approvals/approvals-page.js';
export { KeysProvider, useKeysHelp, useShortcuts } from './keys/keys-provider.js';
export { SessionContext, useRoleCheck, type Session } from './session/session.js';
export { TIME_MODES, TimeModeProvider, useTimeMode, type TimeMode } from './time/time-mode.js';
export { Loading } from './ui/loading.js';
export { texts } from './texts/index.js';
export { MenuChoice } from './ui/menu-choice.js';
