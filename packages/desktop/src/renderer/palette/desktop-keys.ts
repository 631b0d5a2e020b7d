import {
  COMMON_ACTIONS,
  DIAGRAM_KEYS,
  EVERYWHERE,
  INBOX_KEYS,
  type KeyGroup,
  SNOOZE_ACTIONS,
  texts as shared,
} from '@countersign/inbox-ui';
import { texts } from '../app/texts.js';

const t = texts.keys;

/** All actions of the desktop client with their default keys, by group. */
export const DESKTOP_KEYS: readonly KeyGroup[] = [
  { ...INBOX_KEYS, actions: [...INBOX_KEYS.actions, ...SNOOZE_ACTIONS] },
  {
    title: shared.keys.everywhere,
    scope: EVERYWHERE,
    actions: [
      ...COMMON_ACTIONS,
      { id: 'server.add', label: texts.addServer, keys: null },
      { id: 'go.approvals', label: shared.keys.goTo(texts.inbox), keys: 'g a' },
      { id: 'go.questions', label: shared.keys.goTo(texts.questions), keys: 'g q' },
      { id: 'app.signing', label: texts.signing.title, keys: null },
      { id: 'app.presence', label: texts.presence.title, keys: null },
      { id: 'zoom.in', label: t.zoomIn, keys: 'Mod+=', fixed: true },
      { id: 'zoom.out', label: t.zoomOut, keys: 'Mod+-', fixed: true },
      { id: 'zoom.reset', label: t.zoomReset, keys: 'Mod+0', fixed: true },
      { id: 'app.signOut', label: texts.signOut, keys: null },
    ],
  },
  DIAGRAM_KEYS,
];
