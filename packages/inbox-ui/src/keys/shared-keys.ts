import { texts } from '../texts/index.js';
import { EVERYWHERE, type KeyAction, type KeyGroup } from './key-actions.js';

const t = texts.keys;
const app = texts.app;
const time = texts.time;
const diagram = texts.diagram;

/** Actions available everywhere, in the web UI and in the desktop client. */
export const COMMON_ACTIONS: readonly KeyAction[] = [
  { id: 'app.palette', label: t.palette, keys: 'Mod+k' },
  // A vote can be undone on every page.
  { id: 'inbox.undo', label: texts.inboxKeys.undo, keys: 'u' },
  { id: 'app.help', label: t.help, keys: '?' },
  { id: 'app.keyboard', label: t.open, keys: null },
  { id: 'look.light', label: t.appearance(app.theme.light), keys: null },
  { id: 'look.dark', label: t.appearance(app.theme.dark), keys: null },
  { id: 'look.auto', label: t.appearance(app.theme.auto), keys: null },
  { id: 'times.relative', label: t.times(time.relative), keys: null },
  { id: 'times.local', label: t.times(time.local), keys: null },
  { id: 'times.utc', label: t.times(time.utc), keys: null },
];

/** Keys of diagrams, which several pages contain. */
export const DIAGRAM_KEYS: KeyGroup = {
  title: diagram.title,
  scope: EVERYWHERE,
  actions: [
    { id: 'diagram.zoomIn', label: diagram.zoomIn, keys: '+' },
    { id: 'diagram.zoomOut', label: diagram.zoomOut, keys: '-' },
    { id: 'diagram.fit', label: diagram.fit, keys: '0' },
  ],
};
