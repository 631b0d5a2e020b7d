import type { KeyGroup } from '@countersign/inbox-ui/keys/key-actions';
import { texts } from '../texts/index.js';

const t = texts.runs.keys;

/** Keyboard shortcuts of the page that lists all runs. */
export const RUNS_KEYS: KeyGroup = {
  title: texts.runs.title,
  scope: 'runs',
  actions: [
    { id: 'runs.search', label: t.search, keys: '/' },
    { id: 'runs.down', label: t.down, keys: 'j' },
    { id: 'runs.up', label: t.up, keys: 'k' },
    { id: 'runs.open', label: t.open, keys: 'Enter', fixed: true },
    { id: 'runs.choose', label: t.choose, keys: 'x' },
    { id: 'runs.range', label: t.range, keys: 'X' },
    { id: 'runs.cancel', label: t.cancel, keys: 'c' },
    { id: 'runs.recover', label: t.recover, keys: 'r' },
    { id: 'runs.start', label: t.start, keys: 'n' },
  ],
};
