import { formatCount } from '../format-count.js';

export const ui = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser does not allow this page to copy.',
  dialogNotLoaded: 'The dialog could not be loaded. Try again, or reload the page.',
  json: {
    items: (n: number) => formatCount(n, 'item', 'items'),
    members: (n: number) => formatCount(n, 'member', 'members'),
    more: (n: number) => `${n.toLocaleString('en')} more not shown`,
    rest: (n: number) => `… ${formatCount(n, 'more character', 'more characters')}`,
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
    view: 'Diff view',
    summary: (added: number, removed: number) =>
      `${formatCount(added, 'line', 'lines')} added, ${removed.toLocaleString('en')} removed`,
    files: (n: number) => formatCount(n, 'file', 'files'),
    fileList: 'Files',
    counts: (added: number, removed: number) => `+${added.toLocaleString('en')} −${removed.toLocaleString('en')}`,
    moreFiles: (n: number) => `and ${formatCount(n, 'more file', 'more files')}`,
    showMoreFiles: (n: number) => `Show more (${formatCount(n, 'file', 'files')} left)`,
    notes: 'Notes',
    same: 'No differences.',
    sameSoFar:
      'These texts are long, so only their beginnings were compared. No differences there, but they may differ later on.',
    beginnings: 'These texts are long, so only their beginnings are compared.',
    unchanged: (n: number) => `Show ${formatCount(n, 'unchanged line', 'unchanged lines')}`,
    moreAbove: (n: number) => `↓ ${n.toLocaleString('en')} more`,
    moreAboveLabel: (n: number) => `Show ${formatCount(n, 'more line', 'more lines')} below the previous change`,
    moreBelow: (n: number) => `↑ ${n.toLocaleString('en')} more`,
    moreBelowLabel: (n: number) => `Show ${formatCount(n, 'more line', 'more lines')} above the next change`,
    omitted: (n: number) =>
      `${formatCount(n, 'line', 'lines')} in between ${n === 1 ? 'is' : 'are'} not part of this patch`,
    omittedAtStart: (n: number) =>
      `The first ${n === 1 ? 'line is' : `${n.toLocaleString('en')} lines are`} not part of this patch`,
    writeNote: (line: number) => `Comment on line ${line}`,
    foldFile: (name: string) => `Fold ${name}`,
    unfoldFile: (name: string) => `Unfold ${name}`,
    foldedFile: (n: number) => `${formatCount(n, 'line', 'lines')} folded`,
    added: 'added',
    removed: 'removed',
    mergedLine: (line: number | undefined, kind: string) => `Line ${line === undefined ? '' : `${line} `}${kind}: `,
    cut: (lines: number) =>
      `These texts are long, so only their beginnings are compared: at most ${lines.toLocaleString('en')} lines.`,
    tooDifferent:
      'These texts differ too much for a line-by-line comparison: one is shown as removed, the other as added.',
  },
} as const;

/** Named filters of a list. */
export const views = {
  label: 'Saved views',
  current: (name: string) => `View: ${name}`,
  unsaved: 'Unsaved view',
  predefined: 'Views',
  own: 'Your views',
  save: 'Save view…',
  saveTitle: 'Save view',
  renameTitle: 'Rename view',
  name: 'Name',
  nameHint: 'Stored only in this browser.',
  confirmSave: 'Save',
  rename: 'Rename…',
  remove: 'Delete view',
};
