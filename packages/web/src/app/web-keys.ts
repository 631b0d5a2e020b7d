import { INBOX_KEYS } from '@countersign/inbox-ui/inbox/index';
import { EVERYWHERE, type KeyGroup } from '@countersign/inbox-ui/keys/key-actions';
import { COMMON_ACTIONS, DIAGRAM_KEYS } from '@countersign/inbox-ui/keys/shared-keys';
import { RUNS_KEYS } from '../runs/runs-keys.js';
import { texts } from '../texts/index.js';
import { DESTINATIONS } from './navigation.js';

/** All key actions of the web UI. */
export const WEB_KEYS: readonly KeyGroup[] = [
  INBOX_KEYS,
  RUNS_KEYS,
  DIAGRAM_KEYS,
  {
    title: texts.keys.everywhere,
    scope: EVERYWHERE,
    actions: [
      ...COMMON_ACTIONS,
      ...DESTINATIONS.map(({ to, key, label }) => ({
        id: getNavigationActionId(to),
        label: texts.keys.goTo(label),
        keys: `g ${key}`,
      })),
      { id: 'app.signOut', label: texts.app.signOut, keys: null },
    ],
  },
];

/** Returns the id of the key action that opens a page. */
export function getNavigationActionId(path: string): string {
  return `go.${path.slice(1)}`;
}
