import { count } from '../count.js';

export const ui = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser does not let this page copy.',
  json: {
    items: (n: number) => count(n, 'item', 'items'),
    members: (n: number) => count(n, 'member', 'members'),
    more: (n: number) => `${n.toLocaleString('en')} more are not shown yet`,
    rest: (n: number) => `… ${count(n, 'more character', 'more characters')}`,
    expandAll: 'Expand all',
    collapseAll: 'Collapse all',
  },
  markdown: {
    image: (alt: string) => (alt === '' ? 'Image' : `Image: ${alt}`),
    host: (host: string) => `(${host})`,
    done: 'Done:',
    open: 'To do:',
    table: 'Table',
  },
  diff: {
    before: 'Before',
    after: 'After',
    line: 'Line',
    split: 'Side by side',
    unified: 'Unified',
    view: 'How to show the difference',
    summary: (added: number, removed: number) =>
      `${count(added, 'line', 'lines')} added, ${removed.toLocaleString('en')} removed`,
    same: 'There is no difference.',
    sameSoFar:
      'These texts are long, and only their beginnings are compared: there, they do not differ. They may differ after that.',
    beginnings: 'These texts are long: only their beginnings are compared.',
    unchanged: (n: number) => `Show ${count(n, 'unchanged line', 'unchanged lines')}`,
    added: 'added',
    removed: 'removed',
    cut: (lines: number) => `These texts are long: only their first ${lines.toLocaleString('en')} lines are compared.`,
    tooDifferent:
      'These texts differ too much to be compared line by line: all of one is shown as removed, all of the other as added.',
  },
} as const;
