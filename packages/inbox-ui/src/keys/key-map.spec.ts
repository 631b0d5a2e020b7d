import { expect } from 'chai';
import type { KeyGroup } from './key-actions.js';
import { isCharacter, buildKeyMap, findConflictingAction } from './key-map.js';
import { parseShortcutSettings, DEFAULT_SHORTCUT_SETTINGS, type ShortcutSettings } from './shortcut-settings.js';
import { readPressedKeys } from './read-pressed-keys.js';

const GROUPS: readonly KeyGroup[] = [
  {
    title: 'Inbox',
    scope: 'inbox',
    actions: [
      { id: 'a.next', label: 'Next', keys: 'j' },
      { id: 'a.approve', label: 'Approve', keys: 'a' },
      { id: 'a.open', label: 'Open', keys: 'Enter', fixed: true },
    ],
  },
  { title: 'Runs', scope: 'runs', actions: [{ id: 'b.next', label: 'Next run', keys: 'j' }] },
  {
    title: 'Everywhere',
    scope: 'everywhere',
    actions: [
      { id: 'c.help', label: 'Help', keys: '?' },
      { id: 'c.runs', label: 'Runs', keys: 'g r' },
      { id: 'c.none', label: 'None', keys: null },
    ],
  },
];
const createSettings = (keys: ShortcutSettings['keys']): ShortcutSettings => ({ ...DEFAULT_SHORTCUT_SETTINGS, keys });
const toKeyMapObject = (settings: ShortcutSettings): Record<string, string> =>
  Object.fromEntries(buildKeyMap(GROUPS, settings));

describe('buildKeyMap', () => {
  it('should return the default keys, including the same keys in two scopes', () => {
    expect(toKeyMapObject(DEFAULT_SHORTCUT_SETTINGS)).to.deep.equal({
      'a.next': 'j',
      'a.approve': 'a',
      'a.open': 'Enter',
      'b.next': 'j',
      'c.help': '?',
      'c.runs': 'g r',
    });
  });

  it('should return the configured keys and omit disabled actions', () => {
    expect(toKeyMapObject(createSettings({ 'a.next': 'n', 'a.approve': null, 'c.none': 'Mod+j' }))).to.deep.equal({
      'a.next': 'n',
      'a.open': 'Enter',
      'b.next': 'j',
      'c.help': '?',
      'c.runs': 'g r',
      'c.none': 'Mod+j',
    });
  });

  it('should assign keys to the first configured action only and remove them from their default action', () => {
    expect(toKeyMapObject(createSettings({ 'c.none': 'a' })))
      .to.include({ 'c.none': 'a' })
      .and.not.have.property('a.approve');
    expect(toKeyMapObject(createSettings({ 'a.next': 'a', 'a.approve': 'a' })))
      .to.include({ 'a.next': 'a' })
      .and.not.have.property('a.approve');
  });

  it('should ignore fixed keys and unknown actions', () => {
    expect(toKeyMapObject(createSettings({ 'a.open': 'o', 'z.none': 'z' }))).to.deep.equal(
      toKeyMapObject(DEFAULT_SHORTCUT_SETTINGS),
    );
  });
});

describe('findConflictingAction', () => {
  it('should return the action of the same scope or of `everywhere` whose keys are equal to or start with the given keys', () => {
    const findConflictId = (id: string, keys: string, settings = DEFAULT_SHORTCUT_SETTINGS): string | undefined =>
      findConflictingAction(GROUPS, settings, id, keys)?.id;
    expect([
      findConflictId('a.next', 'a'),
      findConflictId('a.next', '?'),
      findConflictId('c.help', 'j'),
      findConflictId('a.next', 'g'),
      findConflictId('a.next', 'j'),
    ]).to.deep.equal(['a.approve', 'c.help', 'a.next', 'c.runs', undefined]);
    expect([
      findConflictId('b.next', 'a'),
      findConflictId('b.next', 'x'),
      findConflictId('a.approve', 'j', createSettings({ 'a.next': 'n' })),
    ]).to.deep.equal([undefined, undefined, undefined]);
  });
});

describe('isCharacter', () => {
  it('should return true for characters and false for keys with Ctrl or a name', () => {
    expect(['a', '?', 'g r', 'Mod+k', 'Enter'].map(isCharacter)).to.deep.equal([true, true, true, false, false]);
  });
});

describe('parseKeySettings', () => {
  it('should return saved settings, and the default settings if the saved settings are invalid', () => {
    const stored = {
      keys: { 'a.next': 'n', 'c.none': 'Mod+j', 'c.runs': 'g x', 'a.approve': null },
      characters: false,
    };
    expect(parseShortcutSettings(stored)).to.deep.equal(stored);
    for (const each of [
      undefined,
      null,
      'x',
      {},
      { keys: { a: 'Enter' }, characters: true },
      { keys: { a: '<img>' }, characters: true },
      { keys: [], characters: 1 },
    ])
      expect(parseShortcutSettings(each)).to.equal(DEFAULT_SHORTCUT_SETTINGS);
  });
});

describe('readPressedKeys', () => {
  const press = (
    key: string,
    modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
    isSecondKey = false,
  ) => readPressedKeys({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers }, isSecondKey);

  it('should return a character, a character with Ctrl or Command, or a sequence that starts with g', () => {
    expect([
      press('n'),
      press('N'),
      press('B', { ctrlKey: true }),
      press('b', { metaKey: true }),
      press('x', {}, true),
    ]).to.deep.equal(['n', 'N', 'Mod+b', 'Mod+b', 'g x'].map((keys) => ({ kind: 'keys', keys })));
    expect(
      [press('g'), press('Shift'), press('Backspace'), press('Escape'), press('Tab')].map(({ kind }) => kind),
    ).to.deep.equal(['first', 'held', 'none', 'leave', 'leave']);
  });

  it('should not return keys that are reserved for navigation, editing or the window', () => {
    for (const result of [
      press('Enter'),
      press(' '),
      press('ArrowDown'),
      press('F5'),
      press('c', { ctrlKey: true }),
      press('=', { metaKey: true }),
      press('b', { ctrlKey: true }, true),
      press('a', { altKey: true }),
    ])
      expect(result).to.deep.equal({ kind: 'kept' });
  });
});
